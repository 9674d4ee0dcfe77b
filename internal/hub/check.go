package hub

import (
	"fmt"
	"slices"
)

// ConsistencyCheck returns an error when what the hub holds contradicts
// itself. It may be called at any time; tests and the debug door do.
func (h *Hub) ConsistencyCheck() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	// Every live link at once, so that bytes charged can be compared with the
	// budgets. Nobody else holds two of these, so no order among them is needed.
	charged := map[*budget]int64{}
	for l := range h.live {
		l.mu.Lock()
		defer l.mu.Unlock()
		charged[l.user.budget] += 0
		for _, c := range l.pending.calls {
			charged[l.user.budget] += int64(c.charged)
		}
	}
	for l := range h.live {
		if err := l.checkLocked(); err != nil {
			return fmt.Errorf("link %s of browser %s: %w", l.id, l.browser.id, err)
		}
		if l.browser.link == l && h.users[l.user.name] != l.user {
			return fmt.Errorf("link %s: in service for a user that the registry does not have", l.id)
		}
	}
	for b, n := range charged {
		if used := b.used.Load(); used != n {
			return fmt.Errorf("budget: %d bytes used, but %d charged to calls", used, n)
		}
	}
	for name, u := range h.users {
		if err := h.checkUserLocked(name, u); err != nil {
			return fmt.Errorf("user %s: %w", name, err)
		}
	}
	if h.inFlight < 0 {
		return fmt.Errorf("calls in flight: %d", h.inFlight)
	}
	return nil
}

func (h *Hub) checkUserLocked(name string, u *account) error {
	if u.name != name {
		return fmt.Errorf("filed under another name: %s", u.name)
	}
	if len(u.browsers) == 0 {
		return fmt.Errorf("kept without any browser")
	}
	if len(u.browsers) > h.opts.MaxBrowsers {
		return fmt.Errorf("%d browsers, allowed %d", len(u.browsers), h.opts.MaxBrowsers)
	}
	if u.waiting < 0 {
		return fmt.Errorf("calls waiting: %d", u.waiting)
	}
	for id, b := range u.browsers {
		arrived := false
		select {
		case <-b.arrived:
			arrived = true
		default:
		}
		_, live := h.live[b.link]
		switch {
		case b.id != id:
			return fmt.Errorf("browser %s is filed under %s", b.id, id)
		case b.link != nil && !live:
			return fmt.Errorf("browser %s is served by a link that has ended", id)
		case b.link != nil && b.link.browser != b:
			return fmt.Errorf("browser %s is served by another browser's link", id)
		case arrived != (b.link != nil):
			return fmt.Errorf("browser %s: connected %v, but waiters are told %v", id, b.link != nil, arrived)
		}
	}
	return nil
}

func (l *Link) checkLocked() error {
	if l.closing && (len(l.pending.calls) > 0 || len(l.outbox.requests) > 0 || len(l.outbox.control) > 0) {
		return fmt.Errorf("closing with %d calls pending, %d requests and %d control frames queued",
			len(l.pending.calls), len(l.outbox.requests), len(l.outbox.control))
	}
	if len(l.pending.past) != len(l.pending.order) || len(l.pending.past) > rememberedIDs {
		return fmt.Errorf("remembers %d retired calls in %d places", len(l.pending.past), len(l.pending.order))
	}
	for id, c := range l.pending.calls {
		queued := slices.Contains(l.outbox.requests, c)
		switch {
		case c.id != id:
			return fmt.Errorf("call %s is filed under %s", c.id, id)
		case c.retired:
			return fmt.Errorf("call %s is pending and retired", id)
		case c.sent == queued:
			return fmt.Errorf("call %s: sent %v, queued %v", id, c.sent, queued)
		case c.sent == (c.frame != nil):
			return fmt.Errorf("call %s: sent %v, but its frame is kept: %v", id, c.sent, c.frame != nil)
		}
	}
	for _, c := range l.outbox.requests {
		if l.pending.calls[c.id] != c {
			return fmt.Errorf("call %s is queued, but not pending", c.id)
		}
	}
	return nil
}
