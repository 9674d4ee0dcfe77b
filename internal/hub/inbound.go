package hub

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// take acts on one frame of the peer. It runs on the reader goroutine.
func (l *Link) take(raw []byte) {
	f, err := l.codec.Decode(raw)
	if err != nil {
		l.takeBad(err)
		return
	}
	switch f := f.(type) {
	case protocol.Response:
		l.takeAnswer(f)
	case protocol.Chunk:
		l.takeChunk(f)
	case protocol.EventFrame:
		l.hub.publish(l, f.Event.Event)
	case protocol.State:
		l.takeState(f)
	case protocol.Ping:
		if l.caps.Has(protocol.CapPing) || l.driver != nil {
			l.control(protocol.Pong{})
		}
	case protocol.Pong: // that it was heard is all it says
		l.tookPong()
	default:
		l.strike("", errors.New("a frame that only the server sends, or that only opens a connection"))
	}
}

func (l *Link) takeBad(err error) {
	if errors.Is(err, ErrIgnored) {
		l.hub.counters.ignoredFrames.Add(1)
		l.hub.opts.Logger.Info("a browser's frame was ignored", "browser", l.browser.id, "err", err)
		return
	}
	var invalid *InvalidFrameError
	id := ""
	if errors.As(err, &invalid) {
		id, err = invalid.ID, invalid.Err
	}
	l.strike(id, err)
}

// strike counts an invalid frame, fails the call that it meant to answer, and
// ends the link when there were too many.
func (l *Link) strike(id string, err error) {
	h := l.hub
	h.counters.invalidFrames.Add(1)
	h.opts.Logger.Warn("a browser sent an invalid frame", "browser", l.browser.id, "call", id, "err", err)
	if id != "" {
		l.failInvalid(id, err)
		l.lateCame(id)
	}
	if l.strikes.add(time.Now()) {
		l.end(protocol.CloseInvalidFrames, ErrInvalidFrames)
	}
}

// failInvalid fails a pending call whose answer does not fit.
func (l *Link) failInvalid(id string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.pending.calls[id]
	if c == nil || !c.sent {
		return
	}
	e := protocol.Errorf(protocol.CodeInternal,
		"the browser's answer to %s does not fit the protocol (%v): update the extension or the server, the action may have happened",
		protocol.TypeOf(c.action), err).WithHint("Look at the page, and tell the user to update the extension or the server.")
	l.hub.counters.invalidAnswers.Add(1)
	l.retireLocked(c, answer{err: e.WithOutcome(protocol.Unknown)}, answered)
}

// takeAnswer retires the call that a response answers. The result is checked
// without the lock: it may be large.
func (l *Link) takeAnswer(r protocol.Response) {
	c := l.awaited(r.ID)
	if c == nil {
		l.countStray(r.ID)
		return
	}
	if r.Error != nil {
		count := &l.hub.counters.refused
		if c.bare {
			count = new(atomic.Uint64)
		}
		if !l.retire(r.ID, answer{err: r.Error.Complete()}, count) {
			l.countStray(r.ID)
		}
		return
	}
	if c.bare { // its driver reads it, and counts the action
		if !l.retire(r.ID, answer{raw: r.Result}, new(atomic.Uint64)) {
			l.countStray(r.ID)
		}
		return
	}
	result, err := l.codec.Result(c.action, r.Result)
	if err != nil {
		l.strike(r.ID, err)
		return
	}
	l.learn(c.agent, c.action, result) // before the caller can go on, and before the next event is read
	if !l.retire(r.ID, answer{result: result, raw: r.Result}, &l.hub.counters.succeeded) {
		l.countStray(r.ID)
	}
}

// learn takes in which tab an agent now works on.
func (l *Link) learn(agent string, a protocol.Action, r protocol.Result) {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.browser.link == l {
		l.browser.learn(agent, a, r)
	}
}

// awaited returns the pending call of an id, nil when there is none or when
// its request never went out: such an answer answers nothing.
func (l *Link) awaited(id string) *pendingCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.pending.calls[id]; c != nil && c.sent {
		return c
	}
	return nil
}

// countStray counts an answer that no call waits for.
func (l *Link) countStray(id string) {
	l.lateCame(id)
	l.mu.Lock()
	f := l.pending.past[id]
	l.mu.Unlock()
	switch f {
	case answered:
		l.hub.counters.duplicateAnswers.Add(1)
	case gaveUp:
		l.hub.counters.lateAnswers.Add(1)
	default:
		l.hub.counters.unknownAnswers.Add(1)
	}
}

// takeChunk adds a piece to an answer, and takes the answer once it is whole.
func (l *Link) takeChunk(c protocol.Chunk) {
	whole, err := l.gather(c)
	switch {
	case errors.Is(err, errStrayChunk):
		if c.Last {
			l.countStray(c.ID)
		}
		return
	case err != nil:
		l.strike(c.ID, err)
		return
	case whole == nil:
		return
	}
	f, err := l.codec.Decode(whole)
	if err != nil {
		l.strike(c.ID, err)
		return
	}
	r, ok := f.(protocol.Response)
	if !ok || r.ID != c.ID {
		l.strike(c.ID, errors.New("the chunks put together are no response to their id"))
		return
	}
	l.takeAnswer(r)
}

var errStrayChunk = errors.New("a chunk that no call waits for")

// gather adds a piece and returns the whole after the last one. Pieces that
// cannot be held fail the call here, since that is no fault of the frame.
func (l *Link) gather(k protocol.Chunk) (whole []byte, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.pending.calls[k.ID]
	if c == nil || !c.sent {
		return nil, errStrayChunk
	}
	switch n := len(k.Data); {
	case !l.caps.Has(protocol.CapChunk):
		return nil, errors.New("chunk from a peer that did not name it in its caps")
	case k.Seq != c.nextSeq:
		return nil, errors.New("chunks out of order")
	case n > protocol.ChunkBytes:
		return nil, errors.New("a chunk over 256 KiB")
	case len(c.pieces)+n > protocol.AnswerBytes:
		l.failLargeLocked(c, "is larger than 64 MiB: ask for less of it (maxBytes, from, a smaller part)")
		return nil, nil
	case !l.user.budget.reserve(n):
		l.hub.counters.overBudget.Add(1)
		l.failLargeLocked(c, "does not fit into what this user may hold at once: wait for other calls to end, or ask for less")
		return nil, nil
	default:
		c.charged += n
	}
	c.pieces = append(c.pieces, k.Data...)
	c.nextSeq++
	if !k.Last {
		return nil, nil
	}
	whole, c.pieces = c.pieces, nil
	return whole, nil
}

func (l *Link) failLargeLocked(c *pendingCall, what string) {
	e := protocol.Errorf(protocol.CodeInternal, "the answer to %s %s", protocol.TypeOf(c.action), what).
		WithHint("Look at the page before anything else, and ask for less of it: a limit, a part, a smaller picture.")
	l.retireLocked(c, answer{err: e.WithOutcome(protocol.Unknown)}, gaveUp)
}

func (l *Link) takeState(s protocol.State) {
	if !l.caps.Has(protocol.CapState) {
		l.strike("", errors.New("state from a peer that did not name it in its caps"))
		return
	}
	h := l.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.browser.link == l {
		l.browser.announce(s)
	}
}
