package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// pipe is a Conn in memory. Nothing is buffered: a write ends when the peer
// has read, so that a peer which does not read is felt at once.
type pipe struct {
	toHub, toPeer chan []byte
	broken        chan struct{} // closed when the network is gone
	closed        chan struct{} // closed by Close
	breaks        sync.Once

	mu     sync.Mutex
	code   int
	reason string
}

func newPipe() *pipe {
	return &pipe{
		toHub: make(chan []byte), toPeer: make(chan []byte),
		broken: make(chan struct{}), closed: make(chan struct{}),
	}
}

func (p *pipe) Read(ctx context.Context) ([]byte, error) {
	select {
	case f := <-p.toHub:
		return f, nil
	case <-p.broken:
		return nil, io.ErrUnexpectedEOF
	case <-p.closed:
		return nil, io.EOF
	case <-ctx.Done():
		// As a WebSocket library does: the socket is dropped, and no close code
		// can reach the peer any more.
		p.breaks.Do(func() { close(p.broken) })
		_ = p.Close(dropped, "")
		return nil, ctx.Err()
	}
}

// dropped stands for no close code at all.
const dropped = 1006

func (p *pipe) Write(ctx context.Context, frame []byte) error {
	select {
	case p.toPeer <- frame:
		return nil
	case <-p.broken:
		return io.ErrUnexpectedEOF
	case <-p.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipe) Close(code int, reason string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return errors.New("closed twice")
	default:
	}
	p.code, p.reason = code, reason
	close(p.closed)
	return nil
}

func (p *pipe) closeCode() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code
}

// rig is a hub with what a test needs around it. At the test's end it drains
// the hub and checks that nothing is left over.
type rig struct {
	t   *testing.T
	hub *hub.Hub
}

func newRig(t *testing.T, opts *hub.Options) *rig {
	t.Helper()
	r := &rig{t: t, hub: hub.New(opts)}
	t.Cleanup(func() {
		r.check()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := r.hub.Drain(ctx); err != nil {
			t.Errorf("drain: %v", err)
		}
		r.check()
		if s := r.hub.Stats(); s.Links != 0 || s.Pending != 0 || s.Waiting != 0 || s.Bytes != 0 {
			t.Errorf("left over after the drain: %+v", s)
		}
	})
	return r
}

func (r *rig) check() {
	r.t.Helper()
	if err := r.hub.ConsistencyCheck(); err != nil {
		r.t.Errorf("ConsistencyCheck: %v", err)
	}
}

// peer is the extension's end of a link.
type peer struct {
	t    *testing.T
	pipe *pipe
	link *hub.Link
	end  chan error // gives what Run returned
}

const (
	user    = "ada"
	chrome  = "6f1c6f1e-0000-4000-8000-000000000001"
	firefox = "6f1c6f1e-0000-4000-8000-000000000002"
)

// allCaps is what our own extension names in its hello.
func allCaps() []string {
	caps := protocol.Features()
	for _, m := range protocol.Methods {
		caps = append(caps, string(m.Type))
	}
	return caps
}

func described(id string) hub.Peer {
	return hub.Peer{BrowserID: id, Name: "Chrome " + id[len(id)-1:], Version: "1.0", UserAgent: "test", Caps: allCaps()}
}

func (r *rig) connect(p hub.Peer) *peer {
	r.t.Helper()
	return r.connectOver(p, newPipe(), nil)
}

func (r *rig) connectOver(p hub.Peer, pipe *pipe, conn hub.Conn) *peer {
	r.t.Helper()
	if conn == nil {
		conn = pipe
	}
	l, err := r.hub.Attach(user, p, conn, dialect.Bridge{})
	if err != nil {
		r.t.Fatalf("attach: %v", err)
	}
	b := &peer{t: r.t, pipe: pipe, link: l, end: make(chan error, 1)}
	go func() { b.end <- l.Run(r.t.Context()) }()
	return b
}

// lose breaks the network.
func (b *peer) lose() { b.pipe.breaks.Do(func() { close(b.pipe.broken) }) }

// ended waits for Run and returns why.
func (b *peer) ended() error {
	b.t.Helper()
	select {
	case err := <-b.end:
		b.end <- err
		return err
	case <-time.After(time.Hour):
		b.t.Fatal("the link did not end")
		return nil
	}
}

func (b *peer) wantEnd(code int, why error) {
	b.t.Helper()
	if err := b.ended(); !errors.Is(err, why) {
		b.t.Errorf("the link ended with %v, want %v", err, why)
	}
	if got := b.pipe.closeCode(); got != code {
		b.t.Errorf("close code %d, want %d", got, code)
	}
}

// next reads the next frame of the hub.
func (b *peer) next() protocol.Frame {
	b.t.Helper()
	select {
	case raw := <-b.pipe.toPeer:
		f, err := protocol.DecodeFrame(raw)
		if err != nil {
			b.t.Fatalf("the hub sent an invalid frame: %v", err)
		}
		return f
	case <-b.pipe.closed:
		b.t.Fatal("the link was closed while a frame was expected")
	case <-time.After(time.Hour):
		b.t.Fatal("no frame came")
	}
	return nil
}

func (b *peer) request() protocol.Request {
	b.t.Helper()
	f := b.next()
	r, ok := f.(protocol.Request)
	if !ok {
		b.t.Fatalf("got %T, want a request", f)
	}
	return r
}

// say sends raw text to the hub; it is no fault if the link is gone by then.
func (b *peer) say(raw string) {
	select {
	case b.pipe.toHub <- []byte(raw):
	case <-b.pipe.closed:
	case <-b.pipe.broken:
	}
}

func (b *peer) send(f protocol.Frame) {
	b.t.Helper()
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		b.t.Errorf("encode %T: %v", f, err)
		return
	}
	b.say(string(raw))
}

func (b *peer) answer(id string, result string) {
	b.t.Helper()
	b.send(protocol.Response{ID: id, Result: json.RawMessage(result)})
}

// flow is a call under way.
type flow struct {
	t     *testing.T
	reply chan hub.Reply
	err   chan error
	stop  context.CancelFunc
}

// do begins a call of agent "a1" unless the call says otherwise.
func (r *rig) do(c hub.Call) *flow {
	r.t.Helper()
	if c.User == "" {
		c.User = user
	}
	if c.Agent == "" {
		c.Agent = "a1"
	}
	ctx, stop := context.WithCancel(r.t.Context())
	f := &flow{t: r.t, reply: make(chan hub.Reply, 1), err: make(chan error, 1), stop: stop}
	go func() {
		reply, err := r.hub.Do(ctx, c)
		f.reply <- reply
		f.err <- err
	}()
	return f
}

func (f *flow) result() hub.Reply {
	f.t.Helper()
	reply := <-f.reply
	if err := <-f.err; err != nil {
		f.t.Errorf("the call failed: %v", err)
	}
	return reply
}

// fails waits for the call's error and compares what programs branch on.
func (f *flow) fails(code protocol.ErrorCode, o protocol.Outcome, retry protocol.Retryable) *protocol.Error {
	f.t.Helper()
	<-f.reply
	err := <-f.err
	var e *protocol.Error
	if !errors.As(err, &e) {
		f.t.Fatalf("got %v, want an error of code %s", err, code)
	}
	if e.Code != code || e.Outcome != o || e.Retryable != retry {
		f.t.Errorf("got %s, %s, %s (%s), want %s, %s, %s", e.Code, e.Outcome, e.Retryable, e.Message, code, o, retry)
	}
	return e
}

func click() protocol.Action {
	return protocol.Click{Page: protocol.Page{TabID: 7}, Target: protocol.Target{UID: "e1"}}
}

func read() protocol.Action { return protocol.Extract{Page: protocol.Page{TabID: 7}} }

func evaluate(n int) protocol.Action {
	return protocol.Evaluate{Expression: fmt.Sprintf("return %d", n)}
}

func number(n int) string { return fmt.Sprintf(`{"type":"number","value":%d}`, n) }

const ok = `{"ok":true}`

func newID() string { return uuid.NewString() }
