package server

import (
	"net/http"
	"sync"
	"time"
)

// idle tells when no agent has used the server for a time. A connected browser is no use: it comes back when the next server starts.
type idle struct {
	after time.Duration // 0 means never; fixed at creation
	busy  func() bool   // whether somebody is still there who asks nothing just now; fixed at creation
	ended chan struct{} // closed when the time is over
	once  sync.Once     // closes ended

	mu    sync.Mutex
	uses  int         // requests and streams of agents under way
	timer *time.Timer // runs while uses is 0; nil before begin and where after is 0
}

// begin starts the time.
func (i *idle) begin() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.after > 0 {
		i.timer = time.AfterFunc(i.after, i.over)
		if i.uses > 0 {
			i.timer.Stop()
		}
	}
}

// over is the end of the time, unless somebody came at the last moment or is there in silence.
func (i *idle) over() {
	busy := i.busy()
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.timer == nil || i.uses > 0: // a use's end starts the time anew
	case busy:
		i.timer.Reset(i.after)
	default:
		i.once.Do(func() { close(i.ended) })
	}
}

// stop ends the time for good.
func (i *idle) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
		i.timer = nil
	}
}

// use holds the server until the function that it returns is called.
func (i *idle) use() (done func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.uses++
	if i.timer != nil {
		i.timer.Stop()
	}
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.uses--
		if i.uses == 0 && i.timer != nil {
			i.timer.Reset(i.after)
		}
	}
}

// used counts each request as a use for as long as its answer takes; an event stream takes as long as its reader stays.
func (i *idle) used(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := i.use()
		defer done()
		next.ServeHTTP(w, r)
	})
}
