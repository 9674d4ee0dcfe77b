package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Link is one connection of one browser, from Attach until Run has returned.
type Link struct {
	// fixed at creation
	hub     *Hub
	id      string
	user    *account
	browser *browser
	peer    Peer
	caps    Caps
	conn    Conn
	codec   Codec
	made    time.Time     // counted from by the clock that nobody sets
	driver  Driver        // the codec, if its actions are driven
	wake    chan struct{} // holds a token when the writer has something to look at
	ended   chan struct{} // closed when Run has returned
	life    context.Context
	kill    context.CancelCauseFunc // ends life; its cause is why the link ended

	heard   atomic.Int64 // when the last frame came, nanoseconds after made
	running atomic.Bool  // Run was called

	strikes strikes // owned by the reader

	mu        sync.Mutex
	closing   bool // takes no more calls; set once, by end
	closeCode int
	pending   pendingTable
	outbox    outbox
	sessions  map[string]*session // those that somebody uses, of a driver's dialect
	ponged    chan struct{}       // closed at the next pong; nil while nobody waits for one
	late      map[string][]*grip  // what is held for answers that no caller waits for, by request id
}

// ID names the connection: ack's connectionId.
func (l *Link) ID() string { return l.id }

// Name is the name by which the browser is known, "" for none.
func (l *Link) Name() string { return l.peer.goesBy() }

// Close ends the link from outside, with a close code and a reason. It may be
// called at any time and twice; Run then returns why.
func (l *Link) Close(code int, why error) { l.end(code, why) }

// Run serves the link until it ends, and returns why: one of the errors of
// this package, what ctx says, or the transport's own error. Every link needs
// exactly one Run. When it returns, its reader and writer have ended, conn is
// closed and nothing is pending.
func (l *Link) Run(ctx context.Context) error {
	if l.running.Swap(true) {
		panic("hub: Link.Run was called twice")
	}
	defer close(l.ended)
	defer l.hub.gone(l)

	stop := context.AfterFunc(ctx, func() { l.end(protocol.CloseGoingAway, context.Cause(ctx)) })
	defer stop()
	// Not derived from life: a transport may answer a cancelled context by
	// dropping the socket, and the peer would never see the close code.
	io, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()

	var wg sync.WaitGroup
	wg.Go(func() { l.read(io) })
	wg.Go(func() { l.write(io) })
	l.watch()

	why := context.Cause(l.life)
	l.mu.Lock()
	code := l.closeCode
	l.mu.Unlock()
	// The error of a close is of no use to anybody: the link is over either way.
	_ = l.conn.Close(code, closeReason(why))
	cut()
	wg.Wait()
	return why
}

// closeReason fits an error into what a WebSocket close frame may carry.
func closeReason(why error) string {
	const limit = 123 // bytes, RFC 6455
	s := why.Error()
	return strings.ToValidUTF8(s[:min(len(s), limit)], "")
}

// end takes the link out of service: out of the registry, its calls failed,
// Run on its way out. The first to call it says why; later calls do nothing.
func (l *Link) end(code int, why error) {
	// Before closing is set, so that whoever finds the link closing also finds
	// that the registry no longer has it, and can wait for the next one.
	l.hub.leave(l)
	l.mu.Lock()
	if l.closing {
		l.mu.Unlock()
		return
	}
	l.closing, l.closeCode = true, code
	l.hub.counters.countEnd(why)
	for _, c := range l.pending.calls {
		l.hub.counters.cutOff.Add(1)
		l.retireLocked(c, answer{err: cutOff(l.peer, c, why), cut: true}, gaveUp)
	}
	l.outbox.clear()
	l.mu.Unlock()
	l.kill(why)
}

// cutOff is the error of a call whose connection ended.
func cutOff(p Peer, c *pendingCall, why error) *protocol.Error {
	t := protocol.TypeOf(c.action)
	if !c.sent {
		return protocol.Errorf(protocol.CodeNotConnected,
			"browser %s was cut off (%v) before %s was sent to it: nothing happened, call again", title(p), why, t).
			WithHint("Call again: the call waits some time for the browser to come back.")
	}
	e := protocol.Errorf(protocol.CodeNotConnected,
		"browser %s was cut off (%v) while %s was under way: whether it happened is unknown, look at the page before calling again",
		title(p), why, t).WithHint("Look at the page, which waits for the browser to come back, before you go on.")
	return afterSent(e, c.action)
}

// afterSent marks an error of a request that was sent. What only reads may be
// sent again as it is, whatever came of the first try.
func afterSent(e *protocol.Error, a protocol.Action) *protocol.Error {
	e = e.WithOutcome(protocol.Unknown)
	if m, ok := protocol.MethodOf(protocol.TypeOf(a)); ok && m.Reads && e.Retryable != protocol.RetryNo {
		e.Retryable = protocol.RetrySame
	}
	return e
}

// retireLocked ends a call and gives back what it was charged. l.mu is held.
func (l *Link) retireLocked(c *pendingCall, a answer, f fate) {
	l.user.budget.release(c.charged) // before the caller can look
	c.charged = 0
	l.pending.retire(c, a, f)
}

// retire ends the pending call of an id with the peer's answer, and counts it;
// false when there is none any more, which is no fault: somebody else was first.
func (l *Link) retire(id string, a answer, count *atomic.Uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.pending.calls[id]
	if c == nil {
		return false
	}
	count.Add(1)
	l.retireLocked(c, a, answered)
	return true
}

// read is the reader goroutine.
func (l *Link) read(ctx context.Context) {
	for {
		frame, err := l.conn.Read(ctx)
		if err != nil {
			code := closeNormal
			var refused interface{ CloseCode() int }
			if errors.As(err, &refused) {
				code = refused.CloseCode()
			}
			l.end(code, fmt.Errorf("read from the browser: %w", err))
			return
		}
		l.hears()
		if l.life.Err() != nil {
			return
		}
		l.take(frame)
	}
}

// closeNormal is WebSocket's 1000, for links that the peer or the network ended.
const closeNormal = 1000

// closeTryLater is WebSocket's 1013, for peers that cannot keep up.
const closeTryLater = 1013

// write is the writer goroutine.
func (l *Link) write(ctx context.Context) {
	for {
		l.mu.Lock()
		frame := l.outbox.next()
		l.mu.Unlock()
		if frame == nil {
			select {
			case <-l.wake:
				continue
			case <-l.life.Done():
				return
			}
		}
		if err := l.writeOne(ctx, frame); err != nil {
			return
		}
	}
}

func (l *Link) writeOne(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout(len(frame)))
	defer cancel()
	err := l.conn.Write(ctx, frame)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		l.end(closeTryLater, ErrSlow)
	default:
		l.end(closeNormal, fmt.Errorf("write to the browser: %w", err))
	}
	return err
}

// nudge wakes the writer.
func (l *Link) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// control queues a frame that is no request; a peer that leaves so many of
// them unread is ended.
func (l *Link) control(f protocol.Frame) bool {
	frame, err := l.codec.Encode(f, l.caps)
	if err != nil {
		l.hub.opts.Logger.Warn("a control frame could not be encoded", "browser", l.browser.id, "err", err)
		return false
	}
	l.mu.Lock()
	queued := !l.closing && l.outbox.pushControl(frame)
	full := !l.closing && !queued
	l.mu.Unlock()
	if full {
		l.end(closeTryLater, ErrSlow)
	}
	if queued {
		l.nudge()
	}
	return queued
}

// watch returns when the link has ended; it ends the link itself when nothing
// is heard for too long. Half-way it asks the peer for a sign of life.
func (l *Link) watch() {
	asked := int64(-1) // the sign of life after which the next one was asked for
	for {
		heard := l.heard.Load()
		silence := l.silence()
		if silence >= protocol.SilenceTimeout {
			l.end(closeNormal, ErrSilent)
			return
		}
		next := probeAfter - silence
		if next <= 0 {
			if asked != heard {
				asked = heard
				l.probe()
				continue
			}
			next = protocol.SilenceTimeout - silence
		}
		timer := time.NewTimer(next)
		select {
		case <-timer.C:
		case <-l.life.Done():
			timer.Stop()
			return
		}
	}
}

func (l *Link) hears() { l.heard.Store(int64(time.Since(l.made))) }

// silence is how long nothing was heard while this machine was awake: after its sleep, or when its clock is set, the browser has as
// long as ever to give a sign of life.
func (l *Link) silence() time.Duration { return time.Since(l.made) - time.Duration(l.heard.Load()) }

// probe asks for a sign of life, in the way that the peer understands.
func (l *Link) probe() {
	if l.caps.Has(protocol.CapPing) {
		l.control(protocol.Ping{})
		return
	}
	p, ok := l.conn.(Prober)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(l.life, protocol.SilenceTimeout-probeAfter)
	defer cancel()
	if p.Probe(ctx) == nil {
		l.hears()
	}
}
