package hub

import (
	"context"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Answers reports whether a user's browser is connected and answers a ping within ctx. An extension answers none on a connection that
// it has given up, so whoever then comes under the same browserId is another extension: the copy of a profile. Of a peer that knows no
// ping nothing can be told, and it does not answer.
func (h *Hub) Answers(ctx context.Context, user, browserID string) bool {
	l := h.linkOf(user, browserID)
	if l == nil || !l.caps.Has(protocol.CapPing) {
		return false
	}
	pong := l.nextPong()
	if !l.control(protocol.Ping{}) {
		return false
	}
	select {
	case <-pong:
		return true
	case <-l.life.Done():
		return false
	case <-ctx.Done():
		return false
	}
}

func (h *Hub) linkOf(user, browserID string) *Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.users[user]
	if u == nil || u.browsers[browserID] == nil {
		return nil
	}
	return u.browsers[browserID].link
}

// nextPong is closed when the next pong has come.
func (l *Link) nextPong() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ponged == nil {
		l.ponged = make(chan struct{})
	}
	return l.ponged
}

// tookPong wakes whoever waits for a pong.
func (l *Link) tookPong() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ponged != nil {
		close(l.ponged)
		l.ponged = nil
	}
}
