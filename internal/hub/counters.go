package hub

import (
	"errors"
	"sync/atomic"
)

// Stats is what a hub has counted since it was made, and holds now. A door
// that has metrics maps the fields one to one.
type Stats struct {
	// Links, Browsers, Pending, Waiting and Bytes are what is held now:
	// connections that have not ended, browsers that are connected, calls that
	// wait for an answer, calls that wait for a browser to come back, bytes
	// charged to users.
	Links, Browsers, Pending, Waiting, Bytes int64

	// Attached counts connections accepted, Replaced those that a newer one of
	// the same browser ended, Stale those refused because a newer one was there.
	Attached, Replaced, Stale uint64
	// Silent, Slow and Unruly count connections that were ended for hearing
	// nothing, for not reading, for too many invalid frames.
	Silent, Slow, Unruly uint64
	// Calls counts calls of Do; Succeeded and Refused those that the browser
	// answered, with a result or with an error.
	Calls, Succeeded, Refused uint64
	// TimedOut, Cancelled and CutOff count requests that ended without an answer:
	// by their deadline, by their caller, with their connection; a call that was
	// cut off may have been sent again, and count again.
	TimedOut, Cancelled, CutOff uint64
	// Recalled counts cut-off calls whose true outcome the browser told when it
	// was back, Resent those that it said had never arrived.
	Recalled, Resent uint64
	// QueueFull and OverBudget count calls that were refused for want of room.
	QueueFull, OverBudget uint64
	// WaitedOut counts calls whose browser did not come back in time.
	WaitedOut uint64
	// LateAnswers came after their call had ended, DuplicateAnswers after its
	// answer, UnknownAnswers for no call at all. All are dropped.
	LateAnswers, DuplicateAnswers, UnknownAnswers uint64
	// InvalidFrames counts frames that did not fit; InvalidAnswers those among
	// them that failed a pending call.
	InvalidFrames, InvalidAnswers uint64
	// IgnoredFrames counts well-formed frames of no meaning to this version.
	IgnoredFrames uint64
	// Events counts events; EventsDropped those that a slow subscriber or a
	// silent agent did not get.
	Events, EventsDropped uint64
}

// counters is the live form of the counting half of Stats.
type counters struct {
	attached, replaced, stale                     atomic.Uint64
	silent, slow, unruly                          atomic.Uint64
	calls, succeeded, refused                     atomic.Uint64
	timedOut, cancelled, cutOff, recalled, resent atomic.Uint64
	queueFull, overBudget, waitedOut              atomic.Uint64
	lateAnswers, duplicateAnswers, unknownAnswers atomic.Uint64
	invalidFrames, invalidAnswers, ignoredFrames  atomic.Uint64
	events, eventsDropped                         atomic.Uint64
}

// countEnd counts the end of a link by its reason.
func (c *counters) countEnd(why error) {
	switch {
	case errors.Is(why, ErrReplaced):
		c.replaced.Add(1)
	case errors.Is(why, ErrSilent):
		c.silent.Add(1)
	case errors.Is(why, ErrSlow):
		c.slow.Add(1)
	case errors.Is(why, ErrInvalidFrames):
		c.unruly.Add(1)
	}
}

// Stats returns what was counted so far. It may be called at any time.
func (h *Hub) Stats() Stats {
	c := &h.counters
	s := Stats{
		Attached: c.attached.Load(), Replaced: c.replaced.Load(), Stale: c.stale.Load(),
		Silent: c.silent.Load(), Slow: c.slow.Load(), Unruly: c.unruly.Load(),
		Calls: c.calls.Load(), Succeeded: c.succeeded.Load(), Refused: c.refused.Load(),
		TimedOut: c.timedOut.Load(), Cancelled: c.cancelled.Load(), CutOff: c.cutOff.Load(),
		Recalled: c.recalled.Load(), Resent: c.resent.Load(),
		QueueFull: c.queueFull.Load(), OverBudget: c.overBudget.Load(), WaitedOut: c.waitedOut.Load(),
		LateAnswers: c.lateAnswers.Load(), DuplicateAnswers: c.duplicateAnswers.Load(), UnknownAnswers: c.unknownAnswers.Load(),
		InvalidFrames: c.invalidFrames.Load(), InvalidAnswers: c.invalidAnswers.Load(), IgnoredFrames: c.ignoredFrames.Load(),
		Events: c.events.Load(), EventsDropped: c.eventsDropped.Load(),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.Links = int64(len(h.live))
	for _, u := range h.users {
		s.Waiting += int64(u.waiting)
		s.Bytes += u.budget.used.Load()
		for _, b := range u.browsers {
			if b.link != nil {
				s.Browsers++
			}
		}
	}
	for l := range h.live {
		l.mu.Lock()
		s.Pending += int64(len(l.pending.calls))
		l.mu.Unlock()
	}
	return s
}
