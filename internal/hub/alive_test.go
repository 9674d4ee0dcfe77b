package hub_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestBrowserWhoseHeartbeatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		is := func(want protocol.BrowserInfo) {
			t.Helper()
			synctest.Wait()
			got := r.hub.Browsers(user)[0]
			if got.Connected != want.Connected || got.Unresponsive != want.Unresponsive {
				t.Errorf("connected %v, unresponsive %v; expected %v, %v", got.Connected, got.Unresponsive, want.Connected, want.Unresponsive)
			}
		}
		heartbeats := func() {
			b.send(protocol.Ping{})
			if _, ok := b.next().(protocol.Pong); !ok {
				t.Fatal("its ping was not answered")
			}
		}
		heartbeats()
		<-time.After(protocol.HeartbeatLate - time.Millisecond)
		is(protocol.BrowserInfo{Connected: true})
		<-time.After(time.Millisecond)
		is(protocol.BrowserInfo{Connected: true, Unresponsive: true})
		if _, ok := b.next().(protocol.Ping); !ok {
			t.Error("it was not asked for a sign of life")
		}
		heartbeats()
		is(protocol.BrowserInfo{Connected: true})
		<-time.After(protocol.SilenceTimeout - time.Millisecond)
		is(protocol.BrowserInfo{Connected: true, Unresponsive: true})
		<-time.After(time.Millisecond)
		b.wantEnd(1000, hub.ErrSilent)
		is(protocol.BrowserInfo{})
	})
}

func TestWhetherABrowserAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		asked := func() (answer bool, took time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			begun := time.Now()
			return r.hub.Answers(ctx, user, chrome), time.Since(begun)
		}
		answers := make(chan bool)
		go func() {
			yes, _ := asked()
			answers <- yes
		}()
		if _, ok := b.next().(protocol.Ping); !ok {
			t.Fatal("it was not asked by a ping")
		}
		b.send(protocol.Ping{}) // a sign of life, but no answer
		if _, ok := b.next().(protocol.Pong); !ok {
			t.Error("its own ping was not answered")
		}
		b.send(protocol.Pong{})
		if !<-answers {
			t.Error("it answered, and was taken for dead")
		}
		if yes, took := asked(); yes || took != 2*time.Second { // the pong of before does not count
			t.Errorf("a silent one: %v after %v", yes, took)
		}
		b.lose()
		if yes, _ := asked(); yes {
			t.Error("one that is gone answers")
		}
		plain := described("2")
		plain.Caps = []string{"click"}
		r.connect(plain)
		if r.hub.Answers(t.Context(), user, "2") {
			t.Error("one that knows no ping answers")
		}
	})
}
