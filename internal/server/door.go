package server

import (
	"context"
	"net/http"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// maxHalfOpen is how many browsers may be between their upgrade and their ack.
	maxHalfOpen = 64
	// maxPace is how many browsers are let in a second, and paceBurst how many at one moment: a handshake costs half a millisecond of
	// CPU, and agents at work must get their turn beside ten thousand browsers that come back.
	maxPace   = 1000
	paceBurst = 256
	// maxLine is how long a browser may have to stand in line: less than protocol.HandshakeTimeout, after which it gives up.
	maxLine = protocol.HandshakeTimeout - 2*time.Second
)

// serveBrowser is /ws/browser. It returns once the socket is made, so that the HTTP server's buffers are not held for as long as
// the browser is connected; the socket lives on in a goroutine that Run waits for.
func (s *Server) serveBrowser(w http.ResponseWriter, r *http.Request) {
	if !s.origins[lowered(r.Header.Get("Origin"))] {
		s.metrics.handshakes.WithLabelValues("origin").Inc()
		s.log.Warn("refused a connection to the browser's door: its origin is not the extension's", "origin", clip(r.Header.Get("Origin")))
		writeError(w, http.StatusForbidden, protocol.Errorf(protocol.CodeUnauthorized, "only the Drawbridge extension may connect here"))
		return
	}
	if len(s.halfOpen) == cap(s.halfOpen) {
		s.crowded(w)
		return
	}
	if !s.awaitTurn(r.Context()) {
		s.metrics.handshakes.WithLabelValues("paced").Inc()
		comeAgain(w, "too many browsers come at once")
		return
	}
	select {
	case s.halfOpen <- struct{}{}:
	default:
		s.crowded(w)
		return
	}
	if !s.enter() {
		<-s.halfOpen
		comeAgain(w, "the server is going away")
		return
	}
	sock, err := upgrade(w, r, s.origins)
	if err != nil {
		<-s.halfOpen
		s.sockets.Done()
		s.log.Warn("could not upgrade a connection to the browser's door", "err", err)
		return
	}
	go func() {
		defer s.sockets.Done()
		s.converse(sock)
	}()
}

func (s *Server) crowded(w http.ResponseWriter) {
	s.metrics.handshakes.WithLabelValues("crowded").Inc()
	comeAgain(w, "too many connections are waiting to be acknowledged")
}

// awaitTurn has a browser stand in line for its place in the door's pace, and is false if the line is too long, or it or the server
// goes meanwhile. A line lets them in as fast as the pace allows: if they were turned away at once, the last of ten thousand would come
// after 35 s, since each refusal doubles the time to its next try.
func (s *Server) awaitTurn(ctx context.Context) bool {
	turn := s.pace.Reserve()
	delay := turn.Delay()
	if delay == 0 {
		return true
	}
	if delay > maxLine {
		turn.Cancel()
		return false
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-s.draining:
	}
	turn.Cancel()
	return false
}

// comeAgain turns a browser away before it has a socket. The extension cannot see when it may come again, since a WebSocket shows no
// answer's header: it tries by its own rule, which spreads.
func comeAgain(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "1")
	writeError(w, http.StatusServiceUnavailable, protocol.Errorf(protocol.CodeNotConnected, "%s: try again in a second", why))
}

// enter counts a socket in, unless the server drains: then nobody would wait for it.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.draining:
		return false
	default:
		s.sockets.Add(1)
		return true
	}
}
