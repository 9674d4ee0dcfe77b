package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// presenceGrace is how long an agent may be without a stream of presence: its network may have cut the last one.
const presenceGrace = 5 * time.Second

// leaveTime is how long an agent that leaves may keep browsers busy.
const leaveTime = 30 * time.Second

// presence is which agents say that they are there, each by a stream that its process holds: when that dies, however it does, the
// kernel ends the stream.
type presence struct {
	leave func(agent.Caller) // is called once an agent is gone; fixed at creation

	mu      sync.Mutex
	streams map[string]int         // of each agent that is there
	going   map[string]*time.Timer // agents whose last stream has ended, until their grace is over
	over    bool                   // if true, nobody leaves any more: the server ends, and its agents find the next one
	leaving sync.WaitGroup         // calls of leave
}

func newPresence(leave func(agent.Caller)) *presence {
	return &presence{leave: leave, streams: map[string]int{}, going: map[string]*time.Timer{}}
}

// come counts a stream of an agent until the function that it returns is called.
func (p *presence) come(caller agent.Caller) (gone func()) {
	id := caller.AgentID()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams[id]++
	if timer := p.going[id]; timer != nil {
		timer.Stop()
		delete(p.going, id)
	}
	return func() { p.gone(id, caller) }
}

func (p *presence) gone(id string, caller agent.Caller) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.streams[id]--; p.streams[id] > 0 {
		return
	}
	delete(p.streams, id)
	if p.over {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(presenceGrace, func() {
		p.mu.Lock()
		if p.over || p.going[id] != timer {
			p.mu.Unlock()
			return
		}
		delete(p.going, id)
		p.leaving.Add(1)
		p.mu.Unlock()
		defer p.leaving.Done()
		p.leave(caller)
	})
	p.going[id] = timer
}

// end keeps everybody from leaving from now on. Wait for leaving once the calls under way have ended.
func (p *presence) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	for _, timer := range p.going {
		timer.Stop()
	}
	clear(p.going)
}

// present is GET /v1/presence.
func (s *Server) present(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	switch {
	case !caller.Identity.Has(store.ScopeAgent):
		writeError(w, http.StatusForbidden, lacksAgent())
		return
	case caller.Session == "":
		s.writeFailure(w, protocol.Errorf(protocol.CodeInvalidAction,
			"presence is one agent's, and the session without a name is that of all who name none: name one in the header %s", protocol.SessionHeader))
		return
	}
	defer s.presence.come(caller)()
	stream(s, w, r, make(chan struct{}), func(struct{}) any { return nil })
}

// letGo is the end of an agent that cannot say so itself any more.
func (s *Server) letGo(caller agent.Caller) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if _, err := s.desk.Leave(ctx, caller); err != nil {
		s.log.Debug("a browser did not let go of the tabs of an agent that left", "err", err)
	}
}
