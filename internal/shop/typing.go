package shop

import (
	"encoding/json"
	"net/http"
)

// Typing is what the typing page has seen: the witness for whether the user's focus was taken.
type Typing struct {
	// Keys is how many keys the page's text box received.
	Keys int `json:"keys"`
	// Blurs is how often the window or the box lost the focus.
	Blurs int `json:"blurs"`
	// Focused says whether the page has the focus now.
	Focused bool `json:"focused"`
	// Text is the end of what stands in the box.
	Text string `json:"text"`
}

// Typed returns the typing page's latest report.
func (s *Shop) Typed() Typing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed
}

func (s *Shop) typing(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "typing.html", "Somebody is typing", nil)
}

func (s *Shop) countTyping(w http.ResponseWriter, r *http.Request) {
	var report Typing
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&report); err != nil {
		http.Error(w, "expected a JSON object of keys, blurs, focused and text", http.StatusBadRequest)
		return
	}
	s.change(func() { s.typed = report })
	w.WriteHeader(http.StatusNoContent)
}
