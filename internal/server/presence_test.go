package server

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// TestAnAgentThatDiesGivesItsTabsBack: who holds a stream of presence need not say that it leaves.
func TestAnAgentThatDiesGivesItsTabsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		p, _ := h.pair(idA)
		var releases, tabs atomic.Int32
		p.answer(func(r protocol.Request) (protocol.Result, *protocol.Error) {
			if s, ok := r.Action.Action.(protocol.Session); ok && s.Op == "release" {
				releases.Add(1)
				return protocol.SessionResult{OK: true}, nil
			}
			opened, failure := opens(r)
			if tab, ok := opened.(protocol.OpenTabResult); ok {
				tab.TabID = int64(tabs.Add(1))
				return tab, failure
			}
			return opened, failure
		})
		working := func(session string) *client.Client {
			c, err := client.New(h.srv.URL(), h.token, &client.Options{HTTP: h.http, Session: session})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Do(t.Context(), protocol.OpenTab{URL: "https://a.test/"}); err != nil {
				t.Fatal(err)
			}
			return c
		}
		// hold is the presence of a process that die ends.
		hold := func(c *client.Client) (die func()) {
			ctx, cancel := context.WithCancel(t.Context())
			over, err := c.Present(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return func() {
				cancel()
				if err := <-over; err != nil {
					t.Errorf("the end of the caller's context gave %v", err)
				}
			}
		}
		want := func(n int32, when string) {
			t.Helper()
			synctest.Wait()
			if got := releases.Load(); got != n {
				t.Errorf("%s: %d releases, want %d", when, got, n)
			}
		}
		dies, stays := working("dies"), working("stays")
		first := hold(dies)
		defer hold(stays)()
		time.Sleep(time.Hour)
		want(0, "while all are there")
		// One of two streams, or a cut that is mended in time, is no end.
		second := hold(dies)
		first()
		time.Sleep(2 * presenceGrace)
		want(0, "with one stream of two")
		second()
		time.Sleep(presenceGrace - time.Second)
		third := hold(dies)
		time.Sleep(2 * presenceGrace)
		want(0, "with a stream that came back in time")
		third()
		time.Sleep(presenceGrace + time.Second)
		want(1, "after the end")
		if _, err := h.client.Present(t.Context()); codeOf(err) != protocol.CodeInvalidAction {
			t.Errorf("without a session: %v", err)
		}
	})
}

// TestAServerThatEndsTakesNoTabsBack: its agents find the next one.
func TestAServerThatEndsTakesNoTabsBack(t *testing.T) {
	left := 0
	synctest.Test(t, func(t *testing.T) {
		p := newPresence(func(agent.Caller) { left++ })
		caller := agent.Caller{Session: "s"}
		gone, later := p.come(caller), p.come(agent.Caller{Session: "later"})
		gone()
		p.end()
		later()
		time.Sleep(2 * presenceGrace)
		p.leaving.Wait()
	})
	if left != 0 {
		t.Errorf("%d agents left", left)
	}
}
