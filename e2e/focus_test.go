package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/shop"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// desktop is an X display with a window manager.
func desktop(t *testing.T) (display string) {
	t.Helper()
	for _, program := range []string{"Xvfb", "openbox", "xdotool", "xprop"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: run make desktop (apt-get install xvfb openbox xdotool x11-utils)", program)
		}
	}
	// Without -noreset the server starts anew when its last client leaves, and throws out a window manager that is
	// just coming: the xprop below was such a client.
	number := startUntil(t, exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"))
	display = ":" + number
	manager := exec.Command("openbox", "--sm-disable")
	manager.Env = append(manager.Environ(), "DISPLAY="+display)
	var complaint bytes.Buffer
	manager.Stderr = &complaint
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = manager.Process.Kill()
		_ = manager.Wait()
	})
	if err := eventually(within(t), "the window manager", func() (bool, error) {
		said, err := x(t, display, "xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
		return err == nil && strings.Contains(said, "window id"), nil
	}); err != nil {
		t.Fatal(err)
	}
	return display
}

// startUntil starts a program and returns the first line that it prints.
func startUntil(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var line string
	if _, err := fmt.Fscanln(out, &line); err != nil {
		t.Fatalf("%s did not start: %v", cmd.Path, err)
	}
	return line
}

// x runs one of the X tools on a display.
func x(t *testing.T, display, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(within(t), program, args...)
	cmd.Env = append(cmd.Environ(), "DISPLAY="+display)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// watch asks the window manager again and again which window is active, and keeps each that was not the one expected.
type watch struct {
	mu     sync.Mutex
	looks  int
	others []string
}

func (w *watch) run(ctx context.Context, display, expected string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		cmd := exec.CommandContext(ctx, "xprop", "-root", "_NET_ACTIVE_WINDOW")
		cmd.Env = append(cmd.Environ(), "DISPLAY="+display)
		if out, err := cmd.Output(); err == nil {
			w.mu.Lock()
			w.looks++
			if active := strings.TrimSpace(string(out)); active != expected {
				w.others = append(w.others, active)
			}
			w.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// user is somebody who types into a window of their own, by key events of the X server, which go to whichever window
// has the focus; the page counts those that arrive.
type user struct {
	t              *testing.T
	display        string
	shop           *shop.Shop
	window, active string
}

func newUser(t *testing.T, display string, s *shop.Shop) *user {
	t.Helper()
	window, err := x(t, display, "xdotool", "search", "--sync", "--onlyvisible", "--limit", "1", "--name", "Somebody is typing")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x(t, display, "xdotool", "windowactivate", "--sync", window); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(within(t), func(s *shop.Shop) bool { return s.Typed().Focused }); err != nil {
		t.Fatal(err)
	}
	active, err := x(t, display, "xprop", "-root", "_NET_ACTIVE_WINDOW")
	if err != nil {
		t.Fatal(err)
	}
	return &user{t: t, display: display, shop: s, window: window, active: active}
}

// typing is what came of a time of typing.
type typing struct {
	sent, lost, blurs, looks int
	others                   []string // the windows that the window manager saw active in the user's place
}

// typeWhile types for as long as work takes.
func (u *user) typeWhile(work func()) typing {
	u.t.Helper()
	before := u.shop.Typed()
	ctx, stop := context.WithCancel(within(u.t))
	var beside sync.WaitGroup
	seen := &watch{}
	beside.Go(func() { seen.run(ctx, u.display, u.active) })
	sent := 0
	beside.Go(func() {
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ctx.Err() == nil; i++ {
			// Not ctx: a key that is pressed is released as well, and counted.
			cmd := exec.CommandContext(context.WithoutCancel(ctx), "xdotool", "key", string(rune('a'+i%26)))
			cmd.Env = append(cmd.Environ(), "DISPLAY="+u.display)
			if cmd.Run() == nil {
				sent++
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
	work()
	stop()
	beside.Wait()
	arriving, cancel := context.WithTimeout(u.t.Context(), 3*time.Second)
	defer cancel()
	_ = u.shop.Wait(arriving, func(s *shop.Shop) bool { return s.Typed().Keys-before.Keys >= sent }) // what did not come is lost
	after := u.shop.Typed()
	return typing{sent: sent, lost: sent - (after.Keys - before.Keys), blurs: after.Blurs - before.Blurs, looks: seen.looks, others: seen.others}
}

func TestAgentWindowNeverTakesTheFocus(t *testing.T) {
	display := desktop(t)
	r := newRig(t, rigOptions{display: display, url: "http://shop.test/typing"})
	u := newUser(t, display, r.site.shop)
	a := r.newAgent(t)
	t.Run("whatever the agent does", func(t *testing.T) {
		got := u.typeWhile(func() { manners(a) })
		if got.sent < 20 || got.looks < 20 {
			t.Errorf("%d keys and %d looks prove nothing", got.sent, got.looks)
		}
		if got.lost != 0 || got.blurs != 0 || len(got.others) > 0 {
			t.Errorf("%d of %d keys were lost, the focus %d times; the window manager saw %q active in its place", got.lost, got.sent, got.blurs, got.others)
		}
	})
	t.Run("when a page opens tabs", func(t *testing.T) {
		// Chrome raises the window of a page that opens a tab, and nothing can forbid that: it is given back at once.
		opened := 0
		got := u.typeWhile(func() { opened = openers(a) })
		if got.lost > opened {
			t.Errorf("%d of %d keys were lost over %d tabs", got.lost, got.sent, opened)
		}
		if err := eventually(within(t), "the focus in the user's window", func() (bool, error) {
			active, err := x(t, display, "xprop", "-root", "_NET_ACTIVE_WINDOW")
			return active == u.active, err
		}); err != nil {
			t.Error(err)
		}
	})
}

// manners does in the agent window what takes the focus in an ordinary one.
func manners(a *agent) {
	a.t.Helper()
	page := a.open(a.rig.site.html(a.t, "manners", `
		<button onclick="window.focus(); this.textContent = 'clicked'">Press</button>
		<label>Text <input></label>
		<button onclick="alert('hello')">Alert</button>
		<a href="/plain.html">Over</a>
		<div style="height:3000px"></div>`))
	a.clickOn(page, "button", "Press")
	do[protocol.TypeResult](a, protocol.Type{Page: page, Target: a.target(page, "textbox", "Text"), Text: ptr("quietly")})
	do[protocol.HoverResult](a, protocol.Hover{Page: page, Target: a.target(page, "link", "Over")})
	do[protocol.ScrollResult](a, protocol.Scroll{Page: page, Direction: "down"})
	do[protocol.PressResult](a, protocol.Press{Page: page, Key: "Tab"})
	do[protocol.ScreenshotResult](a, protocol.Screenshot{Page: page})
	a.value(page, "window.focus() || 1")
	if _, err := a.try(within(a.t), protocol.Click{Page: page, Target: a.target(page, "button", "Alert")}); err != nil {
		a.failed(protocol.CodeDialogOpen, protocol.Click{}, err)
	}
	do[protocol.DialogResult](a, protocol.Dialog{Page: page, Accept: true})
	second := a.open("http://page.test/plain.html?second")
	a.clickOn(second, "button", "Send")
	do[protocol.NavigateResult](a, protocol.Navigate{Page: second, To: "back"})
	// Chrome groups the tabs of a session, and takes the group away again.
	a.session(protocol.Session{Op: "create", Title: "Quiet", URL: "http://page.test/plain.html?session"})
	do[protocol.ActivateTabResult](a, protocol.ActivateTab{TabID: a.open("http://page.test/other.html").TabID})
	a.clickOn(protocol.Page{}, "link", "Back")
	a.session(protocol.Session{Op: "close"})
	// The window goes when it is empty, and the next tab makes it again.
	a.closeAll()
	a.clickOn(a.open("http://page.test/plain.html?again"), "button", "Send")
}

// openers has pages open tabs in all the ways they can, and says how many.
func openers(a *agent) int {
	a.t.Helper()
	page := a.open(a.rig.site.html(a.t, "openers", `
		<button onclick="open('/plain.html?opened', 'x', 'width=300,height=300')">Open</button>
		<a href="/plain.html?blank" target="_blank">Blank</a>`))
	before := len(do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs)
	a.clickOn(page, "link", "Blank")
	a.clickOn(page, "button", "Open")
	a.value(page, "window.open('/plain.html?by-script') && 1")
	const opened = 3
	if err := eventually(within(a.t), "the opened tabs among the agent's", func() (bool, error) {
		return len(do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs) == before+opened, nil
	}); err != nil {
		a.t.Error(err)
	}
	a.closeAll()
	return opened
}

func (a *agent) closeAll() {
	a.t.Helper()
	for _, tab := range do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs {
		do[protocol.CloseTabResult](a, protocol.CloseTab{TabID: tab.TabID})
	}
}

func TestDemoWithADisplay(t *testing.T) {
	display := desktop(t)
	cmd := exec.CommandContext(within(t), drawbridge(t), "demo")
	temp := t.TempDir()
	cmd.Env = append(cmd.Environ(), "DISPLAY="+display, "TMPDIR="+temp, "DRAWBRIDGE_DATA_DIR="+filepath.Join(temp, "data"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the demo failed: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("focus stolen 0")) || !bytes.Contains(out, []byte(" 0 lost)")) {
		t.Errorf("it says:\n%s", out)
	}
}
