package main

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// span is how long the soak in the tests takes: five minutes with the crowd, unless SOAK says otherwise.
func span(t *testing.T) time.Duration {
	t.Helper()
	given := os.Getenv("SOAK")
	if given == "" {
		return 4*time.Minute + 15*time.Second
	}
	d, err := time.ParseDuration(given)
	if err != nil {
		t.Fatalf("SOAK: %v", err)
	}
	return d
}

// testSeed deals the same order of kills in each test, so that a change alone turns it red; "make soak" deals anew.
const testSeed = 20261130

// It runs beside the other packages' tests, so its agents take their time.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("the soak takes minutes")
	}
	opts := options{agents: 4, sessions: 2, pace: 600 * time.Millisecond, every: 20 * time.Second, span: span(t), seed: testSeed}
	r := run(t, opts)
	if len(r.times) == 0 && opts.span > 2*opts.every {
		t.Error("nothing was killed")
	}
}

func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("the crowd takes half a minute")
	}
	const sessions = 10
	r := run(t, options{agents: 2 * sessions, sessions: sessions, pace: time.Second, span: 20 * time.Second, seed: testSeed})
	if len(r.p95) != sessions {
		t.Errorf("%d sessions got something done, expected %d", len(r.p95), sessions)
	}
	// Of so few actions the slowest twentieth is one or two, and one stall of a busy machine decides: starved is who waits for
	// seconds while others do not. make soak AGENTS=50 holds it to 3 times.
	if starved := slices.Max(slices.Collect(maps.Values(r.p95))); r.unfairness() > lenient && starved > 5*time.Second {
		t.Errorf("the slowest session takes %.1f times as long as the fastest", r.unfairness())
	}
}

func run(t *testing.T, opts options) report {
	t.Helper()
	r, err := soak(t.Context(), opts, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.print(t.Output()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.verdict.faults {
		t.Error(fault)
	}
	if r.passed() == 0 {
		t.Error("no action was done")
	}
	return r
}

func TestJudge(t *testing.T) {
	button := press{"a0-1", "b3"}
	for _, c := range []struct {
		name  string
		told  protocol.Outcome // "" when nobody asked
		count int
		fault string
	}{
		{"done once", protocol.Done, 1, ""},
		{"done and never pressed", protocol.Done, 0, "not done"},
		{"done and pressed twice", protocol.Done, 2, "doubled"},
		{"not sent", protocol.NotSent, 0, ""},
		{"not sent and pressed", protocol.NotSent, 1, "done all the same"},
		{"unknown and not pressed", protocol.Unknown, 0, ""},
		{"unknown and pressed", protocol.Unknown, 1, ""},
		{"unknown and pressed twice", protocol.Unknown, 2, "doubled"},
		{"an outcome of no kind", "perhaps", 0, "no outcome"},
		{"pressed without being asked for", "", 1, "wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge()
			if c.told != "" {
				j.clicked(call{agent: "a0", press: button, outcome: c.told})
			}
			seen := map[press]int{}
			if c.count > 0 {
				seen[button] = c.count
			}
			v := j.judge(seen)
			switch {
			case c.fault == "" && len(v.faults) > 0:
				t.Errorf("the judge finds %v", v.faults)
			case c.fault != "" && (len(v.faults) != 1 || !strings.HasPrefix(v.faults[0], c.fault)):
				t.Errorf("the judge finds %q, expected one fault: %s", v.faults, c.fault)
			}
		})
	}
}

func TestRecoveryIsTheFirstSuccessThatBeganAfterTheKill(t *testing.T) {
	j, at := newJudge(), time.Now()
	after := func(ms int) time.Time { return at.Add(time.Duration(ms) * time.Millisecond) }
	all := &kill{at: at, over: make(chan struct{})}
	one := &kill{at: at, victim: "a1", over: make(chan struct{})}
	j.watch(all)
	j.watch(one)
	j.read("a1", "s", after(-10), after(20)) // under way when it happened
	j.clicked(call{agent: "a0", outcome: protocol.Unknown, began: after(30), ended: after(40)})
	j.read("a0", "s", after(50), after(60))
	j.read("a1", "s", after(70), after(90))
	<-all.over
	<-one.over
	if all.recovered != 60*time.Millisecond || one.recovered != 90*time.Millisecond {
		t.Errorf("recovered after %s and %s, expected 60ms and 90ms", all.recovered, one.recovered)
	}
}

func TestEachKindComesOnceBeforeAnyComesAgain(t *testing.T) {
	deck := &order{rand: rand.New(rand.NewPCG(1, 0))}
	deal := func() (names []string) {
		for range kinds {
			names = append(names, deck.deal().name)
		}
		return names
	}
	first, second := deal(), deal()
	if slices.Equal(first, second) {
		t.Errorf("both rounds are %v", first)
	}
	slices.Sort(first)
	slices.Sort(second)
	if !slices.Equal(first, second) || len(slices.Compact(first)) != len(kinds) {
		t.Errorf("the rounds are %v and %v", first, second)
	}
	again := &order{rand: rand.New(rand.NewPCG(1, 0))}
	if name := again.deal().name; name != kinds[rand.New(rand.NewPCG(1, 0)).Perm(len(kinds))[0]].name {
		t.Errorf("the same seed begins with %s", name)
	}
}
