package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// saidMax is how much of what a page says is read.
const saidMax = 64 << 10

// Site serves the pages and hears what they saw: a page opened with ?as=NAME tells it each press of its button, each
// value of its field and each order, under that name.
type Site struct {
	mu   sync.Mutex
	said map[string][]string
	// more is closed and made anew whenever something is said.
	more chan struct{}
}

// New is a site that has heard nothing yet.
func New() *Site { return &Site{said: map[string][]string{}, more: make(chan struct{})} }

// ServeHTTP serves a page, or hears what one says.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.URL.Path == "/saw" {
		what, err := io.ReadAll(http.MaxBytesReader(w, r.Body, saidMax))
		if err != nil {
			http.Error(w, "too much", http.StatusRequestEntityTooLarge)
			return
		}
		s.hear(r.URL.Query().Get("as"), string(what))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	servePage(w, r)
}

func (s *Site) hear(as, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said[as] = append(s.said[as], what)
	close(s.more)
	s.more = make(chan struct{})
}

// Count is how often the pages of a name have said exactly that.
func (s *Site) Count(as, what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, said := range s.said[as] {
		if said == what {
			n++
		}
	}
	return n
}

// Await waits until the pages of a name have said that at least so many times. The error tells what they said last.
func (s *Site) Await(ctx context.Context, as, what string, times int) error {
	for {
		s.mu.Lock()
		more, said := s.more, s.said[as]
		s.mu.Unlock()
		if s.Count(as, what) >= times {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			last := "nothing"
			if len(said) > 0 {
				last = fmt.Sprintf("%q", said[len(said)-1])
			}
			return fmt.Errorf("the page was to see %q for the %d. time, and saw %s last: %w", what, times, last, ctx.Err())
		}
	}
}
