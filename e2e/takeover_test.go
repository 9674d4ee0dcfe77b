package e2e

import (
	"context"
	"os"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A copied profile comes with the same id and token while the original is at work: it gets an id of its own, and both live.
func TestCopiedProfileLivesBesideTheOriginal(t *testing.T) {
	t.Parallel()
	profile, copied := t.TempDir(), t.TempDir()
	r := newRig(t, rigOptions{profile: profile})
	do[protocol.ListTabsResult](r.newAgent(t), protocol.ListTabs{}) // it answers when its token is stored
	if err := r.browser.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(copied, os.DirFS(profile)); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.browser, err = r.launch(within(t), rigOptions{addr: r.server.addr, profile: profile}); err != nil {
		t.Fatal(err)
	}
	a := r.newAgent(t)
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	first := openPopup(t, r.browser)
	first.awaitLink("ready")
	page := a.open("http://page.test/plain.html")

	second, err := r.launch(within(t), rigOptions{addr: r.server.addr, profile: copied})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := second.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	openPopup(t, second).awaitLink("ready")
	if err := connected(within(t), a.client, 2); err != nil {
		t.Fatal(err)
	}
	// The original was not thrown out, and the agent's tab is where it was.
	if now := first.status(); now.Link != "ready" || len(now.Sessions) != 1 || now.Sessions[0].TabID != page.TabID {
		t.Errorf("the original is %+v, expected it ready, at work on tab %d", now, page.TabID)
	}
	browsers, err := a.client.Browsers(within(t))
	if err != nil || len(browsers) != 2 || browsers[0].BrowserID == browsers[1].BrowserID {
		t.Fatalf("the browsers are %+v (%v), expected two", browsers, err)
	}
	// What the copy was given lasts: started again it is the same browser as before.
	if err := second.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	third, err := r.launch(within(t), rigOptions{addr: r.server.addr, profile: copied})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := third.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := connected(within(t), a.client, 2); err != nil {
		t.Fatal(err)
	}
	after, err := a.client.Browsers(within(t))
	if err != nil || len(after) != 2 || after[0].BrowserID != browsers[0].BrowserID || after[1].BrowserID != browsers[1].BrowserID {
		t.Errorf("after a restart of the copy the browsers are %+v (%v), expected the same two ids", after, err)
	}
}
