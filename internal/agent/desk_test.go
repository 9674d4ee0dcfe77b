package agent

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const browserID = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"

// office is a desk over a real hub and a real store.
type office struct {
	t     *testing.T
	hub   *hub.Hub
	store *store.Store
	desk  *Desk
	ann   Caller
	seen  []string // what Observe was told
	mu    sync.Mutex
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t, hub: hub.New(&hub.Options{ReconnectGrace: -1})}
	var err error
	if o.store, err = store.Open(t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	o.desk, err = New(t.Context(), o.hub, o.store, &Options{OwnPort: "47600", Observe: func(action, code string, _ time.Duration) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.seen = append(o.seen, action+" "+code)
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := o.store.Mint(t.Context(), store.NewToken{User: "ann", Scopes: []store.Scope{store.ScopeAgent}})
	if err != nil {
		t.Fatal(err)
	}
	o.ann = Caller{Identity: store.Identity{User: "ann", TokenID: token.ID, Scopes: token.Scopes}}
	t.Cleanup(func() {
		if err := errors.Join(o.hub.Drain(context.Background()), o.store.Close()); err != nil {
			t.Error(err)
		}
	})
	return o
}

// lines is the audit trail so far, without what changes from run to run.
func (o *office) lines() []store.AuditEntry {
	o.t.Helper()
	files, err := filepath.Glob(filepath.Join(o.store.Dir(), "audit-*.jsonl"))
	if err != nil || len(files) != 1 {
		o.t.Fatalf("audit files: %v, %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		o.t.Fatal(err)
	}
	var entries []store.AuditEntry
	for line := range strings.Lines(string(raw)) {
		var e store.AuditEntry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			o.t.Fatal(err)
		}
		e.Time, e.Millis = time.Time{}, 0
		entries = append(entries, e)
	}
	return entries
}

// wire is a connection in memory: the test is the browser.
type wire struct {
	out    chan []byte // from the hub
	in     chan []byte // to the hub
	closed chan struct{}
	once   sync.Once
}

func (w *wire) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-w.in:
		return frame, nil
	case <-w.closed:
		return nil, errors.New("closed")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wire) Write(ctx context.Context, frame []byte) error {
	select {
	case w.out <- append([]byte(nil), frame...):
		return nil
	case <-w.closed:
		return errors.New("closed")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *wire) Close(int, string) error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// connect attaches a browser of ann's that knows every action.
func (o *office) connect() *wire {
	o.t.Helper()
	w := &wire{out: make(chan []byte), in: make(chan []byte), closed: make(chan struct{})}
	caps := protocol.Features()
	for _, m := range protocol.Methods {
		caps = append(caps, string(m.Type))
	}
	link, err := o.hub.Attach("ann", hub.Peer{BrowserID: browserID, Name: "Test", Caps: caps}, w, dialect.Bridge{})
	if err != nil {
		o.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = link.Run(context.Background())
	}()
	o.t.Cleanup(func() {
		link.Close(protocol.CloseGoingAway, errors.New("the test is over"))
		<-done
	})
	return w
}

func (o *office) next(w *wire) protocol.Frame {
	o.t.Helper()
	f, err := protocol.DecodeFrame(<-w.out)
	if err != nil {
		o.t.Fatal(err)
	}
	return f
}

func (o *office) send(w *wire, f protocol.Frame) {
	o.t.Helper()
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		o.t.Fatal(err)
	}
	w.in <- raw
}

func TestIntentIsWrittenBeforeTheBrowserHearsOfIt(t *testing.T) {
	o := newOffice(t)
	w := o.connect()
	o.ann.Session = "s1"
	ended := make(chan error)
	go func() {
		answer, err := o.desk.Do(context.Background(), o.ann, Request{Action: protocol.Navigate{Page: protocol.Page{TabID: 7}, URL: "https://u:p@a.test/path?token=1#x"}})
		if answer.BrowserID != browserID {
			t.Errorf("the answer names the browser %q", answer.BrowserID)
		}
		ended <- err
	}()
	request, ok := o.next(w).(protocol.Request)
	if !ok || request.AgentID != o.ann.Identity.TokenID+"/s1" {
		t.Fatalf("the browser got %+v", request)
	}
	before := o.lines()
	if len(before) != 1 || before[0].Call == "" {
		t.Fatalf("when the browser had the request, the trail was %+v", before)
	}
	intent := store.AuditEntry{
		Kind: protocol.AuditIntent, Call: before[0].Call, User: "ann", TokenID: o.ann.Identity.TokenID, AgentID: request.AgentID,
		Action: "navigate", TabID: 7, Address: "https://a.test/path",
	}
	if diff := cmp.Diff(intent, before[0]); diff != "" {
		t.Error(diff)
	}
	o.send(w, protocol.Response{ID: request.ID, Error: protocol.Errorf(protocol.CodeNavigationFailed, "net::ERR_X").WithOutcome(protocol.Done)})
	if err := <-ended; !errors.Is(err, &protocol.Error{Code: protocol.CodeNavigationFailed}) {
		t.Errorf("the caller got %v", err)
	}
	outcome := intent
	outcome.Kind, outcome.BrowserID, outcome.Result, outcome.Outcome = protocol.AuditOutcome, browserID, "navigation_failed", "done"
	if diff := cmp.Diff([]store.AuditEntry{intent, outcome}, o.lines()); diff != "" {
		t.Error(diff)
	}
	if !cmp.Equal(o.seen, []string{"navigate navigation_failed"}) {
		t.Errorf("observed %v", o.seen)
	}
}

func TestNothingIsDoneWithoutATrace(t *testing.T) {
	o := newOffice(t)
	o.connect()
	if err := o.store.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := o.desk.Do(t.Context(), o.ann, Request{Action: protocol.ListTabs{}})
	var typed *protocol.Error
	if !errors.As(err, &typed) || typed.Code != protocol.CodeInternal || typed.Outcome != protocol.NotSent {
		t.Errorf("got %v", err)
	}
	if calls := o.hub.Stats().Calls; calls != 0 {
		t.Errorf("the hub was called %d times", calls)
	}
}

func TestTheDeskRefusesBeforeTheHub(t *testing.T) {
	o := newOffice(t)
	text, admin := "x", o.ann
	admin.Identity.Scopes = []store.Scope{store.ScopeAdmin, store.ScopeBrowser}
	root := admin
	if _, err := o.desk.SetRules(t.Context(), root, protocol.Rules{Blocklist: []string{"bank.test"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		caller Caller
		action protocol.Action
		want   protocol.ErrorCode
	}{
		{admin, protocol.ListTabs{}, protocol.CodeUnauthorized},
		{Caller{}, protocol.ListTabs{}, protocol.CodeUnauthorized},
		{o.ann, nil, protocol.CodeInvalidAction},
		{o.ann, protocol.OpenTab{URL: "https://www.bank.test/"}, protocol.CodeDomainBlocked},
		{o.ann, protocol.OpenTab{URL: "http://localhost:47600/pair"}, protocol.CodeDomainBlocked},
		{o.ann, protocol.Navigate{URL: "javascript:alert(1)"}, protocol.CodeInvalidAction},
		{o.ann, protocol.Type{Secret: "password"}, protocol.CodeInvalidAction},
		{o.ann, protocol.Fill{Secret: "password"}, protocol.CodeInvalidAction},
	} {
		_, err := o.desk.Do(t.Context(), c.caller, Request{Action: c.action})
		var typed *protocol.Error
		if !errors.As(err, &typed) || typed.Code != c.want || typed.Outcome != protocol.NotSent || typed.Retryable != protocol.RetryNo {
			t.Errorf("%T: %+v, expected %s", c.action, err, c.want)
		}
	}
	if calls := o.hub.Stats().Calls; calls != 0 {
		t.Errorf("the hub was called %d times", calls)
	}
	// With no browser at all the hub is asked, and what goes on has its line.
	_, err := o.desk.Do(t.Context(), o.ann, Request{Action: protocol.Type{Target: protocol.Target{UID: "e1"}, Text: &text}})
	if !errors.Is(err, &protocol.Error{Code: protocol.CodeNotConnected}) {
		t.Errorf("got %v", err)
	}
	lines := o.lines()
	last := lines[len(lines)-1]
	if last.Result != "not_connected" || last.Action != "type" {
		t.Errorf("the last line is %+v", last)
	}
	blocked := 0
	for _, l := range lines {
		if l.Result == "domain_blocked" && l.Kind == protocol.AuditOutcome {
			blocked++
		}
	}
	if blocked != 2 {
		t.Errorf("%d refusals are in the trail, expected 2", blocked)
	}
}

func TestStoredRulesAreInForceFromTheStart(t *testing.T) {
	o := newOffice(t)
	if err := o.store.SetRules(t.Context(), store.Rules{Blocklist: []string{"https://www.bank.test/x"}}); err != nil {
		t.Fatal(err)
	}
	desk, err := New(t.Context(), o.hub, o.store, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := desk.InForce(); !cmp.Equal(got.Blocklist, []string{"bank.test"}) {
		t.Errorf("in force: %v", got)
	}
	if err := o.store.SetRules(t.Context(), store.Rules{Blocklist: []string{"not a host"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), o.hub, o.store, nil); err == nil || !strings.Contains(err.Error(), "not a host") {
		t.Errorf("meaningless stored rules: %v", err)
	}
}

func TestEventsReachTheTrail(t *testing.T) {
	o := newOffice(t)
	stop := o.desk.KeepEvents()
	w := o.connect()
	events := []protocol.Event{
		protocol.SessionStarted{TabID: 7, Domain: "a.test"},
		protocol.SessionEnded{TabID: 7, Domain: "a.test", Reason: protocol.EndUserStopped},
		protocol.DialogOpened{TabID: 7, Kind: "alert", Message: "a page's words"},
		protocol.DomainBlocked{TabID: 7, Domain: "bank.test", Action: "navigation"},
		protocol.ObstacleMet{TabID: 7, Obstacle: protocol.Obstacle{Type: "captcha", Confidence: "low", Message: "a page's words"}},
		protocol.GlobalStop{Sessions: 1},
	}
	want := map[string]string{
		"session_started": "a.test", "session_ended": "user_stopped", "dialog_opened": "", "domain_blocked": "bank.test",
		"obstacle": "captcha", "global_stop": "",
	}
	for _, e := range events {
		o.send(w, protocol.EventFrame{Event: protocol.AnyEvent{Event: e}})
	}
	// The pong comes after the events were taken in, and stop returns after they were written.
	o.send(w, protocol.Ping{})
	if f := o.next(w); f != (protocol.Pong{}) {
		t.Fatalf("got %#v", f)
	}
	stop()
	got := map[string]string{}
	for _, l := range o.lines() {
		if l.Kind == protocol.AuditEvent && l.Action != "connected" {
			got[l.Action] = l.Detail
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, l := range o.lines() {
		if strings.Contains(l.Detail, "words") {
			t.Errorf("the trail quotes a page: %+v", l)
		}
	}
}

func TestSessionNames(t *testing.T) {
	for name, good := range map[string]bool{
		"": true, "a": true, "A.b_c:d-9": true, strings.Repeat("s", 64): true,
		strings.Repeat("s", 65): false, "a/b": false, "a b": false, "ä": false, "a\n": false,
	} {
		if err := CheckSession(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
	one, two := Caller{Identity: store.Identity{TokenID: "t"}}, Caller{Identity: store.Identity{TokenID: "t"}, Session: "x"}
	if one.AgentID() == two.AgentID() {
		t.Error("two sessions are one agent")
	}
}
