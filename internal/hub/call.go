package hub

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Call is one action for one browser.
type Call struct {
	// User is whose browser, from the caller's token.
	User string
	// Browser is an id or a name; "" means the only one connected.
	Browser string
	// Agent is on whose behalf, from the caller's token and client session.
	Agent string
	// Action is what to do; it must be valid already.
	Action protocol.Action
	// Timeout is how long to wait for the answer, waiting for the browser to
	// come back included; at most protocol.MaxTimeout. 0 means
	// protocol.DefaultTimeout, from when the browser is there.
	Timeout time.Duration
	// Key names the call across reconnects, among those of its agent; "" lets
	// the hub make one.
	Key string
	// Recall, when not 0, is how long ago the caller sent a call of this Key to
	// a server that has died since: its outcome is asked for, and nothing done.
	Recall time.Duration
	// Allow says whether the caller may touch a page of this address; nil: any.
	// It is asked where the browser does not know the server's rules.
	Allow func(address string) *protocol.Error
}

// Reply is what came of a call.
type Reply struct {
	// BrowserID is the browser that the call went to, "" if it got to none.
	BrowserID string
	// Result is set when Do returned no error; Raw is its JSON as the browser sent it.
	Result protocol.Result
	Raw    json.RawMessage
	// Events is what happened on the agent's tabs since its last reply, with
	// or without an error.
	Events []protocol.Event
}

// Do performs a call and waits for its answer. The error, if any, is an
// *protocol.Error with outcome and retryable set. When ctx ends first, Do
// returns at once and the browser is told to stop. It may be called
// concurrently; order on one tab is the extension's to keep.
func (h *Hub) Do(ctx context.Context, call Call) (Reply, error) {
	h.counters.calls.Add(1)
	if !h.begin() {
		return Reply{}, goingAway()
	}
	defer h.finish()
	call.Key = keyOf(call)
	reply, err := h.do(ctx, call)
	reply.Events = append(reply.Events, h.takeEvents(call.User, reply.BrowserID, call.Agent)...)
	if err != nil {
		return reply, err
	}
	return reply, nil
}

func goingAway() *protocol.Error {
	return protocol.Errorf(protocol.CodeNotConnected, "the server is going away: nothing was sent, call again when it is back")
}

// begin counts a call in, unless the hub drains.
func (h *Hub) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.inFlight++
	return true
}

func (h *Hub) finish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inFlight--
	if h.closed && h.inFlight == 0 {
		close(h.quiet)
	}
}

func (h *Hub) do(ctx context.Context, call Call) (Reply, error) {
	if call.Action == nil {
		return Reply{}, protocol.Errorf(protocol.CodeInvalidAction, "no action: expected one of protocol's")
	}
	start := time.Now()
	for {
		l, b, err := h.locate(call)
		if errors.Is(err, errElsewhere) {
			return h.forward(ctx, call)
		}
		if err != nil {
			return Reply{}, unsure(call, err)
		}
		if l == nil {
			if err := h.await(ctx, call, b, start); err != nil {
				return Reply{BrowserID: b.id}, unsure(call, err)
			}
			continue
		}
		timeout := l.defaultTimeout(call.Action)
		if call.Timeout > 0 {
			timeout = max(min(call.Timeout, protocol.MaxTimeout)-time.Since(start), time.Millisecond)
		}
		sent := time.Now()
		reply, err := l.perform(ctx, call, timeout)
		if errors.Is(err, errLinkClosing) {
			continue // lost between locate and here; nothing was queued
		}
		var cut *cutError
		if !errors.As(err, &cut) {
			return reply, err
		}
		reply, err = h.recall(ctx, call, l, cut, sent, start)
		if errors.Is(err, errNeverArrived) {
			continue
		}
		return reply, err
	}
}

// defaultTimeout is how long a call waits that says nothing else.
func (l *Link) defaultTimeout(a protocol.Action) time.Duration {
	timeout := protocol.DefaultTimeout(a)
	if l.driver != nil {
		timeout = max(timeout, protocol.RPCTimeout)
	}
	return min(timeout, protocol.MaxTimeout)
}

var (
	errElsewhere   = errors.New("no such browser here")
	errLinkClosing = errors.New("the link is closing")
)

// locate finds the browser that a call means. The link is nil when the browser
// was lost a moment ago.
func (h *Hub) locate(call Call) (*Link, *browser, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var here, lost []*browser
	if u := h.users[call.User]; u != nil {
		for _, b := range u.browsers {
			switch {
			case call.Browser != "" && !b.called(call.Browser):
			case b.id == call.Browser: // an id is meant before a name
				return b.link, b, nil
			case b.link != nil:
				here = append(here, b)
			default:
				lost = append(lost, b)
			}
		}
	}
	if len(here) == 0 {
		here = lost
	}
	switch {
	case len(here) == 1:
		return here[0].link, here[0], nil
	case len(here) > 1:
		names := make([]string, len(here))
		for i, b := range here {
			names[i] = b.title()
		}
		return nil, nil, protocol.Errorf(protocol.CodeInvalidAction,
			"several browsers could be meant: name one of them in browser: %s", strings.Join(names, ", "))
	case h.opts.Forwarder != nil:
		return nil, nil, errElsewhere
	}
	return nil, nil, h.absentLocked(call)
}

// absentLocked is the error for a browser that is not there and was not a moment ago.
func (h *Hub) absentLocked(call Call) *protocol.Error {
	var e *protocol.Error
	if call.Browser == "" {
		e = protocol.Errorf(protocol.CodeNotConnected,
			"no browser is connected: start the browser whose extension is paired, or pair one with \"drawbridge pair\"")
	} else {
		names := "none"
		if u := h.users[call.User]; u != nil && len(u.browsers) > 0 {
			var all []string
			for _, b := range u.browsers {
				all = append(all, b.title())
			}
			names = strings.Join(all, ", ")
		}
		e = protocol.Errorf(protocol.CodeNotConnected, "browser %q is not connected; connected: %s", call.Browser, names)
	}
	e.Retryable = protocol.RetryNo
	return e
}

func (h *Hub) forward(ctx context.Context, call Call) (Reply, error) {
	reply, err := h.opts.Forwarder.Forward(ctx, call)
	if errors.Is(err, ErrNotHeld) {
		h.mu.Lock()
		defer h.mu.Unlock()
		return reply, h.absentLocked(call)
	}
	return reply, err
}

// await waits for a browser that was lost a moment ago: until its grace is
// over, or the call's own timeout, or ctx.
func (h *Hub) await(ctx context.Context, call Call, b *browser, start time.Time) error {
	h.mu.Lock()
	u, arrived, lostAt, name := h.users[call.User], b.arrived, b.lostAt, b.title()
	if u == nil || u.waiting >= h.opts.MaxWaiting {
		h.mu.Unlock()
		return protocol.Errorf(protocol.CodeNotConnected,
			"browser %s was just cut off and too many calls wait for it already: nothing was sent, call again later", name)
	}
	u.waiting++
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		u.waiting--
	}()

	until := lostAt.Add(h.opts.ReconnectGrace)
	if own := start.Add(call.Timeout); call.Timeout > 0 && own.Before(until) {
		until = own
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-arrived:
		return nil
	case <-h.draining:
		return goingAway()
	case <-ctx.Done():
		return gaveUpError(ctx, false, call.Action)
	case <-timer.C:
		h.counters.waitedOut.Add(1)
		return protocol.Errorf(protocol.CodeNotConnected,
			"browser %s was cut off and did not come back: waited %v for it, nothing was sent; see that the browser runs, then call again",
			name, time.Since(start).Round(time.Millisecond))
	}
}

// gaveUpError is the error of a call whose caller stopped waiting.
func gaveUpError(ctx context.Context, sent bool, a protocol.Action) *protocol.Error {
	t := protocol.TypeOf(a)
	e := protocol.Errorf(protocol.CodeCancelled, "the caller gave up on %s", t)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e = protocol.Errorf(protocol.CodeTimeout, "the caller's deadline for %s passed", t)
	}
	if !sent {
		return e
	}
	return afterSent(e, a)
}

// perform sends a call over this link and waits for its answer.
func (l *Link) perform(ctx context.Context, call Call, timeout time.Duration) (Reply, error) {
	reply := Reply{BrowserID: l.browser.id}
	t := protocol.TypeOf(call.Action)
	if !l.caps.Has(string(t)) {
		return reply, l.unknown(t)
	}
	if ctx.Err() != nil {
		return reply, gaveUpError(ctx, false, call.Action)
	}
	if call.Recall > 0 && !l.caps.Has(protocol.CapRecall) {
		return reply, protocol.Errorf(protocol.CodeUnsupported,
			"browser %s cannot tell what came of an earlier %s: look at the page", title(l.peer), t).WithOutcome(protocol.Unknown)
	}
	if l.driver != nil {
		return l.drive(ctx, l.driver, call, timeout)
	}
	return l.ask(ctx, call, timeout, call.Recall)
}

// ask sends a call as a request. With recall it asks only what came of the request that went out that long ago.
func (l *Link) ask(ctx context.Context, call Call, timeout, recall time.Duration) (Reply, error) {
	reply := Reply{BrowserID: l.browser.id}
	t := protocol.TypeOf(call.Action)
	c := &pendingCall{
		id: l.codec.NewID(l.hub.requests.Add(1)), action: call.Action, agent: call.Agent, done: make(chan answer, 1),
	}
	frame, err := l.codec.Encode(protocol.Request{
		ID: c.id, Action: protocol.AnyAction{Action: call.Action},
		TimeoutMS: max(timeout.Milliseconds(), 1), AgentID: call.Agent, CallKey: call.Key,
		RecallMS: recall.Milliseconds(),
	}, l.caps)
	if err != nil {
		var refused *protocol.Error
		if errors.As(err, &refused) {
			return reply, refused
		}
		return reply, protocol.Errorf(protocol.CodeInvalidAction, "%s cannot be put into a frame: %v", t, err)
	}
	c.frame = frame
	if err := l.enqueue(c); err != nil {
		return reply, err
	}
	a := l.wait(ctx, c, timeout)
	if a.cut {
		return reply, &cutError{a.err}
	}
	if a.err != nil {
		return reply, a.err
	}
	reply.Result, reply.Raw = a.result, a.raw
	return reply, nil
}

// unknown is the error of an action that the peer did not name in its caps.
func (l *Link) unknown(t protocol.ActionType) *protocol.Error {
	if l.driver != nil {
		return protocol.Errorf(protocol.CodeUnsupported,
			"browser %s speaks the %s dialect, which has no %s: do without, or set its extension's dialect to another", title(l.peer), l.codec.Dialect(), t)
	}
	return protocol.Errorf(protocol.CodeUnsupported,
		"browser %s does not know %s: update its extension, or do without", title(l.peer), t)
}

// enqueue takes a call into the pending table and the outbox, or refuses it.
func (l *Link) enqueue(c *pendingCall) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.enqueueLocked(c)
}

func (l *Link) enqueueLocked(c *pendingCall) error {
	n := len(c.frame)
	switch {
	case l.closing:
		return errLinkClosing
	case len(l.pending.calls) >= l.hub.opts.MaxInFlight, len(l.outbox.requests) >= l.outbox.maxRequests:
		l.hub.counters.queueFull.Add(1)
		e := protocol.Errorf(protocol.CodeInternal,
			"too many calls wait for browser %s: nothing was sent, wait for some to end, then call again", title(l.peer))
		e.Retryable = protocol.RetrySame
		return e
	case !l.user.budget.reserve(n):
		l.hub.counters.overBudget.Add(1)
		e := protocol.Errorf(protocol.CodeInternal,
			"%d bytes do not fit into what this user may have under way at once: nothing was sent, wait for other calls to end, or send less", n)
		e.Retryable = protocol.RetrySame
		return e
	}
	c.charged = n
	l.pending.add(c)
	l.outbox.pushRequest(c)
	l.nudge()
	return nil
}

// wait returns the answer of a call, which is its own or that its caller gave up.
func (l *Link) wait(ctx context.Context, c *pendingCall, timeout time.Duration) answer {
	timer := time.NewTimer(timeout + answerGrace)
	defer timer.Stop()
	select {
	case a := <-c.done:
		return a
	case <-ctx.Done():
		if l.abandon(c, func(sent bool) *protocol.Error { return gaveUpError(ctx, sent, c.action) }) {
			l.hub.counters.cancelled.Add(1)
		}
	case <-timer.C:
		if l.abandon(c, func(sent bool) *protocol.Error { return timeoutError(l.peer, sent, c.action, timeout) }) {
			l.hub.counters.timedOut.Add(1)
		}
	}
	return <-c.done
}

func timeoutError(p Peer, sent bool, a protocol.Action, timeout time.Duration) *protocol.Error {
	t := protocol.TypeOf(a)
	if !sent {
		e := protocol.Errorf(protocol.CodeTimeout,
			"%s could not be sent to browser %s within %v: nothing happened; the connection is slow, call again later", t, title(p), timeout)
		e.Retryable = protocol.RetrySame
		return e
	}
	return afterSent(protocol.Errorf(protocol.CodeTimeout,
		"browser %s did not answer %s within %v: whether it happened is unknown, look at the page before calling again",
		title(p), t, timeout), a)
}

// abandon retires a call whose caller waits no longer, and tells the peer to
// stop. It reports false when an answer was first; either way done has one.
func (l *Link) abandon(c *pendingCall, why func(sent bool) *protocol.Error) bool {
	l.mu.Lock()
	if c.retired {
		l.mu.Unlock()
		return false
	}
	sent := c.sent
	if !sent {
		l.outbox.drop(c)
	}
	l.retireLocked(c, answer{err: why(sent)}, gaveUp)
	if sent {
		l.heldByLateLocked(c)
	}
	l.mu.Unlock()
	if sent && l.caps.Has(protocol.CapCancel) {
		l.control(protocol.Cancel{ID: c.id})
	}
	return true
}
