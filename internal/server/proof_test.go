package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const nonce = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func TestServerProvesItselfToWhomeverAsks(t *testing.T) {
	h := start(t, Options{})
	pairing, err := h.client.Pair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, fingerprint, ok := strings.Cut(pairing.Link, pairing.Code+".")
	if !ok || fingerprint != pairing.ServerKey {
		t.Fatalf("the link is %s, expected the key %q behind the code", pairing.Link, pairing.ServerKey)
	}
	frame := hello(pairing.Code, idA)
	frame.Nonce = nonce
	p := h.open()
	p.sendFrame(frame)
	ack, ok := p.next().(protocol.Ack)
	if !ok {
		t.Fatal("the hello was not answered with an ack")
	}
	proof := protocol.Proof{Key: ack.ServerKey, Signature: ack.Proof}
	if err := proof.Check(fingerprint, h.srv.Addr(), idA, nonce); err != nil {
		t.Errorf("the proof does not hold: %v", err)
	}
}

func TestKeyComesWithTheDeviceTokenAndOnlyThen(t *testing.T) {
	h := start(t, Options{})
	pairing, err := h.client.Pair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, first := h.join(pairing.Code, idA)
	if want, err := protocol.PublicKey(&h.srv.store.ServerKey().PublicKey); err != nil || first.ServerKey != want || first.Proof != "" {
		t.Errorf("a first ack has the key %q and the proof %q, expected the key alone (%v)", first.ServerKey, first.Proof, err)
	}
	if _, later := h.join(first.DeviceToken, idA); later.ServerKey != "" || later.Proof != "" {
		t.Errorf("who asks for no proof got the key %q and the proof %q", later.ServerKey, later.Proof)
	}
}

// A peer of plain version 4, or one of ours from before there were proofs, gets none, even if it says something that looks like a nonce.
func TestNoProofForPeersThatDoNotKnowIt(t *testing.T) {
	h := start(t, Options{})
	for what, caps := range map[string][]string{
		"plain":           {"click"},
		"of before proof": {protocol.CapAck, protocol.CapPing},
	} {
		frame := hello(h.mint("ann", store.ScopeBrowser), idA)
		frame.Caps, frame.Nonce, frame.ConnectionSeq = caps, nonce, 0
		p := h.open()
		p.sendFrame(frame)
		if ack, ok := p.next().(protocol.Ack); !ok || ack.ServerKey != "" || ack.Proof != "" {
			t.Errorf("a peer %s got %+v", what, ack)
		}
	}
}

func TestProofOverRPC(t *testing.T) {
	h := start(t, Options{})
	token := h.mint("ann", store.ScopeBrowser)
	for _, asks := range []bool{true, false} {
		p := h.open()
		auth := map[string]string{"type": "auth", "token": token, "instanceId": idA}
		if asks {
			auth["nonce"] = nonce
		}
		raw, err := json.Marshal(auth)
		if err != nil {
			t.Fatal(err)
		}
		p.send(string(raw))
		_, answer, err := p.ws.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var ok struct{ Type, ServerKey, Proof string }
		if err := json.Unmarshal(answer, &ok); err != nil || ok.Type != "auth_ok" {
			t.Fatalf("auth was answered with %s", answer)
		}
		if !asks {
			if ok.ServerKey != "" || ok.Proof != "" {
				t.Errorf("who asks for no proof got %s", answer)
			}
			continue
		}
		proof := protocol.Proof{Key: ok.ServerKey, Signature: ok.Proof}
		if err := proof.Check(h.srv.fingerprint, h.srv.Addr(), idA, nonce); err != nil {
			t.Errorf("the proof does not hold: %v", err)
		}
	}
}

func TestNonceOfAnotherShapeIsNoHello(t *testing.T) {
	h := start(t, Options{})
	token := h.mint("ann", store.ScopeBrowser)
	for _, bad := range []string{"short", strings.Repeat("A", 129), strings.Repeat("\u00e9", 30), nonce + "\n" + idB} {
		quoted, err := json.Marshal(bad)
		if err != nil {
			t.Fatal(err)
		}
		first := fmt.Sprintf(`{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":%q,"caps":[],"browserId":%q,"nonce":%s}`, token, idA, quoted)
		if code, reject := h.rejected(first); code != protocol.CloseUnauthorized || reject != nil {
			t.Errorf("nonce %s: closed with %d, reject %v; expected a bare 4001", quoted, code, reject)
		}
	}
}
