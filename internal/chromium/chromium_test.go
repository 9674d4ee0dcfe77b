package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"go.uber.org/goleak"
)

// helperEnv makes the test binary launch a browser, say so, and wait to be killed.
const helperEnv = "CHROMIUM_TEST_LAUNCH_RECORDS"

func TestMain(m *testing.M) {
	if records := os.Getenv(helperEnv); records != "" {
		launchAndWait(records)
		return
	}
	goleak.VerifyTestMain(m)
}

func launchAndWait(records string) {
	browser, err := Launch(context.Background(), Options{Headless: true, RecordDir: records, Scratch: []string{os.Getenv("CHROMIUM_TEST_SCRATCH")}})
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println(browser.PID(), browser.WorkDir())
	<-browser.Done()
}

// probe is an extension whose worker reports its configuration and its user agent to a server.
func probe(t *testing.T) (fstest.MapFS, chan map[string]string) {
	t.Helper()
	reports := make(chan map[string]string, 8)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var report map[string]string
		if json.NewDecoder(r.Body).Decode(&report) == nil {
			reports <- report
		}
	}))
	t.Cleanup(server.Close)
	worker := `(async () => {
  const config = await (await fetch(chrome.runtime.getURL('config.json'))).text();
  await fetch('` + server.URL + `', {method: 'POST', body: JSON.stringify({config, id: chrome.runtime.id})});
})();`
	return fstest.MapFS{
		"manifest.json": {Data: []byte(`{"manifest_version":3,"name":"probe","version":"1","background":{"service_worker":"js/worker.js"},"host_permissions":["http://127.0.0.1/*"]}`)},
		"js/worker.js":  {Data: []byte(worker)},
	}, reports
}

func launch(t *testing.T, opts Options) *Browser {
	t.Helper()
	opts.Headless = true
	if opts.RecordDir == "" {
		opts.RecordDir = t.TempDir()
	}
	browser, err := Launch(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := browser.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return browser
}

// remains names what is left of a launch: processes that run on its folder, the folder, records.
func remains(t *testing.T, workDir, records string) []string {
	t.Helper()
	var left []string
	all, err := process.Processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if command, err := p.Cmdline(); err == nil && strings.Contains(command, workDir) {
			left = append(left, fmt.Sprintf("process %d %.60s", p.Pid, command))
		}
	}
	if _, err := os.Stat(workDir); !errors.Is(err, os.ErrNotExist) {
		left = append(left, workDir)
	}
	entries, err := os.ReadDir(records)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, "record "+entry.Name())
	}
	return left
}

func TestLaunchLoadsTheExtensionAndStopLeavesNothing(t *testing.T) {
	binary, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	for name, branded := range map[string]bool{"by the command line": false, "over the pipe": true} {
		t.Run(name, func(t *testing.T) {
			extension, reports := probe(t)
			records, scratch := t.TempDir(), filepath.Join(t.TempDir(), "scratch")
			if err := os.Mkdir(scratch, 0o700); err != nil {
				t.Fatal(err)
			}
			browser := launch(t, Options{
				Binary: Binary{Path: binary.Path, Branded: branded}, Extension: extension,
				ExtensionConfig: []byte(`{"address":"x"}`), RecordDir: records, Scratch: []string{scratch},
			})
			select {
			case report := <-reports:
				if report["config"] != `{"address":"x"}` || report["id"] != browser.ExtensionID() {
					t.Errorf("the worker reports %v, expected the configuration and id %s", report, browser.ExtensionID())
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the extension's worker reported nothing")
			}
			if len(remains(t, browser.WorkDir(), records)) < 4 {
				t.Error("a running browser shows processes, a folder, a record and a lock; the check below would prove nothing")
			}
			if err := browser.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if left := remains(t, browser.WorkDir(), records); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
				t.Error("the caller's scratch folder is still there")
			}
			if err := browser.Call(t.Context(), "Browser.getVersion", nil, nil); !errors.Is(err, ErrClosed) {
				t.Errorf("a call after Stop says %v, expected ErrClosed", err)
			}
			if err := browser.Stop(t.Context()); err != nil {
				t.Errorf("the second Stop says %v", err)
			}
		})
	}
}

func TestSweepClearsAfterKillAndSparesTheLiving(t *testing.T) {
	records, scratch := t.TempDir(), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(scratch, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+records, "CHROMIUM_TEST_SCRATCH="+scratch)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	var workDir string
	if _, err := fmt.Sscan(line, &pid, &workDir); err != nil {
		t.Fatalf("the helper said %q", line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Stat(workDir); err != nil {
		t.Fatalf("the killed helper left no folder, so there is nothing to sweep: %v", err)
	}
	living := launch(t, Options{RecordDir: records}) // sweeps
	for _, left := range remains(t, workDir, records) {
		if !strings.HasPrefix(left, "record ") {
			t.Errorf("left behind after the kill: %s", left)
		}
	}
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Error("the killed launch's scratch folder is still there")
	}
	cleared, err := Sweep(records)
	if cleared != 0 || err != nil {
		t.Errorf("a second sweep cleared %d (%v), expected 0: one browser lives, the other is cleared", cleared, err)
	}
	if err := living.Call(t.Context(), "Browser.getVersion", nil, nil); err != nil {
		t.Errorf("the living browser is gone: %v", err)
	}
}

func TestSweepKillsAnOrphanedBrowser(t *testing.T) {
	// A record as a killed process leaves it, its browser still running: the sweep must end that, and only that.
	records := t.TempDir()
	browser := launch(t, Options{RecordDir: t.TempDir()})
	raw, err := json.Marshal(map[string]any{"pid": browser.PID(), "startedMs": startOf(t, browser.PID()), "workDir": browser.WorkDir()})
	if err != nil {
		t.Fatal(err)
	}
	stranger := map[string]any{"pid": os.Getpid(), "startedMs": 1, "workDir": filepath.Join(t.TempDir(), "drawbridge-browser-none")}
	strangerRaw, err := json.Marshal(stranger)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.json": raw, "a.lock": nil, "b.json": strangerRaw, "b.lock": nil, "c.json": []byte(`{"workDir":"` + t.TempDir() + `"}`), "c.lock": nil} {
		if err := os.WriteFile(filepath.Join(records, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cleared, err := Sweep(records)
	if err != nil || cleared != 2 {
		t.Errorf("swept %d (%v), expected the two records with a folder of ours", cleared, err)
	}
	select {
	case <-browser.Done():
	case <-time.After(10 * time.Second):
		t.Error("the recorded browser still runs")
	}
	if left := remains(t, browser.WorkDir(), records); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func startOf(t *testing.T, pid int) int64 {
	t.Helper()
	p, err := process.NewProcess(int32(pid))
	if err != nil {
		t.Fatal(err)
	}
	started, err := p.CreateTime()
	if err != nil {
		t.Fatal(err)
	}
	return started
}

func TestNothingIsLeftInTheTemporaryFolder(t *testing.T) {
	for name, temp := range map[string]string{"near": "/tmp", "deep": filepath.Join(t.TempDir(), strings.Repeat("deep", 20))} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(temp, 0o700); err != nil {
				t.Fatal(err)
			}
			temp, err := os.MkdirTemp(temp, "")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.RemoveAll(temp) }()
			t.Setenv("TMPDIR", temp)
			browser := launch(t, Options{RecordDir: filepath.Join(temp, "records")})
			if err := browser.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadDir(temp)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range left {
				if entry.Name() != "records" {
					t.Errorf("left behind: %s", entry.Name())
				}
			}
		})
	}
}

func TestOwnProfileIsKept(t *testing.T) {
	profile := t.TempDir()
	browser := launch(t, Options{ProfileDir: profile})
	if err := browser.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(profile, "Local State")); err != nil {
		t.Errorf("the profile was not kept: %v", err)
	}
}

func TestBrowserThatEndsByItselfIsCleared(t *testing.T) {
	records := t.TempDir()
	browser := launch(t, Options{RecordDir: records})
	if err := browser.Call(t.Context(), "Browser.close", nil, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-browser.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the browser did not end")
	}
	if left := remains(t, browser.WorkDir(), records); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestSessionReadsAPage(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>probe page</title><p>hello`))
	}))
	defer site.Close()
	browser := launch(t, Options{})
	target, err := browser.WaitTarget(t.Context(), "the first page", func(target Target) bool { return target.URL == "about:blank" })
	if err != nil {
		t.Fatal(err)
	}
	session, err := browser.Attach(t.Context(), target.ID)
	if err != nil {
		t.Fatal(err)
	}
	loaded := make(chan struct{}, 1)
	defer session.On("Page.loadEventFired", func(json.RawMessage) { loaded <- struct{}{} })()
	if err := session.Call(t.Context(), "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := session.Call(t.Context(), "Page.navigate", map[string]any{"url": site.URL}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-time.After(20 * time.Second):
		t.Fatal("the page did not load")
	}
	var text string
	if err := session.Evaluate(t.Context(), "document.body.innerText", &text); err != nil || text != "hello" {
		t.Errorf("the page says %q (%v)", text, err)
	}
	if err := session.Evaluate(t.Context(), "nonsense()", nil); err == nil || !strings.Contains(err.Error(), "nonsense is not defined") {
		t.Errorf("a throwing page gives %v", err)
	}
	var refused *CallError
	if err := session.Call(t.Context(), "No.such", nil, nil); !errors.As(err, &refused) || refused.Method != "No.such" {
		t.Errorf("an unknown command gives %v", err)
	}
	hanging := make(chan error, 1)
	go func() { hanging <- session.Evaluate(context.Background(), "new Promise(() => {})", nil) }()
	if err := browser.CloseTarget(t.Context(), target.ID); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-hanging:
		if err == nil {
			t.Error("a call on a closed page succeeded")
		}
	case <-time.After(10 * time.Second):
		t.Error("a call on a closed page hangs")
	}
}

func TestLaunchErrors(t *testing.T) {
	t.Run("the variable names no program", func(t *testing.T) {
		t.Setenv(EnvBinary, filepath.Join(t.TempDir(), "none"))
		if _, err := Find(); err == nil || !strings.Contains(err.Error(), EnvBinary) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a program that is no browser", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "fake")
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho no browser here >&2\nexit 3\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		records := t.TempDir()
		_, err := Launch(t.Context(), Options{Binary: Binary{Path: path}, Headless: true, RecordDir: records})
		if err == nil {
			t.Fatal("a program that is no browser was launched")
		}
		if left, _ := os.ReadDir(records); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	t.Run("no display", func(t *testing.T) {
		t.Setenv("DISPLAY", "")
		t.Setenv("WAYLAND_DISPLAY", "")
		if _, err := Launch(t.Context(), Options{RecordDir: t.TempDir()}); !errors.Is(err, ErrNoDisplay) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("an extension without a manifest", func(t *testing.T) {
		if _, err := Launch(t.Context(), Options{Headless: true, Extension: fstest.MapFS{}, RecordDir: t.TempDir()}); err == nil {
			t.Error("an empty extension was loaded")
		}
	})
}

func TestExtensionIDComesFromTheKey(t *testing.T) {
	const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlU8CnWcCwc/2XbAHmr+qf0zQ6OuRQMcgSrJXoC4Ad731LI2VadueUUxsDxG3rLYDzXlo/PpV3K6HUtGZG87ZqBtYZeLSkBzdzeL2aXqlIPXJkg6JaS6eOodgDQ4vLFMBYr0SQP6xnT9UODNUjQl5NzF7VOzAZZu6c1Xr8PR1a41ffZFcQCoZVEMXEfimdJK23q7jm4NOCXVIblTOOKiAx8kBpzISrv5CcjMVE43QGW3nean+UhwoRT06VTkZ1+XrjcE2KaS70PltaMOt4DvZPd11B3MXRTpwXEGl6oZOU5ALTH8+ndQxPXW5OTkoXPvjAL+rmJnjbG1X7WOqnsj2vQIDAQAB"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"key":"`+key+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if id, err := ExtensionID(dir); err != nil || id != "hlnomgpkpndcppfcepkflgdcebgidkeg" {
		t.Errorf("got %q (%v)", id, err)
	}
}
