package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ourOrigin = "chrome-extension://" + ExtensionID
	idA       = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	idB       = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
)

// house is a running server and its first agent.
type house struct {
	t      testing.TB
	srv    *Server
	token  string // of the command line
	client *client.Client
	http   *http.Client
	log    *syncBuffer
	stop   func() // drains the server and waits; may be called twice
}

// syncBuffer is a log that may be read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// start runs a server on a free port and stops it at the end of the test.
func start(t testing.TB, opts Options) *house {
	t.Helper()
	h := &house{t: t, log: &syncBuffer{}}
	if opts.Addr == "" {
		opts.Addr = "127.0.0.1:0"
	}
	if opts.DataDir == "" {
		opts.DataDir = t.TempDir()
	}
	if opts.User == "" {
		opts.User = "ann"
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	}
	transport := &http.Transport{}
	if opts.listen != nil {
		pipes := &pipeListener{incoming: make(chan net.Conn), closed: make(chan struct{})}
		opts.listen = func(context.Context, string) (net.Listener, error) { return pipes, nil }
		transport.DialContext = pipes.dial
	}
	h.http = &http.Client{Transport: contract{t, transport}}
	var err error
	if h.srv, err = New(&opts); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.srv.Run(ctx); err != nil {
			t.Errorf("run: %v", err)
		}
	}()
	h.stop = func() {
		transport.CloseIdleConnections()
		cancel()
		<-ended
	}
	t.Cleanup(h.stop)
	if h.token, err = store.ReadCredential(h.srv.DataDir()); err != nil {
		t.Fatal(err)
	}
	h.client = h.newClient(h.token)
	return h
}

func (h *house) newClient(token string) *client.Client {
	h.t.Helper()
	c, err := client.New(h.srv.URL(), token, &client.Options{HTTP: h.http})
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// mint makes a token in the server's own store.
func (h *house) mint(user string, scopes ...store.Scope) string {
	h.t.Helper()
	secret, _, err := h.srv.store.Mint(h.t.Context(), store.NewToken{User: user, Scopes: scopes})
	if err != nil {
		h.t.Fatal(err)
	}
	return secret
}

// pipeListener is a network of pipes that says it is loopback.
type pipeListener struct {
	incoming chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.incoming:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 47600} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.incoming <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// peer is a bare WebSocket in the place of a browser.
type peer struct {
	t  testing.TB
	ws *websocket.Conn
}

// dial opens the browser's door from an origin. When it stays shut, status is that of the answer.
func (h *house) dial(origin string) (p *peer, status int, err error) {
	h.t.Helper()
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	ws, response, err := websocket.Dial(h.t.Context(), h.srv.URL()+"/ws/browser", &websocket.DialOptions{HTTPClient: h.http, HTTPHeader: header})
	if response != nil && response.Body != nil {
		response.Body.Close()
		status = response.StatusCode
	}
	if err != nil {
		return nil, status, err
	}
	ws.SetReadLimit(-1)
	h.t.Cleanup(func() { ws.CloseNow() })
	return &peer{t: h.t, ws: ws}, status, nil
}

// open is dial from the extension.
func (h *house) open() *peer {
	h.t.Helper()
	p, _, err := h.dial(ourOrigin)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (p *peer) send(frame string) {
	p.t.Helper()
	if err := p.ws.Write(p.t.Context(), websocket.MessageText, []byte(frame)); err != nil {
		p.t.Fatalf("send to the server: %v", err)
	}
}

func (p *peer) sendFrame(f protocol.Frame) {
	p.t.Helper()
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(string(raw))
}

// next reads one frame and fails the test when the connection ends instead.
func (p *peer) next() protocol.Frame {
	p.t.Helper()
	_, raw, err := p.ws.Read(p.t.Context())
	if err != nil {
		p.t.Fatalf("read from the server: %v", err)
	}
	f, err := protocol.DecodeFrame(raw)
	if err != nil {
		p.t.Fatalf("the server sent %s: %v", raw, err)
	}
	return f
}

// closed reads until the connection ends and returns the close code and the frames before it.
func (p *peer) closed() (code int, frames []protocol.Frame) {
	p.t.Helper()
	for {
		_, raw, err := p.ws.Read(p.t.Context())
		if err != nil {
			return int(websocket.CloseStatus(err)), frames
		}
		f, err := protocol.DecodeFrame(raw)
		if err != nil {
			p.t.Fatalf("the server sent %s: %v", raw, err)
		}
		frames = append(frames, f)
	}
}

// discard reads until the connection ends, so that a close is answered.
func (p *peer) discard() {
	for {
		if _, _, err := p.ws.Read(context.Background()); err != nil {
			return
		}
	}
}

// hello is what our extension would send.
func hello(token, browserID string) protocol.Hello {
	caps := protocol.Features()
	for _, m := range protocol.Methods {
		caps = append(caps, string(m.Type))
	}
	return protocol.Hello{
		ProtocolVersion: protocol.Version, ClientVersion: "1.0", PairingToken: token, Caps: caps,
		BrowserID: browserID, ConnectionSeq: 1, BrowserName: "Test " + browserID[:1], UserAgent: "test",
	}
}

// join does the handshake and returns its ack.
func (h *house) join(token, browserID string) (*peer, protocol.Ack) {
	h.t.Helper()
	p := h.open()
	p.sendFrame(hello(token, browserID))
	f := p.next()
	ack, ok := f.(protocol.Ack)
	if !ok {
		h.t.Fatalf("the server answered the hello with %#v", f)
	}
	return p, ack
}

// pair joins with a fresh code and returns the device token.
func (h *house) pair(browserID string) (*peer, string) {
	h.t.Helper()
	pairing, err := h.client.Pair(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	p, ack := h.join(pairing.Code, browserID)
	if ack.DeviceToken == "" {
		h.t.Fatal("the ack has no device token")
	}
	return p, ack.DeviceToken
}

// write sends a frame for as long as the connection lives.
func (p *peer) write(f protocol.Frame) bool {
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		p.t.Error(err)
		return false
	}
	return p.ws.Write(context.Background(), websocket.MessageText, raw) == nil
}

// answer takes requests until the connection ends and answers each by do; nil results are answered with an error.
func (p *peer) answer(do func(protocol.Request) (protocol.Result, *protocol.Error)) {
	done := make(chan struct{})
	p.t.Cleanup(func() {
		p.ws.CloseNow()
		<-done
	})
	go func() {
		defer close(done)
		for {
			_, raw, err := p.ws.Read(context.Background())
			if err != nil {
				return
			}
			f, err := protocol.DecodeFrame(raw)
			if err != nil {
				p.t.Errorf("the server sent %s: %v", raw, err)
				return
			}
			request, ok := f.(protocol.Request)
			if !ok {
				if _, ping := f.(protocol.Ping); ping && !p.write(protocol.Pong{}) {
					return
				}
				continue
			}
			response := protocol.Response{ID: request.ID}
			result, failure := do(request)
			if response.Error = failure; failure == nil {
				if response.Result, err = json.Marshal(result); err != nil {
					p.t.Error(err)
				}
			}
			if !p.write(response) {
				return
			}
		}
	}()
}

// codeOf is the code of a typed error, empty for every other one.
func codeOf(err error) protocol.ErrorCode {
	var typed *protocol.Error
	if errors.As(err, &typed) {
		return typed.Code
	}
	return ""
}

func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}
