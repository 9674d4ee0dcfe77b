package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
	"github.com/drawbridge-browser/drawbridge/protocol/conformance"
)

// TestConformance plays the conversations of the wire against both sides that we have.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"bridge", "rpc"} {
		conversations, err := conformance.Of(dialect)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(dialect+"_server", func(t *testing.T) {
			for _, c := range conversations {
				if c.Only != "extension" {
					t.Run(c.Name, func(t *testing.T) { playServer(t, c) })
				}
			}
		})
		t.Run(dialect+"_extension", func(t *testing.T) {
			for _, c := range conversations {
				if c.Only != "server" {
					t.Run(c.Name, func(t *testing.T) { playExtension(t, c, dialect) })
				}
			}
		})
	}
}

// serverPlay is a conversation with our server, whose other side is a bare WebSocket.
type serverPlay struct {
	t      *testing.T
	addr   string
	agent  string // the agents' token
	key    string // fingerprint of the server's
	first  []byte // what the client said last, of which a proof is
	values conformance.Values
	peers  map[string]*barePeer
	asked  []*asking // what agents wait for, in order
	lastID float64   // of the rpc dialect
}

func playServer(t *testing.T, c conformance.Conversation) {
	t.Parallel()
	up, err := serve("127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := up.stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", up.log)
		}
	})
	agentToken, err := store.ReadCredential(up.dataDir)
	if err != nil {
		t.Fatal(err)
	}
	p := &serverPlay{t: t, addr: up.addr, agent: agentToken, peers: map[string]*barePeer{}}
	pairing := pairingOf(t, up)
	p.key = pairing.ServerKey
	known := map[string]any{"agentToken": agentToken}
	for _, n := range []string{"", "2"} {
		known["browserId"+n] = uuid.NewString()
		known["token"+n] = pairBare(t, up, fmt.Sprint(known["browserId"+n]))
	}
	p.values = c.Start(known)
	for i, step := range c.Steps {
		if err := p.play(step); err != nil {
			t.Fatalf("section %d (%s %s):\n%v", i+1, step.Who, step.How, err)
		}
	}
	for _, peer := range p.peers {
		peer.nothingMore(t)
	}
}

func (p *serverPlay) play(s conformance.Step) error {
	switch s.Who {
	case "client":
		return p.say(s)
	case "server":
		return p.hear(s)
	case "agent":
		return p.ask(s)
	case "give up":
		p.asked[len(p.asked)-1].giveUp()
		return nil
	}
	return p.answer(s)
}

func (p *serverPlay) say(s conformance.Step) error {
	peer := p.peers[s.Of]
	if peer == nil {
		var err error
		if peer, err = dialBare(p.t, p.addr); err != nil {
			return err
		}
		p.peers[s.Of] = peer
	}
	switch s.How {
	case "open":
		return nil
	case "close":
		return peer.ws.Close(websocket.StatusNormalClosure, "")
	case "raw":
		return peer.ws.Write(within(p.t), websocket.MessageText, []byte(p.values.FillText(s.Text)))
	}
	frame, err := p.values.Fill(s.Text)
	if err != nil {
		return err
	}
	p.first = []byte(frame)
	switch s.How {
	case "binary":
		return peer.ws.Write(within(p.t), websocket.MessageBinary, []byte(frame))
	case "slow":
		return writeSlowly(within(p.t), peer.ws, frame)
	}
	return peer.ws.Write(within(p.t), websocket.MessageText, []byte(frame))
}

// writeSlowly sends one message in a dozen pieces, a moment apart.
func writeSlowly(ctx context.Context, ws *websocket.Conn, frame string) error {
	w, err := ws.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for piece := max(len(frame)/12, 1); frame != ""; {
		n := min(piece, len(frame))
		if _, err := io.WriteString(w, frame[:n]); err != nil {
			return err
		}
		frame = frame[n:]
		<-tick.C
	}
	return w.Close()
}

func (p *serverPlay) hear(s conformance.Step) error {
	peer := p.peers[s.Of]
	if peer == nil {
		return fmt.Errorf("connection %s was never opened", s.Of)
	}
	return peer.hear(within(p.t), s, func(got []byte) error {
		if err := p.values.Match(s.Text, got); err != nil {
			return err
		}
		if err := p.checkProof(got); err != nil {
			return err
		}
		return p.checkID(got)
	})
}

// checkProof holds the server to what its signature is of.
func (p *serverPlay) checkProof(frame []byte) error {
	var said struct{ BrowserID, InstanceID, Nonce string }
	var proven struct{ ServerKey, Proof string }
	if err := json.Unmarshal(frame, &proven); err != nil || proven.Proof == "" {
		return err
	}
	if err := json.Unmarshal(p.first, &said); err != nil {
		return err
	}
	proof := protocol.Proof{Key: proven.ServerKey, Signature: proven.Proof}
	return proof.Check(p.key, p.addr, said.BrowserID+said.InstanceID, said.Nonce)
}

// checkID holds the server to ids that only grow, or that are UUIDs of version 4.
func (p *serverPlay) checkID(frame []byte) error {
	var asked struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
	}
	if err := json.Unmarshal(frame, &asked); err != nil || asked.ID == nil {
		return err
	}
	if asked.Version == "" {
		text, _ := asked.ID.(string)
		if id, err := uuid.Parse(text); err != nil || id.Version() != 4 {
			return fmt.Errorf("the id %v is no UUIDv4", asked.ID)
		}
		return nil
	}
	id, ok := asked.ID.(float64)
	if !ok || id <= p.lastID {
		return fmt.Errorf("the id %v came after %v: expected a number that only grows", asked.ID, p.lastID)
	}
	p.lastID = id
	return nil
}

// asking is one request of an agent's under way.
type asking struct {
	giveUp context.CancelFunc
	done   chan struct{}
	body   []byte
	err    error
}

func (p *serverPlay) ask(s conformance.Step) error {
	body, err := p.values.Fill(s.Text)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(within(p.t))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.addr+"/v1/act", strings.NewReader(body))
	if err != nil {
		cancel()
		return err
	}
	request.Header.Set("Authorization", "Bearer "+p.agent)
	request.Header.Set("Content-Type", "application/json")
	if s.Of != "1" {
		request.Header.Set(protocol.SessionHeader, s.Of)
	}
	a := &asking{giveUp: cancel, done: make(chan struct{})}
	p.asked = append(p.asked, a)
	p.t.Cleanup(func() {
		cancel()
		<-a.done
	})
	go func() {
		defer close(a.done)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			a.err = err
			return
		}
		defer func() { _ = response.Body.Close() }()
		a.body, a.err = io.ReadAll(response.Body)
	}()
	return nil
}

func (p *serverPlay) answer(s conformance.Step) error {
	a := p.asked[0]
	p.asked = p.asked[1:]
	select {
	case <-a.done:
	case <-within(p.t).Done():
		return errors.New("the agent got no answer")
	}
	if a.err != nil {
		return a.err
	}
	var got struct {
		Result json.RawMessage `json:"result"`
		Error  map[string]any  `json:"error"`
	}
	if err := json.Unmarshal(a.body, &got); err != nil {
		return err
	}
	told := got.Result
	if s.Who == "error" && got.Error != nil {
		if hint, ok := got.Error["hint"].(string); !ok || hint == "" {
			return fmt.Errorf("the agent is not told what to do next: %s", a.body)
		}
		delete(got.Error, "hint") // the server's own words, which no conversation has
		var err error
		if told, err = json.Marshal(got.Error); err != nil {
			return err
		}
	}
	if told == nil {
		return fmt.Errorf("expected %s %s, got %s", s.Who, s.Text, a.body)
	}
	return p.values.Match(s.Text, told)
}

// codeOf is a fresh pairing code.
func codeOf(t *testing.T, up *serving) string { return pairingOf(t, up).Code }

func pairingOf(t *testing.T, up *serving) protocol.PairResponse {
	t.Helper()
	c, err := clientOf(up.addr, up.dataDir, "")
	if err != nil {
		t.Fatal(err)
	}
	pairing, err := c.Pair(within(t))
	if err != nil {
		t.Fatal(err)
	}
	return pairing
}

// pairBare gets a browser's token as a browser does, and leaves.
func pairBare(t *testing.T, up *serving, browserID string) string {
	t.Helper()
	peer, err := dialBare(t, up.addr)
	if err != nil {
		t.Fatal(err)
	}
	hello, err := protocol.EncodeFrame(protocol.Hello{
		ProtocolVersion: protocol.Version, ClientVersion: "0", PairingToken: codeOf(t, up), Caps: protocol.Features(), BrowserID: browserID,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := peer.ws.Write(within(t), websocket.MessageText, hello); err != nil {
		t.Fatal(err)
	}
	raw, err := peer.next(within(t))
	if err != nil {
		t.Fatal(err)
	}
	var ack protocol.Ack
	if err := json.Unmarshal(raw, &ack); err != nil || ack.DeviceToken == "" {
		t.Fatalf("pairing gave %s", raw)
	}
	_ = peer.ws.Close(websocket.StatusNormalClosure, "")
	// The server learns of that a moment later, and until then an agent's call could mean this browser too.
	c, err := clientOf(up.addr, up.dataDir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := eventually(within(t), "the browser to be gone", func() (bool, error) {
		browsers, err := c.Browsers(within(t))
		return !slices.ContainsFunc(browsers, func(b protocol.BrowserInfo) bool { return b.BrowserID == browserID && b.Connected }), err
	}); err != nil {
		t.Fatal(err)
	}
	return ack.DeviceToken
}
