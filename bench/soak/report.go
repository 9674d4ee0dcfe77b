package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"
)

// report is what came of a run.
type report struct {
	verdict verdict
	// times are the recoveries by kind of kill, sorted.
	times              map[string][]time.Duration
	errors             map[string]int
	lostTabs, lostRefs int
	// p95 is by session the time that the slowest twentieth of its actions took at least.
	p95  map[string]time.Duration
	took time.Duration
	// fair says that the run was about fairness: without kills, with several sessions.
	fair bool
}

// limits of the recovery from what is judged by time, of the two kinds. The median is held to ten times as much, since
// what it takes says as much about the machine.
var medianAims = map[string]time.Duration{"worker killed": 1500 * time.Millisecond, "server killed": 2500 * time.Millisecond}

const (
	lenient = 10
	// unfair is how many times as slow as the fastest the slowest session may be.
	unfair = 3
)

func newReport(opts options, j *judge, seen map[press]int, kills []*kill, began time.Time) report {
	r := report{verdict: j.judge(seen), times: map[string][]time.Duration{}, p95: j.p95(began), took: time.Since(began), fair: opts.every == 0}
	j.mu.Lock()
	r.errors, r.lostTabs, r.lostRefs = maps.Clone(j.errors), j.lostTabs, j.lostRefs
	j.mu.Unlock()
	for _, k := range kills {
		r.times[k.kind] = append(r.times[k.kind], k.recovered)
	}
	for name, times := range r.times {
		slices.Sort(times)
		if aim := medianAims[name]; aim > 0 && median(times) > lenient*aim {
			r.verdict.faults = append(r.verdict.faults, fmt.Sprintf("slow: the median after %s is %s, expected %s", name, median(times).Round(time.Millisecond), aim))
		}
	}
	return r
}

// unfairness is how many times as slow as the fastest session the slowest is; 0 when there are not two.
func (r report) unfairness() float64 {
	if len(r.p95) < 2 {
		return 0
	}
	times := slices.Collect(maps.Values(r.p95))
	return float64(slices.Max(times)) / float64(slices.Min(times))
}

// passed counts the actions that came out as the agent was told.
func (r report) passed() int {
	v := r.verdict
	return max(v.done+v.notSent+v.unknown+v.reads-len(v.faults), 0)
}

func (r report) print(out io.Writer) error {
	v := r.verdict
	err := say(out, "\nin %s: %d clicks done, %d not sent, %d unknown; %d of them by asking a new server; %d looks at a title\n",
		r.took.Round(time.Second), v.done, v.notSent, v.unknown, v.recalled, v.reads)
	for _, name := range slices.Sorted(maps.Keys(r.errors)) {
		err = errors.Join(err, say(out, "  %5d × %s\n", r.errors[name], name))
	}
	err = errors.Join(err, say(out, "tabs opened anew: %d, refs read anew: %d\n", r.lostTabs, r.lostRefs))
	if r.fair {
		err = errors.Join(err, r.printSessions(out))
	} else {
		err = errors.Join(err, r.printKills(out))
	}
	for _, fault := range v.faults {
		err = errors.Join(err, say(out, "FAULT %s\n", fault))
	}
	return errors.Join(err, say(out, "%d passed, %d failed\n", r.passed(), len(v.faults)))
}

func (r report) printKills(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	err := say(table, "from the kill to the next action done\ttimes\tmedian\tworst\taim of the median\n")
	for _, k := range kinds {
		times := r.times[k.name]
		if len(times) == 0 {
			continue
		}
		aim := "–"
		if d := medianAims[k.name]; d > 0 {
			aim = d.String()
		}
		err = errors.Join(err, say(table, "%s\t%d\t%s\t%s\t%s\n", k.name, len(times), median(times).Round(time.Millisecond), times[len(times)-1].Round(time.Millisecond), aim))
	}
	return errors.Join(err, table.Flush())
}

func (r report) printSessions(out io.Writer) error {
	names := slices.SortedFunc(maps.Keys(r.p95), func(a, b string) int { return cmp.Compare(r.p95[a], r.p95[b]) })
	var err error
	for _, name := range names {
		err = errors.Join(err, say(out, "  %-11s 95 of 100 actions within %s\n", name, r.p95[name].Round(time.Millisecond)))
	}
	return errors.Join(err, say(out, "the slowest session takes %.2f times as long as the fastest\n", r.unfairness()))
}

// median of what is sorted and not empty.
func median(sorted []time.Duration) time.Duration {
	return sorted[len(sorted)/2]
}
