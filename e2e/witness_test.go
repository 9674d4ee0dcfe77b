package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// witnessed is what the page itself has counted.
type witnessed struct {
	Events      map[string]int `json:"events"`
	Untrusted   int            `json:"untrusted"`
	Mutations   int            `json:"mutations"`
	Constructed int            `json:"constructed"`
	ImageErrors int            `json:"imageErrors"`
	Scrolls     int            `json:"scrolls"`
}

func testify(t *testing.T, session *chromium.Session) witnessed {
	t.Helper()
	var w witnessed
	if err := session.Evaluate(within(t), "witness", &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// witnessPage opens the witness, and a look at it that does not go through the extension.
func witnessPage(t *testing.T) (*agent, protocol.Page, *chromium.Session) {
	t.Helper()
	r := sharedRig(t)
	a := r.newAgent(t)
	url := "http://page.test/witness.html?" + strings.ReplaceAll(t.Name(), "/", "-")
	page := a.open(url)
	return a, page, r.page(t, url)
}

func TestReadingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	a, page, session := witnessPage(t)
	awaitTrue(t, session, "witness.imageErrors === 1")
	before := testify(t, session)
	a.extract(page)
	do[protocol.SnapshotResult](a, protocol.Snapshot{Page: page})
	do[protocol.SnapshotResult](a, protocol.Snapshot{Page: page, Interactive: true, Compact: true, Depth: 3, Selector: "#arena"})
	do[protocol.ScreenshotResult](a, protocol.Screenshot{Page: page})
	do[protocol.WaitForResult](a, protocol.WaitFor{Page: page, Text: "Witness"})
	if diff := cmp.Diff(before, testify(t, session)); diff != "" {
		t.Errorf("reading left traces in the page (-before +after):\n%s", diff)
	}
	var added []string
	if err := session.Evaluate(within(t), "witness.added()", &added); err != nil || len(added) > 0 {
		t.Errorf("the page finds new names on its window: %q (%v)", added, err)
	}
	var automated bool
	if err := session.Evaluate(within(t), "navigator.webdriver", &automated); err != nil || automated {
		t.Errorf("navigator.webdriver is %v (%v)", automated, err)
	}
}

func TestActionsAreWhatAPersonDoes(t *testing.T) {
	t.Parallel()
	a, page, session := witnessPage(t)
	count := func(keys ...string) map[string]int {
		t.Helper()
		w := testify(t, session)
		if w.Untrusted > 0 {
			t.Errorf("%d events came from a script", w.Untrusted)
		}
		got := map[string]int{}
		for _, key := range keys {
			got[key] = w.Events[key]
		}
		return got
	}
	expect := func(what string, want map[string]int) {
		t.Helper()
		keys := make([]string, 0, len(want))
		for key := range want {
			keys = append(keys, key)
		}
		if diff := cmp.Diff(want, count(keys...)); diff != "" {
			t.Errorf("%s: the page saw (-want +got):\n%s", what, diff)
		}
	}
	a.clickOn(page, "button", "Press me")
	expect("a click", map[string]int{"pointerdown:button": 1, "mousedown:button": 1, "pointerup:button": 1, "mouseup:button": 1, "click:button": 1, "dblclick:button": 0})
	do[protocol.ClickResult](a, protocol.Click{Page: page, Target: protocol.Target{Selector: "#button"}, Count: 2})
	expect("a double click", map[string]int{"click:button": 3, "dblclick:button": 1})
	do[protocol.ClickResult](a, protocol.Click{Page: page, Target: protocol.Target{Selector: "#button"}, Button: "right"})
	expect("a right click", map[string]int{"click:button": 3, "contextmenu:button": 1})
	a.clickOn(page, "checkbox", "Agree")
	expect("a checkbox", map[string]int{"change:check": 1, "input:check": 1})

	typed := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: a.target(page, "textbox", "Text"), Text: ptr("héllo 👩‍👧")})
	if typed.Value == nil || *typed.Value != "héllo 👩‍👧" {
		t.Errorf("the box holds %v", typed.Value)
	}
	expect("typing", map[string]int{"focus:text": 1})
	typed = do[protocol.TypeResult](a, protocol.Type{Page: page, Target: protocol.Target{Selector: "#text"}, Text: ptr("new"), Clear: true})
	if typed.Value == nil || *typed.Value != "new" {
		t.Errorf("cleared and typed, the box holds %v", typed.Value)
	}
	area := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: protocol.Target{Selector: "#area"}, Text: ptr("one\ntwo")})
	if area.Value == nil || *area.Value != "one\ntwo" {
		t.Errorf("the text area holds %v", area.Value)
	}
	do[protocol.TypeResult](a, protocol.Type{Page: page, Target: a.target(page, "textbox", "Rich text"), Text: ptr("rich")})
	if said := a.value(page, "document.getElementById('edit').innerText.trim()"); said != `"rich"` {
		t.Errorf("the editor holds %s", said)
	}
	before := testify(t, session).Events["keydown:text"]
	do[protocol.PressResult](a, protocol.Press{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#text"}, Key: "Control+a"})
	do[protocol.PressResult](a, protocol.Press{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#text"}, Key: "Backspace"})
	if said := a.value(page, "document.getElementById('text').value"); said != `""` {
		t.Errorf("after Control+a and Backspace the box holds %s", said)
	}
	if after := testify(t, session).Events["keydown:text"]; after < before+2 {
		t.Errorf("the page saw %d keys", after-before)
	}
	do[protocol.HoverResult](a, protocol.Hover{Page: page, Target: protocol.Target{Selector: "#button"}})
	if count("mouseover:button")["mouseover:button"] == 0 {
		t.Error("the page saw no pointer over the button")
	}
}

func TestFramesAndShadows(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/frames.html")
	names := []string{"Top", "Button same", "Button cross", "Button srcdoc", "Button open", "Button closed"}
	hits := ""
	for _, name := range names {
		var target protocol.Target
		err := eventually(within(t), "the button "+name, func() (bool, error) {
			for _, e := range a.extract(page).Elements {
				if e.Role == "button" && e.Name == name {
					target = protocol.Target{UID: e.UID}
				}
			}
			return target.UID != "", nil
		})
		if err != nil {
			t.Fatal(err)
		}
		do[protocol.ClickResult](a, protocol.Click{Page: page, Target: target})
		hits += strings.ToLower(strings.TrimPrefix(name, "Button ")) + " "
		want, err := json.Marshal(hits)
		if err != nil {
			t.Fatal(err)
		}
		if err := eventually(within(t), "the hit of "+name, func() (bool, error) {
			return a.value(page, "document.getElementById('hits').textContent") == string(want), nil
		}); err != nil {
			t.Fatalf("%v; the page says %s, expected %s", err, a.value(page, "document.getElementById('hits').textContent"), want)
		}
	}
	for _, frame := range []string{"same", "cross"} {
		typed := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: a.target(page, "textbox", "Text "+frame), Text: ptr("abc")})
		if typed.Value == nil || *typed.Value != "abc" {
			t.Errorf("the box in the %s frame holds %v", frame, typed.Value)
		}
	}
	if tree := do[protocol.SnapshotResult](a, protocol.Snapshot{Page: page, Interactive: true}); strings.Count(tree.Snapshot, "button \"") != len(names) {
		t.Errorf("the snapshot does not tell of %d buttons:\n%s", len(names), tree.Snapshot)
	}
}
