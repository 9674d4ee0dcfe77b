package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
	"github.com/drawbridge-browser/drawbridge/protocol/conformance"
)

// extensionPlay is a conversation with our extension in a real browser, whose other side is a bare WebSocket server.
type extensionPlay struct {
	t        *testing.T
	values   conformance.Values
	arriving chan *barePeer
	peers    []*barePeer // in the order in which they came
	key      *ecdsa.PrivateKey
	addr     string
}

// playExtension starts a browser of its own, whose extension connects to a server that only this conversation runs.
func playExtension(t *testing.T, c conformance.Conversation, dialect string) {
	t.Parallel()
	p := &extensionPlay{t: t, arriving: make(chan *barePeer, 8)}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(p.accept)}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // ends with the close below
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-served
	})
	site := openSite()
	t.Cleanup(site.close)
	const token = "a-token-of-the-conversation"
	if p.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	p.addr = listener.Addr().String()
	known := map[string]any{"token": token}
	configured := map[string]string{"address": p.addr, "pairingToken": token, "dialect": dialect}
	if c.Values["pinned"] == true {
		if configured["serverKey"], err = protocol.Fingerprint(&p.key.PublicKey); err != nil {
			t.Fatal(err)
		}
		if known["serverKey"], err = protocol.PublicKey(&p.key.PublicKey); err != nil {
			t.Fatal(err)
		}
	}
	config, err := json.Marshal(configured)
	if err != nil {
		t.Fatal(err)
	}
	browser, err := chromium.Launch(within(t), chromium.Options{
		Headless: true, Extension: extension.Files(), ExtensionConfig: config, RecordDir: t.TempDir(),
		ExtraArgs: []string{"--host-resolver-rules=MAP *.test " + site.addr, "--window-size=900,700"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := browser.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	p.values = c.Start(known)
	for i, step := range c.Steps {
		if err := p.play(step); err != nil {
			t.Fatalf("section %d (%s %s):\n%v", i+1, step.Who, step.How, err)
		}
	}
}

func (p *extensionPlay) accept(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: []string{extension.Origin}})
	if err != nil {
		return // it is no WebSocket, or not from the extension: the conversation says what it waits for in vain
	}
	ws.SetReadLimit(-1)
	peer := newBarePeer(ws)
	p.arriving <- peer
	<-peer.ended
}

func (p *extensionPlay) play(s conformance.Step) error {
	switch s.Who {
	case "client":
		return p.hear(s)
	case "server":
		return p.say(s)
	}
	return nil // what agents ask for is our own server's business
}

// peer is the n-th connection of the extension, which may have yet to come.
func (p *extensionPlay) peer(n string) (*barePeer, error) {
	for {
		for i, peer := range p.peers {
			if fmt.Sprint(i+1) == n {
				return peer, nil
			}
		}
		select {
		case peer := <-p.arriving:
			p.peers = append(p.peers, peer)
		case <-within(p.t).Done():
			return nil, fmt.Errorf("the extension did not open connection %s", n)
		}
	}
}

func (p *extensionPlay) say(s conformance.Step) error {
	peer, err := p.peer(s.Of)
	if err != nil {
		return err
	}
	switch s.How {
	case "close":
		return peer.ws.Close(websocket.StatusCode(s.Code), "")
	case "raw":
		return peer.ws.Write(within(p.t), websocket.MessageText, []byte(p.values.FillText(s.Text)))
	}
	frame, err := p.values.Fill(s.Text)
	if err != nil {
		return err
	}
	switch s.How {
	case "binary":
		return peer.ws.Write(within(p.t), websocket.MessageBinary, []byte(frame))
	case "slow":
		return writeSlowly(within(p.t), peer.ws, frame)
	}
	return peer.ws.Write(within(p.t), websocket.MessageText, []byte(frame))
}

func (p *extensionPlay) hear(s conformance.Step) error {
	peer, err := p.peer(s.Of)
	if err != nil {
		return err
	}
	return peer.hear(within(p.t), s, func(got []byte) error {
		if err := p.values.Match(s.Text, got); err != nil {
			return err
		}
		return p.prove(got)
	})
}

// prove signs the nonce of an extension that sends one: "$proof" is what such a server answers.
func (p *extensionPlay) prove(frame []byte) error {
	var said struct{ BrowserID, Nonce string }
	if err := json.Unmarshal(frame, &said); err != nil || said.Nonce == "" {
		return err
	}
	proof, err := protocol.Prove(p.key, p.addr, said.BrowserID, said.Nonce)
	p.values.Tell("proof", proof.Signature)
	return err
}
