package server

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// usersBrowsers is below how many browsers one user may have.
const usersBrowsers = 50

// TestCrowdComesBackInOneSecond has 1,000 browsers (or DRAWBRIDGE_CROWD of them: 10,000 take 20 s without the race detector, which
// bears no more than 8,128 goroutines) come at one moment to a server whose every place for a handshake is taken: every other one was
// connected to the server before. Each is refused once, tries again as the extension does, and is let in, no more of them in a second
// than the door's pace. The wires are pipes and the time is made up, so that the test waits for nothing.
func TestCrowdComesBackInOneSecond(t *testing.T) {
	count := 1000
	if n, err := strconv.Atoi(os.Getenv("DRAWBRIDGE_CROWD")); err == nil && n > 0 {
		count = n
	}
	begun := time.Now()
	synctest.Test(t, func(t *testing.T) {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = uuid.NewString()
		}
		dir := filepath.Join(t.TempDir(), "data")
		wereConnected(t, dir, ids)
		h := start(t, Options{listen: listen, DataDir: dir})
		var tokens []string
		for i := range (count + usersBrowsers - 1) / usersBrowsers {
			tokens = append(tokens, h.mint(fmt.Sprint("user ", i), store.ScopeBrowser))
		}
		var silent []*peer
		for range maxHalfOpen {
			silent = append(silent, h.open())
		}
		var refused, in atomic.Int64
		var latest atomic.Int64 // when the last one was let in
		var crowd, readers sync.WaitGroup
		came := time.Now()
		for i := range count {
			crowd.Go(func() {
				p := comeIn(h, &refused)
				p.sendFrame(hello(tokens[i/usersBrowsers], ids[i]))
				if _, ok := p.next().(protocol.Ack); ok {
					in.Add(1)
					latest.Store(int64(time.Since(came)))
				}
				readers.Go(p.discard)
			})
		}
		synctest.Wait()
		if n := refused.Load(); n != int64(count) {
			t.Errorf("%d of %d were refused while every place was taken", n, count)
		}
		for _, p := range silent {
			p.send(`{}`)
			p.closed()
		}
		crowd.Wait()
		if n := in.Load(); n != int64(count) {
			t.Errorf("%d of %d came in", n, count)
		}
		took := time.Duration(latest.Load())
		if took > protocol.ReconnectGrace {
			t.Errorf("the last one came in after %v: agents' calls no longer wait for it then", took)
		}
		if least := time.Duration(count-paceBurst-maxHalfOpen) * time.Second / maxPace; took < least {
			t.Errorf("the last one came in after %v, expected the door to take %v at least", took, least)
		}
		synctest.Wait()
		if n := len(h.srv.halfOpen); n != 0 {
			t.Errorf("%d places are still taken", n)
		}
		if err := h.srv.hub.ConsistencyCheck(); err != nil {
			t.Error(err)
		}
		for i := range tokens {
			if want, n := min(usersBrowsers, count-i*usersBrowsers), len(h.srv.hub.Browsers(fmt.Sprint("user ", i))); n != want {
				t.Errorf("user %d has %d browsers, expected %d", i, n, want)
			}
		}
		t.Logf("%d browsers: %d refusals, the last one in after %v", count, refused.Load(), took)
		h.stop()
		readers.Wait()
		if said := h.log.String(); strings.Contains(said, "missing in the audit trail") {
			t.Error(said)
		}
		after, err := store.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := after.LastConnected(t.Context())
		if err := errors.Join(err, after.Close()); err != nil || len(kept) != count {
			t.Errorf("the next server knows of %d browsers (%v), expected %d", len(kept), err, count)
		}
	})
	t.Logf("played in %v", time.Since(begun))
}

// wereConnected writes down that every other of these browsers was connected when the server before this one ended.
func wereConnected(t *testing.T, dir string, ids []string) {
	t.Helper()
	before, err := store.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		if i%2 == 0 {
			continue
		}
		c := store.Connected{User: fmt.Sprint("user ", i/usersBrowsers), BrowserID: id, Name: hello("", id).BrowserName}
		if err := before.SetConnected(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
}

// comeIn connects as the extension does: after each refusal it waits anything up to a bound that doubles from one second to thirty.
func comeIn(h *house, refused *atomic.Int64) *peer {
	bound := time.Second
	for {
		p, status, err := h.dial(ourOrigin)
		if err == nil {
			return p
		}
		if status != 503 {
			h.t.Errorf("a browser was refused with %d: %v", status, err)
			return nil
		}
		refused.Add(1)
		<-time.After(50*time.Millisecond + rand.N(bound-50*time.Millisecond))
		bound = min(2*bound, 30*time.Second)
	}
}
