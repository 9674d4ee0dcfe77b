// Command peers measures Drawbridge beside other tools that give an agent a browser: the same work on the same pages in
// the same Chromium, each tool driven as an agent drives it, in turns. The pages tell what was really done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/progress"
)

// options are what the command line asks for.
type options struct {
	rounds, starts int
	// only are words of tools' names: the others are left out.
	only []string
	json bool
	// readme is the file that the table is written into; empty: none.
	readme string
	// program is our own binary, packages the folder that npm's packages were put into.
	program, packages string
}

func main() {
	var o options
	var only string
	flag.IntVar(&o.rounds, "rounds", 5, "how often each piece of work is measured")
	flag.IntVar(&o.starts, "starts", 3, "how often each cold start is measured")
	flag.StringVar(&only, "only", "", "`words` of tools' names, by commas: only those are measured")
	flag.BoolVar(&o.json, "json", false, "print JSON")
	flag.StringVar(&o.readme, "readme", "", "`file` that the table is written into, between its marks")
	flag.StringVar(&o.program, "program", "bin/drawbridge", "`file` of the program to measure")
	flag.StringVar(&o.packages, "packages", "bench/peers/node_modules", "`folder` of npm's packages")
	flag.Parse()
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, &o, os.Stdout, progress.New(os.Stderr)); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench-peers:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options, out io.Writer, tell *progress.Line) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	b, err := openBench(o, tell)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	report, err := b.measure(ctx)
	if err != nil {
		return err
	}
	tell.End()
	if o.readme != "" {
		if err := writeInto(o.readme, report.markdown()); err != nil {
			return err
		}
	}
	if o.json {
		return report.json(out)
	}
	_, err = io.WriteString(out, report.markdown())
	return err
}
