package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// rejected sends a hello that must be refused, and returns the close code and the reject, if there was one.
func (h *house) rejected(frame string) (code int, reject *protocol.Reject) {
	h.t.Helper()
	p := h.open()
	p.send(frame)
	code, frames := p.closed()
	for _, f := range frames {
		r, ok := f.(protocol.Reject)
		if !ok {
			h.t.Errorf("the server sent %#v to a browser that it did not let in", f)
			continue
		}
		reject = &r
	}
	return code, reject
}

func encoded(t *testing.T, f protocol.Frame) string {
	t.Helper()
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestAckHasWhatTheBrowserNeeds(t *testing.T) {
	h := start(t, Options{Version: "1.2.3"})
	_, ack := h.join(h.mint("ann", store.ScopeBrowser), idA)
	if ack.ConnectionID == "" {
		t.Error("the ack names no connection")
	}
	ack.ConnectionID = ""
	want := protocol.Ack{
		ProtocolVersion: protocol.Version, ServerVersion: "1.2.3", Caps: protocol.Features(),
		BrowserName: "Test a", HeartbeatMS: 20_000, Policy: &protocol.Rules{Blocklist: []string{}},
	}
	if diff := cmp.Diff(want, ack); diff != "" {
		t.Error(diff)
	}
}

func TestPlainVersion4GetsThePlainAck(t *testing.T) {
	h := start(t, Options{})
	p := h.open()
	p.send(fmt.Sprintf(`{"type":"hello","protocolVersion":4,"clientVersion":"seed","pairingToken":%q,"caps":["click","list_tabs"]}`, h.mint("ann", store.ScopeBrowser)))
	_, raw, err := p.ws.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"type": "ack", "protocolVersion": 4.0, "serverVersion": "dev"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.answer(opens)
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
	if _, err := h.client.Do(t.Context(), protocol.OpenTab{URL: "https://a.test/"}); codeOf(err) != protocol.CodeUnsupported {
		t.Errorf("an action that the peer did not name: %v", err)
	}
}

func TestWrongFirstFrame(t *testing.T) {
	h := start(t, Options{})
	for _, first := range []string{
		`{"type":"ping"}`, `{"type":"auth","token":"x"}`, `{"type":"request"}`, `{"TYPE":"hello"}`, `{}`, `[]`, `null`, `"hello"`, ``, `hello`,
		`{"type":"hello"}`, `{"type":"hello","protocolVersion":4,"protocolVersion":4}`,
		`{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":7,"caps":[]}`,
		`{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":"x","caps":[],"browserId":"../../etc"}`,
	} {
		if code, reject := h.rejected(first); code != protocol.CloseUnauthorized || reject != nil {
			t.Errorf("%s: closed with %d, reject %v; expected a bare 4001", first, code, reject)
		}
	}
	p := h.open()
	if err := p.ws.Write(t.Context(), websocket.MessageBinary, []byte(encoded(t, hello(h.token, idA)))); err != nil {
		t.Fatal(err)
	}
	if code, _ := p.closed(); code != protocol.CloseUnauthorized {
		t.Errorf("a binary hello was closed with %d", code)
	}
}

func TestVersionOutsideTheRange(t *testing.T) {
	h := start(t, Options{})
	token := h.mint("ann", store.ScopeBrowser)
	for _, frame := range []string{
		fmt.Sprintf(`{"type":"hello","protocolVersion":3,"clientVersion":"1","pairingToken":%q,"caps":[]}`, token),
		`{"type":"hello","protocolVersion":99,"of":"a shape that nobody knows yet"}`,
	} {
		code, reject := h.rejected(frame)
		if code != protocol.CloseVersion || reject == nil || reject.Error.Code != protocol.CodeProtocolMismatch || reject.RequiredMinProtocolVersion != protocol.MinVersion {
			t.Errorf("closed with %d, reject %+v", code, reject)
		}
	}
}

func TestWrongTokens(t *testing.T) {
	h := start(t, Options{})
	_, device := h.pair(idA)
	for name, frame := range map[string]protocol.Hello{
		"unknown token":                  hello("db_browser_0000000000000000000000000000000000000000000000000000", idA),
		"empty token":                    hello("", idA),
		"an agent's token":               hello(h.token, idA),
		"another browser's device token": hello(device, idB),
		"a code that was never made":     hello("0000-0000-0000-0000", idA),
	} {
		code, reject := h.rejected(encoded(t, frame))
		if code != protocol.CloseUnauthorized || reject == nil || reject.Error.Code != protocol.CodeUnauthorized {
			t.Errorf("%s: closed with %d, reject %+v", name, code, reject)
			continue
		}
		if frame.PairingToken != "" && strings.Contains(reject.Error.Message, frame.PairingToken) {
			t.Errorf("%s: the token stands in the message", name)
		}
	}
	if log := h.log.String(); strings.Contains(log, device) || strings.Contains(log, h.token) {
		t.Error("a token stands in the log")
	}
	tokens, err := h.srv.store.Tokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if token.BrowserID == idA {
			if err := h.srv.store.Revoke(t.Context(), token.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code, _ := h.rejected(encoded(t, hello(device, idA))); code != protocol.CloseUnauthorized {
		t.Errorf("a revoked device was closed with %d", code)
	}
}

func TestPairingCodeWorksOnceAndForFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		first, err := h.client.Pair(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := h.srv.URL() + "/pair#" + first.Code + "." + first.ServerKey; first.Link != want {
			t.Errorf("the link is %s, expected %s", first.Link, want)
		}
		if left := time.Until(time.UnixMilli(first.ExpiresAt)); left < protocol.PairingLifetime-time.Second || left > protocol.PairingLifetime {
			t.Errorf("the code ends in %v", left)
		}
		late, err := h.client.Pair(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, ack := h.join(first.Code, idA)
		if ack.DeviceToken == "" || strings.Contains(ack.DeviceToken, first.Code) {
			t.Error("the ack has no device token of its own")
		}
		if code, reject := h.rejected(encoded(t, hello(first.Code, idB))); code != protocol.CloseUnauthorized || reject == nil {
			t.Errorf("the code worked twice: %d, %v", code, reject)
		}
		<-time.After(protocol.PairingLifetime)
		if code, reject := h.rejected(encoded(t, hello(late.Code, idB))); code != protocol.CloseUnauthorized || reject == nil {
			t.Errorf("the code worked late: %d, %v", code, reject)
		}
		h.join(ack.DeviceToken, idA)
	})
}

func TestCodeIsNotSpentOnWhoCannotKeepTheToken(t *testing.T) {
	h := start(t, Options{})
	pairing, err := h.client.Pair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plain := hello(pairing.Code, idA)
	plain.Caps = []string{"click"}
	nobody := hello(pairing.Code, idA)
	nobody.BrowserID = ""
	for _, frame := range []protocol.Hello{plain, nobody} {
		if code, reject := h.rejected(encoded(t, frame)); code != protocol.CloseUnauthorized || reject == nil || !strings.Contains(reject.Error.Message, "update the extension") {
			t.Errorf("closed with %d, reject %v", code, reject)
		}
	}
	h.join(strings.ToLower(strings.ReplaceAll(pairing.Code, "-", " ")), idA)
}

func TestSilentConnectionIsToldToTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		begun := time.Now()
		p := h.open()
		if code, _ := p.closed(); code != protocol.CloseSilent {
			t.Errorf("closed with %d, expected 4008", code)
		}
		if took := time.Since(begun); took != protocol.HandshakeTimeout {
			t.Errorf("closed after %v", took)
		}
		// A browser that came in has all the time in the world, as long as it pings.
		in, _ := h.pair(idA)
		for range 5 {
			<-time.After(protocol.Heartbeat)
			in.sendFrame(protocol.Ping{})
			if f := in.next(); f != (protocol.Pong{}) {
				t.Fatalf("got %#v, expected a pong", f)
			}
		}
	})
}

func TestPeerThatDribblesItsHelloIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		p := h.open()
		begun := time.Now()
		w, err := p.ws.Writer(t.Context(), websocket.MessageText)
		if err != nil {
			t.Fatal(err)
		}
		// Never an end. The writer sends every 4 KiB, so it learns up to four seconds late that it was cut off.
		for err == nil && time.Since(begun) < time.Minute {
			_, err = w.Write(make([]byte, 1<<10))
			<-time.After(time.Second)
		}
		if took := time.Since(begun); took > protocol.HandshakeTimeout+closeWait+4*time.Second {
			t.Errorf("the server bore it for %v", took)
		}
	})
}

func TestBeforeTheAckThereAreSixteenKiB(t *testing.T) {
	h := start(t, Options{})
	frame := hello(h.mint("ann", store.ScopeBrowser), idA)
	frame.Caps = append(frame.Caps, strings.Repeat("x", protocol.HandshakeBytes))
	if code, reject := h.rejected(encoded(t, frame)); code != int(websocket.StatusMessageTooBig) || reject != nil {
		t.Errorf("closed with %d, reject %v", code, reject)
	}
	frame.Caps = frame.Caps[:len(frame.Caps)-1]
	frame.UserAgent = strings.Repeat("u", 1024)
	p := h.open()
	p.sendFrame(frame)
	if _, ok := p.next().(protocol.Ack); !ok {
		t.Error("a full hello was refused")
	}
}

func TestHalfOpenConnectionsAreCapped(t *testing.T) {
	h := start(t, Options{})
	var held []*peer
	for range maxHalfOpen {
		held = append(held, h.open())
	}
	if _, status, err := h.dial(ourOrigin); err == nil || status != 503 {
		t.Errorf("one more came in: %d, %v", status, err)
	}
	held[0].send(`{}`)
	held[0].closed()
	// The place is free once the server has seen the close through, which is after we have: taking the place waits for that.
	select {
	case h.srv.halfOpen <- struct{}{}:
		<-h.srv.halfOpen
	case <-time.After(30 * time.Second):
		t.Fatal("the place was never free again")
	}
	h.join(h.mint("ann", store.ScopeBrowser), idA)
}

func TestLastConnectionOfABrowserWins(t *testing.T) {
	h := start(t, Options{})
	token := h.mint("ann", store.ScopeBrowser)
	old, _ := h.join(token, idA)
	frame := hello(token, idA)
	frame.ConnectionSeq = 2
	p := h.open()
	p.sendFrame(frame)
	if _, ok := p.next().(protocol.Ack); !ok {
		t.Fatal("the second connection was refused")
	}
	if code, _ := old.closed(); code != protocol.CloseReplaced {
		t.Errorf("the first was closed with %d", code)
	}
	// One that was overtaken on its way in must not throw out its successor.
	if code, reject := h.rejected(encoded(t, hello(token, idA))); code != protocol.CloseReplaced || reject != nil {
		t.Errorf("an older connection was closed with %d, reject %v", code, reject)
	}
	p.answer(opens)
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
}
