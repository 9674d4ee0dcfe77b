package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// handoff is a handoff under way: its state comes once the call has ended.
type handoff struct {
	state chan string
	err   chan error
}

// ask hands over, for at most so many milliseconds.
func (a *agent) ask(action protocol.Handoff, timeoutMS int64) handoff {
	h := handoff{state: make(chan string, 1), err: make(chan error, 1)}
	ctx := within(a.t)
	go func() {
		answer, err := a.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: action}, TimeoutMS: timeoutMS})
		a.mu.Lock()
		a.events = append(a.events, answer.Events...)
		a.mu.Unlock()
		var result protocol.HandoffResult
		if err == nil {
			err = json.Unmarshal(answer.Result, &result)
		}
		if err != nil {
			h.err <- err
			return
		}
		h.state <- result.State
	}()
	return h
}

func (h handoff) ends(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-h.state:
		if got != want {
			t.Fatalf("the handoff ended as %s, expected %s", got, want)
		}
	case err := <-h.err:
		t.Fatalf("the handoff failed: %v", err)
	case <-within(t).Done():
		t.Fatalf("the handoff did not end, expected %s", want)
	}
}

// says evaluates in the popup.
func (p *popup) says(script string) string {
	p.t.Helper()
	var said string
	if err := p.session.Evaluate(within(p.t), script, &said); err != nil {
		p.t.Fatal(err)
	}
	return said
}

// awaits waits until a script in the popup says something.
func (p *popup) awaits(what, script, want string) {
	p.t.Helper()
	var said string
	if err := eventually(within(p.t), what, func() (bool, error) {
		err := p.session.Evaluate(within(p.t), script, &said)
		return said == want, err
	}); err != nil {
		p.t.Fatalf("%v; it says %q, expected %q", err, said, want)
	}
}

const badge = "chrome.action.getBadgeText({})"

func notices(tab int64) string {
	return fmt.Sprintf("chrome.notifications.getAll().then(all => String('handoff.%d' in all))", tab)
}

func TestHandoffAsksTheUserAndShowsTheTabOnlyOnTheirClick(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	p := openPopup(t, r.browser)
	asked := protocol.Handoff{Page: page, Reason: "Please <b>log in</b> to the bank"}

	a.ask(asked, 3000).ends(t, "waiting")
	p.awaits("the badge", badge, "1")
	p.awaits("the notification", notices(page.TabID), "true")
	p.shows(asked.Reason) // as text: what an agent writes never becomes markup
	active := fmt.Sprintf("chrome.tabs.get(%d).then(tab => String(tab.active))", page.TabID)
	if said := p.says(active); said != "false" {
		t.Errorf("the tab was shown without the user's word")
	}
	// The tab is not held up by it.
	if title := a.value(page, "document.title"); title != `"A plain page"` {
		t.Errorf("while it waits the page's title is %s", title)
	}

	second := a.ask(asked, 0)
	p.press("#handoffs .show")
	p.awaits("the tab in front", active, "true")
	p.press("#handoffs .done")
	second.ends(t, "done")
	told(a, "handoff_done", func(e protocol.HandoffDone) bool { return e.TabID == page.TabID })
	p.awaits("the end of the badge", badge, "")
	p.awaits("the end of the notification", notices(page.TabID), "false")
	if hidden := p.says("String(document.querySelector('#handoffs').hidden)"); hidden != "true" {
		t.Error("the popup still asks")
	}

	// What ended between two calls is told by the next result, and by the next call.
	a.ask(protocol.Handoff{Page: page, Reason: "solve the puzzle"}, 3000).ends(t, "waiting")
	p.press("#handoffs .cannot")
	p.awaits("the end of the badge", badge, "")
	if got := a.extract(page); !strings.Contains(strings.Join(got.Notes, " "), "refused") {
		t.Errorf("the next result says %q", got.Notes)
	}
	a.ask(protocol.Handoff{Page: page, Reason: "solve the puzzle"}, 0).ends(t, "refused")
}

func TestHandoffSurvivesTheWorkerAndEndsWithTheSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	a.ask(protocol.Handoff{Page: page, Reason: "log in"}, 3000).ends(t, "waiting")
	killWorker(t, r)
	wakeWorker(t, r)
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	p := openPopup(t, r.browser)
	p.press("#handoffs .done")
	p.awaits("the end of the badge", badge, "")
	killWorker(t, r)
	wakeWorker(t, r)
	a.ask(protocol.Handoff{Page: page, Reason: "log in"}, 0).ends(t, "done")

	waiting := a.ask(protocol.Handoff{Page: page, Reason: "once more"}, 0)
	p.awaits("the badge", badge, "1")
	p.press("#stop-all")
	if err := <-waiting.err; !strings.Contains(err.Error(), string(protocol.CodeStopped)) {
		t.Errorf("the waiting call says %v, expected stopped", err)
	}
	p.awaits("the end of the badge", badge, "")
}

func TestUnattendedBrowserRefusesHandoffsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	p := openPopup(t, r.browser)
	if err := p.session.Evaluate(within(t), "document.querySelector('#unattended').click()", nil); err != nil {
		t.Fatal(err)
	}
	p.awaits("the setting", "chrome.runtime.sendMessage({type: 'getStatus'}).then(a => String(a.status.unattended))", "true")
	got := do[protocol.HandoffResult](a, protocol.Handoff{Page: page, Reason: "log in"})
	if got.State != "refused" || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "unattended") {
		t.Errorf("it answers %+v", got)
	}
	if said := p.says(badge); said != "" {
		t.Errorf("the badge says %q", said)
	}
}

func TestHandoffEndsWhenTheObstacleIsGone(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	wall := r.site.handle(t, "login", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<!doctype html><title>Sign in</title><h1>Sign in</h1><form><label>Name <input></label>
			<label>Password <input type=password></label><button>Sign in</button></form>`)
	}))
	inside := `<h1>Welcome back, Ada</h1><p>Here are your three unread messages and the invoices of May.</p>`
	for name, leave := range map[string]string{
		"by a navigation": "location.href = '/plain.html'",
		"in place":        fmt.Sprintf("history.pushState({}, '', '/inbox'); document.title = 'Inbox'; document.body.innerHTML = %q", inside),
	} {
		t.Run(name, func(t *testing.T) {
			a := r.newAgent(t)
			page := a.open("http://page.test" + wall)
			if obstacle := a.extract(page).Obstacle; obstacle == nil || obstacle.Type != "auth_wall" {
				t.Fatalf("the obstacle is %+v", obstacle)
			}
			waiting := a.ask(protocol.Handoff{Page: page, Reason: "log in", Until: "obstacle_gone"}, 0)
			p := openPopup(t, r.browser)
			defer p.close()
			p.shows("ends by itself")
			// A change that leaves the obstacle as it is ends nothing.
			tab := r.page(t, "http://page.test"+wall)
			if err := tab.Evaluate(within(t), "document.querySelector('input').value = 'ada'; document.body.append('typed')", nil); err != nil {
				t.Fatal(err)
			}
			select {
			case state := <-waiting.state:
				t.Fatalf("it ended as %s while the wall stood", state)
			default:
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := tab.Evaluate(ctx, "void setTimeout(() => { "+leave+" })", nil); err != nil {
				t.Fatal(err)
			}
			waiting.ends(t, "gone")
			p.awaits("the end of the request", "String(document.querySelector('#handoffs').hidden)", "true")
		})
	}
}
