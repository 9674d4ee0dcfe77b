package e2e

import (
	"context"
	"os"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Two copies of one profile are one browser to the server: the last that connects has it.
func TestTwoConnectionsOfOneBrowser(t *testing.T) {
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
	running := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-takeover').then(() => new Promise(() => {}))"})
	if err := r.site.await(within(t), "page.test/began-takeover"); err != nil {
		t.Fatal(err)
	}

	second, err := r.launch(within(t), rigOptions{addr: r.server.addr, profile: copied})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := second.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := <-running; err == nil {
		t.Error("a call pending on the old connection succeeded")
	}
	openPopup(t, second).awaitLink("ready")
	first.awaitLink("replaced")
	first.shows("Another connection of this browser took over")
	browsers, err := a.client.Browsers(within(t))
	if err != nil || len(browsers) != 1 || !browsers[0].Connected {
		t.Fatalf("the browsers are %+v (%v), expected one, connected", browsers, err)
	}
	// Work goes to the newcomer, which knows nothing of the other's tab.
	if tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs; len(tabs) != 0 {
		t.Errorf("the newcomer tells of tabs %+v", tabs)
	}
	// The replaced one comes back only on the user's word, and then the other is out.
	first.press("#reconnect")
	first.awaitLink("ready")
	if tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs; len(tabs) != 1 || tabs[0].TabID != page.TabID {
		t.Errorf("back again, the agent's tabs are %+v, expected tab %d", tabs, page.TabID)
	}
}
