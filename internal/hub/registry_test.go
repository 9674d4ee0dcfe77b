package hub_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestWhichBrowserIsMeant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		none := r.do(hub.Call{Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		if !strings.Contains(none.Message, "pair") {
			t.Errorf("the message gives no next step: %s", none.Message)
		}
		a := r.connect(described(chrome))
		answer := func(b *peer, f *flow, id string) {
			t.Helper()
			b.answer(b.request().ID, number(1))
			if got := f.result().BrowserID; got != id {
				t.Errorf("the call went to %s, want %s", got, id)
			}
		}
		answer(a, r.do(hub.Call{Action: evaluate(1)}), chrome) // the only one need not be named
		b := r.connect(described(firefox))
		several := r.do(hub.Call{Action: click()}).fails(protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo)
		if !strings.Contains(several.Message, chrome) || !strings.Contains(several.Message, "Chrome 2") {
			t.Errorf("the message does not list both: %s", several.Message)
		}
		a.send(protocol.State{Tabs: []protocol.TabRecord{{TabID: 7, Domain: "old.test", LastActionAt: 1}, {TabID: 8, Domain: "new.test", LastActionAt: 2, Title: "the page's words"}}})
		synctest.Wait()
		several = r.do(hub.Call{Action: click()}).fails(protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo)
		if !strings.Contains(several.Message, "at work in tab 8 on new.test and 1 more") || strings.Contains(several.Message, "words") || !strings.Contains(several.Hint, "Give browser") {
			t.Errorf("the message does not tell them apart: %s; %s", several.Message, several.Hint)
		}
		answer(b, r.do(hub.Call{Browser: firefox, Action: evaluate(1)}), firefox)
		answer(a, r.do(hub.Call{Browser: "chrome 1", Action: evaluate(1)}), chrome)
		r.do(hub.Call{Browser: "Safari", Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		r.do(hub.Call{User: "eve", Browser: chrome, Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		r.do(hub.Call{}).fails(protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo)
	})
}

func TestAGivenNameGoesBeforeTheBrowsersOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		a := r.connect(described(chrome))
		b := r.connect(described(firefox))
		to := func(p *peer, name, id string) {
			t.Helper()
			f := r.do(hub.Call{Browser: name, Action: evaluate(1)})
			p.answer(p.request().ID, number(1))
			if got := f.result().BrowserID; got != id {
				t.Errorf("a call to %q went to %s, want %s", name, got, id)
			}
		}
		r.hub.Rename(user, chrome, "Work")
		to(a, "work", chrome)
		f := r.do(hub.Call{Browser: "work", Action: click(), Timeout: time.Second})
		_ = a.request()
		if late := f.fails(protocol.CodeTimeout, protocol.Unknown, protocol.RetryAfterRefresh); !strings.Contains(late.Message, `"Work"`) {
			t.Errorf("the message calls it otherwise: %s", late.Message)
		}
		if _, ok := a.next().(protocol.Cancel); !ok {
			t.Error("a click that nobody waits for is not taken back")
		}
		r.do(hub.Call{Browser: "Chrome 1", Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		// Somebody's name for it is meant before what another browser says of itself.
		r.hub.Rename(user, firefox, "Chrome 2")
		r.hub.Rename(user, chrome, "chrome 2")
		r.hub.Rename(user, firefox, "")
		to(a, "Chrome 2", chrome)
		to(b, firefox, firefox)
		// It lasts while the browser is away, and nobody else's is touched.
		a.lose()
		_ = a.ended()
		<-time.After(protocol.ReconnectGrace + time.Second) // until it is forgotten, and before the other falls silent
		r.hub.Rename("eve", chrome, "Stolen")
		a = r.connect(described(chrome))
		to(a, "CHROME 2", chrome)
		r.hub.Rename(user, chrome, "")
		to(a, "chrome 1", chrome)
	})
}

func TestCallWaitsForABrowserThatWasJustLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		b.lose()
		_ = b.ended()
		<-time.After(10 * time.Second)
		f := r.do(hub.Call{Action: evaluate(1)})
		<-time.After(20 * time.Second)
		if s := r.hub.Stats(); s.Waiting != 1 {
			t.Errorf("waiting: %d", s.Waiting)
		}
		r.check()
		b = r.connect(described(chrome))
		q := b.request()
		if q.TimeoutMS != 15_000 {
			t.Errorf("after the wait the action was given %d ms", q.TimeoutMS)
		}
		b.answer(q.ID, number(1))
		f.result()
	})
}

func TestWaitForALostBrowserIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{MaxWaiting: 2})
		b := r.connect(described(chrome))
		b.lose()
		_ = b.ended()
		start := time.Now()
		f, own := r.do(hub.Call{Action: click()}), r.do(hub.Call{Action: click(), Timeout: 5 * time.Second})
		synctest.Wait()
		r.do(hub.Call{Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		own.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		if d := time.Since(start); d != 5*time.Second {
			t.Errorf("its own timeout ended the wait after %v", d)
		}
		gone := r.do(hub.Call{Action: click()})
		synctest.Wait()
		gone.stop()
		gone.fails(protocol.CodeCancelled, protocol.NotSent, protocol.RetrySame)
		e := f.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		if d := time.Since(start); d != protocol.ReconnectGrace || !strings.Contains(e.Message, "35s") {
			t.Errorf("waited %v; the message: %s", d, e.Message)
		}
		synctest.Wait()
		if s := r.hub.Stats(); s.WaitedOut != 2 {
			t.Errorf("waited out: %d", s.WaitedOut)
		}
		start = time.Now()
		r.do(hub.Call{Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		if d := time.Since(start); d != 0 {
			t.Errorf("a call for a browser long gone waited %v", d)
		}
		if got := r.hub.Browsers(user); len(got) != 0 {
			t.Errorf("still listed: %+v", got)
		}
	})
}

func TestTheWaitCountsFromTheLatestLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		for range 2 {
			b := r.connect(described(chrome))
			b.lose()
			_ = b.ended()
			<-time.After(30 * time.Second)
		}
		f := r.do(hub.Call{Action: evaluate(1)}) // 60 s after the first loss, 30 s after the second
		<-time.After(time.Second)
		b := r.connect(described(chrome))
		b.answer(b.request().ID, number(1))
		f.result()
	})
}

func TestDrainEndsTheWaitForALostBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		b.lose()
		_ = b.ended()
		f := r.do(hub.Call{Action: click()})
		synctest.Wait()
		start := time.Now()
		if err := r.hub.Drain(t.Context()); err != nil || time.Since(start) != 0 {
			t.Errorf("drained after %v: %v", time.Since(start), err)
		}
		f.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
	})
}

func TestBrowsersAndTheirState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = []string{protocol.CapState, "click", "open_tab", "made_up"}
		b := r.connect(p)
		b.send(protocol.State{Stopped: true, Tabs: []protocol.TabRecord{{TabID: 7, Domain: "a.test", AgentID: "a1"}, {TabID: 8, Domain: "b.test", AgentID: "a2"}}})
		synctest.Wait()
		got := r.hub.Browsers(user)
		want := []protocol.BrowserInfo{{
			BrowserID: chrome, Name: "Chrome 1", Connected: true, Dialect: "bridge", Version: "1.0", UserAgent: "test",
			ConnectedAt: time.Now().UnixMilli(), Stopped: true, Actions: []string{"click", "open_tab"},
			Tabs: []protocol.TabRecord{{TabID: 7, Domain: "a.test", AgentID: "a1"}, {TabID: 8, Domain: "b.test", AgentID: "a2"}},
		}}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if a, _ := r.hub.Owner(user, chrome, 8); a != "a2" {
			t.Errorf("tab 8 is %q's", a)
		}
		b.send(protocol.State{Tabs: []protocol.TabRecord{{TabID: 8, Domain: "b.test", AgentID: "a2"}}})
		synctest.Wait()
		if _, known := r.hub.Owner(user, chrome, 7); known || r.hub.Browsers(user)[0].Stopped {
			t.Error("what is absent in a state was kept")
		}
		b.lose()
		_ = b.ended()
		if got := r.hub.Browsers(user); len(got) != 1 || got[0].Connected || got[0].Dialect != "" {
			t.Errorf("just lost: %+v", got)
		}
	})
}

func TestStateFromAPeerThatDidNotNameItIsInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = nil
		b := r.connect(p)
		b.send(protocol.State{Stopped: true, Tabs: []protocol.TabRecord{}})
		synctest.Wait()
		if s := r.hub.Stats(); s.InvalidFrames != 1 || r.hub.Browsers(user)[0].Stopped {
			t.Errorf("invalid frames: %d", s.InvalidFrames)
		}
	})
}

func TestFrameLimit(t *testing.T) {
	if n := (hub.Peer{Caps: []string{protocol.CapChunk}}).FrameLimit(); n != protocol.FrameBytes {
		t.Errorf("a peer that cuts its answers: %d", n)
	}
	if n := (hub.Peer{}).FrameLimit(); n != protocol.AnswerBytes {
		t.Errorf("a plain peer: %d", n)
	}
}

func TestMaxBrowsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{MaxBrowsers: 2})
		r.connect(described(chrome))
		r.connect(described(firefox))
		p := described("6f1c6f1e-0000-4000-8000-000000000003")
		if _, err := r.hub.Attach(user, p, newPipe(), dialect.Bridge{}); !errors.Is(err, hub.ErrTooManyBrowsers) {
			t.Errorf("got %v, want ErrTooManyBrowsers", err)
		}
		r.connect(described(chrome)) // taking over is no new browser
	})
}

// elsewhere is another node: a hub of its own, as the cluster will be.
type elsewhere struct{ *hub.Hub }

func (e elsewhere) Forward(ctx context.Context, c hub.Call) (hub.Reply, error) {
	if len(e.Browsers(c.User)) == 0 {
		return hub.Reply{}, hub.ErrNotHeld
	}
	return e.Do(ctx, c)
}

func TestForwarder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := newRig(t, nil)
		near := newRig(t, &hub.Options{Forwarder: elsewhere{far.hub}})
		near.do(hub.Call{Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetryNo)
		b := far.connect(described(chrome))
		f := near.do(hub.Call{Action: evaluate(1)})
		b.answer(b.request().ID, number(1))
		if reply := f.result(); reply.BrowserID != chrome || string(reply.Raw) != number(1) {
			t.Errorf("got %+v", reply)
		}
		c := near.connect(described(firefox))
		f = near.do(hub.Call{Action: evaluate(2)})
		c.answer(c.request().ID, number(2))
		f.result()
	})
}

func TestPolicyAndRevoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		plain := described(firefox)
		plain.Caps = nil
		a, b := r.connect(described(chrome)), r.connect(plain)
		rules := protocol.Rules{Blocklist: []string{"bank.test"}}
		if n := r.hub.PushPolicy(user, rules); n != 1 {
			t.Errorf("pushed to %d", n)
		}
		if got, ok := a.next().(protocol.Policy); !ok || cmp.Diff(rules, got.Policy) != "" {
			t.Errorf("got %+v", got)
		}
		why := fmt.Errorf("the token was revoked")
		r.hub.Revoke(user, firefox, protocol.CloseUnauthorized, why)
		b.wantEnd(protocol.CloseUnauthorized, why)
		r.hub.Revoke("eve", "", protocol.CloseUnauthorized, why)
		if s := r.hub.Stats(); s.Browsers != 1 {
			t.Errorf("browsers: %d", s.Browsers)
		}
	})
}
