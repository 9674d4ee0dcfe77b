package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// agent is one agent in a rig's browser, with tabs of its own.
type agent struct {
	t      *testing.T
	rig    *rig
	client *client.Client
	// called is the name of its session, which keeps its tabs apart.
	called string

	mu     sync.Mutex
	events []protocol.Event // all that its answers have carried
}

// agents counts them, for names of their own.
var agents atomic.Int64

// newAgent is an agent of the test's own; its tabs are closed at the end of the test.
func (r *rig) newAgent(t *testing.T) *agent {
	t.Helper()
	session := fmt.Sprintf("agent-%d", agents.Add(1))
	c, err := clientOf(r.server.addr, r.server.dataDir, session)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, rig: r, client: c, called: session}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		tabs, err := client.Do[protocol.ListTabsResult](ctx, c, protocol.ListTabs{})
		if err != nil {
			return // stopped, or the browser is gone: then its tabs are no trouble
		}
		for _, tab := range tabs.Tabs {
			_, _ = c.Do(ctx, protocol.CloseTab{TabID: tab.TabID})
		}
	})
	return a
}

// try has an action done, and keeps the events that come with the answer.
func (a *agent) try(ctx context.Context, action protocol.Action) (protocol.Result, error) {
	answer, err := a.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: action}})
	a.mu.Lock()
	a.events = append(a.events, answer.Events...)
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return protocol.DecodeResult(protocol.TypeOf(action), answer.Result)
}

// do has an action done that must succeed.
func do[R protocol.Result](a *agent, action protocol.Action) R {
	a.t.Helper()
	result, err := a.try(within(a.t), action)
	if err != nil {
		a.t.Fatalf("%s: %v", protocol.TypeOf(action), err)
	}
	typed, ok := result.(R)
	if !ok {
		a.t.Fatalf("%s gave a %T", protocol.TypeOf(action), result)
	}
	return typed
}

// fails has an action done that must fail with a code.
func (a *agent) fails(code protocol.ErrorCode, action protocol.Action) *protocol.Error {
	a.t.Helper()
	_, err := a.try(within(a.t), action)
	return a.failed(code, action, err)
}

func (a *agent) failed(code protocol.ErrorCode, action protocol.Action, err error) *protocol.Error {
	a.t.Helper()
	var refusal *protocol.Error
	if !errors.As(err, &refusal) || refusal.Code != code {
		a.t.Fatalf("%s: expected the error %s, got %v", protocol.TypeOf(action), code, err)
	}
	if refusal.Outcome == "" || refusal.Retryable == "" {
		a.t.Errorf("%s: the error %v does not say outcome and retryable", protocol.TypeOf(action), refusal)
	}
	return refusal
}

// start has an action done beside the test and returns where its end is told.
func (a *agent) start(action protocol.Action) <-chan error {
	done := make(chan error, 1)
	ctx := within(a.t)
	go func() {
		_, err := a.try(ctx, action)
		done <- err
	}()
	return done
}

// open opens a page in a new tab.
func (a *agent) open(url string) protocol.Page {
	a.t.Helper()
	return protocol.Page{TabID: do[protocol.OpenTabResult](a, protocol.OpenTab{URL: url}).TabID}
}

// value evaluates in the page and returns the value's JSON.
func (a *agent) value(page protocol.Page, body string) string {
	a.t.Helper()
	return string(do[protocol.EvaluateResult](a, protocol.Evaluate{Page: page, Expression: "return " + body}).Value)
}

// extract reads the page.
func (a *agent) extract(page protocol.Page) protocol.ExtractResult {
	a.t.Helper()
	return do[protocol.ExtractResult](a, protocol.Extract{Page: page})
}

// target finds an element by role and name in what the page tells.
func (a *agent) target(page protocol.Page, role, name string) protocol.Target {
	a.t.Helper()
	elements := a.extract(page).Elements
	i := slices.IndexFunc(elements, func(e protocol.Element) bool { return e.Role == role && e.Name == name })
	if i < 0 {
		a.t.Fatalf("the page tells of no %s %q, but of %+v", role, name, elements)
	}
	return protocol.Target{UID: elements[i].UID}
}

// clickOn clicks an element that the page tells of.
func (a *agent) clickOn(page protocol.Page, role, name string) protocol.ClickResult {
	a.t.Helper()
	return do[protocol.ClickResult](a, protocol.Click{Page: page, Target: a.target(page, role, name)})
}

// told waits for an event of type E that fits, among those that the agent's answers carry.
func told[E protocol.Event](a *agent, what string, fits func(E) bool) E {
	a.t.Helper()
	var found E
	look := func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, e := range a.events {
			if typed, ok := e.(E); ok && fits(typed) {
				found = typed
				return true
			}
		}
		return false
	}
	err := eventually(within(a.t), what, func() (bool, error) {
		if look() {
			return true, nil
		}
		// Events ride on answers: ask for something that leaves everything as it is.
		_, _ = a.try(within(a.t), protocol.ListTabs{})
		return look(), nil
	})
	if err != nil {
		a.t.Fatalf("%v; the events were %s", err, a.heard())
	}
	return found
}

// ended waits until the session on a tab has ended, and says why.
func (a *agent) ended(page protocol.Page) protocol.EndReason {
	a.t.Helper()
	return told(a, fmt.Sprintf("the end of the session on tab %d", page.TabID), func(e protocol.SessionEnded) bool { return e.TabID == page.TabID }).Reason
}

func (a *agent) heard() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, e := range a.events {
		all = append(all, fmt.Sprintf("%T%+v", e, e))
	}
	return strings.Join(all, ", ")
}

// recorded waits for an event in the server's audit trail, where every event is, also those that no agent is told.
func (r *rig) recorded(t *testing.T, event string, fits func(store.AuditEntry) bool) store.AuditEntry {
	t.Helper()
	var found store.AuditEntry
	err := eventually(within(t), event+" in the audit trail", func() (bool, error) {
		trails, err := filepath.Glob(filepath.Join(r.server.dataDir, "audit-*.jsonl"))
		if err != nil {
			return false, err
		}
		for _, trail := range trails {
			raw, err := os.ReadFile(trail)
			if err != nil {
				return false, err
			}
			for line := range bytes.Lines(raw) {
				var entry store.AuditEntry
				// The last line may be half written.
				if json.Unmarshal(line, &entry) == nil && entry.Kind == protocol.AuditEvent && entry.Action == event && fits(entry) {
					found = entry
					return true, nil
				}
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
