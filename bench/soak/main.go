// Command soak has agents work in a real browser for as long as it is told, kills something every while, and holds what the
// agents were told against what the pages counted: no action done wrongly, twice, or against what the agent was told, and no
// call without an answer. It prints how long the work took to go on after each kind of kill.
//
//	go run ./bench/soak -for 1h          kills by turns
//	go run ./bench/soak -crowd 50        no kills: 50 agents in 10 sessions, and whether all get their turn
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"
)

func main() {
	opts := options{agents: 4, sessions: 2, pace: 150 * time.Millisecond}
	var crowd int
	flag.DurationVar(&opts.span, "for", 5*time.Minute, "how `long` it works")
	flag.DurationVar(&opts.every, "every", 20*time.Second, "the time between two kills")
	flag.Uint64Var(&opts.seed, "seed", 0, "the `number` that gives the order of the kills; 0 takes one")
	flag.StringVar(&opts.program, "program", "", "the server's `binary`; empty builds it")
	flag.BoolVar(&opts.verbose, "v", false, "print each error that an agent gets")
	flag.IntVar(&crowd, "crowd", 0, "so `many` agents in 10 sessions and no kills")
	flag.Parse()
	if crowd > 0 {
		opts.agents, opts.sessions, opts.pace, opts.every = crowd, min(crowd, 10), time.Second, 0
	}
	if opts.seed == 0 {
		opts.seed = uint64(rand.Uint32())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	r, err := soak(ctx, opts, os.Stdout)
	stop()
	if err == nil {
		err = r.print(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
	if len(r.verdict.faults) > 0 || r.passed() == 0 || r.fair && r.unfairness() > unfair {
		os.Exit(1)
	}
}
