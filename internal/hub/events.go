package hub

import (
	"sync/atomic"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Notice is what subscribers get.
type Notice struct {
	Kind      protocol.NoticeKind
	User      string
	BrowserID string
	// Name is what the user calls the browser, set for those two kinds that are no event.
	Name string
	// Draining is true for a browser that was sent away because the hub drains: it will be back.
	Draining bool
	// AgentID is the agent that works on the event's tab, "" if the hub knows of none.
	AgentID string
	// Event is set for protocol.NoticeEvent only.
	Event protocol.Event
}

// Subscription is a bounded stream of notices.
type Subscription struct {
	// C gives the notices in order. It is closed by Close.
	C <-chan Notice

	hub     *Hub
	user    string
	c       chan Notice
	dropped atomic.Uint64
}

// Subscribe begins a stream of one user's notices, or of all users' for "".
// buffer is how many may wait; what comes while it is full is dropped and
// counted. The subscriber must Close it.
func (h *Hub) Subscribe(user string, buffer int) *Subscription {
	c := make(chan Notice, max(buffer, 1))
	s := &Subscription{C: c, hub: h, user: user, c: c}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs[s] = struct{}{}
	return s
}

// Dropped is how many notices this subscriber lost by being slow.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the stream and closes C. It may be called twice.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if _, ok := s.hub.subs[s]; ok {
		delete(s.hub.subs, s)
		close(s.c)
	}
}

// announceLocked offers a notice to each subscriber and waits for none. h.mu is held.
func (h *Hub) announceLocked(n Notice) {
	for b := range h.backlogs {
		b.putLocked(n)
	}
	for s := range h.subs {
		if s.user != "" && s.user != n.User {
			continue
		}
		select {
		case s.c <- n:
		default:
			s.dropped.Add(1)
			h.counters.eventsDropped.Add(1)
		}
	}
}

// publish takes in an event of a link: into the cached state, to the agents
// concerned, to the subscribers. An event of a link that was replaced is dropped.
func (h *Hub) publish(l *Link, e protocol.Event) {
	h.counters.events.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	b := l.browser
	if b.link != l {
		h.counters.eventsDropped.Add(1)
		return
	}
	n := Notice{Kind: protocol.NoticeEvent, User: l.user.name, BrowserID: b.id, Event: e, AgentID: b.owners[protocol.EventTab(e)]}
	if _, all := e.(protocol.GlobalStop); all {
		for agent := range b.agents() {
			h.queueLocked(b, agent, e)
		}
	} else if n.AgentID != "" {
		h.queueLocked(b, n.AgentID, e)
	}
	b.apply(e)
	h.announceLocked(n)
}

// queueLocked keeps an event for an agent's next result. h.mu is held.
func (h *Hub) queueLocked(b *browser, agent string, e protocol.Event) {
	q := b.queues[agent]
	if len(q) >= h.opts.AgentEvents {
		q = q[1:]
		h.counters.eventsDropped.Add(1)
	}
	b.queues[agent] = append(q, e)
}

// takeEvents hands over what happened on an agent's tabs since it last asked.
func (h *Hub) takeEvents(user, browserID, agent string) []protocol.Event {
	if agent == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.users[user]
	if u == nil || u.browsers[browserID] == nil {
		return nil
	}
	b := u.browsers[browserID]
	events := b.queues[agent]
	delete(b.queues, agent)
	return events
}
