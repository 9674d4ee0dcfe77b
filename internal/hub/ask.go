package hub

import (
	"context"
	"errors"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What becomes of a call on the link that it goes over: a request, and the wait for its answer.

// defaultTimeout is how long a call waits that says nothing else.
func (l *Link) defaultTimeout(a protocol.Action) time.Duration {
	timeout := protocol.DefaultTimeout(a)
	if l.driver != nil {
		timeout = max(timeout, protocol.RPCTimeout)
	}
	return min(timeout, protocol.MaxTimeout)
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
	if call.Recall > protocol.MaxTimeout {
		return reply, tooLongAgo(t)
	}
	if l.driver != nil {
		return l.drive(ctx, l.driver, call, timeout)
	}
	return l.ask(ctx, call, timeout, call.Recall)
}

// tooLongAgo is the error of a recall that no browser takes, such as after a night's sleep of the machine.
func tooLongAgo(t protocol.ActionType) *protocol.Error {
	return protocol.Errorf(protocol.CodeNotConnected,
		"what came of %s cannot be asked for more than %v later: look at the page", t, protocol.MaxTimeout).WithOutcome(protocol.Unknown)
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

// waitHint is for calls that too many others are in the way of.
const waitHint = "Wait until some of your calls have ended, then make this one again."

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
			"too many calls wait for browser %s: nothing was sent, wait for some to end, then call again", title(l.peer)).WithHint(waitHint)
		e.Retryable = protocol.RetrySame
		return e
	case !l.user.budget.reserve(n):
		l.hub.counters.overBudget.Add(1)
		e := protocol.Errorf(protocol.CodeInternal,
			"%d bytes do not fit into what this user may have under way at once: nothing was sent, wait for other calls to end, or send less", n).WithHint(waitHint)
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
