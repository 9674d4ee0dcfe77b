package server

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestServerEndsWhenNoAgentNeedsIt(t *testing.T) {
	const while = 10 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen, IdleEnd: while})
		runs := func() bool {
			synctest.Wait()
			response, err := h.http.Get(h.srv.URL() + "/healthz")
			if err != nil {
				return false
			}
			return response.Body.Close() == nil && response.StatusCode == http.StatusOK
		}
		p, _ := h.pair(idA)
		p.answer(opens)
		// Each use begins the time anew.
		for range 3 {
			time.Sleep(while - time.Second)
			if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
				t.Fatal(err)
			}
		}
		// Who follows the events is there for as long as they do.
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan struct{})
		go func() {
			defer close(left)
			for _, err := range h.client.Events(ctx) {
				if err != nil {
					t.Error(err)
				}
			}
		}()
		time.Sleep(5 * while)
		if !runs() {
			t.Fatal("it ended under an event stream")
		}
		leave()
		<-left
		// A client of MCP is there for as long as its session, which ends after half an hour of silence.
		if _, err := h.visit("/mcp", withToken(h.token)); err != nil {
			t.Fatal(err)
		}
		h.http.CloseIdleConnections()
		time.Sleep(2 * while)
		if !runs() {
			t.Fatal("it ended under a client of MCP")
		}
		// The browser, which answers pings all the while, and a look at its health do not hold it.
		time.Sleep(3 * while)
		if runs() {
			t.Error("it runs on and nobody needs it")
		}
	})
}

func TestServerThatSomebodyStartedStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		time.Sleep(100 * time.Hour)
		if _, err := h.client.Browsers(t.Context()); err != nil {
			t.Errorf("after 100 hours without an agent: %v", err)
		}
	})
}
