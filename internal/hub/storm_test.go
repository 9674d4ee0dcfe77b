package hub_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// misbehave is an extension that answers well, badly, twice, late or too late,
// until its link ends. What is late stays so for up to ten seconds, longer than
// a caller's patience: no order in which the machine lets the callers run makes it early.
func misbehave(b *peer, rng *rand.Rand) {
	for {
		var raw []byte
		select {
		case raw = <-b.pipe.toPeer:
		case <-b.pipe.closed:
			return
		case <-b.pipe.broken:
			return
		}
		f, err := protocol.DecodeFrame(raw)
		if err != nil {
			b.t.Errorf("the hub sent an invalid frame: %v", err)
			return
		}
		q, isRequest := f.(protocol.Request)
		if !isRequest {
			continue
		}
		switch rng.IntN(40) {
		case 0, 5, 6, 7:
			time.AfterFunc(time.Duration(rng.IntN(10_000))*time.Millisecond, func() { b.answer(q.ID, number(1)) })
		case 1:
			b.answer(q.ID, number(1))
			b.answer(q.ID, number(1))
		case 2:
			b.say(`{"type":"response","id":"` + q.ID + `","result":{}}`)
		case 3:
			for _, k := range pieces(b.t, q.ID, number(1), 16) {
				b.send(k)
			}
		case 4:
			b.lose()
		default:
			b.answer(q.ID, number(1))
		}
	}
}

// TestStorm lets callers, cancels, takeovers and losses meet at random, and
// looks all the while whether the hub still agrees with itself: each call
// ends, each with one answer.
func TestStorm(t *testing.T) {
	var met struct{ replaced, cutOff, cancelled, invalid, late, twice uint64 }
	defer func() {
		if met.replaced*met.cutOff*met.cancelled*met.invalid*met.late*met.twice == 0 {
			t.Errorf("the storm was too calm to prove anything: %+v", met)
		}
	}()
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, &hub.Options{MaxQueued: 32, UserBytes: 8 << 10})
			var peers, callers sync.WaitGroup
			connect := func(n uint64) {
				b := r.connect(described([]string{chrome, firefox}[n%2]))
				peers.Go(func() { misbehave(b, rand.New(rand.NewPCG(seed, n))) })
			}
			connect(0)
			connect(1)
			for i := range uint64(40) {
				callers.Go(func() {
					rng := rand.New(rand.NewPCG(seed, 1000+i))
					for range 10 {
						ctx, stop := context.WithTimeout(t.Context(), time.Duration(rng.IntN(8_000))*time.Millisecond)
						reply, err := r.hub.Do(ctx, hub.Call{
							User: user, Agent: "a1", Browser: []string{chrome, firefox}[rng.IntN(2)], Action: evaluate(1),
						})
						stop()
						var e *protocol.Error
						switch {
						case err == nil && string(reply.Raw) != number(1):
							t.Errorf("got %s", reply.Raw)
						case err != nil && !errors.As(err, &e):
							t.Errorf("an error of another kind: %v", err)
						case err != nil && (e.Outcome == "" || e.Retryable == ""):
							t.Errorf("an error without outcome or retryable: %+v", e)
						}
						r.check()
					}
				})
			}
			done := make(chan struct{})
			go func() {
				callers.Wait()
				close(done)
			}()
			for n := uint64(2); ; n++ {
				select {
				case <-done:
				case <-time.After(2 * time.Second):
					connect(n)
					connect(n + 2) // the same browser, whose first link is replaced if it lives
					continue
				}
				break
			}
			r.check()
			s := r.hub.Stats()
			ends := s.Succeeded + s.Refused + s.InvalidAnswers + s.TimedOut + s.Cancelled // the cut ones may have been sent again
			if s.Calls != 400 || ends > s.Calls || s.Succeeded == 0 || s.Pending != 0 {
				t.Errorf("seed %d: %+v", seed, s)
			}
			met.replaced += s.Replaced
			met.cutOff += s.CutOff
			met.cancelled += s.Cancelled
			met.invalid += s.InvalidAnswers
			met.late += s.LateAnswers
			met.twice += s.DuplicateAnswers
			if err := r.hub.Drain(t.Context()); err != nil {
				t.Error(err)
			}
			peers.Wait()
		})
	}
}
