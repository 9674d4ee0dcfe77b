package hub

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// idle is a Conn on which nothing ever happens.
type idle struct{}

func (idle) Read(ctx context.Context) ([]byte, error)  { <-ctx.Done(); return nil, ctx.Err() }
func (idle) Write(ctx context.Context, _ []byte) error { <-ctx.Done(); return ctx.Err() }
func (idle) Close(int, string) error                   { return nil }

// mute is a Codec for links whose frames nobody looks at.
type mute struct{}

func (mute) Dialect() string                             { return "mute" }
func (mute) NewID(uint64) string                         { return "" }
func (mute) Encode(protocol.Frame, Caps) ([]byte, error) { return []byte("{}"), nil }
func (mute) Decode([]byte) (protocol.Frame, error)       { return nil, ErrIgnored }
func (mute) Result(protocol.Action, json.RawMessage) (protocol.Result, error) {
	return nil, errors.New("mute")
}

// still attaches a link that does not run, so that a test can look at what it holds.
func still(t *testing.T, opts *Options) (*Hub, *Link) {
	t.Helper()
	h := New(opts)
	l, err := h.Attach("ada", Peer{BrowserID: "b", Caps: []string{"click", protocol.CapChunk}}, idle{}, mute{})
	if err != nil {
		t.Fatal(err)
	}
	return h, l
}

func pendingOf(id, frame string) *pendingCall {
	return &pendingCall{id: id, action: protocol.Click{}, frame: []byte(frame), done: make(chan answer, 1)}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}

func TestRetiringTwice(t *testing.T) {
	_, l := still(t, nil)
	c := pendingOf("x", "{}")
	if err := l.enqueue(c); err != nil {
		t.Fatal(err)
	}
	count := &l.hub.counters.succeeded
	if !l.retire("x", answer{}, count) {
		t.Error("the first did not retire it")
	}
	if l.retire("x", answer{}, count) {
		t.Error("from outside the second retired it again")
	}
	mustPanic(t, "retiring twice by the owner", func() { l.pending.retire(c, answer{}, answered) })
	mustPanic(t, "two calls of one id", func() {
		l.pending.add(pendingOf("y", ""))
		l.pending.add(pendingOf("y", ""))
	})
	if count.Load() != 1 || len(c.done) != 1 {
		t.Errorf("counted %d, answers %d", count.Load(), len(c.done))
	}
}

func TestBudgetIsExact(t *testing.T) {
	b := &budget{limit: 10}
	if !b.reserve(10) || b.reserve(1) {
		t.Error("the limit is not held")
	}
	b.release(10)
	mustPanic(t, "releasing twice", func() { b.release(1) })
}

func TestOutboxOrder(t *testing.T) {
	o := outbox{maxRequests: 2, maxControl: 2}
	a, b := pendingOf("a", "A"), pendingOf("b", "B")
	if !o.pushRequest(a) || !o.pushRequest(b) || o.pushRequest(pendingOf("c", "C")) {
		t.Error("requests are not bounded by 2")
	}
	if !o.pushControl([]byte("1")) || !o.pushControl([]byte("2")) || o.pushControl([]byte("3")) {
		t.Error("control frames are not bounded by 2")
	}
	a.retired = true
	var got []string
	for f := o.next(); f != nil; f = o.next() {
		got = append(got, string(f))
	}
	if s := strings.Join(got, ""); s != "12B" || !b.sent || a.sent {
		t.Errorf("wrote %s, sent: a %v, b %v", s, a.sent, b.sent)
	}
}

func TestLinkRemembersABoundedPast(t *testing.T) {
	_, l := still(t, nil)
	for i := range rememberedIDs + 10 {
		c := pendingOf(string(rune('a'))+time.Duration(i).String(), "{}")
		c.sent = true
		l.pending.add(c)
		l.pending.retire(c, answer{}, gaveUp)
	}
	if len(l.pending.past) != rememberedIDs || len(l.pending.order) != rememberedIDs {
		t.Errorf("remembers %d, %d", len(l.pending.past), len(l.pending.order))
	}
}

func TestChunkedAnswerOverTheCap(t *testing.T) {
	h, l := still(t, nil)
	c := pendingOf("x", "{}")
	if err := l.enqueue(c); err != nil {
		t.Fatal(err)
	}
	l.outbox.next()
	data := strings.Repeat("x", protocol.ChunkBytes)
	for i := range int64(protocol.AnswerBytes / protocol.ChunkBytes) {
		if whole, err := l.gather(protocol.Chunk{ID: "x", Seq: i, Data: data}); whole != nil || err != nil {
			t.Fatalf("chunk %d: %d bytes, %v", i, len(whole), err)
		}
	}
	if used := l.user.budget.used.Load(); used != protocol.AnswerBytes+2 || c.retired {
		t.Errorf("64 MiB exactly: %d bytes charged, retired %v", used, c.retired)
	}
	if whole, err := l.gather(protocol.Chunk{ID: "x", Seq: 256, Data: "x"}); whole != nil || err != nil {
		t.Errorf("one more: %d bytes, %v", len(whole), err)
	}
	a := <-c.done
	if a.err == nil || a.err.Code != protocol.CodeInternal || a.err.Outcome != protocol.Unknown || !strings.Contains(a.err.Message, "64 MiB") {
		t.Errorf("failed with %v", a.err)
	}
	if err := h.ConsistencyCheck(); err != nil {
		t.Error(err)
	}
	if used := l.user.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
	}
}

func TestAnswerToARequestThatWasNotSentAnswersNothing(t *testing.T) {
	_, l := still(t, nil)
	c := pendingOf("x", "{}")
	if err := l.enqueue(c); err != nil {
		t.Fatal(err)
	}
	l.takeAnswer(protocol.Response{ID: "x", Error: &protocol.Error{}})
	l.takeChunk(protocol.Chunk{ID: "x", Last: true})
	l.failInvalid("x", errors.New("guessed"))
	if c.retired || l.hub.Stats().UnknownAnswers != 2 {
		t.Errorf("retired %v, unknown answers %d", c.retired, l.hub.Stats().UnknownAnswers)
	}
}

func TestControlFramesOfAPeerThatDoesNotReadAreBounded(t *testing.T) {
	_, l := still(t, &Options{MaxInFlight: 1})
	for l.control(protocol.Pong{}) {
		if len(l.outbox.control) > l.outbox.maxControl {
			t.Fatal("the queue is not bounded")
		}
	}
	if !errors.Is(context.Cause(l.life), ErrSlow) {
		t.Errorf("the link ended with %v", context.Cause(l.life))
	}
	if l.hub.ConsistencyCheck() != nil || l.hub.Stats().Slow != 1 {
		t.Error("not counted as slow")
	}
}

func TestCloseReasonFitsItsFrame(t *testing.T) {
	got := closeReason(errors.New(strings.Repeat("é", 100)))
	if got != strings.Repeat("é", 61) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestRunTwicePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, l := still(t, &Options{ReconnectGrace: -1})
		l.Close(closeNormal, errors.New("done"))
		_ = l.Run(t.Context())
		mustPanic(t, "a second Run", func() { _ = l.Run(t.Context()) })
	})
}

// TestConsistencyCheckNotices breaks each thing that the check is there to
// notice: a check that never fails would prove nothing in the other tests.
func TestConsistencyCheckNotices(t *testing.T) {
	for name, spoil := range map[string]func(h *Hub, l *Link, c *pendingCall){
		"bytes nobody is charged for":   func(_ *Hub, l *Link, _ *pendingCall) { l.user.budget.used.Add(1) },
		"a call that is in no queue":    func(_ *Hub, l *Link, _ *pendingCall) { l.outbox.requests = nil },
		"a sent call that is queued":    func(_ *Hub, _ *Link, c *pendingCall) { c.sent = true },
		"a queued call without a frame": func(_ *Hub, _ *Link, c *pendingCall) { c.frame = nil },
		"a retired call that pends":     func(_ *Hub, _ *Link, c *pendingCall) { c.retired = true },
		"a call under another id":       func(_ *Hub, _ *Link, c *pendingCall) { c.id = "y" },
		"a queued call that is unknown": func(_ *Hub, l *Link, _ *pendingCall) {
			l.outbox.requests = append(l.outbox.requests, pendingOf("z", ""))
		},
		"closing with calls":  func(_ *Hub, l *Link, _ *pendingCall) { l.closing = true },
		"a past of two sizes": func(_ *Hub, l *Link, _ *pendingCall) { l.pending.past["x"] = gaveUp },
		"a link that ended": func(h *Hub, l *Link, _ *pendingCall) {
			delete(h.live, l)
			h.live[&Link{user: l.user, browser: newBrowser("", nil)}] = struct{}{}
		},
		"waiters told wrongly": func(_ *Hub, l *Link, _ *pendingCall) { l.browser.arrived = make(chan struct{}) },
		"another's link": func(_ *Hub, l *Link, _ *pendingCall) {
			l.user.browsers["b"] = &browser{id: "b", link: l, arrived: l.browser.arrived}
		},
		"a browser filed wrongly": func(_ *Hub, l *Link, _ *pendingCall) { l.user.browsers["z"] = newBrowser("b", nil) },
		"a user filed wrongly":    func(h *Hub, l *Link, _ *pendingCall) { h.users["eve"] = l.user },
		"a user without browsers": func(h *Hub, _ *Link, _ *pendingCall) { h.users["eve"] = &account{name: "eve"} },
		"a user who is gone":      func(h *Hub, l *Link, _ *pendingCall) { delete(h.users, l.user.name) },
		"too many browsers":       func(h *Hub, _ *Link, _ *pendingCall) { h.opts.MaxBrowsers = 0 },
		"negative waiters":        func(_ *Hub, l *Link, _ *pendingCall) { l.user.waiting-- },
		"negative calls":          func(h *Hub, _ *Link, _ *pendingCall) { h.inFlight-- },
	} {
		t.Run(name, func(t *testing.T) {
			h, l := still(t, nil)
			c := pendingOf("x", "{}")
			if err := l.enqueue(c); err != nil {
				t.Fatal(err)
			}
			if err := h.ConsistencyCheck(); err != nil {
				t.Fatalf("before: %v", err)
			}
			spoil(h, l, c)
			if err := h.ConsistencyCheck(); err == nil {
				t.Error("not noticed")
			}
		})
	}
}
