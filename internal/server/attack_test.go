package server

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// request sends one HTTP request and returns the answer's status and body.
func (h *house) request(method, path, body string, change func(*http.Request)) (status int, answer string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.srv.URL()+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	if change != nil {
		change(r)
	}
	response, err := h.http.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

var everyRoute = []struct{ method, path string }{
	{"GET", "/ws/browser"},
	{"GET", "/healthz"},
	{"GET", "/metrics"},
	{"GET", "/pair"},
	{"POST", "/v1/act"},
	{"GET", "/v1/browsers"},
	{"GET", "/v1/files/x"},
	{"POST", "/v1/pair"},
	{"GET", "/v1/rules"},
	{"PUT", "/v1/rules"},
	{"GET", "/"},
	{"GET", "/nothing"},
}

func TestForeignHostIsRefusedOnEveryRoute(t *testing.T) {
	h := start(t, Options{Hosts: []string{"Box.lan:1"}})
	_, port, _ := strings.Cut(h.srv.Addr(), ":")
	for _, host := range []string{"evil.test:" + port, "127.0.0.1.evil.test:" + port, "localhost.:" + port, "127.0.0.1", "localhost", "127.0.0.2:" + port, "127.0.0.1:1", "localhost@evil.test"} {
		for _, route := range everyRoute {
			status, body := h.request(route.method, route.path, "", func(r *http.Request) { r.Host = host })
			// net/http refuses what is no host at all by itself, with 400.
			if status != http.StatusForbidden && (status != http.StatusBadRequest || !strings.Contains(host, "@")) {
				t.Errorf("Host %s on %s: %d %s", host, route.path, status, body)
			}
		}
	}
	for _, host := range []string{"localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port, "box.lan:1"} {
		if status, body := h.request("GET", "/healthz", "", func(r *http.Request) { r.Host = host }); status != http.StatusOK {
			t.Errorf("Host %s: %d %s", host, status, body)
		}
	}
}

func TestForeignOriginIsRefused(t *testing.T) {
	friend := "chrome-extension://ffffffffffffffffffffffffffffffff"
	h := start(t, Options{Origins: []string{friend}})
	for _, origin := range []string{"", "null", "https://evil.test", "chrome-extension://other", h.srv.URL(), ourOrigin + ".evil.test", ourOrigin + "/", "moz-extension://" + ExtensionID} {
		p, status, err := h.dial(origin)
		if err == nil || status != http.StatusForbidden {
			t.Errorf("Origin %q: let in (%v)", origin, err)
		}
		if p != nil {
			p.ws.CloseNow()
		}
	}
	if _, _, err := h.dial(friend); err != nil {
		t.Errorf("an origin that the operator allows: %v", err)
	}
	for _, route := range everyRoute {
		if !strings.HasPrefix(route.path, "/v1/") {
			continue
		}
		status, body := h.request(route.method, route.path, "", func(r *http.Request) { r.Header.Set("Origin", "https://evil.test") })
		if status != http.StatusForbidden {
			t.Errorf("a page's request to %s: %d %s", route.path, status, body)
		}
	}
}

func TestTokenAndScopeAreAskedForEverywhere(t *testing.T) {
	h := start(t, Options{})
	p, device := h.pair(idA)
	p.answer(opens)
	admin, agent := h.mint("ann", store.ScopeAdmin), h.mint("ann", store.ScopeAgent)
	const act = `{"action":{"type":"list_tabs"}}`
	for _, c := range []struct {
		name, header, method, path, body string
		want                             int
	}{
		{"no token", "", "POST", "/v1/act", act, 401},
		{"no scheme", h.token, "POST", "/v1/act", act, 401},
		{"basic", "Basic " + h.token, "POST", "/v1/act", act, 401},
		{"unknown", "Bearer db_agent_x", "POST", "/v1/act", act, 401},
		{"empty", "Bearer ", "POST", "/v1/act", act, 401},
		{"a browser's token", "Bearer " + device, "POST", "/v1/act", act, 403},
		{"an admin's token", "Bearer " + admin, "POST", "/v1/act", act, 403},
		{"a browser's token", "Bearer " + device, "GET", "/v1/browsers", "", 403},
		{"a browser's token", "Bearer " + device, "POST", "/v1/pair", "", 403},
		{"an agent's token", "Bearer " + agent, "POST", "/v1/pair", "", 403},
		{"an agent's token", "Bearer " + agent, "PUT", "/v1/rules", `{"blocklist":[]}`, 403},
		{"an agent's token", "Bearer " + agent, "GET", "/v1/rules", "", 403},
		{"no token", "", "GET", "/v1/browsers", "", 401},
		{"an agent's token", "bearer " + agent, "POST", "/v1/act", act, 200},
		{"an agent's token", "Bearer " + agent, "GET", "/v1/browsers", "", 200},
		{"an admin's token", "Bearer " + admin, "POST", "/v1/pair", "", 200},
	} {
		status, body := h.request(c.method, c.path, c.body, func(r *http.Request) {
			r.Header.Del("Authorization")
			if c.header != "" {
				r.Header.Set("Authorization", c.header)
			}
		})
		if status != c.want {
			t.Errorf("%s at %s %s: %d %s, expected %d", c.name, c.method, c.path, status, body, c.want)
		}
		if status >= 400 && !strings.Contains(body, `"code":"unauthorized"`) {
			t.Errorf("%s at %s: the body is %s", c.name, c.path, body)
		}
		if token := strings.TrimPrefix(c.header, "Bearer "); len(token) > 20 && strings.Contains(body, token) {
			t.Errorf("%s at %s: the token stands in the answer", c.name, c.path)
		}
	}
	if status, _ := h.request("GET", "/v1/browsers?token="+h.token, "", func(r *http.Request) { r.Header.Del("Authorization") }); status != 401 {
		t.Errorf("a token in the address: %d", status)
	}
	status, _ := h.request("POST", "/v1/act", act, func(r *http.Request) { r.Header.Add("Authorization", "Bearer "+device) })
	if status != 401 {
		t.Errorf("two tokens at once: %d", status)
	}
}

func TestAnotherUsersBrowserIsOutOfReach(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	bob := h.newClient(h.mint("bob", store.ScopeAgent))
	for _, c := range []string{"", idA, "Test a"} {
		if _, err := bob.In(c).Do(t.Context(), protocol.ListTabs{}); codeOf(err) != protocol.CodeNotConnected || strings.Contains(err.Error(), "connected: \"Test") {
			t.Errorf("bob in %q: %v", c, err)
		}
	}
	if infos, err := bob.Browsers(t.Context()); err != nil || len(infos) != 0 {
		t.Errorf("bob sees %v, %v", infos, err)
	}
	// Bob's browser takes the same id: it is another browser all the same, and throws nobody out.
	theirs, _ := h.join(h.mint("bob", store.ScopeBrowser), idA)
	theirs.answer(func(protocol.Request) (protocol.Result, *protocol.Error) {
		return nil, protocol.Errorf(protocol.CodeStopped, "this is bob's")
	})
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Errorf("ann after bob's browser came: %v", err)
	}
	if _, err := bob.Do(t.Context(), protocol.ListTabs{}); codeOf(err) != protocol.CodeStopped {
		t.Errorf("bob in his own: %v", err)
	}
}

func TestForgedAnswersReachNobody(t *testing.T) {
	h := start(t, Options{})
	a, _ := h.pair(idA)
	b, _ := h.pair(idB)
	type outcome struct {
		result protocol.Result
		err    error
	}
	ended := make(chan outcome)
	go func() {
		result, err := h.client.In(idA).Do(t.Context(), protocol.ListTabs{Query: "x"})
		ended <- outcome{result, err}
	}()
	request, ok := a.next().(protocol.Request)
	if !ok {
		t.Fatal("expected a request")
	}
	// B knows the id of A's request, and answers first; then comes one for no request at all.
	forged := protocol.Response{ID: request.ID, Result: []byte(`{"tabs":[{"tabId":1,"url":"https://forged.test/","title":"","owner":"user"}]}`)}
	b.sendFrame(forged)
	b.sendFrame(protocol.Ping{})
	if f := b.next(); f != (protocol.Pong{}) {
		t.Fatalf("B got %#v", f)
	}
	a.sendFrame(protocol.Response{ID: "11111111-1111-4111-8111-111111111111", Result: forged.Result})
	a.sendFrame(protocol.Response{ID: request.ID, Result: []byte(`{"tabs":[]}`)})
	got := <-ended
	if list, ok := got.result.(protocol.ListTabsResult); got.err != nil || !ok || len(list.Tabs) != 0 {
		t.Errorf("the caller got %+v", got)
	}
	if stats := h.srv.hub.Stats(); stats.UnknownAnswers != 2 {
		t.Errorf("%d unknown answers were counted, expected 2", stats.UnknownAnswers)
	}
}

func TestHugeFrameEndsTheConnectionAndItsCalls(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	ended := make(chan error)
	go func() {
		_, err := h.client.Do(t.Context(), protocol.ListTabs{})
		ended <- err
	}()
	if _, ok := p.next().(protocol.Request); !ok {
		t.Fatal("expected a request")
	}
	go func() {
		// Fails in the middle, when the server has had enough.
		_ = p.ws.Write(t.Context(), websocket.MessageText, make([]byte, protocol.FrameBytes+1))
	}()
	if code, _ := p.closed(); code != int(websocket.StatusMessageTooBig) && code != -1 {
		t.Errorf("closed with %d", code)
	}
	if err := <-ended; codeOf(err) != protocol.CodeNotConnected {
		t.Errorf("the call ended with %v", err)
	}
}

func TestLargeAnswerOfAPeerWithoutChunks(t *testing.T) {
	h := start(t, Options{})
	frame := hello(h.mint("ann", store.ScopeBrowser), idA)
	frame.Caps = []string{"screenshot"}
	p := h.open()
	p.sendFrame(frame)
	p.next()
	picture := strings.Repeat("A", protocol.FrameBytes+1)
	p.answer(func(protocol.Request) (protocol.Result, *protocol.Error) {
		return protocol.ScreenshotResult{Data: picture, MimeType: "image/png", Width: 1, Height: 1}, nil
	})
	result, err := h.client.Do(t.Context(), protocol.Screenshot{})
	if shot, ok := result.(protocol.ScreenshotResult); err != nil || !ok || shot.Data != picture {
		t.Errorf("a large answer in one frame: %v", err)
	}
}

func TestBodiesAreReadStrictly(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	const act = `{"action":{"type":"list_tabs"}}`
	for name, c := range map[string]struct {
		body, kind, session string
		want                int
	}{
		"good":            {act, "application/json; charset=utf-8", "s1.a_b:c-d", 200},
		"a form":          {act, "text/plain", "", 415},
		"no type":         {act, "", "", 415},
		"not JSON":        {"action", "application/json", "", 400},
		"empty object":    {"{}", "application/json", "", 400},
		"duplicate keys":  {`{"action":{"type":"list_tabs","type":"click"}}`, "application/json", "", 400},
		"case":            {`{"action":{"type":"list_tabs"},"ACTION":{"type":"list_tabs"}}`, "application/json", "", 400},
		"unknown action":  {`{"action":{"type":"format_disk"}}`, "application/json", "", 400},
		"two targets":     {`{"action":{"type":"click","uid":"e1","selector":"a"}}`, "application/json", "", 400},
		"no target":       {`{"action":{"type":"click"}}`, "application/json", "", 400},
		"long wait":       {`{"action":{"type":"list_tabs"},"timeoutMs":99999999}`, "application/json", "", 400},
		"an agent's name": {act, "application/json", "../admin", 400},
		"a long session":  {act, "application/json", strings.Repeat("s", 65), 400},
	} {
		status, body := h.request("POST", "/v1/act", c.body, func(r *http.Request) {
			r.Header.Set("Content-Type", c.kind)
			if c.session != "" {
				r.Header.Set(protocol.SessionHeader, c.session)
			}
		})
		if status != c.want || status != 200 && !strings.Contains(body, `"code":"invalid_action"`) {
			t.Errorf("%s: %d %s, expected %d", name, status, body, c.want)
		}
	}
	for _, body := range []string{`{}`, `{"blocklist":null}`, `{"blocklist":["a.test"],"allow":[]}`, `[]`, `{"blocklist":[]}{}`} {
		if status, answer := h.request("PUT", "/v1/rules", body, nil); status != 400 {
			t.Errorf("rules %s: %d %s", body, status, answer)
		}
	}
	// More than the limit, without sending it all: the server stops reading.
	status, body := h.request("POST", "/v1/act", " ", func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(io.LimitReader(spaces{}, maxBody+1<<20)), -1
	})
	if status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge body: %d %s", status, body)
	}
}

// spaces is white space without end.
type spaces struct{}

var blank = strings.Repeat(" ", 1<<16)

func (spaces) Read(p []byte) (int, error) { return copy(p, blank), nil }

func TestPairPageKeepsStrangersOut(t *testing.T) {
	h := start(t, Options{})
	r, err := http.NewRequestWithContext(t.Context(), "GET", h.srv.URL()+"/pair?x=<script>", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'sha256-", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if response.Header.Get("Cache-Control") != "no-store" || response.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("headers: %v", response.Header)
	}
	if !strings.Contains(string(page), pairJS) || !strings.Contains(string(page), pairCSS) {
		t.Error("the style or the script was changed on its way in: their hashes cannot match")
	}
}

func TestMetricsTellNoSecrets(t *testing.T) {
	h := start(t, Options{})
	p, device := h.pair(idA)
	p.answer(opens)
	if _, err := h.client.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Fatal(err)
	}
	h.request("GET", "/strange/"+device, "", nil)
	status, body := h.request("GET", "/metrics", "", func(r *http.Request) { r.Header.Del("Authorization") })
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	for _, want := range []string{
		`drawbridge_action_seconds_count{action="list_tabs",code="ok"} 1`, `drawbridge_hub_browsers 1`, `drawbridge_handshakes_total{outcome="ok"} 1`,
		`drawbridge_http_requests_total{route="POST /v1/act",status="200"} 1`, `drawbridge_http_requests_total{route="none",status="404"} 1`, `drawbridge_build_info{version="dev"} 1`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
	for _, secret := range []string{device, h.token, idA, "ann"} {
		if strings.Contains(body, secret) {
			t.Errorf("the metrics tell %q", secret[:3])
		}
	}
}
