package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// foreign is somebody else's server of the rpc dialect: a bare WebSocket, with nothing of ours behind it.
type foreign struct {
	t       *testing.T
	addr    string
	browser *chromium.Browser
	site    *site

	conns chan *websocket.Conn
	conn  *websocket.Conn
	last  int64
	pings chan time.Time
	auths chan string
	// answers by id, of the current connection
	mu      sync.Mutex
	waiting map[int64]chan rpcAnswer
}

type rpcAnswer struct {
	ID     int64           `json:"id"`
	Type   string          `json:"type"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    *protocol.Error `json:"data"`
	} `json:"error"`
}

// openForeign starts the server and a browser whose extension speaks rpc to it, up to its auth.
func openForeign(t *testing.T) *foreign {
	t.Helper()
	f := &foreign{
		t: t, site: openSite(), conns: make(chan *websocket.Conn, 4), pings: make(chan time.Time, 100),
		auths: make(chan string, 10), waiting: map[int64]chan rpcAnswer{},
	}
	t.Cleanup(f.site.close)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.addr = listener.Addr().String()
	server := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(f.accept)}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	config, err := json.Marshal(map[string]string{"address": f.addr, "pairingToken": "a-foreign-token", "dialect": "rpc"})
	if err != nil {
		t.Fatal(err)
	}
	f.browser, err = chromium.Launch(within(t), chromium.Options{
		Headless: true, Extension: extension.Files(), ExtensionConfig: config, RecordDir: t.TempDir(),
		ExtraArgs: []string{"--host-resolver-rules=MAP *.test " + f.site.addr, "--window-size=900,700"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.browser.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	f.next()
	return f
}

func (f *foreign) accept(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/ws/browser" {
		http.NotFound(w, r)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: []string{"*"}})
	if err != nil {
		return
	}
	conn.SetReadLimit(protocol.AnswerBytes)
	f.conns <- conn
	<-r.Context().Done()
}

// next waits for the extension's next connection and its first frame.
func (f *foreign) next() {
	f.t.Helper()
	select {
	case f.conn = <-f.conns:
	case <-within(f.t).Done():
		f.t.Fatal("the extension did not connect")
	}
	_, raw, err := f.conn.Read(within(f.t))
	if err != nil {
		f.t.Fatal(err)
	}
	f.auths <- string(raw)
}

// welcome accepts the extension and serves the connection from then on.
func (f *foreign) welcome() {
	f.t.Helper()
	f.send(`{"type":"auth_ok","version":1}`)
	conn := f.conn
	go func() {
		for {
			_, raw, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			var a rpcAnswer
			if json.Unmarshal(raw, &a) != nil {
				continue
			}
			if a.Type == "ping" {
				f.pings <- time.Now()
				_ = conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"pong"}`))
				continue
			}
			f.mu.Lock()
			waits := f.waiting[a.ID]
			f.mu.Unlock()
			if waits != nil {
				waits <- a
			}
		}
	}()
}

func (f *foreign) send(frame string) {
	f.t.Helper()
	if err := f.conn.Write(within(f.t), websocket.MessageText, []byte(frame)); err != nil {
		f.t.Fatal(err)
	}
}

// ask sends one request and waits for its answer.
func (f *foreign) ask(method string, params any) rpcAnswer {
	f.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		f.t.Fatal(err)
	}
	f.last++
	frame, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": f.last, "method": method, "params": json.RawMessage(raw)})
	if err != nil {
		f.t.Fatal(err)
	}
	return f.answerTo(f.last, string(frame))
}

func (f *foreign) answerTo(id int64, frame string) rpcAnswer {
	f.t.Helper()
	waits := make(chan rpcAnswer, 1)
	f.mu.Lock()
	f.waiting[id] = waits
	f.mu.Unlock()
	f.send(frame)
	select {
	case a := <-waits:
		return a
	case <-within(f.t).Done():
		f.t.Fatalf("no answer to %s", frame)
		return rpcAnswer{}
	}
}

// call is a request that must succeed; its result is read as the protocol has it.
func call[R any](f *foreign, method string, params any) R {
	f.t.Helper()
	a := f.ask(method, params)
	var r R
	if a.Error != nil {
		f.t.Fatalf("%s: %d %s", method, a.Error.Code, a.Error.Message)
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		f.t.Fatalf("%s gives %s: %v", method, a.Result, err)
	}
	return r
}

// refuses is a request that must fail with a code.
func (f *foreign) refuses(code protocol.RPCCode, method string, params any) rpcAnswer {
	f.t.Helper()
	a := f.ask(method, params)
	if a.Error == nil || a.Error.Code != int(code) || a.Error.Message == "" {
		f.t.Errorf("%s %v: got %s %+v, expected the error %d", method, params, a.Result, a.Error, code)
	}
	return a
}

type m map[string]any

func TestRPCHandshakeWithAForeignServer(t *testing.T) {
	t.Parallel()
	f := openForeign(t)
	p := openPopup(t, f.browser)
	var auth struct{ Type, Token, Name, InstanceID string }
	if err := json.Unmarshal([]byte(<-f.auths), &auth); err != nil || auth.Type != "auth" || auth.Token != "a-foreign-token" || len(auth.InstanceID) != 36 || auth.Name == "" {
		t.Fatalf("the first frame is %+v (%v)", auth, err)
	}
	if got := p.status().Link; got != "connecting" {
		t.Errorf("before auth_ok the link is %s", got)
	}
	// What is no answer to auth is passed over, as anything without an id.
	f.send(`{"type":"motd","text":"hello"}`)
	f.welcome()
	p.awaitLink("ready")
	select {
	case <-f.pings:
	case <-within(t).Done():
		t.Error("no ping came")
	}
	// Cut off, it comes back, the same instance.
	_ = f.conn.CloseNow()
	f.next()
	var again struct{ InstanceID string }
	if err := json.Unmarshal([]byte(<-f.auths), &again); err != nil || again.InstanceID != auth.InstanceID {
		t.Errorf("it comes back as %+v (%v)", again, err)
	}
	f.send(`{"type":"auth_error","error":"the name is in use"}`)
	_ = f.conn.Close(4001, "")
	if reason := p.awaitLink("fatal").Reason; !strings.Contains(reason, "The name is in use") {
		t.Errorf("refused, it says %q", reason)
	}
	p.press("#reconnect")
	f.next()
	_ = f.conn.Close(4001, "unknown token")
	p.awaitLink("fatal")
	p.press("#reconnect")
	f.next()
	f.send(`{"type":"auth_ok","version":2}`)
	if reason := p.awaitLink("fatal").Reason; !strings.Contains(reason, "version 2") {
		t.Errorf("of another version it says %q", reason)
	}
}

func TestRPCEnvelopeWithAForeignServer(t *testing.T) {
	t.Parallel()
	f := openForeign(t)
	f.welcome()
	for _, passedOver := range []string{
		`not json`, `[]`, `{"jsonrpc":"2.0","method":"sessions.list"}`, `{"type":"hello"}`, `{"jsonrpc":"2.0","id":"7","method":"sessions.list"}`,
		`{"jsonrpc":"2.0","id":null,"method":"sessions.list"}`, `{"jsonrpc":"2.0","id":1.5,"method":"sessions.list"}`, `{"jsonrpc":"2.0","id":900,"result":{}}`,
		`[{"jsonrpc":"2.0","id":901,"method":"sessions.list"}]`,
	} {
		f.send(passedOver)
	}
	for frame, code := range map[string]protocol.RPCCode{
		`{"jsonrpc":"1.0","id":801,"method":"sessions.list"}`:                                                protocol.RPCInvalidRequest,
		`{"jsonrpc":"2.0","id":802}`:                                                                         protocol.RPCInvalidRequest,
		`{"jsonrpc":"2.0","id":803,"method":7}`:                                                              protocol.RPCInvalidRequest,
		`{"jsonrpc":"2.0","id":804,"method":"browser.close","params":{}}`:                                    protocol.RPCMethodNotFound,
		`{"jsonrpc":"2.0","id":805,"method":"constructor","params":{}}`:                                      protocol.RPCMethodNotFound,
		`{"jsonrpc":"2.0","id":806,"method":"tabs.list","params":[]}`:                                        protocol.RPCInvalidParams,
		`{"jsonrpc":"2.0","id":807,"method":"tabs.list","params":{"sessionId":7}}`:                           protocol.RPCInvalidParams,
		`{"jsonrpc":"2.0","id":808,"method":"tabs.list"}`:                                                    protocol.RPCSessionRequired,
		`{"jsonrpc":"2.0","id":809,"method":"pages.click","params":{"sessionId":"","ref":"e1"}}`:             protocol.RPCSessionRequired,
		`{"jsonrpc":"2.0","id":810,"method":"pages.click","params":{"sessionId":"x"}}`:                       protocol.RPCInvalidParams,
		`{"jsonrpc":"2.0","id":811,"method":"pages.click","params":{"sessionId":"x","ref":"e1"}}`:            protocol.RPCSessionNotFound,
		`{"jsonrpc":"2.0","id":812,"id":812,"method":"sessions.list","params":{}}`:                           protocol.RPCInvalidRequest,
		`{"jsonrpc":"2.0","id":813,"method":"sessions.create","params":{"color":"beige"}}`:                   protocol.RPCInvalidParams,
		`{"jsonrpc":"2.0","id":814,"method":"sessions.create","params":{"url":"javascript:alert(1)"}}`:       protocol.RPCInvalidParams,
		`{"jsonrpc":"2.0","id":815,"method":"sessions.create","params":{"url":"http://127.0.0.1:1/"}}`:       protocol.RPCOperationFailed,
		`{"jsonrpc":"2.0","id":816,"method":"pages.scroll","params":{"sessionId":"x","direction":"across"}}`: protocol.RPCInvalidParams,
	} {
		var id struct{ ID int64 }
		if err := json.Unmarshal([]byte(frame), &id); err != nil {
			t.Fatal(err)
		}
		if a := f.answerTo(id.ID, frame); a.Error == nil || a.Error.Code != int(code) {
			t.Errorf("%s: got %s %+v, expected %d", frame, a.Result, a.Error, code)
		}
	}
	// Unknown fields are nobody's business, and a request without params has none.
	if a := f.answerTo(820, `{"jsonrpc":"2.0","id":820,"method":"sessions.list","trace":"x"}`); a.Error != nil || string(a.Result) != `{"sessions":[]}` {
		t.Errorf("got %s %+v", a.Result, a.Error)
	}
}

func TestRPCMethodsWithAForeignServer(t *testing.T) {
	t.Parallel()
	f := openForeign(t)
	f.welcome()
	p := openPopup(t, f.browser)
	made := call[protocol.RPCSessionsCreateResult](f, "sessions.create", m{"url": "http://page.test/plain.html", "title": "Shop", "color": "green"})
	id, first := made.Session.SessionID, made.Session.ActiveTabID
	tabs, groups := p.strip()
	group := groups[made.Session.GroupID]
	if !made.Created || group.Title != "Shop" || group.Color != "green" || tabs[first].GroupID != group.ID || made.Session.GroupTitle != "Shop" || made.Session.WindowID != group.WindowID {
		t.Fatalf("got %+v, Chrome has %+v and %+v", made, group, tabs[first])
	}
	s := m{"sessionId": id}
	with := func(more m) m {
		out := m{"sessionId": id}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	snap := call[protocol.RPCPagesSnapshotResult](f, "pages.snapshot", with(m{"interactive": true}))
	if !snap.OK || snap.SessionID != id || snap.TabID != first || snap.Page.URL != "http://page.test/plain.html" || snap.Page.Title != "A plain page" ||
		snap.CoordinateSpace != "viewport-css-pixel" || snap.Origin != "http://page.test" || snap.Viewport == nil || snap.Viewport.Width == 0 {
		t.Errorf("the snapshot is %+v", snap)
	}
	ref := func(role, name string) string {
		t.Helper()
		for _, r := range call[protocol.RPCPagesSnapshotResult](f, "pages.snapshot", s).Refs {
			if r.Role == role && r.Name == name {
				return r.Ref
			}
		}
		t.Fatalf("there is no %s %q", role, name)
		return ""
	}
	box := ref("textbox", "Name")
	call[protocol.RPCPagesResult](f, "pages.fill", with(m{"ref": box, "text": "Ada"}))
	call[protocol.RPCPagesResult](f, "pages.type", with(m{"ref": box, "text": " L"}))
	if got := call[protocol.RPCPagesGetResult](f, "pages.get", with(m{"what": "value", "ref": box})); got.Value == nil || *got.Value != "Ada L" || got.What != "value" {
		t.Errorf("the value is %+v", got)
	}
	if got := call[protocol.RPCPagesGetResult](f, "pages.get", with(m{"what": "box", "ref": box})); got.Box == nil || got.Box.Width == 0 {
		t.Errorf("the box is %+v", got)
	}
	f.refuses(protocol.RPCInvalidParams, "pages.get", with(m{"what": "box"}))
	for script, want := range map[string]string{
		"document.title": `"A plain page"`, "(() => 1 + 1)()": "2", "const a = 20; a + 1": "21", "Promise.resolve({a: [null]})": `{"a":[null]}`,
		"return 5": "5", "undefined": "", "null": "null", "'x'.repeat(20000).length": "20000",
	} {
		if got := call[protocol.RPCPagesEvalResult](f, "pages.eval", with(m{"script": script})); string(got.Result) != want || got.Origin != "http://page.test" {
			t.Errorf("%s gives %s of %s, expected %s", script, got.Result, got.Origin, want)
		}
	}
	if got := call[protocol.RPCPagesEvalResult](f, "pages.eval", with(m{"script": "'x'.repeat(20000)"})); len(got.Result) != 20002 {
		t.Errorf("a large value has %d bytes, expected all of it", len(got.Result))
	}
	thrown := f.refuses(protocol.RPCPageOperationFailed, "pages.eval", with(m{"script": "throw new Error('kaputt')"}))
	if thrown.Error != nil && (!strings.Contains(thrown.Error.Message, "kaputt") || thrown.Error.Data == nil || thrown.Error.Data.Code != protocol.CodeInvalidAction) {
		t.Errorf("thrown is %+v", thrown.Error)
	}
	shot := call[protocol.RPCPagesScreenshotResult](f, "pages.screenshot", with(m{"format": "jpeg"}))
	if shot.Screenshot.Data == "" || shot.Screenshot.Format != "jpeg" || shot.Screenshot.MimeType != "image/jpeg" || shot.Viewport == nil || float64(shot.Screenshot.Width) != shot.Viewport.Width {
		t.Errorf("the picture is of %+v, %d bytes, in %+v", shot.Screenshot.Width, len(shot.Screenshot.Data), shot.Viewport)
	}
	if pdf := call[protocol.RPCPagesSavePDFResult](f, "pages.savePdf", s); pdf.Data == "" || pdf.MimeType != "application/pdf" {
		t.Errorf("the PDF is %d bytes of %s", len(pdf.Data), pdf.MimeType)
	}
	f.refuses(protocol.RPCInvalidParams, "pages.savePdf", with(m{"path": "/tmp/x.pdf"}))
	f.refuses(protocol.RPCInvalidParams, "pages.upload", with(m{"ref": box, "files": []string{"/etc/passwd"}}))
	f.refuses(protocol.RPCPageRefNotFound, "pages.click", with(m{"ref": "e99999"}))
	call[protocol.RPCNetworkResult](f, "network.start", s)
	call[protocol.RPCPagesEvalResult](f, "pages.eval", with(m{"script": "fetch('/other.html').then(r => r.text()).then(() => 1)"}))
	listed := call[protocol.RPCNetworkResult](f, "network.list", s)
	if len(listed.Requests) != 1 || !listed.Recording || !strings.HasSuffix(listed.Requests[0].URL, "/other.html") {
		t.Fatalf("recorded were %+v", listed)
	}
	if detail := call[protocol.RPCNetworkResult](f, "network.detail", with(m{"requestId": listed.Requests[0].RequestID})); len(detail.Requests) != 1 || !strings.Contains(detail.Requests[0].Body, "Another page") {
		t.Errorf("the detail is %+v", detail)
	}
	if stopped := call[protocol.RPCNetworkResult](f, "network.stop", s); stopped.Recording {
		t.Error("stopped, it still records")
	}
	clicked := call[protocol.RPCPagesResult](f, "pages.click", with(m{"ref": ref("link", "link to another")}))
	if clicked.Page.URL != "http://page.test/other.html" {
		t.Errorf("the click led to %+v", clicked.Page)
	}
	f.refuses(protocol.RPCPageRefNotFound, "pages.click", with(m{"ref": box}))
	waited := call[protocol.RPCPagesWaitResult](f, "pages.wait", with(m{"load": "load", "ms": 20}))
	if waited.WaitedMS < 20 || waited.Load != "load" {
		t.Errorf("it waited %+v", waited)
	}
	f.refuses(protocol.RPCInvalidParams, "pages.wait", s)
}

func TestRPCInputWithAForeignServer(t *testing.T) {
	t.Parallel()
	f := openForeign(t)
	f.welcome()
	url := f.site.html(t, "inputs", `<body style="margin:0"><select aria-label="Size"><option value="s">Small<option value="l">Large</select>
		<button onmouseenter="document.title = 'hovered'">Hover</button><input aria-label="Text"><div style="height:3000px"></div><button id="end">End</button>
		<script>addEventListener('keydown', e => { window.key = e.key }); addEventListener('wheel', e => { window.wheel = [e.deltaY, e.clientX, e.clientY] });
		for (const kind of ['mousedown', 'mouseup', 'mousemove']) addEventListener(kind, e => { (window.seen ??= []).push([kind, e.clientX, e.clientY, e.isTrusted]) });</script>`)
	made := call[protocol.RPCSessionsCreateResult](f, "sessions.create", m{"url": url})
	id := made.Session.SessionID
	refs := call[protocol.RPCPagesSnapshotResult](f, "pages.snapshot", m{"sessionId": id}).Refs
	ref := func(name string) string {
		for _, r := range refs {
			if r.Name == name {
				return r.Ref
			}
		}
		t.Fatalf("there is no %q in %v", name, refs)
		return ""
	}
	page := func(script string) string {
		t.Helper()
		return string(call[protocol.RPCPagesEvalResult](f, "pages.eval", m{"sessionId": id, "script": script}).Result)
	}
	is := func(script, want string) {
		t.Helper()
		if got := page(script); got != want {
			t.Errorf("%s is %s, expected %s", script, got, want)
		}
	}
	call[protocol.RPCPagesResult](f, "pages.select", m{"sessionId": id, "ref": ref("Size"), "value": "Large"})
	is("document.querySelector('select').value", `"l"`)
	if got := call[protocol.RPCPagesResult](f, "pages.hover", m{"sessionId": id, "ref": ref("Hover")}); got.Page.Title != "hovered" {
		t.Errorf("hovered, the page is %+v", got.Page)
	}
	call[protocol.RPCPagesResult](f, "pages.press", m{"sessionId": id, "key": "Escape"})
	is("window.key", `"Escape"`)
	call[protocol.RPCPagesResult](f, "pages.scroll", m{"sessionId": id, "direction": "down", "pixels": 300})
	is("scrollY", "300")
	call[protocol.RPCPagesResult](f, "pages.scrollIntoView", m{"sessionId": id, "ref": ref("End")})
	is("scrollY > 1000", "true")
	page("scrollTo(0, 0); window.seen = []; 1")
	call[protocol.RPCPagesResult](f, "pages.mouse", m{"sessionId": id, "action": "move", "x": 200, "y": 150})
	call[protocol.RPCPagesResult](f, "pages.mouse", m{"sessionId": id, "action": "down"})
	call[protocol.RPCPagesResult](f, "pages.mouse", m{"sessionId": id, "action": "up", "button": "left"})
	is("window.seen.filter(([k]) => k !== 'mousemove')", `[["mousedown",200,150,true],["mouseup",200,150,true]]`)
	call[protocol.RPCPagesResult](f, "pages.mouse", m{"sessionId": id, "action": "wheel", "deltaY": 120})
	is("new Promise(tell => { const look = () => window.wheel ? tell(window.wheel) : setTimeout(look, 20); look(); })", "[120,200,150]")
}

func TestRPCSessionsWithAForeignServer(t *testing.T) {
	t.Parallel()
	f := openForeign(t)
	f.welcome()
	p := openPopup(t, f.browser)
	one := call[protocol.RPCSessionsCreateResult](f, "sessions.create", m{"url": "http://page.test/plain.html", "title": "One"}).Session
	two := call[protocol.RPCSessionsCreateResult](f, "sessions.create", m{"title": "Two"}).Session
	opened := call[protocol.RPCTabsOpenResult](f, "tabs.open", m{"sessionId": one.SessionID, "url": "http://page.test/other.html"})
	if !opened.Opened || opened.Tab.GroupID != one.GroupID || !opened.Tab.Active {
		t.Errorf("opened %+v", opened)
	}
	// The current tab is the session's own, never the one that Chrome shows.
	p.chrome(`chrome.tabs.update(`+jsonOf(t, one.ActiveTabID)+`, {active: true}).then(() => 1)`, nil)
	if got := call[protocol.RPCPagesGetResult](f, "pages.get", m{"sessionId": one.SessionID, "what": "title"}); got.TabID != opened.Tab.TabID || *got.Value != "Another page" {
		t.Errorf("while Chrome shows another tab it reads %+v", got)
	}
	if got := call[protocol.RPCTabsActiveResult](f, "tabs.active", m{"sessionId": one.SessionID}); got.Tab.TabID != opened.Tab.TabID {
		t.Errorf("the active tab is %+v", got.Tab)
	}
	if got := call[protocol.RPCTabsActivateResult](f, "tabs.activate", m{"sessionId": one.SessionID, "tabId": one.ActiveTabID}); !got.Activated || got.Tab.TabID != one.ActiveTabID || !got.Tab.Active {
		t.Errorf("activated %+v", got)
	}
	if list := call[protocol.RPCTabsListResult](f, "tabs.list", m{"sessionId": one.SessionID}).Tabs; len(list) != 2 || !list[0].Active || list[1].Active {
		t.Errorf("the tabs are %+v", list)
	}
	f.refuses(protocol.RPCTabNotInSession, "tabs.activate", m{"sessionId": two.SessionID, "tabId": one.ActiveTabID})
	f.refuses(protocol.RPCTabNotFound, "tabs.activate", m{"sessionId": two.SessionID, "tabId": 999999999})
	attached := call[protocol.RPCTabsAttachResult](f, "tabs.attach", m{"sessionId": two.SessionID, "tabId": opened.Tab.TabID})
	if !attached.Attached || attached.ReleasedFrom != one.SessionID || attached.Tab.GroupID != two.GroupID {
		t.Errorf("attached %+v, expected it to be released from %s into group %d", attached, one.SessionID, two.GroupID)
	}
	mine := p.usersTab("http://page.test/plain.html?mine")
	users := call[protocol.RPCTabsUserListResult](f, "tabs.userList", m{}).Tabs
	found := call[protocol.RPCTabsSearchResult](f, "tabs.search", m{"query": "PLAIN", "limit": 1})
	if !hasTab(users, mine) || hasTab(users, one.ActiveTabID) || found.Total != 2 || len(found.Matches) != 1 || !found.Truncated || found.Query != "PLAIN" || found.Scanned < 3 {
		t.Errorf("the user's tabs are %+v, found %+v", users, found)
	}
	borrowed := call[protocol.RPCSessionsAttachCurrentResult](f, "sessions.attachCurrent", m{"title": "Three", "color": "red"})
	if !borrowed.Attached || borrowed.AttachedTabID != mine || borrowed.Session.Color != "red" {
		t.Errorf("attachCurrent gives %+v", borrowed)
	}
	if renamed := call[protocol.RPCSessionsRenameResult](f, "sessions.rename", m{"sessionId": borrowed.Session.SessionID, "title": "Drei"}); !renamed.Renamed || renamed.Session.GroupTitle != "Drei" {
		t.Errorf("renamed %+v", renamed)
	}
	if got := call[protocol.RPCSessionsListResult](f, "sessions.list", m{}).Sessions; len(got) != 3 {
		t.Errorf("the sessions are %+v", got)
	}
	if released := call[protocol.RPCSessionsReleaseResult](f, "sessions.release", m{"sessionId": borrowed.Session.SessionID}); !released.Released {
		t.Errorf("released %+v", released)
	}
	closed := call[protocol.RPCSessionsCloseResult](f, "sessions.close", m{"sessionId": two.SessionID})
	tabs, _ := p.strip()
	if !closed.Closed || len(closed.ClosedTabIDs) != 2 || tabs[mine].GroupID >= 0 || tabs[opened.Tab.TabID].ID != 0 {
		t.Errorf("closed %+v; Chrome's tabs are %+v", closed, tabs)
	}
	last := call[protocol.RPCTabsCloseResult](f, "tabs.close", m{"sessionId": one.SessionID, "tabId": one.ActiveTabID})
	if !last.Closed || last.ClosedTabID != one.ActiveTabID || !last.SessionClosed {
		t.Errorf("closed %+v", last)
	}
	f.refuses(protocol.RPCSessionNotFound, "tabs.list", m{"sessionId": one.SessionID})
	// Sessions outlive the link and the worker.
	again := call[protocol.RPCSessionsCreateResult](f, "sessions.create", m{"url": "http://page.test/plain.html"}).Session
	worker, err := f.browser.Worker(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.browser.CloseTarget(within(t), worker.ID); err != nil && !errors.Is(err, chromium.ErrClosed) {
		t.Fatal(err)
	}
	f.next()
	f.welcome()
	if got := call[protocol.RPCPagesGetResult](f, "pages.get", m{"sessionId": again.SessionID, "what": "title"}); got.Value == nil || *got.Value != "A plain page" {
		t.Errorf("after the worker's death it reads %+v", got)
	}
	p.press("#stop-all")
	f.refuses(protocol.RPCOperationFailed, "pages.snapshot", m{"sessionId": again.SessionID})
}

func hasTab(tabs []protocol.RPCTab, id int64) bool {
	for _, t := range tabs {
		if t.TabID == id {
			return true
		}
	}
	return false
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
