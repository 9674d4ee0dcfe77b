package hub

// maxBacklog bounds what a flood of events can make the hub hold.
const maxBacklog = 1 << 16

// Backlog is the notices of all users, in order, kept until they are taken: for
// whoever must not lose any when ten thousand browsers come or go at once, which
// is more than a [Subscription] has room for.
type Backlog struct {
	hub    *Hub
	signal chan struct{} // holds a token while there is something new to look at

	// guarded by hub.mu
	waiting []Notice
	dropped uint64
	closed  bool
}

// Keep begins a backlog. Whoever has it must take what is in it, and Close it.
func (h *Hub) Keep() *Backlog {
	b := &Backlog{hub: h, signal: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.backlogs[b] = struct{}{}
	return b
}

// Take waits for notices and hands over all there are. After Close it returns
// what was left, then none. It must not be called concurrently.
func (b *Backlog) Take() []Notice {
	for {
		b.hub.mu.Lock()
		batch, closed := b.waiting, b.closed
		b.waiting = nil
		b.hub.mu.Unlock()
		if len(batch) > 0 || closed {
			return batch
		}
		<-b.signal
	}
}

// Dropped is how many notices were lost because nobody took them.
func (b *Backlog) Dropped() uint64 {
	b.hub.mu.Lock()
	defer b.hub.mu.Unlock()
	return b.dropped
}

// Close ends the backlog: nothing is added any more. It may be called twice.
func (b *Backlog) Close() {
	b.hub.mu.Lock()
	delete(b.hub.backlogs, b)
	b.closed = true
	b.hub.mu.Unlock()
	b.nudge()
}

func (b *Backlog) nudge() {
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// putLocked adds a notice. hub.mu is held.
func (b *Backlog) putLocked(n Notice) {
	if len(b.waiting) == maxBacklog {
		b.dropped++
		b.hub.counters.eventsDropped.Add(1)
		return
	}
	b.waiting = append(b.waiting, n)
	b.nudge()
}
