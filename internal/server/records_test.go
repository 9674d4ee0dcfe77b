package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestBatchStopsAtTheFirstError(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	act := func(a protocol.Action) protocol.ActRequest {
		return protocol.ActRequest{Action: protocol.AnyAction{Action: a}}
	}
	answers, err := h.client.Batch(t.Context(), act(protocol.ListTabs{}), act(protocol.OpenTab{URL: "https://a.test/"}),
		act(protocol.Click{Target: protocol.Target{UID: "e1"}}), act(protocol.OpenTab{URL: "https://never.test/"}))
	if codeOf(err) != protocol.CodeTabNotFound || len(answers) != 3 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	var opened protocol.OpenTabResult
	if err := json.Unmarshal(answers[1].Result, &opened); err != nil || opened.URL != "https://a.test/" {
		t.Errorf("the second answer is %s, %v", answers[1].Result, err)
	}
	for _, e := range auditLines(t, h.srv.DataDir()) {
		if strings.Contains(e.Address, "never.test") {
			t.Error("an action behind the error was begun")
		}
	}
	if _, err := h.client.Batch(t.Context()); codeOf(err) != protocol.CodeInvalidAction {
		t.Errorf("an empty batch gave %v", err)
	}
}

func TestEventsAreAStream(t *testing.T) {
	h := start(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	notices := make(chan protocol.Notice, 10)
	ended := make(chan error, 1)
	go func() {
		var last error
		for n, err := range h.client.Events(ctx) {
			if last = err; err == nil {
				notices <- n
			}
		}
		ended <- last
	}()
	// Somebody else's browser is nobody's business; ours is told of until the stream has begun.
	p, _ := h.pair(idA)
	p.sendFrame(protocol.EventFrame{Event: protocol.AnyEvent{Event: protocol.SessionStarted{TabID: 7, Domain: "a.test"}}})
	var kinds []string
	for len(kinds) == 0 || kinds[len(kinds)-1] != "disconnected" {
		n := <-notices
		if n.BrowserID != idA {
			t.Fatalf("a notice of browser %q", n.BrowserID)
		}
		raw, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		if why := complaint("/components/schemas/Notice", raw); why != "" {
			t.Errorf("%s is not as described: %s", raw, why)
		}
		kinds = append(kinds, string(n.Kind))
		if n.Kind == protocol.NoticeEvent {
			if e, ok := n.Event.Event.(protocol.SessionStarted); !ok || e.Domain != "a.test" {
				t.Errorf("the event is %+v", n.Event)
			}
			p.ws.CloseNow()
		}
	}
	if !slices.Contains(kinds, "event") {
		t.Errorf("the notices were %v", kinds)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the end of the caller's context ended the stream with %v", err)
	}
}

func TestTheTrailIsReadAndFollowed(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	text := "hunter2"
	if _, err := h.client.Do(t.Context(), protocol.Type{Target: protocol.Target{Selector: "#p"}, Text: &text, Submit: true}); err == nil {
		t.Fatal("expected the browser's error")
	}
	entries, err := h.client.Audit(t.Context(), 100)
	// The browser's own arrival is told of when it is told of: before, between or after the action's two lines.
	entries = slices.DeleteFunc(entries, func(e protocol.AuditEntry) bool { return e.Action != "type" })
	if err != nil || len(entries) != 2 || entries[0].Kind != protocol.AuditIntent || entries[1].Result != "tab_not_found" {
		t.Fatalf("%+v, %v", entries, err)
	}
	if a := entries[0].Arguments; a["text"] != "(7 characters)" || a["submit"] != true || a["selector"] != "#p" {
		t.Errorf("the arguments are %v", a)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	followed := make(chan protocol.AuditEntry)
	go func() {
		defer close(followed)
		for e, err := range h.client.FollowAudit(ctx) {
			if err != nil {
				t.Error(err)
				return
			}
			select {
			case followed <- e:
			case <-ctx.Done():
			}
		}
	}()
	// The stream begins at some moment after it was asked for: an action's line comes once it has.
	for seen := false; !seen; {
		if _, err := h.client.Do(ctx, protocol.ListTabs{}); err != nil {
			t.Fatal(err)
		}
		select {
		case e := <-followed:
			seen = e.Action == "list_tabs"
			if !seen && e.Kind != protocol.AuditEvent {
				t.Errorf("the line is %+v", e)
			}
		default:
		}
	}
	cancel()
	for range followed {
	}
	if entries, err := h.client.Audit(t.Context(), 1); err != nil || len(entries) != 1 {
		t.Errorf("one line was asked for, and %+v came, %v", entries, err)
	}
	eve := h.newClient(h.mint("eve", store.ScopeAdmin))
	if entries, err := eve.Audit(t.Context(), 100); err != nil || len(entries) != 0 {
		t.Errorf("another user reads %+v, %v", entries, err)
	}
	if _, err := h.client.Audit(t.Context(), 0); codeOf(err) != protocol.CodeInvalidAction {
		t.Errorf("limit 0 gave %v", err)
	}
}

func TestTokensAreMadeListedAndRevoked(t *testing.T) {
	h := start(t, Options{})
	made, err := h.client.NewToken(t.Context(), "robot", "agent")
	if err != nil || !strings.HasPrefix(made.Token, "db_agent_") || made.Info.Name != "robot" {
		t.Fatalf("%+v, %v", made.Info, err)
	}
	robot := h.newClient(made.Token)
	if _, err := robot.Browsers(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := robot.NewToken(t.Context(), "more", "agent"); codeOf(err) != protocol.CodeUnauthorized {
		t.Errorf("an agent's token makes tokens: %v", err)
	}
	small := h.newClient(h.mint("ann", store.ScopeAdmin))
	if _, err := small.NewToken(t.Context(), "more", "agent"); codeOf(err) != protocol.CodeUnauthorized {
		t.Errorf("a token gives away a scope that it lacks: %v", err)
	}
	eve := h.newClient(h.mint("eve", store.ScopeAdmin))
	if _, err := eve.RevokeToken(t.Context(), made.Info.ID); codeOf(err) != protocol.CodeInvalidAction {
		t.Errorf("another user revokes: %v", err)
	}
	tokens, err := h.client.Tokens(t.Context())
	if err != nil || !slices.ContainsFunc(tokens, func(i protocol.TokenInfo) bool { return i.ID == made.Info.ID && i.RevokedAt == 0 }) {
		t.Errorf("%+v, %v", tokens, err)
	}
	raw, err := json.Marshal(tokens)
	if err != nil || strings.Contains(string(raw), made.Token) || strings.Contains(string(raw), "hash") {
		t.Errorf("the list gives secrets away: %s, %v", raw, err)
	}
	gone, err := h.client.RevokeToken(t.Context(), made.Info.ID)
	if err != nil || gone.RevokedAt == 0 {
		t.Errorf("%+v, %v", gone, err)
	}
	if _, err := robot.Browsers(t.Context()); codeOf(err) != protocol.CodeUnauthorized {
		t.Errorf("a revoked token gave %v", err)
	}
}

func TestRevocationEndsWhatIsConnected(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	made, err := h.client.NewToken(t.Context(), "robot", "agent")
	if err != nil {
		t.Fatal(err)
	}
	robot := h.newClient(made.Token)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.srv.URL()+"/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+made.Token)
	response, err := h.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	stream := bufio.NewReader(response.Body)
	if line, err := stream.ReadString('\n'); err != nil || !strings.HasPrefix(line, ":") {
		t.Fatalf("the stream begins with %q, %v", line, err)
	}
	acting := make(chan error, 1)
	go func() {
		_, err := robot.Do(t.Context(), protocol.ListTabs{})
		acting <- err
	}()
	for {
		if _, ok := p.next().(protocol.Request); ok {
			break
		}
	}
	if _, err := h.client.RevokeToken(t.Context(), made.Info.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, stream); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	if err := <-acting; err == nil {
		t.Error("the action under way went on")
	}
	// And the browser itself, by its device token.
	tokens, err := h.client.Tokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(tokens, func(i protocol.TokenInfo) bool { return i.BrowserID == idA })
	if i < 0 {
		t.Fatalf("the browser's token is not listed: %+v", tokens)
	}
	if _, err := h.client.RevokeToken(t.Context(), tokens[i].ID); err != nil {
		t.Fatal(err)
	}
	if code, _ := p.closed(); code != protocol.CloseUnauthorized {
		t.Errorf("the browser's connection ended with %d", code)
	}
}

func TestAnAgentNamesItsBrowserOnce(t *testing.T) {
	h := start(t, Options{})
	for _, id := range []string{idA, idB} {
		p, _ := h.pair(id)
		p.answer(func(r protocol.Request) (protocol.Result, *protocol.Error) {
			return protocol.ListTabsResult{Tabs: []protocol.TabInfo{{TabID: 1, Title: id, Owner: "user"}}}, nil
		})
	}
	mine, err := client.New(h.srv.URL(), h.token, &client.Options{HTTP: h.http, Session: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mine.Do(t.Context(), protocol.ListTabs{}); err == nil || !strings.Contains(err.Error(), "Test a") || !strings.Contains(err.Error(), "Test b") {
		t.Errorf("with two browsers and none named: %v", err)
	}
	if _, err := mine.In("Test b").Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Fatal(err)
	}
	tabs, err := client.Do[protocol.ListTabsResult](t.Context(), mine, protocol.ListTabs{})
	if err != nil || tabs.Tabs[0].Title != idB {
		t.Errorf("the next call went to %+v, %v", tabs.Tabs, err)
	}
	var typed *protocol.Error
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); !errors.As(err, &typed) {
		t.Error("one agent's choice is another's too")
	}
}
