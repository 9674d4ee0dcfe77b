package protocol

import "time"

// Ago is how long ago t was, by the clock that says longer: the one stands still while the machine sleeps, the other may be set back.
// It is what recallMs means: a call that passed for younger than it is could pass for one that never came, after the extension
// that did it was loaded anew, and be done twice.
func Ago(t time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)))
}
