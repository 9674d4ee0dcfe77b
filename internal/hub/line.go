package hub

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Driver is a Codec of a dialect in which an action may take several requests,
// each named by a method: the driver gives the sequence, the hub carries it.
type Driver interface {
	Codec
	// Drive performs an action over line, whose browser keeps the sessions of
	// memory. The error, if any, is a *protocol.Error, or what a method of line
	// returned. It may be called concurrently.
	Drive(ctx context.Context, call Call, line *Line, memory *Memory) (protocol.Result, error)
}

// Line is one action's way to one browser, for a Driver. It is used by one
// goroutine.
type Line struct {
	// fixed at creation
	link     *Link
	call     Call
	timeout  time.Duration
	deadline time.Time

	asked bool    // a request was queued
	acted bool    // a request that changes something was answered
	grips []*grip // what this action holds
}

// Request asks for one method and waits for its answer, which is a result's
// JSON or an error. The time that is left to the action is the request's.
func (n *Line) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	return n.RequestThen(ctx, method, params, nil)
}

// RequestThen is Request; it calls queued once what is asked for later is sure to be sent later.
func (n *Line) RequestThen(ctx context.Context, method string, params any, queued func()) (json.RawMessage, error) {
	l := n.link
	row, known := protocol.RPCMethodOf(method)
	if !known {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "%s is no method of the %s dialect", method, l.codec.Dialect())
	}
	if ctx.Err() != nil {
		return nil, gaveUpError(ctx, n.acted, n.call.Action)
	}
	c := &pendingCall{
		action: n.call.Action, agent: n.call.Agent, done: make(chan answer, 1), bare: true, grips: n.grips,
	}
	if err := l.enqueueNumbered(c, method, params); err != nil {
		if n.asked && errors.Is(err, errLinkClosing) {
			return nil, cutOff(l.peer, &pendingCall{action: c.action, sent: n.acted}, context.Cause(l.life))
		}
		return nil, err
	}
	n.asked = true
	if queued != nil {
		queued()
	}
	a := l.wait(ctx, c, max(time.Until(n.deadline), time.Millisecond))
	if a.err != nil {
		if n.acted && a.err.Outcome == protocol.NotSent {
			a.err = a.err.WithOutcome(protocol.Unknown) // of the action as a whole
		}
		return nil, a.err
	}
	n.acted = n.acted || !row.Reads
	return a.raw, nil
}

// enqueueNumbered gives the call its id and queues it under one lock, so that
// ids rise in the order in which they are sent.
func (l *Link) enqueueNumbered(c *pendingCall, method string, params any) error {
	raw, err := json.Marshal(params) // the long part, before the lock
	if err != nil {
		return protocol.Errorf(protocol.CodeInvalidAction, "the params of %s cannot be put into a frame: %v", method, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.id = l.codec.NewID(l.hub.requests.Add(1))
	c.frame, err = l.codec.Encode(protocol.RPCRequest{ID: c.id, Method: method, Params: json.RawMessage(raw)}, l.caps)
	if err != nil {
		var refused *protocol.Error
		if errors.As(err, &refused) {
			return refused
		}
		return protocol.Errorf(protocol.CodeInvalidAction, "%s cannot be put into a frame: %v", method, err)
	}
	return l.enqueueLocked(c)
}

// drive performs a call by the sequence that the link's driver gives.
func (l *Link) drive(ctx context.Context, driver Driver, call Call, timeout time.Duration) (Reply, error) {
	reply := Reply{BrowserID: l.browser.id}
	n := &Line{link: l, call: call, timeout: timeout, deadline: time.Now().Add(timeout)}
	defer n.end()
	result, err := driver.Drive(ctx, call, n, l.browser.memory)
	if err != nil {
		var typed *protocol.Error
		switch {
		case errors.Is(err, errLinkClosing):
		case errors.As(err, &typed):
			l.hub.counters.refused.Add(1)
		default:
			err = protocol.Errorf(protocol.CodeInternal, "%v", err).WithOutcome(protocol.Unknown)
		}
		return reply, err
	}
	l.learn(call.Agent, call.Action, result)
	raw, err := json.Marshal(result)
	if err != nil {
		return reply, protocol.Errorf(protocol.CodeInternal, "the result cannot be written: %v", err).WithOutcome(protocol.Done)
	}
	l.hub.counters.succeeded.Add(1)
	reply.Result, reply.Raw = result, raw
	return reply, nil
}
