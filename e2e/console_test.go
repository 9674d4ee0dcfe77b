package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// lines are the entries as level and text.
func lines(entries []protocol.ConsoleEntry) (out []string) {
	for _, e := range entries {
		text, _, _ := strings.Cut(e.Text, "\n")
		out = append(out, e.Level+" "+text)
	}
	return out
}

// logged waits until the console has a line.
func (a *agent) logged(page protocol.Page, want string) protocol.ConsoleResult {
	a.t.Helper()
	var result protocol.ConsoleResult
	err := eventually(within(a.t), "the console's line "+want, func() (bool, error) {
		result = do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "list", Limit: 1000})
		return slices.Contains(lines(result.Entries), want), nil
	})
	if err != nil {
		a.t.Fatalf("%v; it has %q", err, lines(result.Entries))
	}
	return result
}

func TestConsoleRecordsWhatThePageLogs(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	inner := r.site.html(t, "inner", `<script>addEventListener('message', () => console.warn('from the frame'))</script>`)
	page := a.open(r.site.html(t, "console", `<script>console.log('before anybody asked', {id: 7, name: 'Ada'})</script>
		<iframe src="`+strings.Replace(inner, "page.test", "other.test", 1)+`"></iframe>`))
	first := a.logged(page, "log before anybody asked Object")
	if entry := first.Entries[0]; !strings.HasSuffix(entry.Source, "/console:1") || entry.At < 1e12 {
		t.Errorf("the entry is %+v, expected its place and time", entry)
	}
	do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "start"})
	a.value(page, `[console.debug('%s is %d years', 'Ada', 36.5), console.assert(1 > 2, 'maths'), console.info([1, 2], null), console.log({id: 7, name: 'Ada'}),
		setTimeout(() => { throw new Error('nobody caught me') }), frames[0].postMessage('go', '*'), fetch('/gone-missing')][0]`)
	a.logged(page, "warning from the frame")
	a.logged(page, "error Uncaught Error: nobody caught me")
	got := a.logged(page, "error Failed to load resource: the server responded with a status of 404 (Not Found)")
	for _, want := range []string{"debug Ada is 36 years", "error Assertion failed: maths", "info [1, 2] null", `log {id: 7, name: "Ada"}`} {
		if !slices.Contains(lines(got.Entries), want) {
			t.Errorf("%q is not among %q", want, lines(got.Entries))
		}
	}
	// No line is told twice, though Chrome tells them again for each recording that begins.
	if n := len(slices.DeleteFunc(lines(got.Entries), func(l string) bool { return !strings.Contains(l, "before anybody") })); n != 1 {
		t.Errorf("the first line stands %d times in %q", n, lines(got.Entries))
	}
	last := do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "list", Limit: 2})
	if len(last.Entries) != 2 || len(last.Notes) != 1 || !strings.Contains(last.Notes[0], "earlier") {
		t.Errorf("with a limit of 2 it gives %d entries and the notes %q", len(last.Entries), last.Notes)
	}
	do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "stop"})
	a.value(page, `console.log('after the end')`)
	if after := do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "list"}); strings.Contains(strings.Join(lines(after.Entries), "\n"), "after the end") || len(after.Entries) != len(got.Entries) {
		t.Errorf("after stop it has %q", lines(after.Entries))
	}
}

func TestConsoleIsBounded(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "noisy", `noise`))
	do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "start"})
	a.value(page, `Array.from({length: 1200}, (_, i) => console.log('line ' + i + ' ' + 'x'.repeat(5000))).length`)
	want := "log line 1199 " + strings.Repeat("x", 5000)
	got := a.logged(page, want[:len("log ")+1999]+"…")
	if len(got.Entries) != 500 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], fmt.Sprint(700)) {
		t.Errorf("it keeps %d entries and says %q", len(got.Entries), got.Notes)
	}
}

func TestRecordingsSurviveTheWorker(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "survivor", `<script>let n = 0; setInterval(() => fetch('/tick' + (++n)), 100)</script>`))
	do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "start"})
	do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "start"})
	a.value(page, `console.log('before the end')`)
	a.logged(page, "log before the end")
	a.requested(page, "/tick")
	before := do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list", Limit: 1}).Entries[0]
	// Each is stored a moment after it came, and each is told of elsewhere as well: in the answers that are kept for who asks
	// again, and in what the console says of a request.
	extension := r.popupPage(t)
	for kind, what := range map[string]string{"network": before.URL, "console": "before the end"} {
		stored := "chrome.storage.session.get(null).then(all => JSON.stringify(Object.entries(all).filter(([key]) => key.startsWith('" + kind + ".'))))"
		if err := eventually(within(t), "the stored "+what, func() (bool, error) {
			var said string
			err := extension.Evaluate(within(t), stored, &said)
			return strings.Contains(said, what), err
		}); err != nil {
			t.Fatal(err)
		}
	}
	killWorker(t, r)
	wakeWorker(t, r)
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	a.logged(page, "log before the end")
	entries := do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list", Limit: 1000}).Entries
	if !slices.ContainsFunc(entries, func(e protocol.NetworkEntry) bool { return e.URL == before.URL }) {
		t.Errorf("the request %s is forgotten", before.URL)
	}
	a.value(page, `console.log('after it')`)
	a.logged(page, "log after it")
	a.value(page, `fetch('/in-the-new-life').then(() => 1)`)
	a.requested(page, "/in-the-new-life")
}
