// Command floor measures Drawbridge against the floor that it stands on: the same work in the same browser, done by
// raw CDP over the debugging pipe, one after the other in the same run; for the command line the floor is curl. It prints
// ratios and fails when one is above its limit; the times beside them are only printed, since they say more about the
// machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/progress"
)

// main takes words of rows' titles as arguments: only those rows are measured.
func main() {
	program := flag.String("program", "bin/drawbridge", "the `program` whose verbs are measured")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *program, flag.Args(), os.Stdout, progress.New(os.Stderr)); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench-floor:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, program string, only []string, out io.Writer, tell *progress.Line) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	defer tell.End()
	tell.Say("starting a server and a browser", "")
	b, err := openBench(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	rows, err := b.rows(ctx, program, func(what string) { tell.Say(what, "") })
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r row) bool {
		return len(only) > 0 && !slices.ContainsFunc(only, func(word string) bool { return strings.Contains(title(r), word) })
	})
	results := make([]result, 0, len(rows))
	var over []error
	printHead(out)
	end := time.Now().Add(budget)
	for i, r := range rows {
		measured, err := measure(ctx, r, time.Until(end)/time.Duration(len(rows)-i), func(run int) {
			tell.Say(fmt.Sprintf("%d of %d: %s", i+1, len(rows), title(r)), fmt.Sprintf("run %d", run))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", title(r), err)
		}
		if measured.weight, err = b.weigh(ctx, r.sample); err != nil {
			return fmt.Errorf("%s: %w", title(r), err)
		}
		tell.End()
		over = append(over, printRow(out, measured))
		results = append(results, measured)
	}
	return errors.Join(append(over, printGrowth(out, results))...)
}
