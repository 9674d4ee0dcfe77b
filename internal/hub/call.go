package hub

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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
	return protocol.Errorf(protocol.CodeNotConnected, "the server is going away: nothing was sent, call again when it is back").
		WithHint("Call again once the server is back.")
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
		sent, asked := time.Now(), call
		if call.Recall > 0 {
			asked.Recall += protocol.Ago(start) // it waited for the browser
		}
		reply, err := l.perform(ctx, asked, timeout)
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
			case b.meant(call.Browser): // before what another browser says that it is called
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
			names[i] = b.title() + b.working()
		}
		slices.Sort(names)
		return nil, nil, protocol.Errorf(protocol.CodeInvalidAction,
			"several browsers could be meant: name one of them in browser: %s", strings.Join(names, ", ")).
			WithHint("Give browser: one of the names or ids in the message. It stays chosen for the calls that name none.")
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
