package hub

import (
	"encoding/json"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// answer is how a call ended: a result or an error.
type answer struct {
	result protocol.Result
	raw    json.RawMessage
	err    *protocol.Error
	cut    bool // err is that the connection ended
}

// pendingCall is one request between its caller and its answer. Its fields
// below done are guarded by the mutex of its link.
type pendingCall struct {
	// fixed at creation
	id     string
	action protocol.Action
	agent  string
	bare   bool        // it is one request of an action, whose result its driver reads
	grips  []*grip     // the sessions that it works on
	done   chan answer // holds the answer once retired; room for exactly one

	frame   []byte // what to write; nil once it was
	charged int    // bytes charged to the user's budget
	sent    bool   // the frame was handed to the connection, whole or in part
	retired bool   // its answer is in done
	pieces  []byte // chunks put together so far
	nextSeq int64  // the chunk that must come next
}

// fate is what a link remembers of a retired call, for answers that come later.
type fate int

const (
	answered fate = iota + 1
	gaveUp
)

// pendingTable holds the calls of one link. Guarded by the mutex of its link.
type pendingTable struct {
	calls map[string]*pendingCall
	past  map[string]fate
	order []string // the ids in past, oldest first
}

func newPendingTable() pendingTable {
	return pendingTable{calls: map[string]*pendingCall{}, past: map[string]fate{}}
}

func (t *pendingTable) add(c *pendingCall) {
	if _, dup := t.calls[c.id]; dup {
		panic("hub: two pending calls with one id")
	}
	t.calls[c.id] = c
}

// retire ends a call: exactly once, or this is a fault of the hub and not of any peer.
// Callers that may come second look the id up first.
func (t *pendingTable) retire(c *pendingCall, a answer, f fate) {
	if c.retired {
		panic("hub: a call was retired twice")
	}
	c.retired = true
	c.frame, c.pieces = nil, nil
	delete(t.calls, c.id)
	if c.sent {
		t.remember(c.id, f)
	}
	c.done <- a
}

func (t *pendingTable) remember(id string, f fate) {
	if len(t.order) >= rememberedIDs {
		delete(t.past, t.order[0])
		t.order = t.order[1:]
	}
	t.past[id] = f
	t.order = append(t.order, id)
}
