// Command floor measures Drawbridge against the floor that it stands on: the same work in the same browser, done by
// raw CDP over the debugging pipe, one after the other in the same run. It prints ratios and fails when one is above
// its limit; the times beside them are only printed, since they say more about the machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"
)

// comparison is one row: what an agent asks for, and the floor for it.
type comparison struct {
	name  string
	limit float64
	runs  int
	ours  func(context.Context) error
	floor func(context.Context) error
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench-floor:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	b, err := openBench(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	rows, err := b.comparisons(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "%-44s %10s %10s %8s %8s\n", "", "ours", "raw CDP", "ratio", "limit")
	var over []error
	for _, row := range rows {
		ours, floor, err := measure(ctx, row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		ratio := float64(ours) / float64(floor)
		_, _ = fmt.Fprintf(out, "%-44s %7.2f ms %7.2f ms %7.2f× %6.0f ×\n", row.name, millis(ours), millis(floor), ratio, row.limit)
		if ratio > row.limit {
			over = append(over, fmt.Errorf("%s takes %.2f times the floor, at most %.0f are allowed", row.name, ratio, row.limit))
		}
	}
	return errors.Join(over...)
}

// measure takes both ways in turns, so that whatever else the machine does meets both, and returns their medians.
func measure(ctx context.Context, row comparison) (ours, floor time.Duration, err error) {
	const warmUp = 3
	var a, b []time.Duration
	for i := range row.runs + warmUp {
		tookOurs, err := timed(ctx, row.ours)
		if err != nil {
			return 0, 0, err
		}
		tookFloor, err := timed(ctx, row.floor)
		if err != nil {
			return 0, 0, fmt.Errorf("the floor: %w", err)
		}
		if i >= warmUp {
			a, b = append(a, tookOurs), append(b, tookFloor)
		}
	}
	return median(a), median(b), nil
}

func timed(ctx context.Context, do func(context.Context) error) (time.Duration, error) {
	begun := time.Now()
	err := do(ctx)
	return time.Since(begun), err
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
