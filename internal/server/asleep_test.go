package server

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// tabsOf is the work of an agent in a browser.
func tabsOf(agent string) protocol.State {
	return protocol.State{Tabs: []protocol.TabRecord{
		{TabID: 7, Domain: "a.test", StartedAt: 1, LastActionAt: 2, ActionCount: 3, AgentID: agent, AgentTab: true},
		{TabID: 9, Domain: "b.test", StartedAt: 4, LastActionAt: 5, ActionCount: 6, AgentID: "another"},
	}}
}

// The laptop sleeps, the server is elsewhere and does not: for an hour its browser says nothing, and the line is not closed either.
func TestBrowserAsleepForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		p, token := h.pair(idA)
		click := protocol.Click{Page: protocol.Page{TabID: 7}, Target: protocol.Target{UID: "e1"}}
		ended := make(chan error, 1)
		go func() {
			_, err := h.client.Do(t.Context(), click)
			ended <- err
		}()
		request, ok := p.next().(protocol.Request)
		if !ok {
			t.Fatal("the click did not come")
		}
		p.sendFrame(tabsOf(request.AgentID))
		pairing, err := h.client.Pair(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour)

		var typed *protocol.Error
		if err := <-ended; !errors.As(err, &typed) || typed.Outcome != protocol.Unknown {
			t.Errorf("the click under way ended with %v, expected that its outcome is unknown", err)
		}
		if browsers, err := h.client.Browsers(t.Context()); err != nil || len(browsers) != 0 {
			t.Errorf("after an hour's silence the browsers are %+v (%v)", browsers, err)
		}
		if _, err := h.client.Do(t.Context(), click); !errors.As(err, &typed) || typed.Outcome != protocol.NotSent {
			t.Errorf("a click into the silence ended with %v, expected that it was not sent", err)
		}
		if _, frames := p.closed(); len(frames) > 1 {
			t.Errorf("the sleeper finds %+v on its old line, expected a ping at most", frames)
		}

		back := h.open()
		again := hello(token, idA)
		again.ConnectionSeq = 2
		back.sendFrame(again)
		if _, ok := back.next().(protocol.Ack); !ok {
			t.Fatal("awake again, the browser was not let in by its token")
		}
		back.sendFrame(tabsOf(request.AgentID))
		back.answer(func(r protocol.Request) (protocol.Result, *protocol.Error) {
			if r.AgentID != request.AgentID {
				t.Errorf("the agent is %s, it was %s", r.AgentID, request.AgentID)
			}
			return protocol.ClickResult{OK: true}, nil
		})
		if _, err := h.client.Do(t.Context(), click); err != nil {
			t.Errorf("the agent's next click ended with %v", err)
		}
		h.checkTabs(tabsOf(request.AgentID).Tabs)
		if code, _ := h.rejected(encoded(t, hello(pairing.Code, idB))); code != protocol.CloseUnauthorized {
			t.Errorf("a pairing code of an hour ago was answered with %d", code)
		}
	})
}

// The server's own machine sleeps, and everything on it: the clock on the wall is an hour on, the one that timers go by is not.
func TestServerAsleepForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		h := start(t, Options{listen: listen, now: func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }})
		p, token := h.pair(idA)
		p.sendFrame(tabsOf("an agent"))
		pairing, err := h.client.Pair(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slept.Store(int64(time.Hour))

		done := make(chan error, 1)
		go func() {
			_, err := h.client.Do(t.Context(), protocol.ListTabs{})
			done <- err
		}()
		request, ok := p.next().(protocol.Request)
		if !ok {
			t.Fatal("the line does not live on")
		}
		p.sendFrame(protocol.Response{ID: request.ID, Result: []byte(`{"tabs":[]}`)})
		if err := <-done; err != nil {
			t.Error(err)
		}
		h.checkTabs(tabsOf("an agent").Tabs)
		if code, _ := h.rejected(encoded(t, hello(pairing.Code, idB))); code != protocol.CloseUnauthorized {
			t.Errorf("a pairing code of an hour ago was answered with %d", code)
		}
		p.ws.CloseNow()
		if _, ack := h.join(token, idA); ack.BrowserID != "" {
			t.Errorf("the browser's token gave it the id %s", ack.BrowserID)
		}
	})
}

// checkTabs holds what the server tells of its only connected browser against what that announced.
func (h *house) checkTabs(want []protocol.TabRecord) {
	h.t.Helper()
	browsers, err := h.client.Browsers(h.t.Context())
	if err != nil || len(browsers) != 1 || !browsers[0].Connected {
		h.t.Fatalf("the browsers are %+v (%v), expected one, connected", browsers, err)
	}
	if d := cmp.Diff(want, browsers[0].Tabs); d != "" {
		h.t.Error(d)
	}
}
