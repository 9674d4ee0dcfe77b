package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A call whose connection ends while it is under way need not end as unknown: the extension remembers, by the call's key, what
// it began and what came of it, and runs it to its end meanwhile. When the browser is back within its grace, the hub asks. What
// the extension says never arrived is sent anew, as what was never sent; nothing else is.

// cutError is the end of a call with its connection.
type cutError struct{ err *protocol.Error }

func (e *cutError) Error() string { return e.err.Error() }

func (e *cutError) Unwrap() error { return e.err }

// errNeverArrived says that the browser never got the request.
var errNeverArrived = errors.New("the request never arrived")

// keyOf is the key that a call goes by on the wire: the agent's own within its name, so that no agent can ask for another's
// calls, or a fresh one. What only reads has none: it can be asked for again as it is.
func keyOf(call Call) string {
	if call.Key != "" {
		sum := sha256.Sum256([]byte(call.Agent + "\x00" + call.Key))
		return hex.EncodeToString(sum[:16])
	}
	if m, ok := protocol.MethodOf(protocol.TypeOf(call.Action)); ok && m.Reads {
		return ""
	}
	return uuid.NewString()
}

// recall finds out what came of a call that was cut off after it was sent over l. It fails with errNeverArrived when nothing
// did, and with the cut itself when that cannot be told.
func (h *Hub) recall(ctx context.Context, call Call, l *Link, cut *cutError, sent, start time.Time) (Reply, error) {
	reply := Reply{BrowserID: l.browser.id}
	if h.opts.ReconnectGrace == 0 {
		return reply, cut.err
	}
	if cut.err.Outcome == protocol.NotSent {
		return reply, errNeverArrived
	}
	if call.Key == "" || !l.caps.Has(protocol.CapRecall) {
		return reply, cut.err
	}
	call.Browser = l.browser.id
	for {
		now, b, err := h.locate(call)
		if err != nil {
			return reply, cut.err
		}
		if now == nil {
			if err := h.await(ctx, call, b, start); err != nil {
				return reply, lostFor(ctx, call, cut)
			}
			continue
		}
		ago := max(protocol.Ago(sent), time.Millisecond)
		if !now.caps.Has(protocol.CapRecall) || ago > protocol.MaxTimeout {
			return reply, cut.err
		}
		answer, err := now.ask(ctx, call, recallTimeout(call, sent), ago)
		var again *cutError
		if errors.Is(err, errLinkClosing) || errors.As(err, &again) {
			continue
		}
		if neverArrived(err) {
			h.counters.resent.Add(1)
			return reply, errNeverArrived
		}
		h.counters.recalled.Add(1)
		return answer, err
	}
}

// lostFor is the error of a call that was cut off and whose browser did not come back in time, or whose caller did not wait.
func lostFor(ctx context.Context, call Call, cut *cutError) error {
	if ctx.Err() != nil {
		return gaveUpError(ctx, true, call.Action)
	}
	return cut.err
}

// recallTimeout is how long the answer to a recall may take: the call itself may still run, to its own deadline.
func recallTimeout(call Call, sent time.Time) time.Duration {
	const least = 2 * time.Second
	timeout := protocol.DefaultTimeout(call.Action)
	if call.Timeout > 0 {
		timeout = call.Timeout
	}
	return max(min(timeout, protocol.MaxTimeout)-time.Since(sent), least)
}

// neverArrived tells whether an answer to a recall says that the call was never begun.
func neverArrived(err error) bool {
	var e *protocol.Error
	return errors.As(err, &e) && e.Code == protocol.CodeNotConnected && e.Outcome == protocol.NotSent
}

// unsure is an error of a call that did not reach the browser: of one that asks what came of an earlier, it leaves that unknown.
func unsure(call Call, err error) error {
	var e *protocol.Error
	if call.Recall > 0 && errors.As(err, &e) {
		return e.WithOutcome(protocol.Unknown)
	}
	return err
}
