package e2e

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func targetOf(t *testing.T, r *rig, url string) chromium.Target {
	t.Helper()
	target, err := r.browser.WaitTarget(within(t), "the page "+url, func(target chromium.Target) bool {
		return target.Type == "page" && strings.HasPrefix(target.URL, url)
	})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	t.Run("started, and tab_closed by the agent", func(t *testing.T) {
		a := r.newAgent(t)
		page := a.open("http://page.test/plain.html?by-agent")
		a.extract(page)
		r.recorded(t, "session_started", func(e store.AuditEntry) bool { return e.TabID == page.TabID && e.Detail == "page.test" })
		do[protocol.CloseTabResult](a, protocol.CloseTab(page))
		if reason := a.ended(page); reason != protocol.EndTabClosed {
			t.Errorf("it ended by %s", reason)
		}
		a.fails(protocol.CodeTabNotFound, protocol.Extract{Page: page})
	})
	t.Run("tab_closed by the user", func(t *testing.T) {
		a := r.newAgent(t)
		const url = "http://page.test/plain.html?by-user"
		page := a.open(url)
		if err := r.browser.CloseTarget(within(t), targetOf(t, r, url).ID); err != nil {
			t.Fatal(err)
		}
		if reason := a.ended(page); reason != protocol.EndTabClosed {
			t.Errorf("it ended by %s", reason)
		}
	})
	t.Run("tab_closed in mid-action", func(t *testing.T) {
		a := r.newAgent(t)
		const url = "http://page.test/plain.html?mid-action"
		page := a.open(url)
		waiting := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-closing').then(() => new Promise(() => {}))"})
		if err := r.site.await(within(t), "page.test/began-closing"); err != nil {
			t.Fatal(err)
		}
		if err := r.browser.CloseTarget(within(t), targetOf(t, r, url).ID); err != nil {
			t.Fatal(err)
		}
		refusal := a.failed(protocol.CodeTabNotFound, protocol.Evaluate{}, <-waiting)
		if refusal.Outcome == protocol.NotSent {
			t.Errorf("the script ran, and yet the outcome is %s", refusal.Outcome)
		}
	})
	t.Run("none when the user goes where no extension may be", func(t *testing.T) {
		a := r.newAgent(t)
		const url = "http://page.test/plain.html?away"
		page := a.open(url)
		a.extract(page)
		session := r.page(t, url)
		if err := session.Call(within(t), "Page.navigate", map[string]any{"url": "chrome://version"}, nil); err != nil {
			t.Fatal(err)
		}
		awaitTrue(t, session, "location.protocol === 'chrome:'")
		if result, err := a.try(within(t), protocol.Extract{Page: page}); err == nil {
			t.Errorf("a page of the browser's own was read: %+v", result)
		}
		if back := do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: url}); back.Title != "A plain page" {
			t.Errorf("the tab is no longer usable: %+v", back)
		}
		a.clickOn(page, "button", "Send")
	})
}

func TestUserStopsOneSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page, other := a.open("http://page.test/plain.html?one"), a.open("http://page.test/plain.html?two")
	a.extract(page)
	a.extract(other)
	p := openPopup(t, r.browser)
	waiting := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-stopping').then(() => new Promise(() => {}))"})
	if err := r.site.await(within(t), "page.test/began-stopping"); err != nil {
		t.Fatal(err)
	}
	index := -1
	for i, s := range p.status().Sessions {
		if s.TabID == page.TabID {
			index = i
		}
	}
	if index < 0 {
		t.Fatalf("the popup does not show the session: %+v", p.status())
	}
	p.press("#sessions > li:nth-child(" + string(rune('1'+index)) + ") button")
	if refusal := a.failed(protocol.CodeStopped, protocol.Evaluate{}, <-waiting); refusal.Retryable != protocol.RetryNo {
		t.Errorf("the stop is retryable: %s", refusal.Retryable)
	}
	a.fails(protocol.CodeStopped, protocol.Extract{Page: page})
	p.press("#resume")
	if err := eventually(within(t), "work after Resume", func() (bool, error) {
		_, err := a.try(within(t), protocol.Extract{Page: other})
		return err == nil, nil
	}); err != nil {
		t.Error(err)
	}
	if reason := a.ended(page); reason != protocol.EndUserStopped {
		t.Errorf("it ended by %s", reason)
	}
}

func TestStopAllHoldsOverRestarts(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	r := newRig(t, rigOptions{profile: profile})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	a.extract(page)
	waiting := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-all').then(() => new Promise(() => {}))"})
	if err := r.site.await(within(t), "page.test/began-all"); err != nil {
		t.Fatal(err)
	}
	p := openPopup(t, r.browser)
	p.press("#stop-all")
	a.failed(protocol.CodeStopped, protocol.Evaluate{}, <-waiting)
	p.shows("Everything is stopped")
	refused := func(when string) {
		t.Helper()
		for _, action := range []protocol.Action{protocol.Extract{Page: page}, protocol.OpenTab{URL: "http://page.test/after-stop"}} {
			if _, err := a.try(within(t), action); err == nil || !strings.Contains(err.Error(), "stopped") {
				t.Errorf("%s: %s gives %v, expected stopped", when, protocol.TypeOf(action), err)
			}
		}
	}
	refused("after the stop")
	r.recorded(t, "global_stop", func(store.AuditEntry) bool { return true })
	if reason := a.ended(page); reason != protocol.EndGlobalStop {
		t.Errorf("the session ended by %s", reason)
	}
	p.close()

	worker, err := r.browser.Worker(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.browser.CloseTarget(within(t), worker.ID); err != nil {
		t.Fatal(err)
	}
	openPopup(t, r.browser).awaitLink("ready")
	refused("after the worker's restart")

	if err := r.browser.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if r.browser, err = r.launch(within(t), rigOptions{addr: r.server.addr, profile: profile}); err != nil {
		t.Fatal(err)
	}
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	refused("after the browser's restart")
	if r.site.saw("page.test/after-stop") > 0 {
		t.Error("a page was opened after the stop")
	}
	openPopup(t, r.browser).press("#resume")
	if err := eventually(within(t), "work after Resume", func() (bool, error) {
		_, err := a.try(within(t), protocol.OpenTab{URL: "http://page.test/plain.html"})
		return err == nil, nil
	}); err != nil {
		t.Error(err)
	}
}
