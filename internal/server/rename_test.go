package server

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestABrowserKeepsTheNameThatItWasGiven(t *testing.T) {
	dir := t.TempDir()
	h := start(t, Options{DataDir: dir})
	a, token := h.pair(idA)
	a.answer(opens)
	b, _ := h.pair(idB)
	b.answer(opens)
	// An agent chose the browser by the name that it loses: the choice stays.
	if _, err := h.client.In("test a").Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Fatal(err)
	}
	renamed, err := h.client.RenameBrowser(t.Context(), "test a", " Work / home ")
	if err != nil || renamed.Name != "Work / home" || renamed.BrowserID != idA || !renamed.Connected {
		t.Fatalf("%+v, %v", renamed, err)
	}
	for _, named := range []string{"", "work / HOME", idA} {
		if _, err := h.client.In(named).Do(t.Context(), protocol.ListTabs{}); err != nil {
			t.Errorf("a call to %q: %v", named, err)
		}
	}
	if _, err := h.client.In("Test a").Do(t.Context(), protocol.ListTabs{}); codeOf(err) != protocol.CodeNotConnected || !strings.Contains(err.Error(), "Work / home") {
		t.Errorf("by the name that it had: %v", err)
	}
	for _, c := range []struct {
		which, name string
		code        protocol.ErrorCode
		says        string
	}{
		{idB, "work / Home", protocol.CodeNameInUse, idA},
		{idA, "Test b", protocol.CodeNameInUse, idB},
		{idA, idB, protocol.CodeNameInUse, idB},
		{idA, "two\nlines", protocol.CodeInvalidAction, "line breaks"},
		{idA, strings.Repeat("x", 65), protocol.CodeInvalidAction, "64"},
		{"nobody", "x", protocol.CodeNotConnected, "Work / home"},
	} {
		if _, err := h.client.RenameBrowser(t.Context(), c.which, c.name); codeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q renamed to %q: %v", c.which, c.name, err)
		}
	}
	// Neither an agent nor another user renames it.
	for token, code := range map[string]protocol.ErrorCode{h.mint("ann", store.ScopeAgent): protocol.CodeUnauthorized, h.mint("eve", store.ScopeAdmin): protocol.CodeNotConnected} {
		if _, err := h.newClient(token).RenameBrowser(t.Context(), idA, "mine"); codeOf(err) != code {
			t.Errorf("expected %s, got %v", code, err)
		}
	}
	renames := 0
	for _, e := range auditLines(t, dir) {
		if e.Kind == protocol.AuditRenamed && e.BrowserID == idA && e.Detail == "Work / home" {
			renames++
		}
	}
	if renames != 1 {
		t.Errorf("%d lines of the trail tell of it", renames)
	}
	h.stop()

	next := start(t, Options{DataDir: dir})
	back, ack := next.join(token, idA)
	back.answer(opens)
	if ack.BrowserName != "Work / home" {
		t.Errorf("the browser is told that its name is %q", ack.BrowserName)
	}
	if _, err := next.client.In("work / home").Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	// Its own name comes back when the given one is taken away.
	if own, err := next.client.RenameBrowser(t.Context(), "work / home", ""); err != nil || own.Name != "Test a" {
		t.Errorf("%+v, %v", own, err)
	}
}
