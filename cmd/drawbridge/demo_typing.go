package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/shop"
)

// typist types into the demo's own window, as a person beside the agent would: real key events of the X server,
// which go to whichever window has the focus. It is the witness for whether the agent takes it.
type typist struct {
	shop *shop.Shop
	// why says why nothing types; empty when something does.
	why  string
	stop context.CancelFunc
	done chan struct{} // closed when the last key is sent
	// owned by the typing goroutine until done is closed
	sent int
	err  error
}

// typedText is harmless wherever it may end: letters and spaces, no Enter.
const typedText = "meanwhile i go on writing my letter and nothing takes the pen from my hand "

// startTyping begins to type where that is possible, and says why where it is not.
func (st *stage) startTyping(ctx context.Context) (*typist, error) {
	t := &typist{shop: st.shop, stop: func() {}, done: make(chan struct{})}
	var tool string
	switch found, err := exec.LookPath("xdotool"); {
	case st.opts.headless:
		t.why = "no window"
	case os.Getenv("DISPLAY") == "" || err != nil:
		t.why = "needs xdotool and an X display"
	default:
		tool = found
	}
	if t.why != "" {
		close(t.done)
		return t, nil
	}
	window, err := focusWindow(ctx, tool, st.shop)
	if err != nil {
		return nil, err
	}
	typing, stop := context.WithCancel(ctx)
	t.stop = stop
	go func() {
		defer close(t.done)
		t.typeOn(typing, tool, window)
	}()
	return t, nil
}

// focusWindow gives the focus to the typing page's window and waits until the page says that it has it.
func focusWindow(ctx context.Context, tool string, s *shop.Shop) (window string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if window, err = findWindow(ctx, tool); err != nil {
		return "", err
	}
	if err := exec.CommandContext(ctx, tool, "windowfocus", window).Run(); err != nil {
		return "", fmt.Errorf("focus the window to type into: %w", err)
	}
	if err := s.Wait(ctx, func(s *shop.Shop) bool { return s.Typed().Focused }); err != nil {
		return "", fmt.Errorf("the window to type into did not get the focus: %w", err)
	}
	return window, nil
}

// findWindow waits until the typing page's window is there. The tool's own waiting ends with an error when any other
// window of the display goes away under its search, as windows do while a browser starts: then it is asked again.
func findWindow(ctx context.Context, tool string) (string, error) {
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		found, err := exec.CommandContext(ctx, tool, "search", "--sync", "--onlyvisible", "--limit", "1", "--name", "Somebody is typing").Output()
		if window := strings.TrimSpace(string(found)); err == nil && window != "" {
			return window, nil
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("find the window to type into: %w", errors.Join(err, ctx.Err()))
		case <-again.C:
		}
	}
}

// typeOn sends one key after the other until ctx ends. A key is sent only while the window has the focus or another
// of the demo's browser took it; where the user went elsewhere it waits, and types nothing into their windows.
func (t *typist) typeOn(ctx context.Context, tool, window string) {
	tick := time.NewTicker(90 * time.Millisecond)
	defer tick.Stop()
	owner := windowPID(ctx, tool, window)
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		focused, err := exec.CommandContext(ctx, tool, "getwindowfocus").Output()
		if err != nil || windowPID(ctx, tool, strings.TrimSpace(string(focused))) != owner {
			continue
		}
		key := string(typedText[i%len(typedText)])
		if key == " " {
			key = "space"
		}
		// Not ctx: a key that is pressed is also released, and counted.
		if err := exec.CommandContext(context.WithoutCancel(ctx), tool, "key", key).Run(); err != nil {
			t.err = fmt.Errorf("type: %w", err)
			return
		}
		t.sent++
	}
}

func windowPID(ctx context.Context, tool, window string) string {
	pid, err := exec.CommandContext(ctx, tool, "getwindowpid", window).Output()
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(pid))
}

// finish ends the typing and fills in what it saw.
func (t *typist) finish(ctx context.Context, summary *demoSummary) error {
	t.stop()
	<-t.done
	if t.why != "" {
		return nil
	}
	// The last keys may still be on their way; whether they came is what the count says.
	arriving, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = t.shop.Wait(arriving, func(s *shop.Shop) bool { return s.Typed().Keys >= t.sent })
	typed := t.shop.Typed()
	summary.KeysTyped, summary.KeysLost, summary.FocusStolen = t.sent, t.sent-typed.Keys, &typed.Blurs
	if t.err == nil && t.sent == 0 {
		return errors.New("nothing was typed: another program holds the focus")
	}
	return t.err
}
