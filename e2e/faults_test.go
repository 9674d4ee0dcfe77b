package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// fault is one thing that goes wrong with tools of this kind, as a page on which it would show.
type fault struct {
	name string
	// shows opens pages, acts on them and asks the pages what they saw: never our own word alone.
	shows func(*trial)
}

// faults of all kinds: each kind has a file of its own.
var faults = []struct {
	kind  string
	known []fault
}{
	{"stale_refs", staleRefs},
	{"virtual_lists", virtualLists},
	{"shadow_dom", shadowDOM},
	{"iframes", iframes},
	{"covered", covered},
	{"styled_inputs", styledInputs},
	{"rich_editors", richEditors},
	{"controlled_inputs", controlledInputs},
	{"masks", masks},
	{"special_inputs", specialInputs},
	{"selects", selects},
	{"hover", hovers},
	{"bridge", bridge},
	{"concurrency", concurrency},
	{"mcp", models},
	{"security", security},
	{"wait_for", waitsFor},
	{"drag", drags},
	{"big_pages", bigPages},
	{"hidden_content", hiddenContent},
	{"a11y_names", a11yNames},
	{"markdown", markdownFaults},
	{"evaluate", evaluation},
	{"keyboard", keyboard},
	{"scrolling", scrolling},
	{"screenshots", screenshots},
	{"upload", uploads},
	{"dialogs", dialogs},
	{"new_tabs", newTabs},
	{"downloads", downloadFaults},
	{"navigation", navigations},
	{"special_pages", specialPages},
}

func TestFault(t *testing.T) {
	t.Parallel()
	for _, kind := range faults {
		t.Run(kind.kind, func(t *testing.T) {
			t.Parallel()
			for _, f := range kind.known {
				t.Run(f.name, func(t *testing.T) {
					t.Parallel()
					f.shows(&trial{agent: sharedRig(t).newAgent(t)})
				})
			}
		})
	}
}

// trial is a fault's test: an agent with one tab, and a look at its page that goes past the extension.
type trial struct {
	*agent
	page protocol.Page
	seen *chromium.Session
	// loads is how often a page was written.
	loads int
}

// soon is how long a page gets to see what was done to it.
const soon = 15 * time.Second

// load writes a page and opens it in a tab of the trial's own. The tabs of earlier pages stay open, so each has an address
// of its own: the look at the page finds its tab by that.
func (f *trial) load(body string) string {
	f.t.Helper()
	address := f.html("page", body)
	if f.loads++; f.loads > 1 {
		address += fmt.Sprint("?", f.loads)
	}
	return f.show(address)
}

// show opens an address in a tab of the trial's own.
func (f *trial) show(url string) string {
	f.t.Helper()
	f.page = f.open(url)
	f.seen = f.rig.page(f.t, url)
	return url
}

// html writes a page and returns its address.
func (f *trial) html(name, body string) string {
	f.t.Helper()
	return f.rig.site.html(f.t, name, body)
}

// goTo loads an address in the trial's tab.
func (f *trial) goTo(url string) {
	f.t.Helper()
	do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: url})
}

// run has the page do something.
func (f *trial) run(script string) {
	f.t.Helper()
	if err := f.seen.Evaluate(within(f.t), script, nil); err != nil {
		f.t.Fatal(err)
	}
}

// says is the JSON of an expression in the page.
func (f *trial) says(expression string) string {
	f.t.Helper()
	said, err := f.said(within(f.t), expression)
	if err != nil {
		f.t.Fatal(err)
	}
	return said
}

// said is the JSON of an expression in the page, as Go spells it.
func (f *trial) said(ctx context.Context, expression string) (string, error) {
	var value any
	if err := f.seen.Evaluate(ctx, expression, &value); err != nil {
		return "", err
	}
	var spelt strings.Builder
	encoder := json.NewEncoder(&spelt)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSpace(spelt.String()), err
}

// until waits until an expression in the page has this JSON.
func (f *trial) until(expression, want string) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), soon)
	defer cancel()
	got := ""
	if err := eventually(ctx, expression, func() (bool, error) {
		if said, err := f.said(ctx, expression); err == nil {
			got = said
		} // else the page may just be loading
		return got == want, nil
	}); err != nil {
		f.t.Errorf("in the page %s is %s, expected %s", expression, got, want)
	}
}

// is holds an expression in the page to a JSON now, for what must not have happened.
func (f *trial) is(expression, want string) {
	f.t.Helper()
	if got := f.says(expression); got != want {
		f.t.Errorf("in the page %s is %s, expected %s", expression, got, want)
	}
}

// ref finds an element in what the page tells.
func (f *trial) ref(role, name string) protocol.Target {
	f.t.Helper()
	return f.target(f.page, role, name)
}

// lateRef finds an element in what the page tells, once it tells it.
func (f *trial) lateRef(role, name string) protocol.Target {
	f.t.Helper()
	var found protocol.Target
	var elements []protocol.Element
	ctx, cancel := context.WithTimeout(f.t.Context(), soon)
	defer cancel()
	if err := eventually(ctx, name, func() (bool, error) {
		elements = f.extract(f.page).Elements
		i := slices.IndexFunc(elements, func(e protocol.Element) bool { return e.Role == role && e.Name == name })
		if i >= 0 {
			found = protocol.Target{UID: elements[i].UID}
		}
		return i >= 0, nil
	}); err != nil {
		f.t.Fatalf("the page tells of no %s %q, but of %+v", role, name, elements)
	}
	return found
}

// css names an element by its selector.
func css(selector string) protocol.Target { return protocol.Target{Selector: selector} }

// press clicks an element.
func (f *trial) press(target protocol.Target) protocol.ClickResult {
	f.t.Helper()
	return do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: target})
}

// point moves the pointer onto an element.
func (f *trial) point(target protocol.Target) {
	f.t.Helper()
	do[protocol.HoverResult](f.agent, protocol.Hover{Page: f.page, Target: target})
}

// fill sets a control's value.
func (f *trial) fill(target protocol.Target, text string) protocol.FillResult {
	f.t.Helper()
	return do[protocol.FillResult](f.agent, protocol.Fill{Page: f.page, Target: target, Text: &text})
}

// choose chooses options.
func (f *trial) choose(target protocol.Target, values ...string) protocol.SelectResult {
	f.t.Helper()
	return do[protocol.SelectResult](f.agent, protocol.Select{Page: f.page, Target: target, Values: values})
}

// refused has an action refused, with nothing done and a word on why.
func (f *trial) refused(code protocol.ErrorCode, action protocol.Action, words ...string) *protocol.Error {
	f.t.Helper()
	refusal := f.fails(code, action)
	if refusal.Outcome != protocol.NotSent {
		f.t.Errorf("the refusal says that the outcome is %s: %s", refusal.Outcome, refusal.Message)
	}
	for _, word := range words {
		if !containsFold(refusal.Message, word) {
			f.t.Errorf("the refusal does not say %q: %s", word, refusal.Message)
		}
	}
	return refusal
}

// outline is the whole snapshot.
func (f *trial) outline() string {
	f.t.Helper()
	return do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page}).Snapshot
}

// lists counts what the snapshot says.
func (f *trial) lists(text string, want int) {
	f.t.Helper()
	if tree := f.outline(); strings.Count(tree, text) != want {
		f.t.Errorf("the snapshot says %q %d times, expected %d:\n%s", text, strings.Count(tree, text), want, tree)
	}
}

// holds holds a value that was read back to what the page has.
func (f *trial) holds(what string, value *string, want string) {
	f.t.Helper()
	if value == nil || *value != want {
		f.t.Errorf("%s: the result says that it holds %s, expected %q", what, spell(value), want)
	}
}

func spell(value *string) string {
	if value == nil {
		return "nothing"
	}
	return fmt.Sprintf("%q", *value)
}

// tells holds a result's notes to saying something.
func (f *trial) tells(notes []string, word string) {
	f.t.Helper()
	if !slices.ContainsFunc(notes, func(note string) bool { return containsFold(note, word) }) {
		f.t.Errorf("the result does not say %q, but %q", word, notes)
	}
}
