package server

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Two servers change places on one port, so that each browser finds the other's: neither knows the other's token, though both know a
// browser of that id, as they do of a profile that was copied. Nothing is taken from anybody, and who comes back is as before.
func TestServersChangePlaces(t *testing.T) {
	one, two := start(t, Options{}), start(t, Options{})
	first, ofOne := one.pair(idA)
	second, ofTwo := two.pair(idA)
	second.sendFrame(tabsOf("an agent of two"))
	second.answer(opens)
	first.ws.CloseNow()
	code, reject := two.rejected(encoded(t, hello(ofOne, idA)))
	if code != protocol.CloseUnauthorized || reject == nil || reject.Error.Code != protocol.CodeUnauthorized {
		t.Fatalf("the other server answered with %d and %+v, expected that it refuses the token", code, reject)
	}
	if _, err := two.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Errorf("the other server's own browser was disturbed: %v", err)
	}
	two.checkTabs(tabsOf("an agent of two").Tabs)
	if tokens, err := two.client.Tokens(t.Context()); err != nil || len(tokens) != 2 {
		t.Errorf("the other server has %d tokens (%v), expected its command line's and its browser's", len(tokens), err)
	}

	back, ack := one.join(ofOne, idA)
	if ack.DeviceToken != "" || ack.BrowserID != "" {
		t.Errorf("its own server took the browser for another: %+v", ack)
	}
	back.sendFrame(tabsOf("an agent of one"))
	back.answer(opens)
	if _, err := one.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
	one.checkTabs(tabsOf("an agent of one").Tabs)
	if code, _ := one.rejected(encoded(t, hello(ofTwo, idA))); code != protocol.CloseUnauthorized {
		t.Errorf("the other's browser was answered with %d", code)
	}
}
