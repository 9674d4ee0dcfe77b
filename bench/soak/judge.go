package main

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// call is one click that an agent asked for.
type call struct {
	agent, session string
	press          press
	began, ended   time.Time
	// outcome is what the agent was told at last, after it asked again by the call's key when the server had died.
	outcome  protocol.Outcome
	recalled bool
}

// judge holds what agents were told against what the pages counted. It is safe for concurrent use.
type judge struct {
	// heard, if set, is called with each error that an agent gets; fixed before the first.
	heard func(agent, what string, e *protocol.Error)

	mu    sync.Mutex
	calls map[press]call
	// reads are actions that change nothing, answered well.
	reads int
	// faults are the violations that show at once; the others show at the end.
	faults []string
	// errors counts the errors that agents got, by code and outcome.
	errors map[string]int
	// lost counts tabs and refs that an agent had to get anew.
	lostTabs, lostRefs int
	waiting            []*kill             // kills after which nothing has succeeded yet
	times              map[string][]sample // by session, of what went well
}

// sample is how long one action took, and when it began.
type sample struct {
	began time.Time
	took  time.Duration
}

func newJudge() *judge {
	return &judge{calls: map[press]call{}, errors: map[string]int{}, times: map[string][]sample{}}
}

// clicked takes down a click that has ended.
func (j *judge) clicked(c call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls[c.press] = c
	if c.outcome == protocol.Done {
		j.succeededLocked(c.agent, c.session, c.began, c.ended)
	}
}

// read takes down an action that changes nothing and went well.
func (j *judge) read(agent, session string, began, ended time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.reads++
	j.succeededLocked(agent, session, began, ended)
}

func (j *judge) succeededLocked(agent, session string, began, ended time.Time) {
	j.times[session] = append(j.times[session], sample{began, ended.Sub(began)})
	j.waiting = slices.DeleteFunc(j.waiting, func(k *kill) bool {
		if began.Before(k.at) || k.victim != "" && k.victim != agent {
			return false
		}
		k.recovered = ended.Sub(k.at)
		close(k.over)
		return true
	})
}

// watch waits for the first success of what begins after a kill.
func (j *judge) watch(k *kill) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(j.waiting, k)
}

// forget stops waiting for it.
func (j *judge) forget(k *kill) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = slices.DeleteFunc(j.waiting, func(other *kill) bool { return other == k })
}

// fault takes down a violation.
func (j *judge) fault(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.faults = append(j.faults, fmt.Sprintf(format, args...))
}

func (j *judge) failed(agent, what string, e *protocol.Error) {
	if j.heard != nil {
		j.heard(agent, what, e)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.errors[fmt.Sprintf("%s (%s)", e.Code, e.Outcome)]++
}

func (j *judge) lostTab() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lostTabs++
}

func (j *judge) lostRef() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lostRefs++
}

// verdict is the count of a whole run.
type verdict struct {
	done, notSent, unknown, recalled, reads int
	faults                                  []string
}

// judge compares all calls with what the pages counted.
func (j *judge) judge(seen map[press]int) verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := verdict{reads: j.reads, faults: slices.Clone(j.faults)}
	for p, c := range j.calls {
		if c.recalled {
			v.recalled++
		}
		switch c.outcome {
		case protocol.Done:
			v.done++
		case protocol.NotSent:
			v.notSent++
		case protocol.Unknown:
			v.unknown++
		}
		if fault := c.against(seen[p]); fault != "" {
			v.faults = append(v.faults, fault)
		}
	}
	for p, n := range seen {
		if _, asked := j.calls[p]; !asked {
			v.faults = append(v.faults, fmt.Sprintf("wrong: %s of %s was pressed %d times, and nobody asked for it", p.button, p.page, n))
		}
	}
	return v
}

// against is what is wrong with a call whose button was pressed n times, or nothing.
func (c call) against(n int) string {
	at := fmt.Sprintf("%s of %s, asked for at %s", c.press.button, c.press.page, c.began.Format(time.TimeOnly))
	switch {
	case n > 1:
		return fmt.Sprintf("doubled: %s, was pressed %d times (told %s)", at, n, c.outcome)
	case c.outcome == protocol.Done && n == 0:
		return fmt.Sprintf("not done: %s, was never pressed, and the agent was told that it was", at)
	case c.outcome == protocol.NotSent && n > 0:
		return fmt.Sprintf("done all the same: %s, was pressed, and the agent was told that nothing was sent", at)
	case c.outcome != protocol.Done && c.outcome != protocol.NotSent && c.outcome != protocol.Unknown:
		return fmt.Sprintf("no outcome: %s, ended with an outcome %q", at, c.outcome)
	}
	return ""
}

// p95 is by session how long the slowest twentieth of what began after a time took at least.
func (j *judge) p95(after time.Time) map[string]time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	slow := map[string]time.Duration{}
	for session, samples := range j.times {
		var times []time.Duration
		for _, s := range samples {
			if s.began.After(after) {
				times = append(times, s.took)
			}
		}
		if len(times) > 0 {
			slices.Sort(times)
			slow[session] = times[len(times)*95/100]
		}
	}
	return slow
}
