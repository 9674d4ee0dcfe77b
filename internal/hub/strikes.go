package hub

import "time"

// strikes keeps the times of the latest invalid frames of one link, and says
// when there were too many of them within a minute. Owned by the reader.
type strikes struct {
	allowed int // fixed at creation; so many a minute are borne
	times   []time.Time
}

// add notes one invalid frame and reports whether that was one too many.
func (s *strikes) add(now time.Time) bool {
	keep := s.times[:0]
	for _, t := range s.times {
		if now.Sub(t) < time.Minute {
			keep = append(keep, t)
		}
	}
	s.times = append(keep, now)
	return len(s.times) > s.allowed
}
