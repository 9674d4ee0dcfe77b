package hub_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// midCall brings three calls about: one that the peer has read, one in the
// writer's hands, one still queued.
func midCall(r *rig, b *peer, first protocol.Action) (read, held, queued *flow, id string) {
	read = r.do(hub.Call{Action: first})
	id = b.request().ID
	held = r.do(hub.Call{Action: click()})
	synctest.Wait()
	queued = r.do(hub.Call{Action: click()})
	synctest.Wait()
	return read, held, queued, id
}

func TestDisconnectInMidCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{ReconnectGrace: -1})
		b := r.connect(described(chrome))
		sent, held, queued, _ := midCall(r, b, click())
		start := time.Now()
		b.lose()
		sent.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		held.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		queued.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		if d := time.Since(start); d != 0 {
			t.Errorf("the callers waited %v", d)
		}
		b.wantEnd(1000, io.ErrUnexpectedEOF)
		if s := r.hub.Stats(); s.CutOff != 3 || s.Browsers != 0 || s.Links != 0 {
			t.Errorf("cut off %d, browsers %d, links %d", s.CutOff, s.Browsers, s.Links)
		}
	})
}

func TestReadingMayBeRepeatedAfterACut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: read()})
		b.request()
		b.lose()
		f.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetrySame)
	})
}

func TestTakeoverInMidCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{ReconnectGrace: -1})
		old := r.connect(described(chrome))
		sent, held, queued, id := midCall(r, old, click())
		now := r.connect(described(chrome))
		r.check()
		sent.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		held.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		queued.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		old.answer(id, ok)
		old.wantEnd(protocol.CloseReplaced, hub.ErrReplaced)

		f := r.do(hub.Call{Action: evaluate(2)})
		now.answer(now.request().ID, number(2))
		f.result()
		if s := r.hub.Stats(); s.Replaced != 1 || s.Browsers != 1 || s.Attached != 2 || s.Succeeded != 1 {
			t.Errorf("replaced %d, browsers %d, attached %d, succeeded %d", s.Replaced, s.Browsers, s.Attached, s.Succeeded)
		}
	})
}

func TestAnswerOverTheWrongConnectionIsUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		a, b := r.connect(described(chrome)), r.connect(described(firefox))
		f := r.do(hub.Call{Browser: chrome, Action: evaluate(1)})
		id := a.request().ID
		b.answer(id, number(666))
		synctest.Wait()
		a.answer(id, number(1))
		if got := string(f.result().Raw); got != number(1) {
			t.Errorf("got %s", got)
		}
		if s := r.hub.Stats(); s.UnknownAnswers != 1 {
			t.Errorf("unknown answers: %d", s.UnknownAnswers)
		}
	})
}

func TestConnectionOvertakenOnItsWayInIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Seq = 6
		b := r.connect(p)
		p.Seq = 5
		if _, err := r.hub.Attach(user, p, newPipe(), dialect.Bridge{}); !errors.Is(err, hub.ErrStale) {
			t.Errorf("got %v, want ErrStale", err)
		}
		f := r.do(hub.Call{Action: evaluate(1)})
		b.answer(b.request().ID, number(1))
		f.result()

		keep(b, 2*time.Minute) // later a lower number is a restored profile
		r.connect(p)
		b.wantEnd(protocol.CloseReplaced, hub.ErrReplaced)
	})
}

// keep lets time pass while the peer's heartbeat goes on.
func keep(b *peer, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		<-time.After(protocol.Heartbeat)
		b.send(protocol.Ping{})
		if _, ok := b.next().(protocol.Pong); !ok {
			b.t.Error("a ping was not answered by a pong")
		}
	}
}

func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		keep(b, 5*time.Minute)
		f := r.do(hub.Call{Action: protocol.WaitFor{MS: 600_000}})
		b.request()
		start := time.Now()
		if _, ok := b.next().(protocol.Ping); !ok || time.Since(start) != 25*time.Second {
			t.Errorf("no ping after half of the silence, but at %v", time.Since(start))
		}
		b.send(protocol.Pong{}) // a sign of life is enough
		start = time.Now()
		if _, ok := b.next().(protocol.Ping); !ok {
			t.Error("no ping")
		}
		f.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetrySame)
		if d := time.Since(start); d != protocol.SilenceTimeout {
			t.Errorf("called dead after %v of silence", d)
		}
		b.wantEnd(1000, hub.ErrSilent)
		if s := r.hub.Stats(); s.Silent != 1 {
			t.Errorf("silent: %d", s.Silent)
		}
	})
}

// probed is a Conn whose transport can be asked for a sign of life.
type probed struct {
	*pipe
	alive chan struct{} // closed while the peer's transport answers
}

func (p probed) Probe(ctx context.Context) error {
	select {
	case <-p.alive:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestPeerWithoutPingIsProbedByItsTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = []string{"click"}
		live, dead := probed{newPipe(), make(chan struct{})}, probed{newPipe(), make(chan struct{})}
		close(live.alive)
		a := r.connectOver(p, live.pipe, live)
		p.BrowserID = firefox
		b := r.connectOver(p, dead.pipe, dead)
		b.wantEnd(1000, hub.ErrSilent)
		<-time.After(time.Hour)
		if s := r.hub.Stats(); s.Browsers != 1 || s.Silent != 1 {
			t.Errorf("browsers %d, silent %d", s.Browsers, s.Silent)
		}
		a.lose()
		a.wantEnd(1000, io.ErrUnexpectedEOF)
	})
}

func TestInvalidFrames(t *testing.T) {
	bad := []string{
		`{`, `[]`, `{"type":"nothing"}`, `{"type":"cancel","id":"x"}`, `{"type":"hello"}`,
		`{"type":"request","id":"x","action":{"type":"dialog","accept":true}}`,
		`{"type":"event","event":{"type":"session_started"}}`, `{"type":"ping","type":"ping"}`,
		`{"type":"response","id":"x"}`, "\xff", ``,
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		for range 3 { // twenty a minute are borne
			for i := range protocol.MaxInvalidFrames {
				b.say(bad[i%len(bad)])
			}
			keep(b, time.Minute)
		}
		f := r.do(hub.Call{Action: evaluate(1)})
		for f2 := b.next(); ; f2 = b.next() {
			if q, isRequest := f2.(protocol.Request); isRequest {
				b.answer(q.ID, number(1))
				break
			}
		}
		f.result()
		for i := range protocol.MaxInvalidFrames + 1 {
			b.say(bad[i%len(bad)])
		}
		b.wantEnd(protocol.CloseInvalidFrames, hub.ErrInvalidFrames)
		if s := r.hub.Stats(); s.InvalidFrames != 4*protocol.MaxInvalidFrames+1 || s.Unruly != 1 {
			t.Errorf("invalid %d, unruly %d", s.InvalidFrames, s.Unruly)
		}
	})
}

func TestUnknownEventsAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		for range 100 {
			b.say(`{"type":"event","event":{"type":"tab_dreamt","tabId":1}}`)
		}
		synctest.Wait()
		if s := r.hub.Stats(); s.IgnoredFrames != 100 || s.InvalidFrames != 0 || s.Browsers != 1 {
			t.Errorf("ignored %d, invalid %d, browsers %d", s.IgnoredFrames, s.InvalidFrames, s.Browsers)
		}
	})
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		a, b := r.connect(described(chrome)), r.connect(described(firefox))
		quick := r.do(hub.Call{Browser: chrome, Action: evaluate(1)})
		stuck := r.do(hub.Call{Browser: firefox, Action: click()})
		id := a.request().ID
		b.request()
		synctest.Wait()
		drained := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			defer cancel()
			drained <- r.hub.Drain(ctx)
		}()
		synctest.Wait()
		r.do(hub.Call{Browser: chrome, Action: click()}).fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		if _, err := r.hub.Attach(user, described(chrome), newPipe(), dialect.Bridge{}); !errors.Is(err, hub.ErrDraining) {
			t.Errorf("got %v, want ErrDraining", err)
		}
		a.answer(id, number(1))
		quick.result()
		start := time.Now()
		stuck.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		if d := time.Since(start); d != 3*time.Second {
			t.Errorf("the stuck call was given %v", d)
		}
		if err := <-drained; err != nil {
			t.Error(err)
		}
		a.wantEnd(protocol.CloseGoingAway, hub.ErrDraining)
		b.wantEnd(protocol.CloseGoingAway, hub.ErrDraining)
	})
}

func TestRunEndsWithItsContextAndAfterAFailedHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{ReconnectGrace: -1})
		p := newPipe()
		l, err := r.hub.Attach(user, described(chrome), p, dialect.Bridge{})
		if err != nil {
			t.Fatal(err)
		}
		f := r.do(hub.Call{Action: click()})
		synctest.Wait()
		broken := errors.New("the ack could not be written")
		l.Close(1011, broken)
		l.Close(1000, io.EOF)
		f.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		if err := l.Run(t.Context()); !errors.Is(err, broken) || p.closeCode() != 1011 {
			t.Errorf("ended with %v, code %d", err, p.closeCode())
		}

		ctx, cancel := context.WithCancel(t.Context())
		p = newPipe()
		l, err = r.hub.Attach(user, described(chrome), p, dialect.Bridge{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := l.Run(ctx); !errors.Is(err, context.Canceled) || p.closeCode() != protocol.CloseGoingAway {
			t.Errorf("ended with %v, code %d", err, p.closeCode())
		}
	})
}
