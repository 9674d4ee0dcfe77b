package server

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestACallWaitsForABrowserOfTheServerBefore(t *testing.T) {
	dir := t.TempDir()
	h := start(t, Options{DataDir: dir})
	p, token := h.pair(idA)
	go p.discard()
	away, _ := h.pair(idB)
	away.ws.CloseNow()
	for { // until the server has seen it go
		browsers, err := h.client.Browsers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if connected := len(browsers) == 2 && browsers[1].Connected; !connected {
			break
		}
	}
	h.stop()

	next := start(t, Options{DataDir: dir})
	acted := make(chan error, 1)
	go func() {
		_, err := next.client.Do(t.Context(), protocol.ListTabs{})
		acted <- err
	}()
	back, _ := next.join(token, idA)
	back.answer(opens)
	if err := <-acted; err != nil {
		t.Errorf("a call that came before its browser gave %v", err)
	}
	// One that was gone before the server ended is not waited for.
	_, err := next.client.In(idB).Do(t.Context(), protocol.ListTabs{})
	if codeOf(err) != protocol.CodeNotConnected {
		t.Errorf("a call for a browser long gone gave %v", err)
	}
}
