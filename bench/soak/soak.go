package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// options are what one run is told.
type options struct {
	// span is how long it works.
	span time.Duration
	// every is the time between two kills; 0 means none.
	every time.Duration
	// agents work at once, each in a tab of its own, in so many sessions.
	agents, sessions int
	// pace is an agent's time between two actions, on the average.
	pace time.Duration
	// seed gives the order of the kills and the agents' pauses.
	seed uint64
	// program is the server's binary; empty means to build it.
	program string
	// verbose prints each error that an agent gets.
	verbose bool
}

const (
	// startTime is how long everything may take to be there.
	startTime = 3 * time.Minute
	// recoverTime is how long the first success after a kill may take, before it counts as a violation.
	recoverTime = 2 * time.Minute
	// strikeTime is how long it may take to kill, and to start again what must be.
	strikeTime = 2 * time.Minute
)

// soak has agents work for a time while it kills one thing after the other, and reports. When ctx ends it stops early and
// reports what it has.
func soak(ctx context.Context, opts options, out io.Writer) (report, error) {
	starting, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	s, err := openStage(starting, opts.program)
	if err != nil {
		return report{}, err
	}
	r, err := s.work(ctx, starting, opts, out)
	if err != nil || len(r.verdict.faults) > 0 {
		err = errors.Join(err, say(out, "the server's last words:\n%s\n", s.lastWords()))
	}
	return r, errors.Join(err, s.close())
}

func (s *stage) work(ctx, starting context.Context, opts options, out io.Writer) (report, error) {
	if err := s.connected(starting); err != nil {
		return report{}, err
	}
	judge := newJudge()
	if opts.verbose {
		judge.heard = func(agent, what string, e *protocol.Error) {
			_ = say(out, "%s %s: %s: %v (%s)\n", time.Now().Format("15:04:05.000"), agent, what, e, e.Outcome) // the run goes on without it
		}
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	agents, opened, err := s.hire(opts, judge)
	if err != nil {
		return report{}, err
	}
	var all sync.WaitGroup
	for _, a := range agents {
		all.Go(func() { a.run(working) })
	}
	defer all.Wait()
	defer stop()
	select {
	case <-opened:
	case <-starting.Done():
		return report{}, fmt.Errorf("open the agents' tabs: %w", context.Cause(starting))
	}
	began := time.Now()
	if err := say(out, "%d agents in %d sessions work for %s; seed %d\n", opts.agents, opts.sessions, opts.span, opts.seed); err != nil {
		return report{}, err
	}
	limited, end := context.WithDeadline(working, began.Add(opts.span))
	defer end()
	var kills []*kill
	if opts.every > 0 {
		kills, err = s.killAll(limited, opts, judge, agents, began, out)
	} else {
		<-limited.Done()
	}
	stop()
	all.Wait()
	return newReport(opts, judge, s.site.presses(), kills, began), err
}

// hire makes the agents; opened is closed when each has its page.
func (s *stage) hire(opts options, judge *judge) (agents []*agent, opened <-chan struct{}, err error) {
	var toOpen sync.WaitGroup
	for i := range opts.agents {
		session := fmt.Sprintf("session-%d", i%opts.sessions)
		c, err := s.client(session)
		if err != nil {
			return nil, nil, err
		}
		toOpen.Add(1)
		agents = append(agents, &agent{
			name: fmt.Sprintf("a%d", i), session: session, stage: s, client: c, judge: judge, pace: opts.pace,
			byRef: i/opts.sessions%2 == 1, opened: sync.OnceFunc(toOpen.Done), rand: rand.New(rand.NewPCG(opts.seed, uint64(i+1))),
		})
	}
	done := make(chan struct{})
	go func() { // it ends with the last agent's first page, or with the program
		toOpen.Wait()
		close(done)
	}()
	return agents, done, nil
}

// killAll kills something again and again until ctx ends, each time after the time between two kills and after the work goes
// on from the last one.
func (s *stage) killAll(ctx context.Context, opts options, judge *judge, agents []*agent, began time.Time, out io.Writer) ([]*kill, error) {
	r := rand.New(rand.NewPCG(opts.seed, 0))
	deck := &order{rand: r}
	var kills []*kill
	for {
		if wait(ctx, opts.every) != nil {
			return kills, nil
		}
		what := deck.deal()
		victim := agents[r.IntN(len(agents))]
		k := &kill{kind: what.name, at: time.Now(), over: make(chan struct{})}
		if what.one {
			k.victim = victim.name
		}
		// Not the run's own context: what was killed must be there again when the run ends in order.
		striking, cancel := context.WithTimeout(context.WithoutCancel(ctx), strikeTime)
		err := what.strike(striking, s, victim, r)
		cancel()
		if err != nil {
			return kills, fmt.Errorf("%s: %w", what.name, err)
		}
		judge.watch(k)
		if !s.recovered(ctx, judge, k) {
			return kills, nil
		}
		kills = append(kills, k)
		if err := say(out, "%8s  %-18s %-4s work again after %s\n", time.Since(began).Round(time.Second), k.kind, k.victim, k.recovered.Round(time.Millisecond)); err != nil {
			return kills, err
		}
	}
}

// recovered waits until the work goes on after a kill; it tells whether the run goes on.
func (s *stage) recovered(ctx context.Context, judge *judge, k *kill) bool {
	timer := time.NewTimer(recoverTime)
	defer timer.Stop()
	select {
	case <-k.over:
		return true
	case <-timer.C:
		judge.forget(k)
		select {
		case <-k.over: // just now
			return true
		default:
		}
		k.recovered = recoverTime
		judge.fault("no recovery: nothing has gone well for %s after %s at %s", recoverTime, k.kind, k.at.Format(time.TimeOnly))
		return true
	case <-ctx.Done():
		judge.forget(k)
		return false
	}
}

func say(out io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(out, format, args...)
	return err
}
