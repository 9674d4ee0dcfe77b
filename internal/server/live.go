package server

import (
	"context"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

var errRevoked = protocol.Errorf(protocol.CodeUnauthorized, "the token was revoked")

// live is what is connected by each token, to be ended when the token is. Guarded by Server.mu.
type live struct {
	ends    map[string]map[*func()]struct{}
	revoked map[string]bool // since the start: for who was let in just before and is not in ends yet
}

// connected keeps end, to be called when the token is revoked, until the function that it returns is. end may be called more than
// once, and at once.
func (s *Server) connected(tokenID string, end func()) (gone func()) {
	s.mu.Lock()
	late := s.live.revoked[tokenID]
	if s.live.ends == nil {
		s.live.ends = map[string]map[*func()]struct{}{}
	}
	if s.live.ends[tokenID] == nil {
		s.live.ends[tokenID] = map[*func()]struct{}{}
	}
	key := &end
	s.live.ends[tokenID][key] = struct{}{}
	s.mu.Unlock()
	if late {
		end()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.live.ends[tokenID], key)
		if len(s.live.ends[tokenID]) == 0 {
			delete(s.live.ends, tokenID)
		}
	}
}

// revoked ends what is connected by a token, and whoever was let in a moment ago. Who comes later is refused by the store.
func (s *Server) revoked(tokenID string) {
	s.mu.Lock()
	if s.live.revoked == nil {
		s.live.revoked = map[string]bool{}
	}
	s.live.revoked[tokenID] = true
	var ends []func()
	for end := range s.live.ends[tokenID] {
		ends = append(ends, *end)
	}
	s.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// bounded is a request's context that also ends when the token that it came with does.
func (s *Server) bounded(ctx context.Context, tokenID string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	gone := s.connected(tokenID, func() { cancel(errRevoked) })
	return ctx, func() {
		gone()
		cancel(nil)
	}
}
