package hub_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestAnswersOutOfOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		var flows []*flow
		var ids []string
		for i := range 3 {
			flows = append(flows, r.do(hub.Call{Action: evaluate(i)}))
			ids = append(ids, b.request().ID)
		}
		for i := 2; i >= 0; i-- {
			b.answer(ids[i], number(i))
		}
		for i, f := range flows {
			if got := string(f.result().Raw); got != number(i) {
				t.Errorf("call %d got %s", i, got)
			}
		}
	})
}

func TestRequestCarriesItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		for _, c := range []struct {
			call hub.Call
			want int64
		}{
			{hub.Call{Action: click()}, 15_000},
			{hub.Call{Action: click(), Timeout: 2 * time.Second}, 2_000},
			{hub.Call{Action: click(), Timeout: time.Hour}, protocol.MaxTimeout.Milliseconds()},
			{hub.Call{Action: click(), Timeout: time.Nanosecond}, 1},
			{hub.Call{Action: protocol.WaitFor{MS: 5, TimeoutMS: 1000}}, 1000 + protocol.TimeoutSlack.Milliseconds()},
			{hub.Call{Action: long()}, protocol.MaxTimeout.Milliseconds()},
		} {
			c.call.Key = "k"
			f := r.do(c.call)
			q := b.request()
			if q.TimeoutMS != c.want || q.AgentID != "a1" || len(q.CallKey) != 32 {
				t.Errorf("%T: timeoutMs %d, agentId %q, callKey %q, want %d, a1 and a key of 32 digits", c.call.Action, q.TimeoutMS, q.AgentID, q.CallKey, c.want)
			}
			b.send(protocol.Response{ID: q.ID, Error: &protocol.Error{Code: protocol.CodeTabNotFound, Message: "no"}})
			f.fails(protocol.CodeTabNotFound, protocol.NotSent, protocol.RetryNo)
		}
	})
}

// long is a type action whose default timeout would pass the wire's limit.
func long() protocol.Action {
	text := strings.Repeat("x", 200_000)
	return protocol.Type{Target: protocol.Target{UID: "e1"}, Text: &text}
}

func TestThousandCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		var callers sync.WaitGroup
		for i := range 1000 {
			callers.Go(func() {
				f := r.do(hub.Call{Action: evaluate(i)})
				if got := string(f.result().Raw); got != number(i) {
					t.Errorf("call %d got %s", i, got)
				}
			})
		}
		var asked []protocol.Request
		for range 1000 {
			asked = append(asked, b.request())
		}
		r.check()
		rand.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
		for _, q := range asked {
			e, ok := q.Action.Action.(protocol.Evaluate)
			if !ok {
				t.Fatalf("got %T", q.Action.Action)
			}
			var n int
			if _, err := fmt.Sscanf(e.Expression, "return %d", &n); err != nil {
				t.Fatal(err)
			}
			b.answer(q.ID, number(n))
		}
		callers.Wait()
		if s := r.hub.Stats(); s.Succeeded != 1000 || s.Pending != 0 {
			t.Errorf("succeeded %d, pending %d", s.Succeeded, s.Pending)
		}
	})
}

func TestUnsupportedNeverReachesThePeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = []string{"extract"}
		b := r.connect(p)
		r.do(hub.Call{Action: click()}).fails(protocol.CodeUnsupported, protocol.NotSent, protocol.RetryNo)
		f := r.do(hub.Call{Action: read()})
		if q := b.request(); protocol.TypeOf(q.Action.Action) != "extract" || q.AgentID != "" || q.TimeoutMS != 0 {
			t.Errorf("the plain peer got %+v", q)
		}
		f.stop()
		f.fails(protocol.CodeCancelled, protocol.Unknown, protocol.RetrySame)
	})
}

func TestCancelReachesThePeerAndTheCallerWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: click()})
		id := b.request().ID
		start := time.Now()
		f.stop()
		f.fails(protocol.CodeCancelled, protocol.Unknown, protocol.RetryAfterRefresh)
		if d := time.Since(start); d != 0 {
			t.Errorf("the caller waited %v", d)
		}
		if c, ok := b.next().(protocol.Cancel); !ok || c.ID != id {
			t.Errorf("got %+v, want the cancel of %s", c, id)
		}
		b.answer(id, ok)
		synctest.Wait()
		if s := r.hub.Stats(); s.LateAnswers != 1 || s.Cancelled != 1 {
			t.Errorf("late %d, cancelled %d", s.LateAnswers, s.Cancelled)
		}
	})
}

func TestCancelBeforeItWasSentIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		first := r.do(hub.Call{Action: evaluate(1)}) // the writer holds this one
		synctest.Wait()
		second := r.do(hub.Call{Action: click()})
		synctest.Wait()
		second.stop()
		second.fails(protocol.CodeCancelled, protocol.NotSent, protocol.RetrySame)
		r.check()
		third := r.do(hub.Call{Action: evaluate(3)})
		b.answer(b.request().ID, number(1))
		first.result()
		b.answer(b.request().ID, number(3)) // neither the click nor its cancel was seen
		third.result()
	})
}

func TestPeerThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		start := time.Now()
		f := r.do(hub.Call{Action: click()})
		id := b.request().ID
		f.fails(protocol.CodeTimeout, protocol.Unknown, protocol.RetryAfterRefresh)
		if d := time.Since(start); d < 15*time.Second || d > 16*time.Second {
			t.Errorf("timed out after %v", d)
		}
		if c, ok := b.next().(protocol.Cancel); !ok || c.ID != id {
			t.Errorf("got %+v, want the cancel of %s", c, id)
		}
		b.send(protocol.Response{ID: id, Error: &protocol.Error{Code: protocol.CodeCancelled, Message: "stopped"}})
		synctest.Wait()
		if s := r.hub.Stats(); s.TimedOut != 1 || s.LateAnswers != 1 {
			t.Errorf("timed out %d, late %d", s.TimedOut, s.LateAnswers)
		}
	})
}

func TestDeadlineBeforeItWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		first := r.do(hub.Call{Action: evaluate(1)}) // the writer holds this one
		synctest.Wait()
		r.do(hub.Call{Action: click(), Timeout: time.Second}).fails(protocol.CodeTimeout, protocol.NotSent, protocol.RetrySame)
		b.answer(b.request().ID, number(1))
		first.result()
	})
}

func TestCallersContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		failed := make(chan error, 1)
		go func() {
			_, err := r.hub.Do(ctx, hub.Call{User: user, Action: read()})
			failed <- err
		}()
		b.request()
		if err := <-failed; !errors.Is(err, &protocol.Error{Code: protocol.CodeTimeout}) {
			t.Errorf("the caller's own deadline gave %v", err)
		}
		b.next() // the cancel
		_, err := r.hub.Do(ctx, hub.Call{User: user, Action: click()})
		var e *protocol.Error
		if !errors.As(err, &e) || e.Code != protocol.CodeTimeout || e.Outcome != protocol.NotSent {
			t.Errorf("a call whose deadline had passed gave %v", err)
		}
	})
}

func TestWhatTheCodecRefusesIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = []string{"navigate"}
		r.connect(p)
		r.do(hub.Call{Action: protocol.Navigate{To: "back"}}).fails(protocol.CodeUnsupported, protocol.NotSent, protocol.RetryNo)
	})
}

func TestStrayAnswersAreCountedAndDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: click()})
		id := b.request().ID
		b.answer(id, ok)
		b.answer(id, ok)
		b.answer(newID(), ok)
		f.result()
		synctest.Wait()
		if s := r.hub.Stats(); s.DuplicateAnswers != 1 || s.UnknownAnswers != 1 || s.InvalidFrames != 0 {
			t.Errorf("duplicates %d, unknown %d, invalid %d", s.DuplicateAnswers, s.UnknownAnswers, s.InvalidFrames)
		}
	})
}

func TestInvalidAnswerFailsItsCallAtOnce(t *testing.T) {
	for name, answer := range map[string]string{
		"result of another shape": `{"type":"response","id":%q,"result":{"ok":"yes"}}`,
		"neither":                 `{"type":"response","id":%q}`,
		"both":                    `{"type":"response","id":%q,"result":{"ok":true},"error":{"code":"internal","message":""}}`,
		"duplicate key":           `{"type":"response","id":%q,"result":{"ok":true},"result":{"ok":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				b := r.connect(described(chrome))
				f := r.do(hub.Call{Action: click()})
				start := time.Now()
				b.say(fmt.Sprintf(answer, b.request().ID))
				f.fails(protocol.CodeInternal, protocol.Unknown, protocol.RetryNo)
				if d := time.Since(start); d != 0 {
					t.Errorf("the caller waited %v", d)
				}
				if s := r.hub.Stats(); s.InvalidAnswers != 1 || s.InvalidFrames != 1 {
					t.Errorf("invalid answers %d, frames %d", s.InvalidAnswers, s.InvalidFrames)
				}
			})
		})
	}
}

func TestSlowPeerFillsItsQueueAndIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{MaxQueued: 2, ReconnectGrace: -1})
		b := r.connect(described(chrome))
		held := r.do(hub.Call{Action: read(), Timeout: time.Minute}) // in the writer's hands
		synctest.Wait()
		queued := []*flow{r.do(hub.Call{Action: click(), Timeout: time.Minute}), r.do(hub.Call{Action: click(), Timeout: time.Minute})}
		synctest.Wait()
		r.check()
		start := time.Now()
		r.do(hub.Call{Action: click()}).fails(protocol.CodeInternal, protocol.NotSent, protocol.RetrySame)
		if d := time.Since(start); d != 0 {
			t.Errorf("a full queue made the caller wait %v", d)
		}
		go func() { // the peer still talks, it only does not read
			for range 4 {
				b.send(protocol.Pong{})
				select {
				case <-time.After(10 * time.Second):
				case <-b.pipe.closed:
				}
			}
		}()
		held.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetrySame)
		for _, f := range queued {
			f.fails(protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame)
		}
		b.wantEnd(1013, hub.ErrSlow)
		if s := r.hub.Stats(); s.QueueFull != 1 || s.Slow != 1 || s.CutOff != 3 {
			t.Errorf("queue full %d, slow %d, cut off %d", s.QueueFull, s.Slow, s.CutOff)
		}
	})
}

func TestCallerThatGivesUpFreesItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{MaxQueued: 1})
		b := r.connect(described(chrome))
		first := r.do(hub.Call{Action: evaluate(1)}) // the writer holds this one
		synctest.Wait()
		for range 3 {
			f := r.do(hub.Call{Action: click()})
			synctest.Wait()
			f.stop()
			f.fails(protocol.CodeCancelled, protocol.NotSent, protocol.RetrySame)
		}
		b.answer(b.request().ID, number(1))
		first.result()
	})
}

func TestCallsInFlightAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{MaxInFlight: 2})
		b := r.connect(described(chrome))
		var flows []*flow
		var ids []string
		for range 2 {
			flows = append(flows, r.do(hub.Call{Action: click()}))
			ids = append(ids, b.request().ID)
		}
		r.do(hub.Call{Action: click()}).fails(protocol.CodeInternal, protocol.NotSent, protocol.RetrySame)
		for i, f := range flows {
			b.answer(ids[i], ok)
			f.result()
		}
	})
}

func TestByteBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{UserBytes: 4096})
		b := r.connect(described(chrome))
		big := func() protocol.Action {
			text := strings.Repeat("x", 3000)
			return protocol.Type{Target: protocol.Target{UID: "e1"}, Text: &text}
		}
		f := r.do(hub.Call{Action: big()})
		id := b.request().ID
		if s := r.hub.Stats(); s.Bytes < 3000 {
			t.Errorf("%d bytes are charged while the call is under way", s.Bytes)
		}
		r.check()
		r.do(hub.Call{Action: big()}).fails(protocol.CodeInternal, protocol.NotSent, protocol.RetrySame)
		b.answer(id, ok)
		f.result()
		if s := r.hub.Stats(); s.Bytes != 0 || s.OverBudget != 1 {
			t.Errorf("bytes %d, over budget %d", s.Bytes, s.OverBudget)
		}
		again := r.do(hub.Call{Action: big()})
		b.answer(b.request().ID, ok)
		again.result()
	})
}
