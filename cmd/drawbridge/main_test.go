package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// patience is how long a test waits for what happens at once when all is well.
const patience = 20 * time.Second

// browsers are the scripted browsers by work directory and name.
var browsers sync.Map

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"drawbridge": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			data := filepath.Join(env.WorkDir, "data")
			env.Setenv("DRAWBRIDGE_DATA_DIR", data)
			env.Setenv("DRAWBRIDGE_ADDR", "127.0.0.1:0")
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("DRAWBRIDGE_KEYRING", "off")
			env.Defer(func() { stopServer(t, data) })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve":   cmdServe,
			"running": cmdRunning,
			"browser": cmdBrowser,
			"heard":   cmdHeard,
			"exits":   cmdExits,
			// A browser that launch started: connected waits for it.
			"connected": cmdConnected,
			"nothing":   cmdNothing,
			"stopped":   cmdStopped,
		},
		Condition: func(cond string) (bool, error) {
			if cond != "chromium" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			_, err := chromium.Find()
			return err == nil, nil
		},
	})
}

// cmdServe starts a server for the script, as drawbridge mcp does: it goes on when that is ready.
func cmdServe(ts *testscript.TestScript, _ bool, _ []string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stop, err := startDetached(ctx, ts.Getenv("DRAWBRIDGE_DATA_DIR"))
	ts.Check(err)
	ts.Defer(stop)
}

// cmdRunning waits until a server that the script started in the background answers.
func cmdRunning(ts *testscript.TestScript, _ bool, _ []string) {
	a := appOf(ts)
	eventually(ts, func(ctx context.Context) error {
		_, _, err := a.healthy(ctx)
		return err
	})
}

// cmdConnected waits until a browser is connected.
func cmdConnected(ts *testscript.TestScript, _ bool, _ []string) {
	a := appOf(ts)
	eventually(ts, func(ctx context.Context) error {
		c, err := a.connect()
		if err != nil {
			return err
		}
		all, err := c.Browsers(ctx)
		if err == nil && !slices.ContainsFunc(all, func(b protocol.BrowserInfo) bool { return b.Connected }) {
			err = errors.New("no browser is connected")
		}
		return err
	})
}

// cmdStopped ends the server that a command left in the background.
func cmdStopped(ts *testscript.TestScript, _ bool, _ []string) {
	info, err := store.ReadServerInfo(ts.Getenv("DRAWBRIDGE_DATA_DIR"))
	ts.Check(err)
	p, err := os.FindProcess(info.PID)
	ts.Check(err)
	ts.Check(p.Signal(os.Interrupt))
	eventually(ts, func(context.Context) error {
		if alive(info.PID) {
			return fmt.Errorf("the server (pid %d) still runs", info.PID)
		}
		return nil
	})
}

// cmdNothing checks that no file matches: nothing PATTERN.
func cmdNothing(ts *testscript.TestScript, _ bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) > 0 {
		ts.Fatalf("%v is there, want nothing like it", found)
	}
}

// appOf is an app on the script's data directory.
func appOf(ts *testscript.TestScript) *app {
	a := &app{}
	a.flags.dataDir = ts.Getenv("DRAWBRIDGE_DATA_DIR")
	return a
}

// eventually waits until what another process brings about is so.
func eventually(ts *testscript.TestScript, so func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(retryTime)
	defer tick.Stop()
	for {
		err := so(ctx)
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			ts.Fatalf("%v", err)
		}
	}
}

// startDetached starts a server on data and returns when it is ready.
func startDetached(ctx context.Context, data string) (stop func(), err error) {
	cmd := exec.Command("drawbridge", "up", "--detached", "--data-dir", data, "--addr", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	ready := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(out).ReadBytes('\n')
		ready <- err
	}()
	select {
	case err = <-ready:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		stop()
	}
	return stop, err
}

// stopServer ends the server that a command left in the background on data, if any.
func stopServer(t *testing.T, data string) {
	info, err := store.ReadServerInfo(data)
	if err != nil || !alive(info.PID) {
		return
	}
	p, err := os.FindProcess(info.PID)
	if err != nil {
		return
	}
	if err := p.Signal(os.Interrupt); err != nil {
		t.Errorf("stop the server in the background: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	eventuallyGone(ctx, t, data)
}

// eventuallyGone waits until no server has data any more.
func eventuallyGone(ctx context.Context, t *testing.T, data string) {
	tick := time.NewTicker(retryTime)
	defer tick.Stop()
	for {
		if _, err := store.ReadServerInfo(data); errors.Is(err, os.ErrNotExist) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Error("the server in the background did not end")
			return
		}
	}
}

// cmdBrowser pairs a scripted browser: browser NAME SCRIPT.
func cmdBrowser(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: browser NAME SCRIPT")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var how script
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &how))
	b, err := pairBrowser(ctx, ts.Getenv("DRAWBRIDGE_DATA_DIR"), args[0], how, ts.MkAbs(args[0]+".log"))
	ts.Check(err)
	ts.Defer(b.close)
	browsers.Store(ts.Getenv("WORK")+args[0], b)
}

// pairBrowser pairs a scripted browser with the server on data.
func pairBrowser(ctx context.Context, data, name string, how script, logPath string) (*scripted, error) {
	info, err := store.ReadServerInfo(data)
	if err != nil {
		return nil, err
	}
	token, err := store.ReadCredential(data)
	if err != nil {
		return nil, err
	}
	c, err := client.New("http://"+info.Addr, token, nil)
	if err != nil {
		return nil, err
	}
	pairing, err := c.Pair(ctx)
	if err != nil {
		return nil, err
	}
	return connectBrowser(ctx, info.Addr, pairing.Code, name, how, logPath)
}

// cmdHeard waits until a browser has heard of an action, or of a cancel: heard NAME WHAT.
func cmdHeard(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: heard NAME WHAT")
	}
	found, ok := browsers.Load(ts.Getenv("WORK") + args[0])
	b, isBrowser := found.(*scripted)
	if !ok || !isBrowser {
		ts.Fatalf("there is no browser %s", args[0])
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ts.Check(b.await(ctx, args[1]))
}

// cmdExits runs a command and checks its exit code: exits CODE COMMAND ARG…
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
