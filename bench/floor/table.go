package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// growthMax is the highest power of the page's size that anything may grow with: 1 is linear, and the rest is what
// measuring on a busy machine is off by.
const growthMax = 1.25

// title is a row's name with the size of its page.
func title(r row) string {
	if r.size == 0 {
		return r.name
	}
	return fmt.Sprintf("%s, %d controls", r.name, r.size)
}

// printHead prints what stands over the rows.
func printHead(out io.Writer) {
	_, _ = fmt.Fprintf(out, "%-36s %11s %11s %8s %7s   %9s %7s %7s\n", "", "ours", "floor", "ratio", "limit", "wire", "text", "o200k")
}

// printRow prints a row as soon as it was measured, and returns an error when it is above its limit.
func printRow(out io.Writer, r result) error {
	mark := ""
	var over error
	if r.ratio() > r.limit {
		mark = "  OVER"
		over = fmt.Errorf("%s takes %.2f times the floor, at most %g are allowed", title(r.row), r.ratio(), r.limit)
	}
	_, _ = fmt.Fprintf(out, "%-36s %8.2f ms %8.2f ms %7.2f× %5g ×   %7d B %5d B %7d%s\n",
		title(r.row), millis(r.times[0]), millis(r.times[1]), r.ratio(), r.limit, r.weight.wire, r.weight.text, r.weight.tokens, mark)
	return over
}

// printGrowth prints how time grows with the page, from the smallest to the largest, and returns what grows faster than
// the page does.
func printGrowth(out io.Writer, results []result) error {
	_, _ = fmt.Fprintf(out, "\n%-36s %11s %11s %8s %7s\n", "growth", "page", "time", "power", "limit")
	var over []error
	for i, small := range results {
		for _, large := range results[i+1:] {
			if small.size == 0 || small.family != large.family || large.size != sizes[len(sizes)-1] || small.size == large.size {
				continue
			}
			page := float64(large.size) / float64(small.size)
			grown := float64(large.times[0]) / float64(small.times[0])
			power := math.Log(grown) / math.Log(page)
			name := fmt.Sprintf("%s, %d → %d controls", small.family, small.size, large.size)
			_, _ = fmt.Fprintf(out, "%-36s %9.0f × %9.2f × %8.2f %7g\n", name, page, grown, power, growthMax)
			if power > growthMax {
				over = append(over, fmt.Errorf("%s: %.1f times the time for %.0f times the page", name, grown, page))
			}
		}
	}
	return errors.Join(over...)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
