package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// result is a row measured: the medians of both ways.
type result struct {
	row
	times  [2]time.Duration // ours, the floor's
	weight weight
}

func (r result) ratio() float64 { return float64(r.times[0]) / float64(r.times[1]) }

// warmUp is how many runs do not count.
const warmUp = 1

// budget is how long all rows together are measured: what a row may take is its share of what is left of it, once it
// has been measured leastRuns times.
const (
	budget    = 3 * time.Minute
	leastRuns = 3
)

// measure takes both ways in turns, so that whatever else the machine does meets both.
func measure(ctx context.Context, r row, patience time.Duration, told func(run int)) (result, error) {
	var ours, floors []time.Duration
	begun := time.Now()
	for i := range r.runs + warmUp {
		if i >= leastRuns+warmUp && time.Since(begun) > patience {
			break
		}
		told(i + 1)
		a, err := timed(ctx, r.apart, r.ours)
		if err != nil {
			return result{}, err
		}
		b, err := timedFloor(ctx, r)
		if err != nil {
			return result{}, fmt.Errorf("the floor: %w", err)
		}
		if i >= warmUp {
			ours, floors = append(ours, a), append(floors, b)
		}
	}
	return result{row: r, times: [2]time.Duration{median(ours), median(floors)}}, nil
}

func timedFloor(ctx context.Context, r row) (took time.Duration, err error) {
	if r.drawn == nil {
		return timed(ctx, r.apart, r.floor)
	}
	stop, err := r.drawn.Draw(ctx)
	if err != nil {
		return 0, err
	}
	took, err = timed(ctx, r.apart, r.floor)
	return took, errors.Join(err, stop())
}

// timed is how long something takes that begins after a while.
func timed(ctx context.Context, apart time.Duration, do func(context.Context) error) (time.Duration, error) {
	select {
	case <-time.After(apart):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	begun := time.Now()
	err := do(ctx)
	return time.Since(begun), err
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
