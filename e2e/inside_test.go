package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	inside "github.com/drawbridge-browser/drawbridge/bridge" // bridge is a dialect in these tests
	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/examples/agentloop"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// TestInsideAnotherProgram has the example's agent, in a program of its own with a server inside, fill in a form in a real browser.
func TestInsideAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, err := inside.Start(t.Context(), &inside.Options{Addr: "127.0.0.1:0", DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	pairing, err := b.Pair(within(t))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, rigOptions{addr: b.Addr(), dataDir: dir, token: pairing.Code, unconnected: true})
	if info, err := b.WaitBrowser(within(t)); err != nil || !info.Connected {
		t.Fatalf("%+v, %v", info, err)
	}
	ordered := make(chan string, 10)
	done := r.site.handle(t, "done", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ordered <- req.URL.Query().Get("what")
		_, _ = fmt.Fprint(w, "<!doctype html><title>ordered</title><h1>Thank you</h1>")
	}))
	form := r.site.html(t, "form", `<form action="`+done+`"><label>What <input name=what></label><button>Order</button></form>`)

	agent, err := b.Agent("shopper")
	if err != nil {
		t.Fatal(err)
	}
	var turns []agentloop.Turn
	words, err := agentloop.Run(within(t), agent, func(_ context.Context, task string, tool inside.Tool, before []agentloop.Turn) (agentloop.Choice, error) {
		turns = before
		return scripted(tool.Name, task, before)
	}, form)
	if err != nil || words != "ordered" {
		t.Fatalf("%q, %v, after %+v", words, err, turns)
	}
	if len(ordered) != 1 || <-ordered != "lamp" {
		t.Fatalf("the site got no order of a lamp, or more than one (%d), after %+v", len(ordered), turns)
	}
	if failed := turns[1].Heard; !failed.IsError {
		t.Errorf("a click on nothing went well: %s", failed.Text)
	}
	if picture := turns[len(turns)-1].Heard.File; picture == nil || picture.MIMEType != "image/png" || !bytes.HasPrefix(picture.Data, []byte("\x89PNG")) {
		t.Errorf("no picture came: %+v", picture)
	}

	// The same agent by types: its tab is its own, and another's list of tabs is empty.
	tabs, err := client.Do[protocol.ListTabsResult](within(t), agent.Client, protocol.ListTabs{})
	if err != nil || len(tabs.Tabs) != 1 || tabs.Tabs[0].Title != "ordered" {
		t.Errorf("%+v, %v", tabs, err)
	}
	other, err := b.Agent("other")
	if err != nil {
		t.Fatal(err)
	}
	if tabs, err := client.Do[protocol.ListTabsResult](within(t), other.Client, protocol.ListTabs{}); err != nil || len(tabs.Tabs) != 0 {
		t.Errorf("%+v, %v", tabs, err)
	}
}

// refOf finds a ref in what a model heard.
var refOf = regexp.MustCompile(`(e\d+) (textbox|button) "(?:What|Order)"`)

// scripted is a model that knows what to do next from how far it is, and where from what it heard.
func scripted(tool, task string, before []agentloop.Turn) (agentloop.Choice, error) {
	refs := map[string]string{}
	if len(before) > 0 {
		for _, found := range refOf.FindAllStringSubmatch(before[0].Heard.Text, -1) {
			refs[found[2]] = found[1]
		}
	}
	steps := []map[string]any{
		{"action": "open_tab", "url": task},
		{"action": "click", "selector": "#nowhere"}, // models err
		{"action": "fill", "ref": refs["textbox"], "text": "lamp"},
		{"action": "click", "ref": refs["button"]},
		{"action": "wait_for", "text": "Thank you"},
		{"action": "screenshot"},
	}
	if len(before) == len(steps) {
		return agentloop.Choice{Words: "ordered"}, nil
	}
	input, err := json.Marshal(steps[len(before)])
	return agentloop.Choice{Tool: tool, Input: input}, err
}
