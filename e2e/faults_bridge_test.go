package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// workerLife is how long Chrome lets a worker live that does nothing.
const workerLife = 35 * time.Second

// The way from the server to the browser holds, comes back, or says what is wrong.
var bridge = []fault{
	{"idle_for_longer_than_a_worker_lives", func(f *trial) {
		r := newRig(f.t, rigOptions{})
		a := r.newAgent(f.t)
		before, err := r.browser.Worker(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		idle, cancel := context.WithTimeout(f.t.Context(), workerLife)
		defer cancel()
		_, err = r.browser.WaitTarget(idle, "another worker", func(target chromium.Target) bool {
			return target.Type == "service_worker" && target.ID != before.ID
		})
		if err == nil {
			f.t.Error("the idle worker died and was started again")
		}
		do[protocol.ListTabsResult](a, protocol.ListTabs{})
		// And where it does die nobody has to wake it: the call waits for its alarm.
		killWorker(f.t, r)
		do[protocol.ListTabsResult](a, protocol.ListTabs{})
	}},
	{"worker_that_was_recycled", func(f *trial) {
		r := newRig(f.t, rigOptions{})
		own := &trial{agent: r.newAgent(f.t)}
		own.load(`<button onclick="hits++">Go</button><script>hits = 0</script>`)
		button := own.ref("button", "Go")
		tabs, err := r.browser.Targets(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		for n := range 2 {
			killWorker(f.t, r)
			wakeWorker(f.t, r)
			own.press(button) // the attachment of before is its own, and so is the debugger of this test in the same tab
			own.until("hits", fmt.Sprint(n+1))
		}
		after, err := r.browser.Targets(within(f.t))
		if err != nil || countPages(after) != countPages(tabs) {
			f.t.Errorf("there were %d pages and now there are %d (%v)", countPages(tabs), countPages(after), err)
		}
		list := do[protocol.ListTabsResult](own.agent, protocol.ListTabs{}).Tabs
		if len(list) != 1 || list[0].TabID != own.page.TabID {
			f.t.Errorf("the agent's tabs are %+v, expected tab %d", list, own.page.TabID)
		}
	}},
	{"tab_that_another_extension_debugs", func(f *trial) {
		rival := writeExtension(f.t, `{"manifest_version":3,"name":"rival","version":"1","permissions":["debugger","tabs"],"background":{"service_worker":"worker.js"}}`,
			map[string]string{"worker.js": `chrome.tabs.onUpdated.addListener((id, change, tab) => {
				if (tab.url.includes('rival=1')) chrome.debugger.attach({tabId: id}, '1.3', () => void chrome.runtime.lastError);
			})`})
		r := newRig(f.t, rigOptions{others: []string{rival}})
		own := &trial{agent: r.newAgent(f.t)}
		url := own.html("page", `<button onclick="hits++">Go</button><script>hits = 0</script>`) + "?rival=1"
		own.page = own.usersTab(url)
		own.seen = r.page(f.t, url)
		_, err := own.try(within(f.t), protocol.Click{Page: own.page, Target: css("button")})
		var refusal *protocol.Error
		switch {
		case err == nil:
			own.until("hits", "1")
		case errors.As(err, &refusal) && refusal.Code == protocol.CodeForeignExtension:
			own.is("hits", "0")
		default:
			f.t.Errorf("the click gives %v, expected that it is done or that the other is named", err)
		}
	}},
	{"second_profile", func(f *trial) {
		r := newRig(f.t, rigOptions{})
		own := &trial{agent: r.newAgent(f.t)}
		own.load(`<button onclick="hits++">Go</button><script>hits = 0</script>`)
		browsers, err := own.client.Browsers(within(f.t))
		if err != nil || len(browsers) != 1 {
			f.t.Fatalf("the browsers are %+v (%v)", browsers, err)
		}
		first := browsers[0].BrowserID
		pairing, err := own.client.Pair(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		second, err := r.launch(within(f.t), rigOptions{addr: r.server.addr, token: pairing.Code})
		if err != nil {
			f.t.Fatal(err)
		}
		defer func() {
			if err := second.Stop(context.Background()); err != nil {
				f.t.Error(err)
			}
		}()
		if err := connected(within(f.t), own.client, 2); err != nil {
			f.t.Fatal(err)
		}
		if browsers, err = own.client.Browsers(within(f.t)); err != nil || browsers[0].BrowserID == browsers[1].BrowserID {
			f.t.Errorf("the browsers are %+v (%v)", browsers, err)
		}
		// Without a word on which, the error names both; with one, the first is as it was.
		refusal := own.fails(protocol.CodeInvalidAction, protocol.Click{Page: own.page, Target: css("button")})
		for _, b := range browsers {
			if !strings.Contains(refusal.Message, b.BrowserID) {
				f.t.Errorf("the error does not name browser %s: %s", b.BrowserID, refusal.Message)
			}
		}
		own.client = own.client.In(first)
		own.press(css("button"))
		own.until("hits", "1")
	}},
	{"port_that_is_taken", func(f *trial) {
		dir := f.t.TempDir()
		up, err := serve("127.0.0.1:0", filepath.Join(dir, "first"))
		if err != nil {
			f.t.Fatal(err)
		}
		defer func() {
			if err := up.stop(); err != nil {
				f.t.Error(err)
			}
		}()
		silent, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.t.Fatal(err)
		}
		defer silent.Close()
		for what, args := range map[string][]string{
			"a second server at the address": {"--addr", up.addr, "--data-dir", filepath.Join(dir, "second")},
			"a second server of the folder":  {"--addr", "127.0.0.1:0", "--data-dir", up.dataDir},
			"a server where a stranger is":   {"--addr", silent.Addr().String(), "--data-dir", filepath.Join(dir, "third")},
		} {
			out, err := exec.CommandContext(within(f.t), drawbridge(f.t), append([]string{"up"}, args...)...).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || len(strings.TrimSpace(string(out))) == 0 {
				f.t.Errorf("%s: it ended with %v and said %q, expected an error and why", what, err, out)
			}
		}
	}},
	{"strangers_on_the_port", func(f *trial) {
		// First one that speaks HTTP, then one that takes connections and says nothing.
		var dumb atomic.Bool
		came := make(chan struct{}, 100)
		stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			came <- struct{}{}
			if dumb.Load() {
				<-r.Context().Done()
				return
			}
			http.Error(w, "hello", http.StatusTeapot)
		}))
		defer stranger.Close()
		data := filepath.Join(f.t.TempDir(), "data")
		up, err := serve("127.0.0.1:0", data) // only for the credential that a rig reads
		if err != nil {
			f.t.Fatal(err)
		}
		defer func() { _ = up.stop() }()
		r := newRig(f.t, rigOptions{addr: stranger.Listener.Addr().String(), dataDir: data, token: "ZZZZ-ZZZZ-ZZZZ-ZZZZ", unconnected: true})
		defer stranger.CloseClientConnections()
		p := openPopup(f.t, r.browser)
		for _, is := range []bool{false, true} {
			dumb.Store(is)
			for range 2 {
				select {
				case <-came:
				case <-within(f.t).Done():
					f.t.Fatal("the extension does not try")
				}
			}
			if status := p.status(); status.Link != "connecting" || !strings.Contains(status.Reason, "Trying again") {
				f.t.Errorf("the popup says %q because of %q", status.Link, status.Reason)
			}
		}
	}},
	{"server_that_starts_later_than_the_browser", func(f *trial) {
		data, addr := filepath.Join(f.t.TempDir(), "data"), freeAddr(f.t)
		early, err := serve(addr, data)
		if err != nil {
			f.t.Fatal(err)
		}
		c, err := clientOf(addr, data, "")
		if err != nil {
			f.t.Fatal(err)
		}
		pairing, err := c.Pair(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		if err := early.stop(); err != nil {
			f.t.Fatal(err)
		}
		r := newRig(f.t, rigOptions{addr: addr, dataDir: data, token: pairing.Code, unconnected: true})
		p := openPopup(f.t, r.browser)
		p.shows("no server answers at " + addr)
		if r.server, err = serve(addr, data); err != nil {
			f.t.Fatal(err)
		}
		p.awaitLink("ready")
		do[protocol.ListTabsResult](r.newAgent(f.t), protocol.ListTabs{})
	}},
	{"models_in_turn", func(f *trial) {
		var models []model
		for i := range 2 {
			m := newModel(f.t, f.rig)
			m.text(map[string]any{"action": "open_tab", "url": f.html(fmt.Sprintf("turn-%d", i), fmt.Sprintf("<button onclick='document.title = ++n'>Go</button><script>n = %d</script>", 1000*i))})
			models = append(models, m)
		}
		for n := range 20 {
			for i, m := range models {
				if said := m.text(map[string]any{"action": "click", "selector": "button"}); !strings.Contains(said, fmt.Sprint(1000*i+n+1)) {
					f.t.Errorf("click %d of model %d says %q", n, i, said)
				}
			}
		}
	}},
	{"worker_that_is_frozen", func(f *trial) {
		r := newRig(f.t, rigOptions{})
		a := r.newAgent(f.t)
		worker, err := r.browser.Worker(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		session, err := r.browser.Attach(within(f.t), worker.ID)
		if err != nil {
			f.t.Fatal(err)
		}
		if err := session.Call(within(f.t), "Debugger.enable", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		paused := make(chan struct{}, 1)
		defer session.On("Debugger.paused", func(json.RawMessage) { paused <- struct{}{} })()
		if err := session.Call(within(f.t), "Debugger.pause", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		wakeWorker(f.t, r) // the first that it does stops it
		<-paused
		began := time.Now()
		refusal := a.fails(protocol.CodeTimeout, protocol.ListTabs{})
		if time.Since(began) > soon+protocol.DefaultTimeout(protocol.ListTabs{}) || !containsFold(refusal.Message, "did not answer") {
			f.t.Errorf("after %v it says %v", time.Since(began), refusal)
		}
		if err := session.Call(within(f.t), "Debugger.disable", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		do[protocol.ListTabsResult](a, protocol.ListTabs{})
	}},
	{"calls_under_way_when_the_link_is_cut", func(f *trial) {
		const calls = 4
		r := newRig(f.t, rigOptions{})
		a := r.newAgent(f.t)
		var under sync.WaitGroup
		failed := make([]error, calls)
		for i := range calls {
			page := a.open(fmt.Sprintf("http://page.test/plain.html?cut=%d", i))
			path := fmt.Sprintf("/cut-%d", i)
			under.Go(func() {
				_, failed[i] = a.try(within(f.t), protocol.Evaluate{Page: page, Expression: fmt.Sprintf("return fetch(%q).then(() => new Promise(() => {}))", path)})
			})
			if err := r.site.await(within(f.t), "page.test"+path); err != nil {
				f.t.Fatal(err)
			}
		}
		began := time.Now()
		killWorker(f.t, r)
		under.Wait()
		if took := time.Since(began); took > protocol.DefaultTimeout(protocol.Evaluate{})/2 {
			f.t.Errorf("they ended %v after the cut", took)
		}
		for i, err := range failed {
			var cut *protocol.Error
			if !errors.As(err, &cut) || cut.Code != protocol.CodeNotConnected || cut.Outcome != protocol.Unknown || cut.Retryable == protocol.RetrySame {
				f.t.Errorf("call %d ended with %v, expected that it was cut off and its outcome is unknown", i, err)
			}
		}
	}},
}

func countPages(targets []chromium.Target) (n int) {
	for _, target := range targets {
		if target.Type == "page" {
			n++
		}
	}
	return n
}

// writeExtension writes an extension of the test's own into a folder.
func writeExtension(t *testing.T, manifest string, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files["manifest.json"] = manifest
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
