package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Several agents and the user share one browser, and nobody acts in another's tab.
var concurrency = []fault{
	{"two_agents_while_the_user_changes_tabs", func(f *trial) {
		const rounds = 50
		path := f.rig.site.handle(f.t, "room", roomPage)
		ctx, stop := context.WithCancel(within(f.t))
		var user sync.WaitGroup
		user.Go(func() { f.changeTabs(ctx) })
		var agents sync.WaitGroup
		for _, who := range []string{"a", "b"} {
			a := f.rig.newAgent(f.t)
			agents.Go(func() {
				page := protocol.Page{}
				for n := range rounds {
					here := fmt.Sprintf("http://%s.test%s?who=%s&n=%d", who, path, who, n)
					if n == 0 {
						page = protocol.Page{TabID: mustDo[protocol.OpenTabResult](a, protocol.OpenTab{URL: here}).TabID}
					} else {
						mustDo[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: here})
					}
					seen := mustDo[protocol.FindResult](a, protocol.Find{Page: page, Role: "button"})
					if len(seen.Elements) != 1 || seen.Elements[0].Name != "Go "+who {
						f.t.Errorf("%s sees %+v", who, seen.Elements)
						return
					}
					mustDo[protocol.ClickResult](a, protocol.Click{Page: page, Target: protocol.Target{UID: seen.Elements[0].UID}})
				}
			})
		}
		agents.Wait()
		stop()
		user.Wait()
		for _, who := range []string{"a", "b"} {
			for n := range rounds {
				if hits := f.rig.site.saw(fmt.Sprintf("%s.test/hit?who=%s&n=%d", who, who, n)); hits != 1 {
					f.t.Errorf("click %d of %s reached its page %d times", n, who, hits)
				}
			}
		}
	}},
	{"tab_that_vanished", func(f *trial) {
		// Its neighbours, the agent's own and the user's, must not be taken for it.
		f.load("<button onclick='hit = 1'>Go</button><script>hit = 0</script>")
		neighbour, seen := f.page, f.seen
		f.show(f.html("vanishing", "<button>Go</button>"))
		if err := f.rig.browser.CloseTarget(within(f.t), f.seen.TargetID); err != nil {
			f.t.Fatal(err)
		}
		f.fails(protocol.CodeTabNotFound, protocol.Click{Page: f.page, Target: css("button")})
		f.page, f.seen = neighbour, seen
		f.is("hit", "0")
	}},
	{"tab_of_another_agent", func(f *trial) {
		f.load(`<button onclick="hits++">Go</button><label>Text <input></label><script>hits = 0</script>`)
		other := f.rig.newAgent(f.t)
		for _, action := range []protocol.Action{
			protocol.Click{Page: f.page, Target: css("button")},
			protocol.Type{Page: f.page, Target: css("input"), Text: ptr("x")},
			protocol.Evaluate{Page: f.page, Expression: "hits = 99"},
			protocol.Snapshot{Page: f.page},
			protocol.AttachTab{Page: f.page},
			protocol.Navigate{Page: f.page, URL: "about:blank"},
			protocol.CloseTab(f.page),
		} {
			refusal := other.fails(protocol.CodeNotOwner, action)
			if refusal.Outcome != protocol.NotSent {
				f.t.Errorf("%s: the outcome is %s", protocol.TypeOf(action), refusal.Outcome)
			}
		}
		f.is("[hits, document.querySelector('input').value]", `[0,""]`)
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
	}},
	{"tab_of_the_user_that_two_agents_want", func(f *trial) {
		url := f.html("users", `<button onclick="hits++">Go</button><script>hits = 0</script>`)
		tab := f.usersTab(url)
		other := f.rig.newAgent(f.t)
		do[protocol.AttachTabResult](f.agent, protocol.AttachTab{Page: tab})
		other.fails(protocol.CodeNotOwner, protocol.AttachTab{Page: tab})
		other.fails(protocol.CodeNotOwner, protocol.Click{Page: tab, Target: css("button")})
		f.page, f.seen = tab, f.rig.page(f.t, url)
		f.press(css("button"))
		f.until("hits", "1")
	}},
	{"two_clients_of_one_agent_in_one_tab", func(f *trial) {
		f.load(`<label>Text <input></label><div id=from>drag</div><button onclick="log.push('click')">Go</button>
			<style>#from { width: 60px; height: 30px; background: #ccc; margin: 80px }</style>
			<script>log = []; held = false
			const from = document.querySelector('#from')
			from.addEventListener('mousedown', () => { held = true; log.push('down') })
			addEventListener('mouseup', () => { if (held) log.push('up'); held = false })
			addEventListener('keydown', e => { if (e.ctrlKey || e.shiftKey) log.push('modifier') })</script>`)
		const each = 6
		var both sync.WaitGroup
		act := func(action protocol.Action) {
			for range each {
				both.Go(func() { mustDo[protocol.Result](f.agent, action) })
			}
		}
		act(protocol.Drag{Page: f.page, From: css("#from"), Point: &protocol.Point{X: 300, Y: 250}})
		act(protocol.Click{Page: f.page, Target: css("button")})
		act(protocol.Type{Page: f.page, Target: css("input"), Text: ptr("abc")})
		both.Wait()
		// One after the other: no click between a press and its release, no letter between two others.
		f.until("log.join(' ').replaceAll('down up', 'drag').split(' ').sort().join(' ')",
			`"`+strings.TrimSpace(strings.Repeat("click ", each)+strings.Repeat("drag ", each))+`"`)
		f.is("document.querySelector('input').value", `"`+strings.Repeat("abc", each)+`"`)
	}},
	{"tab_that_the_user_pulls_out", func(f *trial) {
		url := f.load(`<button onclick="hits++">Go</button><script>hits = 0</script>`)
		stays := f.open(f.html("stays", "<p>Stays</p>"))
		p := openPopup(f.t, f.rig.browser)
		defer p.close()
		// As by the mouse: into a window of its own.
		if err := p.session.Evaluate(within(f.t), fmt.Sprintf("chrome.windows.create({tabId: %d, focused: false}).then(() => 1)", f.page.TabID), nil); err != nil {
			f.t.Fatal(err)
		}
		// The agent's session goes on there, and it stays when the agent's window goes.
		f.press(css("button"))
		f.until("hits", "1")
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab(stays))
		f.press(css("button"))
		f.until("hits", "2")
		f.is("location.href", fmt.Sprintf("%q", url))
	}},
	{"tab_that_the_user_puts_beside_the_agents", func(f *trial) {
		f.load("<p>The agent's</p>")
		url := f.html("users", `<p>The user's</p>`)
		tab := f.usersTab(url)
		p := openPopup(f.t, f.rig.browser)
		defer p.close()
		move := fmt.Sprintf("chrome.tabs.get(%d).then(t => chrome.tabs.move(%d, {windowId: t.windowId, index: -1})).then(() => 1)", f.page.TabID, tab.TabID)
		if err := p.session.Evaluate(within(f.t), move, nil); err != nil {
			f.t.Fatal(err)
		}
		if list := do[protocol.ListTabsResult](f.agent, protocol.ListTabs{}).Tabs; len(list) != 1 || list[0].TabID != f.page.TabID {
			f.t.Errorf("the agent's tabs are %+v, expected its own alone", list)
		}
		// With the agent's last tab its window would go: not with the user's tab in it.
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab(f.page))
		f.seen = f.rig.page(f.t, url)
		f.is("document.body.innerText", `"The user's"`)
		if err := f.rig.browser.CloseTarget(within(f.t), f.seen.TargetID); err != nil {
			f.t.Error(err)
		}
	}},
	{"models_that_name_no_session", func(f *trial) {
		// Each is an agent of its own, whose tab is meant when it names none.
		models := []model{newModel(f.t, f.rig), newModel(f.t, f.rig)}
		var all sync.WaitGroup
		for i, m := range models {
			url := f.html(fmt.Sprintf("model-%d", i), fmt.Sprintf("<button onclick='hits++'>Go %d</button><script>hits = 0</script>", i))
			all.Go(func() {
				m.text(map[string]any{"action": "open_tab", "url": url})
				for range 10 {
					m.text(map[string]any{"action": "navigate", "url": url})
					m.text(map[string]any{"action": "click", "selector": "button"})
					said := m.text(map[string]any{"action": "evaluate", "expression": "return location.pathname + ' ' + hits"})
					if want := strings.TrimPrefix(url, "http://page.test") + " 1"; !strings.Contains(said, want) {
						f.t.Errorf("model %d hears %q, expected %s", i, said, want)
					}
				}
			})
		}
		all.Wait()
	}},
	{"focus_of_the_user_who_types", func(f *trial) {
		display := desktop(f.t)
		r := newRig(f.t, rigOptions{display: display, url: "http://shop.test/typing"})
		u := newUser(f.t, display, r.site.shop)
		a := r.newAgent(f.t)
		got := u.typeWhile(func() {
			for i := range 3 {
				page := a.open(r.site.html(f.t, fmt.Sprintf("page-%d", i), `<button>Go</button>`))
				a.clickOn(page, "button", "Go")
				do[protocol.ScreenshotResult](a, protocol.Screenshot{Page: page})
				do[protocol.ScreenshotResult](a, protocol.Screenshot{Page: page, FullPage: true})
			}
		})
		if got.sent < 5 || got.lost != 0 || got.blurs != 0 || len(got.others) > 0 {
			f.t.Errorf("of %d keys %d were lost, the focus %d times; the window manager saw %q active", got.sent, got.lost, got.blurs, got.others)
		}
	}},
}

// mustDo is do for a goroutine beside the test's own: the test fails and goes on.
func mustDo[R protocol.Result](a *agent, action protocol.Action) R {
	var typed R
	result, err := a.try(within(a.t), action)
	if err != nil {
		a.t.Errorf("%s: %v", protocol.TypeOf(action), err)
		return typed
	}
	typed, _ = result.(R)
	return typed
}

// roomPage says whose it is and tells its server of each click.
var roomPage = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><title>room</title><button onclick="fetch('/hit' + location.search)">Go %s</button>`, url.QueryEscape(r.URL.Query().Get("who")))
})

// usersTab is a tab that the user opens, as the agents see it.
func (a *agent) usersTab(url string) protocol.Page {
	a.t.Helper()
	if err := a.rig.browser.Call(within(a.t), "Target.createTarget", map[string]any{"url": url}, nil); err != nil {
		a.t.Fatal(err)
	}
	var page protocol.Page
	if err := eventually(within(a.t), "the user's tab in the list", func() (bool, error) {
		for _, tab := range do[protocol.ListTabsResult](a, protocol.ListTabs{Scope: "user"}).Tabs {
			if tab.URL == url {
				page.TabID = tab.TabID
			}
		}
		return page.TabID != 0, nil
	}); err != nil {
		a.t.Fatal(err)
	}
	return page
}

// changeTabs brings one page after the other to the front, as a user does, until ctx ends.
func (f *trial) changeTabs(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		targets, err := f.rig.browser.Targets(ctx)
		if err != nil {
			return
		}
		targets = slices.DeleteFunc(targets, func(t chromium.Target) bool { return t.Type != "page" })
		_ = f.rig.browser.Call(ctx, "Target.activateTarget", map[string]any{"targetId": targets[n%len(targets)].ID}, nil) // it may be gone
	}
}
