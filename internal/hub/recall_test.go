package hub_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// cutInMidCall has a click under way when the network breaks, and returns it with its request.
func (r *rig) cutInMidCall(c hub.Call) (*flow, protocol.Request) {
	r.t.Helper()
	b := r.connect(described(chrome))
	f := r.do(c)
	q := b.request()
	if q.CallKey == "" || q.RecallMS != 0 {
		r.t.Fatalf("the request has the key %q and recallMs %d", q.CallKey, q.RecallMS)
	}
	<-time.After(time.Second)
	b.lose()
	_ = b.ended()
	<-time.After(2 * time.Second)
	return f, q
}

func TestACutOffCallEndsWithItsTrueOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		f, q := r.cutInMidCall(hub.Call{Action: click()})
		b := r.connect(described(chrome))
		again := b.request()
		if again.CallKey != q.CallKey || again.ID == q.ID || again.RecallMS != 3000 {
			t.Errorf("asked for key %q after %d ms with id %s, the call was %q with id %s", again.CallKey, again.RecallMS, again.ID, q.CallKey, q.ID)
		}
		b.answer(again.ID, `{"ok":true,"title":"Done"}`)
		if got, ok := f.result().Result.(protocol.ClickResult); !ok || got.Title != "Done" {
			t.Errorf("got %+v", got)
		}
		if s := r.hub.Stats(); s.Recalled != 1 || s.Resent != 0 || s.CutOff != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestWhatNeverArrivedIsSentAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		f, _ := r.cutInMidCall(hub.Call{Action: click()})
		b := r.connect(described(chrome))
		never := protocol.Errorf(protocol.CodeNotConnected, "never arrived").WithOutcome(protocol.NotSent)
		b.send(protocol.Response{ID: b.request().ID, Error: never})
		fresh := b.request()
		if fresh.RecallMS != 0 {
			t.Errorf("sent anew with recallMs %d", fresh.RecallMS)
		}
		b.answer(fresh.ID, `{"ok":true}`)
		f.result()
	})
}

func TestARecallOutlivesMoreThanOneCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		f, q := r.cutInMidCall(hub.Call{Action: click()})
		b := r.connect(described(chrome))
		_ = b.request()
		b.lose()
		_ = b.ended()
		b = r.connect(described(chrome))
		again := b.request()
		if again.CallKey != q.CallKey || again.RecallMS == 0 {
			t.Errorf("the second time it was asked %+v", again)
		}
		b.answer(again.ID, `{"ok":true}`)
		f.result()
	})
}

func TestWhatCannotBeToldStaysUnknown(t *testing.T) {
	old := described(chrome)
	old.Caps = nil
	for _, c := range allCaps() {
		if c != protocol.CapRecall {
			old.Caps = append(old.Caps, c)
		}
	}
	for name, after := range map[string]func(*rig){
		"the browser stays away":            func(*rig) {},
		"the extension that comes is older": func(r *rig) { r.connect(old) },
		"the browser was started anew since": func(r *rig) {
			b := r.connect(described(chrome))
			b.send(protocol.Response{ID: b.request().ID, Error: protocol.Errorf(protocol.CodeNotConnected, "started anew").WithOutcome(protocol.Unknown)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				f, _ := r.cutInMidCall(hub.Call{Action: click()})
				after(r)
				<-f.reply
				err := <-f.err
				var e *protocol.Error
				if !errors.As(err, &e) || e.Code != protocol.CodeNotConnected || e.Outcome != protocol.Unknown {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestNoAgentAsksForAnothersCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		keys := map[string]bool{}
		for _, agent := range []string{"a1", "a2", "a1"} {
			f := r.do(hub.Call{Action: click(), Agent: agent, Key: "mine"})
			q := b.request()
			keys[q.CallKey] = true
			b.answer(q.ID, `{"ok":true}`)
			f.result()
		}
		if len(keys) != 2 || keys["mine"] {
			t.Errorf("two agents' calls of one key went out as %v", keys)
		}
		if f := r.do(hub.Call{Action: evaluate(1)}); true {
			q := b.request()
			b.answer(q.ID, number(1))
			f.result()
		}
	})
}

// The browser is away when it is asked, and back 20 s later: what it is told must be how long ago the call was by then.
func TestARecallCountsTheWaitForTheBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.hub.Expect(user, chrome, "Chrome")
		f := r.do(hub.Call{Browser: chrome, Action: click(), Key: "k", Recall: 5 * time.Second, Timeout: time.Minute})
		<-time.After(20 * time.Second)
		b := r.connect(described(chrome))
		q := b.request()
		if q.RecallMS != 25_000 {
			t.Errorf("it was asked of a call %d ms ago, expected 25000", q.RecallMS)
		}
		b.answer(q.ID, `{"ok":true}`)
		f.result()
		// Nobody can say what came of a call of an hour ago, so nobody is asked.
		f = r.do(hub.Call{Browser: chrome, Action: click(), Key: "k", Recall: time.Hour})
		f.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
	})
}

func TestACallerOfADeadServerAsksWhatCameOfItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: click(), Key: "k", Recall: 5 * time.Second})
		q := b.request()
		if q.RecallMS != 5000 || q.CallKey == "" {
			t.Errorf("it was asked %+v", q)
		}
		b.send(protocol.Response{ID: q.ID, Error: protocol.Errorf(protocol.CodeNotConnected, "never arrived").WithOutcome(protocol.NotSent)})
		f.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
	})
}
