package e2e

import (
	"context"
	"encoding/base64"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// rpcRig is a rig whose extension speaks the rpc dialect to our server, with a token that it got by pairing over the bridge.
func rpcRig(t *testing.T) *rig {
	t.Helper()
	dataDir := filepath.Join(t.TempDir(), "data")
	up, err := serve("127.0.0.1:0", dataDir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := up.stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", up.log)
		}
	})
	token := pairBare(t, up, uuid.NewString())
	r := newRig(t, rigOptions{addr: up.addr, dataDir: dataDir, token: token, dialect: "rpc"})
	r.server = up
	return r
}

// TestDialects holds an agent's request to one meaning, whichever dialect the browser speaks: every action there is, judged by
// what the page saw. What rpc has no words for is unsupported.
func TestDialects(t *testing.T) {
	t.Parallel()
	for dialect, open := range map[string]func(*testing.T) *rig{
		"bridge": func(t *testing.T) *rig { return newRig(t, rigOptions{}) },
		"rpc":    rpcRig,
	} {
		t.Run(dialect, func(t *testing.T) {
			s := newDialectSuite(t, open(t), dialect)
			for _, part := range []struct {
				name string
				run  func(*dialectSuite)
			}{
				{"reading", (*dialectSuite).reads},
				{"acting", (*dialectSuite).acts},
				{"moving", (*dialectSuite).moves},
				{"tabs", (*dialectSuite).tabs},
				{"sessions", (*dialectSuite).sessions},
				{"lacking", (*dialectSuite).lacks},
				{"failing", (*dialectSuite).fails},
				{"everything", (*dialectSuite).complete},
			} {
				t.Run(part.name, func(t *testing.T) {
					s.t, s.agent.t = t, t
					part.run(s)
				})
			}
		})
	}
}

// dialectSuite is one agent with one tab, and a look at its page that goes past the extension.
type dialectSuite struct {
	t       *testing.T
	dialect string
	agent   *agent
	address string
	page    protocol.Page
	seen    *chromium.Session
	asked   map[protocol.ActionType]bool
}

const dialectPage = `<h1>Lamps</h1><p>Seven lamps.</p>
<button id=go>Go</button> <a id=next href="/plain.html">Next</a>
<input id=text aria-label=Text> <input id=word type=password aria-label=Word>
<select id=colour aria-label=Colour><option value=r>Red<option value=b>Blue</select>
<div style="height:4000px"></div><button id=far>Far</button>
<ul><li><a href="#1">A lamp for the desk</a><li><a href="#2">A lamp for the wall</a><li><a href="#3">A lamp for the garden</a></ul>
<script>
const seen = [];
for (const type of ['click', 'mouseover', 'keydown', 'input', 'change', 'wheel', 'mousedown', 'contextmenu'])
  document.addEventListener(type, (e) => seen.push(type + ':' + (e.target.id || '') + ':' + e.isTrusted), {capture: true, passive: true});
</script>`

func newDialectSuite(t *testing.T, r *rig, dialect string) *dialectSuite {
	t.Helper()
	s := &dialectSuite{t: t, dialect: dialect, agent: r.newAgent(t), asked: map[protocol.ActionType]bool{}}
	s.address = r.site.html(t, "lamps.html", dialectPage)
	opened := does[protocol.OpenTabResult](s, protocol.OpenTab{URL: s.address})
	if opened.URL != s.address || opened.Title != "lamps.html" || opened.TabID == 0 {
		t.Fatalf("open_tab gave %+v", opened)
	}
	s.page = protocol.Page{TabID: opened.TabID}
	s.seen = r.page(t, s.address)
	return s
}

// does has an action done that either dialect can say.
func does[R protocol.Result](s *dialectSuite, a protocol.Action) R {
	s.t.Helper()
	s.asked[protocol.TypeOf(a)] = true
	return do[R](s.agent, a)
}

// saw says whether the page saw an event since the last time it was asked.
func (s *dialectSuite) saw(event string) bool {
	s.t.Helper()
	var events []string
	if err := s.seen.Evaluate(within(s.t), "seen.splice(0)", &events); err != nil {
		s.t.Fatal(err)
	}
	return slices.Contains(events, event)
}

func (s *dialectSuite) uid(role, name string) string {
	s.t.Helper()
	found := does[protocol.FindResult](s, protocol.Find{Page: s.page, Role: role, Name: name})
	if len(found.Elements) != 1 || found.Total != 1 {
		s.t.Fatalf("find %s %s gave %+v", role, name, found)
	}
	return found.Elements[0].UID
}

func (s *dialectSuite) expect(ok bool, what string, got any) {
	s.t.Helper()
	if !ok {
		s.t.Errorf("%s: got %+v", what, got)
	}
}

func (s *dialectSuite) reads() {
	snap := does[protocol.SnapshotResult](s, protocol.Snapshot{Page: s.page, Interactive: true})
	ref := snap.Refs[s.uid("button", "Go")]
	s.expect(strings.Contains(snap.Snapshot, "[ref="+ref.Ref+"]") && ref.Name == "Go" && snap.URL == s.address && snap.Elements == 9, "snapshot", snap)
	cut := does[protocol.SnapshotResult](s, protocol.Snapshot{Page: s.page, Interactive: true, MaxBytes: 256})
	s.expect(len(cut.Snapshot) <= 256 && cut.Next != "" && len(cut.Refs) < len(snap.Refs), "a part of a snapshot", cut)
	rest := does[protocol.SnapshotResult](s, protocol.Snapshot{Page: s.page, Interactive: true, From: cut.Next})
	s.expect(cut.Snapshot+"\n"+rest.Snapshot == snap.Snapshot, "the rest of it", rest)

	read := does[protocol.ExtractResult](s, protocol.Extract{Page: s.page, Parts: []string{"text", "elements"}})
	s.expect(strings.Contains(read.Text, "Seven lamps.") && len(read.Elements) == 9 && read.URL == s.address && read.Title == "lamps.html", "extract", read)

	for what, want := range map[string]string{"title": "lamps.html", "url": s.address} {
		got := does[protocol.GetResult](s, protocol.Get{Page: s.page, What: what})
		s.expect(got.Value != nil && *got.Value == want, "get "+what, got)
	}
	text := does[protocol.GetResult](s, protocol.Get{Page: s.page, MaybeTarget: protocol.MaybeTarget{UID: s.uid("button", "Go")}, What: "text"})
	s.expect(text.Value != nil && *text.Value == "Go", "get text", text)
	box := does[protocol.GetResult](s, protocol.Get{Page: s.page, MaybeTarget: protocol.MaybeTarget{Selector: "#go"}, What: "box"})
	s.expect(box.Box != nil && box.Box.Width > 0, "get box", box)

	for expression, want := range map[string]protocol.EvaluateResult{
		"return 6 * 7":             {Type: "number", Value: []byte("42")},
		"return {a: [1, 'x']}":     {Type: "object", Value: []byte(`{"a":[1,"x"]}`)},
		"document.title":           {Type: "undefined"},
		"return Promise.resolve()": {Type: "undefined"},
		"return null":              {Type: "object", Value: []byte("null")},
	} {
		got := does[protocol.EvaluateResult](s, protocol.Evaluate{Page: s.page, Expression: expression})
		s.expect(got.Type == want.Type && string(got.Value) == string(want.Value), expression, got)
	}
	long := does[protocol.EvaluateResult](s, protocol.Evaluate{Page: s.page, Expression: "return 'é'.repeat(9000)"})
	s.expect(long.Truncated && strings.HasPrefix(long.Preview, `"éé`) && strings.HasSuffix(long.Preview, " chars]") && long.Value == nil, "a long value", len(long.Preview))
	threw := s.agent.fails(protocol.CodeInvalidAction, protocol.Evaluate{Page: s.page, Expression: "throw new Error('out of lamps')"})
	s.expect(strings.Contains(threw.Message, "out of lamps"), "a thrown error", threw)

	picture := does[protocol.ScreenshotResult](s, protocol.Screenshot{Page: s.page, Format: "png"})
	raw, err := base64.StdEncoding.DecodeString(picture.Data)
	s.expect(err == nil && strings.HasPrefix(string(raw), "\x89PNG") && picture.Width > 0 && picture.MimeType == "image/png", "screenshot", picture.MimeType)
	printed := does[protocol.PDFResult](s, protocol.PDF{Page: s.page})
	raw, err = base64.StdEncoding.DecodeString(printed.Data)
	s.expect(err == nil && strings.HasPrefix(string(raw), "%PDF") && printed.MimeType == "application/pdf", "pdf", printed.MimeType)

	does[protocol.NetworkResult](s, protocol.Network{Page: s.page, Op: "start"})
	does[protocol.EvaluateResult](s, protocol.Evaluate{Page: s.page, Expression: "return fetch('/plain.html').then(r => r.text())"})
	list := does[protocol.NetworkResult](s, protocol.Network{Page: s.page, Op: "list"})
	i := slices.IndexFunc(list.Entries, func(e protocol.NetworkEntry) bool { return strings.HasSuffix(e.URL, "/plain.html") })
	if i < 0 {
		s.t.Fatalf("network list gave %+v", list)
	}
	detail := does[protocol.NetworkResult](s, protocol.Network{Page: s.page, Op: "detail", RequestID: list.Entries[i].RequestID})
	s.expect(len(detail.Entries) == 1 && strings.Contains(detail.Entries[0].Body, "A plain page"), "network detail", detail)
	does[protocol.NetworkResult](s, protocol.Network{Page: s.page, Op: "stop"})
}

func (s *dialectSuite) acts() {
	text, secret := "lamp", "hunter2"
	does[protocol.HoverResult](s, protocol.Hover{Page: s.page, Target: protocol.Target{UID: s.uid("button", "Go")}})
	s.expect(s.saw("mouseover:go:true"), "hover", nil)
	does[protocol.ClickResult](s, protocol.Click{Page: s.page, Target: protocol.Target{UID: s.uid("button", "Go")}})
	s.expect(s.saw("click:go:true"), "click", nil)
	does[protocol.ClickResult](s, protocol.Click{Page: s.page, Target: protocol.Target{Selector: "#go"}})
	s.expect(s.saw("click:go:true"), "click by selector", nil)

	field := protocol.Target{UID: s.uid("textbox", "Text")}
	typed := does[protocol.TypeResult](s, protocol.Type{Page: s.page, Target: field, Text: &text})
	s.expect(typed.Value != nil && *typed.Value == "lamp" && s.saw("input:text:true"), "type", typed)
	typed = does[protocol.TypeResult](s, protocol.Type{Page: s.page, Target: field, Text: &text})
	s.expect(typed.Value != nil && *typed.Value == "lamplamp", "type adds", typed)
	typed = does[protocol.TypeResult](s, protocol.Type{Page: s.page, Target: field, Text: &text, Clear: true, Submit: true})
	s.expect(typed.Value != nil && *typed.Value == "lamp" && s.saw("keydown:text:true"), "type with clear and submit", typed)
	filled := does[protocol.FillResult](s, protocol.Fill{Page: s.page, Target: field, Text: &text})
	s.expect(filled.Value != nil && *filled.Value == "lamp", "fill", filled)
	filled = does[protocol.FillResult](s, protocol.Fill{Page: s.page, Target: protocol.Target{UID: s.uid("textbox", "Word")}, Text: &secret})
	s.expect(filled.Value == nil, "a password is not read back", filled)
	chosen := does[protocol.SelectResult](s, protocol.Select{Page: s.page, Target: protocol.Target{UID: s.uid("combobox", "Colour")}, Values: []string{"Blue"}})
	var colour string
	if err := s.seen.Evaluate(within(s.t), "document.getElementById('colour').value", &colour); err != nil {
		s.t.Fatal(err)
	}
	s.expect(len(chosen.Selected) == 1 && colour == "b", "select", chosen)
	does[protocol.ClickResult](s, protocol.Click{Page: s.page, Target: field})
	does[protocol.PressResult](s, protocol.Press{Page: s.page, Key: "Home"})
	s.expect(s.saw("keydown:text:true"), "press", nil)

	far := does[protocol.ScrollResult](s, protocol.Scroll{Page: s.page, Direction: "down", Pixels: 300})
	s.expect(far.Y == 300 && !far.AtEnd, "scroll", far)
	far = does[protocol.ScrollResult](s, protocol.Scroll{Page: s.page, To: "element", MaybeTarget: protocol.MaybeTarget{UID: s.uid("button", "Far")}})
	s.expect(far.Y > 1000, "scroll to an element", far)
	far = does[protocol.ScrollResult](s, protocol.Scroll{Page: s.page, To: "top"})
	s.expect(far.Y == 0 && far.AtEnd, "scroll to the top", far)
	box := does[protocol.GetResult](s, protocol.Get{Page: s.page, MaybeTarget: protocol.MaybeTarget{UID: s.uid("button", "Go")}, What: "box"})
	does[protocol.MouseResult](s, protocol.Mouse{Page: s.page, Kind: "click", X: box.Box.X + 2, Y: box.Box.Y + 2})
	s.expect(s.saw("click:go:true"), "mouse", nil)
}

func (s *dialectSuite) moves() {
	waited := does[protocol.WaitForResult](s, protocol.WaitFor{Page: s.page, MS: 30})
	s.expect(waited.OK && waited.WaitedMS >= 30, "wait_for ms", waited)
	s.expect(does[protocol.WaitForResult](s, protocol.WaitFor{Page: s.page, Load: "load"}).OK, "wait_for load", nil)
	old := s.uid("button", "Go")
	went := does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, URL: "http://page.test/plain.html"})
	s.expect(went.URL == "http://page.test/plain.html" && went.Title == "A plain page", "navigate", went)
	s.agent.fails(protocol.CodeElementStale, protocol.Click{Page: s.page, Target: protocol.Target{UID: old}})
	went = does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, To: "back"})
	s.expect(went.URL == s.address && went.Title == "lamps.html", "navigate back", went)
	went = does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, To: "forward"})
	s.expect(went.URL == "http://page.test/plain.html", "navigate forward", went)
	went = does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, To: "reload"})
	s.expect(went.URL == "http://page.test/plain.html" && went.Title == "A plain page", "navigate reload", went)
	clicked := does[protocol.ClickResult](s, protocol.Click{Page: s.page, Target: protocol.Target{UID: s.uid("button", "Send")}})
	s.expect(strings.HasPrefix(clicked.URL, "http://page.test/other.html"), "a click that leads on", clicked)
	went = does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, URL: s.address})
	s.expect(went.URL == s.address, "navigate again", went)
	s.seen = s.agent.rig.page(s.t, s.address)
}

func (s *dialectSuite) tabs() {
	second := does[protocol.OpenTabResult](s, protocol.OpenTab{URL: "http://page.test/plain.html"})
	s.expect(second.TabID != s.page.TabID && second.Title == "A plain page", "open_tab", second)
	title := does[protocol.GetResult](s, protocol.Get{Page: s.page, What: "title"})
	s.expect(title.Value != nil && *title.Value == "lamps.html", "the first tab by its id", title)
	does[protocol.ActivateTabResult](s, protocol.ActivateTab{TabID: second.TabID})
	list := does[protocol.ListTabsResult](s, protocol.ListTabs{})
	s.expect(len(list.Tabs) == 2 && list.Tabs[0].Owner == "agent", "list_tabs", list)
	query := does[protocol.ListTabsResult](s, protocol.ListTabs{Query: "LAMPS"})
	s.expect(len(query.Tabs) == 1 && query.Tabs[0].TabID == s.page.TabID, "list_tabs by a query", query)

	stranger := s.agent.rig.newAgent(s.t)
	stranger.fails(protocol.CodeNotOwner, protocol.Get{Page: s.page, What: "title"})
	stranger.fails(protocol.CodeSessionNotFound, protocol.Get{What: "title"})
	theirs := do[protocol.ListTabsResult](stranger, protocol.ListTabs{})
	s.expect(len(theirs.Tabs) == 0, "another agent's tabs", theirs)

	does[protocol.CloseTabResult](s, protocol.CloseTab{TabID: second.TabID})
	s.agent.fails(protocol.CodeTabNotFound, protocol.Get{Page: protocol.Page{TabID: second.TabID}, What: "title"})
	list = does[protocol.ListTabsResult](s, protocol.ListTabs{})
	s.expect(len(list.Tabs) == 1, "list_tabs after close_tab", list)

	user := s.openByTheUser()
	attached := does[protocol.AttachTabResult](s, protocol.AttachTab{Page: protocol.Page{TabID: user}})
	s.expect(attached.TabID == user && strings.HasSuffix(attached.URL, "/other.html"), "attach_tab", attached)
	url := does[protocol.GetResult](s, protocol.Get{Page: protocol.Page{TabID: user}, What: "url"})
	s.expect(url.Value != nil && strings.HasSuffix(*url.Value, "/other.html"), "the user's tab", url)
}

// openByTheUser opens a tab past the extension and gives its id as agents see it.
func (s *dialectSuite) openByTheUser() int64 {
	s.t.Helper()
	if _, err := s.agent.rig.browser.OpenPage(within(s.t), "http://page.test/other.html"); err != nil {
		s.t.Fatal(err)
	}
	var id int64
	err := eventually(within(s.t), "the user's tab in the list", func() (bool, error) {
		list := does[protocol.ListTabsResult](s, protocol.ListTabs{Scope: "user"})
		for _, tab := range list.Tabs {
			if strings.HasSuffix(tab.URL, "/other.html") && tab.Owner == "user" {
				id = tab.TabID
			}
		}
		return id != 0, nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

func (s *dialectSuite) sessions() {
	a := s.agent.rig.newAgent(s.t)
	made := do[protocol.SessionResult](a, protocol.Session{Op: "create", Title: "Errand", Color: "green", URL: "http://page.test/plain.html"})
	if len(made.Sessions) != 1 || made.Sessions[0].SessionID == "" || len(made.Sessions[0].Tabs) != 1 {
		s.t.Fatalf("session create gave %+v", made)
	}
	id := made.Sessions[0].SessionID
	s.expect(made.Sessions[0].Title == "Errand" && made.Sessions[0].Color == "green", "create", made)
	renamed := do[protocol.SessionResult](a, protocol.Session{Op: "rename", SessionID: id, Title: "Done"})
	s.expect(len(renamed.Sessions) == 1 && renamed.Sessions[0].Title == "Done", "rename", renamed)
	list := does[protocol.SessionResult](s, protocol.Session{Op: "list"})
	s.expect(!slices.ContainsFunc(list.Sessions, func(i protocol.SessionInfo) bool { return i.SessionID == id }), "another agent's session", list)
	s.agent.fails(protocol.CodeSessionNotFound, protocol.Session{Op: "close", SessionID: id})
	closed := do[protocol.SessionResult](a, protocol.Session{Op: "close", SessionID: id})
	s.expect(len(closed.ClosedTabIDs) == 1 && closed.ClosedTabIDs[0] == made.Sessions[0].Tabs[0].TabID, "close", closed)
}

func (s *dialectSuite) lacks() {
	lacking := []protocol.Action{
		protocol.Download{ID: 0},
		protocol.Upload{Page: s.page, Target: protocol.Target{UID: "e1"}, Files: []protocol.File{{Name: "a", MimeType: "text/plain", Data: "YQ=="}}},
		protocol.Drag{Page: s.page, From: protocol.Target{Selector: "#go"}, Point: &protocol.Point{X: 5, Y: 5}},
		protocol.Dialog{Page: s.page, Accept: true},
		protocol.Console{Page: s.page, Op: "list"},
		protocol.Handoff{Page: s.page, Reason: "r"},
		protocol.Click{Page: s.page, Target: protocol.Target{Selector: "#go"}, Button: "right"},
		protocol.Extract{Page: s.page},
		protocol.WaitFor{Page: s.page, Text: "Lamps"},
	}
	for _, a := range lacking {
		s.asked[protocol.TypeOf(a)] = true
		limit := patience
		if _, asks := a.(protocol.Handoff); asks && s.dialect != "rpc" {
			limit = 2 * time.Second // the user is waited for, and nobody comes
		}
		ctx, cancel := context.WithTimeout(within(s.t), limit)
		_, err := s.agent.try(ctx, a)
		cancel()
		if s.dialect == "rpc" {
			if refusal := s.agent.failed(protocol.CodeUnsupported, a, err); refusal.Outcome != protocol.NotSent {
				s.t.Errorf("%s: %v", protocol.TypeOf(a), refusal)
			}
		} else if isUnsupported(err) {
			s.t.Errorf("%s: %v", protocol.TypeOf(a), err)
		}
	}
}

func isUnsupported(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), string(protocol.CodeUnsupported))
}

func (s *dialectSuite) fails() {
	s.agent.fails(protocol.CodeElementNotFound, protocol.Click{Page: s.page, Target: protocol.Target{UID: "e99999"}})
	s.agent.fails(protocol.CodeElementNotFound, protocol.Click{Page: s.page, Target: protocol.Target{Selector: "#nowhere"}})
	s.agent.fails(protocol.CodeTabNotFound, protocol.Get{Page: protocol.Page{TabID: 999_999_999}, What: "title"})
	s.agent.fails(protocol.CodeInvalidAction, protocol.OpenTab{URL: "javascript:alert(1)"})
	s.agent.fails(protocol.CodeNavigationFailed, protocol.OpenTab{URL: "http://127.0.0.1:1/"})
	s.agent.fails(protocol.CodeNavigationFailed, protocol.Navigate{Page: s.page, URL: "http://127.0.0.1:1/"})
	does[protocol.NavigateResult](s, protocol.Navigate{Page: s.page, URL: s.address})
	does[protocol.EvaluateResult](s, protocol.Evaluate{Page: s.page, Expression: `
		const cover = document.createElement('div');
		cover.id = 'cover'; cover.style = 'position:fixed;inset:0;z-index:9;background:#fff';
		document.body.append(cover)`})
	s.agent.fails(protocol.CodeElementBlocked, protocol.Click{Page: s.page, Target: protocol.Target{Selector: "#go"}})
	does[protocol.EvaluateResult](s, protocol.Evaluate{Page: s.page, Expression: "document.getElementById('cover').remove()"})
}

// complete fails when an action was asked for in no part of the suite.
func (s *dialectSuite) complete() {
	for _, m := range protocol.Methods {
		if !s.asked[m.Type] {
			s.t.Errorf("%s was never asked for", m.Type)
		}
	}
}
