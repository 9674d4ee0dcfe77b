package e2e

import (
	"context"
	"errors"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// killWorker ends the extension's service worker as Chrome does, without a word to it.
func killWorker(t *testing.T, r *rig) {
	t.Helper()
	worker, err := r.browser.Worker(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.browser.CloseTarget(within(t), worker.ID); err != nil {
		t.Fatal(err)
	}
}

// wakeWorker does what any user does all the time: a tab opens, and its event starts the worker.
func wakeWorker(t *testing.T, r *rig) {
	t.Helper()
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := r.browser.Call(within(t), "Target.createTarget", map[string]any{"url": "http://page.test/plain.html?wake", "background": true}, &made); err != nil {
		t.Fatal(err)
	}
	if err := r.browser.CloseTarget(within(t), made.TargetID); err != nil {
		t.Fatal(err)
	}
}

func TestWorkerKilledBetweenTwoActions(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	name := a.target(page, "textbox", "Name")
	for range 2 {
		killWorker(t, r)
		// Sent while nobody is there: it waits for the worker, which the tab's event starts.
		typed := a.start(protocol.Type{Page: page, Target: name, Text: ptr("x")})
		wakeWorker(t, r)
		if err := <-typed; err != nil {
			t.Fatalf("the uid, the tab or the session is lost: %v", err)
		}
	}
	if value := a.value(page, "document.querySelector('input').value"); value != `"xx"` {
		t.Errorf("the box holds %s, expected both letters once", value)
	}
	tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs
	if len(tabs) != 1 || tabs[0].TabID != page.TabID || tabs[0].Owner != "agent" {
		t.Errorf("the agent's tabs are %+v, expected its one", tabs)
	}
	before := a.target(page, "button", "Send").UID
	killWorker(t, r)
	wakeWorker(t, r)
	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: "http://page.test/other.html"})
	for _, e := range a.extract(page).Elements {
		if e.UID == before || e.UID == name.UID {
			t.Errorf("the uid %s of the page before now means %s %q", e.UID, e.Role, e.Name)
		}
	}
	if _, err := a.try(within(t), protocol.Click{Page: page, Target: name}); !errors.Is(err, &protocol.Error{Code: protocol.CodeElementStale}) {
		t.Errorf("the old uid gives %v, expected element_stale", err)
	}
}

func TestWorkerKilledInMidAction(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	running := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-dying').then(() => new Promise(() => {}))"})
	if err := r.site.await(within(t), "page.test/began-dying"); err != nil {
		t.Fatal(err)
	}
	killWorker(t, r)
	wakeWorker(t, r)
	var cut *protocol.Error
	if err := <-running; !errors.As(err, &cut) || cut.Outcome != protocol.Unknown || cut.Retryable == protocol.RetrySame {
		t.Errorf("the call that was cut off gives %v, expected an unknown outcome that is not simply sent again", err)
	}
	if n := r.site.saw("page.test/began-dying"); n != 1 {
		t.Errorf("the script ran %d times", n)
	}
	// The tab is as usable as before.
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	a.clickOn(page, "button", "Send")
	if url := a.extract(page).URL; url != "http://page.test/other.html?name=" {
		t.Errorf("the tab is at %s", url)
	}
}

func TestCallerWhoGivesUpIsFreeAtOnceAndTheTabTooSoonAfter(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	ctx, giveUp := context.WithCancel(within(t))
	ended := make(chan error, 1)
	go func() {
		_, err := a.try(ctx, protocol.WaitFor{Page: page, Text: "never said", TimeoutMS: 40000})
		ended <- err
	}()
	// A second action waits in the tab's queue until the first has ended.
	next := a.start(protocol.Evaluate{Page: page, Expression: "return 1 + 1"})
	giveUp()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller who gave up hears %v", err)
	}
	if err := <-next; err != nil {
		t.Errorf("the next action says %v", err)
	}
}

func ptr[T any](v T) *T { return &v }
