package mcpserver

import (
	"fmt"
	"sync"

	"github.com/drawbridge-browser/drawbridge/internal/render"
)

// maxRests is how many answers' rests are kept. A model asks for the rest at once or
// never, so a few are enough; each is at most as large as one answer of a browser.
const maxRests = 8

// rest is how an answer goes on: what was cut from it, or the call that gives the next part.
type rest struct {
	// cut is the part that did not fit; its Page is empty when next is set instead.
	cut render.Answer
	// next brings the following part from the browser.
	next *Call
}

// shelf keeps the rests of long answers under short words, which a model can repeat
// without a mistake.
type shelf struct {
	mu    sync.Mutex
	last  int
	rests map[string]rest
	order []string // the words of rests, oldest first
}

func newShelf() *shelf { return &shelf{rests: map[string]rest{}} }

// put keeps r and returns its word. The oldest goes when there are too many.
func (s *shelf) put(r rest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	word := fmt.Sprintf("c%d", s.last)
	s.rests[word] = r
	s.order = append(s.order, word)
	if len(s.order) > maxRests {
		delete(s.rests, s.order[0])
		s.order = s.order[1:]
	}
	return word
}

// get returns what is kept under word. It stays, so that a lost answer can be asked for again.
func (s *shelf) get(word string) (rest, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.rests[word]
	return r, ok
}
