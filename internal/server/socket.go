package server

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
)

// closeWait bounds a close. The library's own handshake gives a peer 5 s, but waits without end in the middle of a frame.
const closeWait = 7 * time.Second

// socket is a browser's WebSocket as the hub wants it.
//
// No request's deadline is ever given to Read or Write: the library answers an expired context by closing the socket.
type socket struct {
	tokenID string // by which the browser was let in; set before its link runs
	ws      *websocket.Conn
	raw     net.Conn // below ws, to cut it off
	host    string   // that was asked for, host:port
}

var (
	_ hub.Conn   = (*socket)(nil)
	_ hub.Prober = (*socket)(nil)
)

// binaryError says that a message was no text.
type binaryError struct{}

func (binaryError) Error() string { return "the browser sent a binary message; expected text" }

// CloseCode is WebSocket's 1003, for data of a kind that is not accepted.
func (binaryError) CloseCode() int { return int(websocket.StatusUnsupportedData) }

// Read returns the next text message.
func (s *socket) Read(ctx context.Context) ([]byte, error) {
	kind, frame, err := s.ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		return nil, binaryError{}
	}
	return frame, nil
}

// Write sends one text message.
func (s *socket) Write(ctx context.Context, frame []byte) error {
	return s.ws.Write(ctx, websocket.MessageText, frame)
}

// Probe sends a WebSocket ping and waits for its pong.
func (s *socket) Probe(ctx context.Context) error { return s.ws.Ping(ctx) }

// Close does the closing handshake, and cuts the connection when that takes too long.
func (s *socket) Close(code int, reason string) error {
	cut := time.AfterFunc(closeWait, func() { _ = s.raw.Close() }) // its error is that of the close below
	defer cut.Stop()
	return s.ws.Close(websocket.StatusCode(code), reason)
}

// netConnKey is the key of the connection in a request's context.
type netConnKey struct{}

// withNetConn keeps the connection where the upgrade can find it.
func withNetConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, netConnKey{}, conn)
}

// upgrade turns the request into a socket, or answers it with an error. The library checks the origin once more.
func upgrade(w http.ResponseWriter, r *http.Request, origins map[string]bool) (*socket, error) {
	raw, ok := r.Context().Value(netConnKey{}).(net.Conn)
	if !ok {
		return nil, errors.New("upgrade: the request's context has no connection")
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		OriginPatterns:  slices.Collect(maps.Keys(origins)),
		CompressionMode: websocket.CompressionDisabled, // five times the CPU, for a wire that never leaves the machine
	})
	if err != nil {
		return nil, err
	}
	return &socket{ws: ws, raw: raw, host: r.Host}, nil
}
