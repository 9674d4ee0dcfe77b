package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// TestSettling holds an action to what it waits for: what a script will act upon, and nothing that never ends.
func TestSettling(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	release := make(chan struct{})
	held := r.site.handle(t, "held", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case <-release:
		case <-req.Context().Done():
		}
	}))
	quick := r.site.handle(t, "quick", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("Answered"))
	}))
	body := strings.NewReplacer("HELD", held, "QUICK", quick).Replace(`<button id=idle>Idle</button>
		<button id=aside onclick="new Image().src = 'HELD?image'; navigator.sendBeacon('HELD?beacon'); new EventSource('HELD?events'); new WebSocket('ws://' + location.host + 'HELD?socket')">Aside</button>
		<button id=quick onclick="fetch('QUICK').then(r => r.text()).then(name => { document.body.append(Object.assign(document.createElement('button'), {textContent: name})); })">Quick</button>
		<button id=slow onclick="fetch('HELD?fetch')">Slow</button>
		<button id=busy onclick="busy.dataset.n = n = 0; ticking = setInterval(() => { busy.dataset.n = ++n; if (n > 400) clearInterval(ticking); }, 20)">Busy</button>`)
	a := r.newAgent(t)
	d := &deltas{agent: a, page: a.open(r.site.html(t, "page", body))}
	t.Cleanup(func() { close(release) })
	d.read()
	if changed := d.click("#idle"); changed.StillLoading {
		t.Error("a click that does nothing is said to be still loading")
	}
	changed := d.click("#aside")
	if err := r.site.await(within(t), "page.test"+held+"?image"); err != nil {
		t.Fatal(err)
	}
	if changed.StillLoading {
		t.Error("a picture, a beacon, an event stream and a socket are waited for")
	}
	if changed := d.click("#quick"); listed(changed.Appeared) != `button "Answered"` || changed.StillLoading {
		t.Errorf("what was fetched stands not in the result: %s, still loading: %t", listed(changed.Appeared), changed.StillLoading)
	}
	if changed := d.click("#slow"); !changed.StillLoading {
		t.Error("a request without an answer is not said to be still loading")
	}
	if changed := d.click("#busy"); !changed.StillLoading {
		t.Error("a page that goes on changing is not said to be still loading")
	}
	do[protocol.EvaluateResult](a, protocol.Evaluate{Page: d.page, Expression: "clearInterval(ticking)"})
}
