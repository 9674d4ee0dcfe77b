package e2e

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// blockedRig has a server that blocks blocked.test.
func blockedRig(t *testing.T) (*rig, *agent) {
	t.Helper()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	if err := a.client.SetRules(within(t), protocol.Rules{Blocklist: []string{"blocked.test"}}); err != nil {
		t.Fatal(err)
	}
	return r, a
}

func TestBlocklist(t *testing.T) {
	t.Parallel()
	r, a := blockedRig(t)
	heard := func(page protocol.Page) {
		t.Helper()
		r.recorded(t, "domain_blocked", func(e store.AuditEntry) bool { return e.Detail == "blocked.test" && e.TabID == page.TabID })
	}
	t.Run("asked for", func(t *testing.T) {
		for _, url := range []string{"http://blocked.test/", "http://WWW.Blocked.TEST/x", "http://a.b.blocked.test./"} {
			if refusal := a.fails(protocol.CodeDomainBlocked, protocol.OpenTab{URL: url}); refusal.Outcome != protocol.NotSent {
				t.Errorf("%s: outcome %s, expected not_sent", url, refusal.Outcome)
			}
		}
		page := a.open("http://page.test/plain.html")
		a.fails(protocol.CodeDomainBlocked, protocol.Navigate{Page: page, URL: "http://blocked.test/asked"})
		for _, address := range []string{"blocked.test/", "www.blocked.test/x", "blocked.test/asked"} {
			if r.site.saw(address) > 0 {
				t.Errorf("a request for %s went out", address)
			}
		}
	})
	t.Run("by a redirect", func(t *testing.T) {
		path := r.site.redirect(t, "away", "http://blocked.test/landed")
		page := a.open("http://page.test/plain.html")
		a.fails(protocol.CodeDomainBlocked, protocol.Navigate{Page: page, URL: "http://page.test" + path})
		heard(page)
		a.fails(protocol.CodeDomainBlocked, protocol.OpenTab{URL: "http://page.test" + path})
	})
	t.Run("by a click that leads there", func(t *testing.T) {
		page := a.open(r.site.html(t, "links", `<a href="http://blocked.test/plain.html">over there</a>`))
		_, err := a.try(within(t), protocol.Click{Page: page, Target: a.target(page, "link", "over there")})
		if err != nil {
			a.failed(protocol.CodeDomainBlocked, protocol.Click{}, err)
		}
		heard(page)
		if reason := a.ended(page); reason != protocol.EndDomainBlocked {
			t.Errorf("the session ended by %s", reason)
		}
		// The empty document that was put in its place has the extension's origin: nothing may be run there.
		if result, err := a.try(within(t), protocol.Evaluate{Page: page, Expression: "return self.origin"}); err == nil {
			t.Errorf("an expression was run in the emptied tab: %+v", result)
		}
		// The tab was emptied: what comes of reading it now is not the blocked page.
		if result, err := a.try(within(t), protocol.Extract{Page: page}); err == nil {
			if read, ok := result.(protocol.ExtractResult); !ok || strings.Contains(read.URL, "blocked.test") || strings.Contains(read.Markdown, "It has a paragraph") {
				t.Errorf("the blocked page was read: %+v", result)
			}
		}
	})
	t.Run("in a frame", func(t *testing.T) {
		page := a.open(r.site.html(t, "frames", `<p>outside</p><iframe src="http://blocked.test/plain.html" width=400 height=300></iframe><iframe src="http://fine.test/plain.html" width=400 height=300></iframe>`))
		read := a.extract(page)
		if n := strings.Count(read.Markdown, "It has a paragraph"); n > 1 || !strings.Contains(read.Markdown, "outside") {
			t.Errorf("the blocked frame is told of:\n%s", read.Markdown)
		}
		buttons := 0
		for _, e := range read.Elements {
			if e.Name == "Send" {
				buttons++
			}
		}
		if buttons != 1 {
			t.Errorf("%d buttons are told of, expected the one of the frame that is not blocked: %+v", buttons, read.Elements)
		}
		tree := do[protocol.SnapshotResult](a, protocol.Snapshot{Page: page})
		if n := strings.Count(tree.Snapshot, `"Send"`); n != 1 {
			t.Errorf("the snapshot tells of %d buttons, expected 1:\n%s", n, tree.Snapshot)
		}
	})
	t.Run("by the user's own list", func(t *testing.T) {
		p := openPopup(t, r.browser)
		const save = `(async () => (await chrome.runtime.sendMessage({type: 'setBlocklist', entries: ['private.test']})).ok)()`
		var ok bool
		if err := p.session.Evaluate(within(t), save, &ok); err != nil || !ok {
			t.Fatalf("the popup could not block a site: %v", err)
		}
		p.close()
		a.fails(protocol.CodeDomainBlocked, protocol.OpenTab{URL: "http://private.test/"})
		r.recorded(t, "domain_blocked", func(e store.AuditEntry) bool { return e.Detail == "private.test" })
	})
}

func TestForbiddenAddresses(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	for _, url := range []string{"chrome://version", "javascript:alert(1)", "view-source:http://page.test/", "chrome-extension://" + r.browser.ExtensionID() + "/popup.html", "http://" + r.server.addr + "/healthz", "https://chromewebstore.google.com/", "file:///etc/passwd"} {
		for _, action := range []protocol.Action{protocol.OpenTab{URL: url}, protocol.Navigate{Page: page, URL: url}} {
			_, err := a.try(within(t), action)
			if err == nil {
				t.Errorf("%T %s was done", action, url)
			}
		}
	}
	if title := a.value(page, "document.title"); title != `"A plain page"` {
		t.Errorf("the tab is no longer usable: %s", title)
	}
}
