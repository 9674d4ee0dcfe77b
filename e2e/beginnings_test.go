package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// TestBeginnings has a page do at once, by each of its ways, what a click on it is for: the click's own result tells of
// it, every time, since what is under way by then is known rather than waited for.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	answer := r.site.handle(t, "answer", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("Shown")) }))
	next := r.site.html(t, "next", "<title>Next</title><p>Next")
	show := `(() => { const b = document.createElement("button"); b.textContent = "Shown"; document.body.append(b); })()`
	left := func(c protocol.Changed) bool { return strings.HasPrefix(c.URL, next) }
	opened := func(c protocol.Changed) bool { return c.TabOpened != nil }
	shown := func(c protocol.Changed) bool { return strings.Contains(listed(c.Appeared), `button "Shown"`) }
	for _, row := range []struct {
		name, body string
		told       func(protocol.Changed) bool
	}{
		{"link", `<a id=it href="NEXT">Go</a>`, left},
		{"location", `<button id=it onclick="location.href = 'NEXT'">Go</button>`, left},
		{"location after a promise", `<button id=it onclick="Promise.resolve().then(() => location.assign('NEXT'))">Go</button>`, left},
		{"form", `<form action="NEXT"><button id=it>Go</button></form>`, left},
		{"form by script", `<form id=f action="NEXT"></form><button id=it onclick="f.submit()">Go</button>`, left},
		{"history", `<button id=it onclick="history.back()">Go</button>`, left},
		{"same document", `<button id=it onclick="history.pushState(null, '', '#next')">Go</button>`, func(c protocol.Changed) bool { return strings.HasSuffix(c.URL, "#next") }},
		{"link to a new tab", `<a id=it href="NEXT" target=_blank>Go</a>`, opened},
		{"window", `<button id=it onclick="window.open('NEXT')">Go</button>`, opened},
		{"form to a new tab", `<form action="NEXT" target=_blank><button id=it>Go</button></form>`, opened},
		{"at once", `<button id=it onclick='SHOW'>Go</button>`, shown},
		{"microtask", `<button id=it onclick='queueMicrotask(() => SHOW)'>Go</button>`, shown},
		{"task after a change", `<button id=it onclick='it.title = "x"; const c = new MessageChannel(); c.port1.onmessage = () => SHOW; c.port2.postMessage(0)'>Go</button>`, shown},
		{"timer after a change", `<button id=it onclick='it.title = "x"; setTimeout(() => SHOW)'>Go</button>`, shown},
		{"frame after a change", `<button id=it onclick='it.title = "x"; requestAnimationFrame(() => SHOW)'>Go</button>`, shown},
		{"fading in after two frames", `<style>#d { opacity: 0; transition: opacity 60ms } #d.up { opacity: 1 }</style>
			<button id=it onclick='const d = document.createElement("div"); d.id = "d"; d.innerHTML = "<button>Shown</button>"; document.body.append(d);
				requestAnimationFrame(() => requestAnimationFrame(() => d.classList.add("up")))'>Go</button>`, shown},
		{"fetch", `<button id=it onclick='fetch("ANSWER").then(() => SHOW)'>Go</button>`, shown},
		{"dialog", `<button id=it onclick="alert('Shown')">Go</button>`, func(c protocol.Changed) bool { return c.Dialog != nil }},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := r.newAgent(t)
			body := strings.NewReplacer("NEXT", next, "SHOW", show, "ANSWER", answer).Replace(row.body)
			page := a.open(next)
			for range beginnings {
				do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: r.site.html(t, "page", body)})
				changed := do[protocol.ClickResult](a, protocol.Click{Page: page, Target: css("#it")}).Changed
				if !row.told(changed) {
					t.Errorf("the click's result says %+v", changed)
				}
				if changed.Dialog != nil {
					do[protocol.DialogResult](a, protocol.Dialog{Page: page, Accept: true})
				}
				if changed.TabOpened != nil {
					do[protocol.CloseTabResult](a, protocol.CloseTab{TabID: changed.TabOpened.TabID})
				}
			}
		})
	}
}

// beginnings is how often each is tried.
const beginnings = 2
