package e2e

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func isWaker(target chromium.Target) bool { return strings.HasSuffix(target.URL, "/waker.html") }

// No tab, no alarm, nobody at the browser: the worker that Chrome ends is started again all the same.
func TestWorkerKilledWithNothingElseToWakeIt(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	for range 2 {
		if _, err := r.browser.WaitTarget(within(t), "the document that wakes the worker", isWaker); err != nil {
			t.Fatal(err)
		}
		target, err := r.browser.Worker(within(t))
		if err != nil {
			t.Fatal(err)
		}
		worker, err := r.browser.Attach(within(t), target.ID)
		if err != nil {
			t.Fatal(err)
		}
		var cleared bool
		if err := worker.Evaluate(within(t), "chrome.alarms.clearAll()", &cleared); err != nil || !cleared {
			t.Fatalf("the alarm was not taken away: %v", err)
		}
		if err := worker.Detach(within(t)); err != nil {
			t.Fatal(err)
		}
		killWorker(t, r)
		do[protocol.ListTabsResult](a, protocol.ListTabs{})
	}
}

// A browser that the server refused has no link to keep, and its worker may rest.
func TestRefusedBrowserIsNotKeptAwake(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{token: "no code of this server's", unconnected: true})
	popup := openPopup(t, r.browser)
	popup.awaitLink("fatal")
	err := eventually(within(t), "the document that wakes the worker is gone", func() (bool, error) {
		targets, err := r.browser.Targets(within(t))
		if err != nil {
			return false, err
		}
		for _, target := range targets {
			if isWaker(target) {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
