package server

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// opens answers open_tab and list_tabs like a small browser.
func opens(request protocol.Request) (protocol.Result, *protocol.Error) {
	switch a := request.Action.Action.(type) {
	case protocol.OpenTab:
		return protocol.OpenTabResult{OK: true, TabID: 7, URL: a.URL, Title: "Opened"}, nil
	case protocol.ListTabs:
		return protocol.ListTabsResult{Tabs: []protocol.TabInfo{}}, nil
	}
	return nil, protocol.Errorf(protocol.CodeTabNotFound, "no tab")
}

func TestActionGoesThroughAndBack(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	got, err := client.Do[protocol.OpenTabResult](t.Context(), h.client, protocol.OpenTab{URL: "https://example.com/?secret=1"})
	want := protocol.OpenTabResult{OK: true, TabID: 7, URL: "https://example.com/?secret=1", Title: "Opened"}
	if err != nil || !cmp.Equal(want, got) {
		t.Fatalf("got %+v, %v; expected %+v", got, err, want)
	}
	_, err = h.client.Do(t.Context(), protocol.Click{Target: protocol.Target{UID: "e1"}})
	if !errors.Is(err, &protocol.Error{Code: protocol.CodeTabNotFound}) {
		t.Errorf("the browser's error came as %v", err)
	}
	if _, err := client.Do[protocol.ClickResult](t.Context(), h.client, protocol.ListTabs{}); codeOf(err) != protocol.CodeInternal {
		t.Errorf("the wrong type of result gave %v", err)
	}
	browsers, err := h.client.Browsers(t.Context())
	if err != nil || len(browsers) != 1 || browsers[0].BrowserID != idA || !browsers[0].Connected || browsers[0].Dialect != "bridge" {
		t.Errorf("browsers: %+v, %v", browsers, err)
	}
	h.stop()
	if log := h.log.String(); log != "" {
		t.Errorf("all was well, and yet the log says:\n%s", log)
	}
	var kinds []string
	for _, e := range auditLines(t, h.srv.DataDir()) {
		kinds = append(kinds, strings.Join([]string{string(e.Kind), e.Action, e.Result, e.Address}, " "))
	}
	wantLines := []string{
		"paired   ", "event connected  ",
		"intent open_tab  https://example.com/", "outcome open_tab ok https://example.com/",
		"intent click  ", "outcome click tab_not_found ",
		"intent list_tabs  ", "outcome list_tabs ok ",
		"event disconnected  ",
	}
	// The lines of events come from a goroutine of their own: compare without order between the two.
	if diff := cmp.Diff(sorted(wantLines), sorted(kinds)); diff != "" {
		t.Errorf("audit trail: %s", diff)
	}
}

func TestEventsRideOnTheNextAnswerOfTheirAgent(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	requests := make(chan protocol.Request, 1)
	act := func(c *client.Client, a protocol.Action, result protocol.Result) client.Answer {
		t.Helper()
		done := make(chan client.Answer)
		go func() {
			answer, err := c.Act(context.Background(), protocol.ActRequest{Action: protocol.AnyAction{Action: a}})
			if err != nil {
				t.Error(err)
			}
			done <- answer
		}()
		request, ok := p.next().(protocol.Request)
		if !ok {
			t.Fatal("expected a request")
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		p.sendFrame(protocol.Response{ID: request.ID, Result: raw})
		requests <- request
		return <-done
	}
	other, err := client.New(h.srv.URL(), h.token, &client.Options{HTTP: h.http, Session: "two"})
	if err != nil {
		t.Fatal(err)
	}
	act(h.client, protocol.OpenTab{URL: "https://a.test/"}, protocol.OpenTabResult{OK: true, TabID: 7, URL: "https://a.test/"})
	first := <-requests
	p.sendFrame(protocol.EventFrame{Event: protocol.AnyEvent{Event: protocol.DownloadChanged{TabID: 7, Name: "x.pdf", State: "complete"}}})
	list, none := protocol.ListTabs{}, protocol.ListTabsResult{Tabs: []protocol.TabInfo{}}
	if got := act(other, list, none); len(got.Events) != 0 {
		t.Errorf("another agent got the events %v", got.Events)
	}
	if second := <-requests; second.AgentID == first.AgentID || !strings.HasPrefix(second.AgentID, first.AgentID) {
		t.Errorf("agents %q and %q: expected two of one token", first.AgentID, second.AgentID)
	}
	got := act(h.client, list, none)
	<-requests
	if len(got.Events) != 1 || protocol.Events.Tag(got.Events[0]) != "download" {
		t.Errorf("got the events %v, expected the download", got.Events)
	}
	if got := act(h.client, list, none); len(got.Events) != 0 {
		t.Errorf("the events came twice: %v", got.Events)
	}
	<-requests
}

func TestCallerWhoGoesAwayCancelsInTheBrowser(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := h.client.Do(ctx, protocol.OpenTab{URL: "https://slow.test/"})
		ended <- err
	}()
	request, ok := p.next().(protocol.Request)
	if !ok {
		t.Fatal("expected a request")
	}
	cancel()
	err := <-ended
	if codeOf(err) != protocol.CodeCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v", err)
	}
	if c, ok := p.next().(protocol.Cancel); !ok || c.ID != request.ID {
		t.Errorf("the browser got %#v, expected the cancel of %s", c, request.ID)
	}
}

func TestSeveralBrowsersMustBeNamed(t *testing.T) {
	h := start(t, Options{})
	_, err := h.client.Do(t.Context(), protocol.ListTabs{})
	if codeOf(err) != protocol.CodeNotConnected {
		t.Errorf("without a browser: %v", err)
	}
	a, _ := h.pair(idA)
	a.answer(opens)
	b, _ := h.pair(idB)
	b.answer(func(protocol.Request) (protocol.Result, *protocol.Error) {
		return nil, protocol.Errorf(protocol.CodeStopped, "this is B")
	})
	_, err = h.client.Do(t.Context(), protocol.ListTabs{})
	if codeOf(err) != protocol.CodeInvalidAction || !strings.Contains(err.Error(), idA) || !strings.Contains(err.Error(), idB) {
		t.Errorf("several and none chosen: %v", err)
	}
	if _, err := h.client.In(idA).Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Errorf("by id: %v", err)
	}
	if _, err := h.client.In("test B").Do(t.Context(), protocol.ListTabs{}); codeOf(err) != protocol.CodeStopped {
		t.Errorf("by name: %v", err)
	}
}

func TestRestartKeepsTokensDevicesAndRules(t *testing.T) {
	dir := t.TempDir()
	h := start(t, Options{DataDir: dir})
	old, device := h.pair(idA)
	go old.discard()
	if err := h.client.SetRules(t.Context(), protocol.Rules{Blocklist: []string{"Bank.test"}}); err != nil {
		t.Fatal(err)
	}
	token := h.token
	h.stop()
	if _, err := store.ReadServerInfo(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("server.json after an orderly stop: %v", err)
	}

	h = start(t, Options{DataDir: dir})
	if h.token != token {
		t.Error("the command line's credential changed")
	}
	p, ack := h.join(device, idA)
	p.answer(opens)
	if ack.DeviceToken != "" || ack.Policy == nil || !cmp.Equal(ack.Policy.Blocklist, []string{"bank.test"}) {
		t.Errorf("ack after the restart: token %v, policy %v", ack.DeviceToken != "", ack.Policy)
	}
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
	if _, err := h.client.Do(t.Context(), protocol.OpenTab{URL: "https://www.bank.test/"}); codeOf(err) != protocol.CodeDomainBlocked {
		t.Errorf("a blocked domain: %v", err)
	}
	info, err := store.ReadServerInfo(dir)
	if err != nil || info.Addr != h.srv.Addr() || info.PID != os.Getpid() {
		t.Errorf("server.json: %+v, %v", info, err)
	}
}

func TestRulesReachTheConnectedBrowser(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	want := []string{"a.test", "b.test"}
	if err := h.client.SetRules(t.Context(), protocol.Rules{Blocklist: []string{"www.b.test", "a.test"}}); err != nil {
		t.Fatal(err)
	}
	if f, ok := p.next().(protocol.Policy); !ok || !cmp.Equal(f.Policy.Blocklist, want) {
		t.Errorf("the browser got %#v", f)
	}
	if got, err := h.client.Rules(t.Context()); err != nil || !cmp.Equal(got.Blocklist, want) {
		t.Errorf("rules: %v, %v", got, err)
	}
	err := h.client.SetRules(t.Context(), protocol.Rules{Blocklist: []string{"ok.test", "not a host"}})
	if codeOf(err) != protocol.CodeInvalidAction || !strings.Contains(err.Error(), "not a host") {
		t.Errorf("a meaningless rule: %v", err)
	}
	if got, err := h.client.Rules(t.Context()); err != nil || !cmp.Equal(got.Blocklist, want) {
		t.Errorf("after a refused change: %v, %v", got, err)
	}
	agent := h.newClient(h.mint("ann", store.ScopeAgent))
	if _, err := agent.Rules(t.Context()); codeOf(err) != protocol.CodeUnauthorized {
		t.Errorf("an agent's token read the rules: %v", err)
	}
}

func TestSecondServerIsTurnedAway(t *testing.T) {
	h := start(t, Options{})
	_, err := New(&Options{Addr: "127.0.0.1:0", DataDir: h.srv.DataDir()})
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), h.srv.Addr()) {
		t.Errorf("same data directory: %v", err)
	}
	other := t.TempDir()
	_, err = New(&Options{Addr: h.srv.Addr(), DataDir: other})
	if err == nil || !strings.Contains(err.Error(), "another program has that port") {
		t.Errorf("same port: %v", err)
	}
	// The failed one let go of everything: its data directory can be had.
	start(t, Options{DataDir: other})
	if version, err := h.client.Health(t.Context()); err != nil || version != "dev" {
		t.Errorf("the first server suffered: %q, %v", version, err)
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.com:80", "localhost.evil.test:0"} {
		s, err := New(&Options{Addr: addr, DataDir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), "this machine only") {
			t.Errorf("%s: %v", addr, err)
		}
		if s != nil {
			s.Close()
		}
	}
	if _, err := New(&Options{Addr: "nonsense", DataDir: t.TempDir()}); err == nil {
		t.Error("nonsense was an address")
	}
	s, err := New(&Options{Addr: "localhost:0", DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := net.SplitHostPort(s.Addr())
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("localhost listens on %s", s.Addr())
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestDrainLetsCallsEndAndTellsBrowsersToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		p, _ := h.pair(idA)
		silent := h.open()
		ended := make(chan error, 1)
		go func() {
			_, err := h.client.Do(context.Background(), protocol.ListTabs{})
			ended <- err
		}()
		request, ok := p.next().(protocol.Request)
		if !ok {
			t.Fatal("expected a request")
		}
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			h.stop()
		}()
		if code, _ := silent.closed(); code != protocol.CloseGoingAway {
			t.Errorf("a half-open browser was closed with %d", code)
		}
		p.sendFrame(protocol.Response{ID: request.ID, Result: json.RawMessage(`{"tabs":[]}`)})
		if err := <-ended; err != nil {
			t.Errorf("the call under way ended with %v", err)
		}
		if code, _ := p.closed(); code != protocol.CloseGoingAway {
			t.Errorf("the browser was closed with %d", code)
		}
		<-stopped
	})
}

func TestDrainDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen, DrainTime: 3 * time.Second})
		p, _ := h.pair(idA)
		ended := make(chan error, 1)
		go func() {
			_, err := h.client.Do(context.Background(), protocol.OpenTab{URL: "https://slow.test/"})
			ended <- err
		}()
		if _, ok := p.next().(protocol.Request); !ok {
			t.Fatal("expected a request")
		}
		go p.discard()
		begun := time.Now()
		h.stop()
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("the drain took %v", took)
		}
		var typed *protocol.Error
		if err := <-ended; !errors.As(err, &typed) || typed.Code != protocol.CodeNotConnected || typed.Outcome != protocol.Unknown {
			t.Errorf("the call ended with %v", err)
		}
	})
}

// auditLines reads the whole audit trail.
func auditLines(t *testing.T, dir string) []store.AuditEntry {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "audit-*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no audit trail: %v", err)
	}
	var entries []store.AuditEntry
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			var e store.AuditEntry
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("audit line %q: %v", line, err)
			}
			entries = append(entries, e)
		}
	}
	return entries
}
