package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// chromeTab is a tab as chrome.tabs has it.
type chromeTab struct {
	ID       int64  `json:"id"`
	WindowID int64  `json:"windowId"`
	GroupID  int64  `json:"groupId"`
	URL      string `json:"url"`
	Active   bool   `json:"active"`
	Pinned   bool   `json:"pinned"`
}

// chromeGroup is a tab group as chrome.tabGroups has it.
type chromeGroup struct {
	ID       int64  `json:"id"`
	WindowID int64  `json:"windowId"`
	Title    string `json:"title"`
	Color    string `json:"color"`
}

// strip asks Chrome itself for its tabs and tab groups, by a page of the extension.
func (p *popup) strip() (tabs map[int64]chromeTab, groups map[int64]chromeGroup) {
	p.t.Helper()
	var told struct {
		Tabs   []chromeTab   `json:"tabs"`
		Groups []chromeGroup `json:"groups"`
	}
	p.chrome(`Promise.all([chrome.tabs.query({}), chrome.tabGroups.query({})]).then(([tabs, groups]) => ({tabs, groups}))`, &told)
	tabs, groups = map[int64]chromeTab{}, map[int64]chromeGroup{}
	for _, t := range told.Tabs {
		tabs[t.ID] = t
	}
	for _, g := range told.Groups {
		groups[g.ID] = g
	}
	return tabs, groups
}

// chrome evaluates in a page of the extension, where Chrome's own interfaces are.
func (p *popup) chrome(script string, result any) {
	p.t.Helper()
	if err := p.session.Evaluate(within(p.t), script, result); err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
}

// usersTab opens a tab in the user's own window, as the user does, and returns its id.
func (p *popup) usersTab(url string) int64 {
	p.t.Helper()
	var id int64
	quoted, err := json.Marshal(url)
	if err != nil {
		p.t.Fatal(err)
	}
	p.chrome(`chrome.tabs.getCurrent().then(here => chrome.tabs.create({url: `+string(quoted)+`, windowId: here.windowId, active: true})).then(tab => tab.id)`, &id)
	err = eventually(within(p.t), "the user's tab at "+url, func() (bool, error) {
		tabs, _ := p.strip()
		return tabs[id].URL == url, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// session does one operation on sessions.
func (a *agent) session(action protocol.Session) protocol.SessionResult {
	a.t.Helper()
	return do[protocol.SessionResult](a, action)
}

// only is the one session of a result.
func only(t *testing.T, result protocol.SessionResult) protocol.SessionInfo {
	t.Helper()
	if len(result.Sessions) != 1 {
		t.Fatalf("the result has %d sessions: %+v", len(result.Sessions), result)
	}
	return result.Sessions[0]
}

func tabIDs(s protocol.SessionInfo) []int64 {
	var ids []int64
	for _, t := range s.Tabs {
		ids = append(ids, t.TabID)
	}
	return ids
}

func TestSessionIsATabGroup(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	p := openPopup(t, r.browser)
	a := r.newAgent(t)
	made := only(t, a.session(protocol.Session{Op: "create", Title: "Invoices", Color: "purple", URL: "http://page.test/plain.html"}))
	if len(made.Tabs) != 1 || made.ActiveTabID != made.Tabs[0].TabID || made.Tabs[0].URL != "http://page.test/plain.html" {
		t.Fatalf("the session is %+v", made)
	}
	first := made.Tabs[0].TabID
	tabs, groups := p.strip()
	group := groups[tabs[first].GroupID]
	if group.Title != "Invoices" || group.Color != "purple" || tabs[first].Active {
		t.Errorf("Chrome shows %+v and %+v, expected an inactive tab in a purple group Invoices", group, tabs[first])
	}
	// What the agent opens next goes there, and so does what a page opens.
	second := a.open(r.site.html(t, "opener", `<a href="/plain.html?popup" target="_blank">Blank</a>`))
	a.clickOn(second, "link", "Blank")
	var listed protocol.SessionInfo
	err := eventually(within(t), "three tabs in the session", func() (bool, error) {
		listed = only(t, a.session(protocol.Session{Op: "list"}))
		return len(listed.Tabs) == 3, nil
	})
	if err != nil {
		t.Fatalf("%v; the session lists %+v", err, listed)
	}
	if listed.ActiveTabID != second.TabID {
		t.Errorf("the current tab is %d, expected %d", listed.ActiveTabID, second.TabID)
	}
	tabs, _ = p.strip()
	for _, id := range tabIDs(listed) {
		if tabs[id].GroupID != group.ID {
			t.Errorf("the session's tab stands at %+v, expected in group %d", tabs[id], group.ID)
		}
	}
	for _, tab := range do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs {
		if tab.SessionID != made.SessionID {
			t.Errorf("list_tabs does not name the session of %+v", tab)
		}
	}
	a.session(protocol.Session{Op: "rename", Title: "Bills"})
	if _, groups = p.strip(); groups[group.ID].Title != "Bills" {
		t.Errorf("renamed, Chrome shows %+v", groups[group.ID])
	}
	// The current tab is the session's own: what Chrome shows is another matter.
	do[protocol.ActivateTabResult](a, protocol.ActivateTab{TabID: first})
	if now := only(t, a.session(protocol.Session{Op: "list"})); now.ActiveTabID != first {
		t.Errorf("after activate_tab the current tab is %d, expected %d", now.ActiveTabID, first)
	}
	p.chrome(fmt.Sprintf("chrome.tabs.update(%d, {active: true}).then(() => 1)", second.TabID), nil)
	if now := only(t, a.session(protocol.Session{Op: "list"})); now.ActiveTabID != first {
		t.Errorf("the user looks at another tab, and the current one became %d", now.ActiveTabID)
	}
	// The worker's death changes nothing.
	killWorker(t, r)
	if now := only(t, a.session(protocol.Session{Op: "list"})); now.Title != "Bills" || len(now.Tabs) != 3 || now.ActiveTabID != first {
		t.Errorf("after the worker's death the session is %+v", now)
	}
	closed := a.session(protocol.Session{Op: "close"})
	tabs, groups = p.strip()
	for _, id := range tabIDs(listed) {
		if _, there := tabs[id]; there || !slices.Contains(closed.ClosedTabIDs, id) {
			t.Errorf("tab %d: still there is %v, told of as closed %v", id, there, closed.ClosedTabIDs)
		}
	}
	if _, there := groups[group.ID]; there {
		t.Error("the group is still there")
	}
	if left := a.session(protocol.Session{Op: "list"}).Sessions; len(left) != 0 {
		t.Errorf("sessions are left: %+v", left)
	}
	a.fails(protocol.CodeSessionNotFound, protocol.Session{Op: "release", SessionID: made.SessionID})
}

func TestSessionOfTheUsersTab(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	p := openPopup(t, r.browser)
	a := r.newAgent(t)
	mine := p.usersTab("http://page.test/plain.html?mine")
	// It stands in a group of the user's own, beside another tab that keeps the group alive.
	var folder int64
	p.chrome(fmt.Sprintf("chrome.tabs.group({tabIds: [%d, %d]})", mine, p.usersTab("http://page.test/plain.html?neighbour")), &folder)
	p.chrome(fmt.Sprintf("chrome.tabs.update(%d, {active: true}).then(() => 1)", mine), nil)
	made := only(t, a.session(protocol.Session{Op: "attachCurrent", Title: "Borrowed", Color: "red"}))
	tabs, groups := p.strip()
	if len(made.Tabs) != 1 || made.Tabs[0].TabID != mine || groups[tabs[mine].GroupID].Title != "Borrowed" || !tabs[mine].Active {
		t.Fatalf("the session is %+v, Chrome's group %+v, its tab %+v", made, groups[tabs[mine].GroupID], tabs[mine])
	}
	if got := a.extract(protocol.Page{TabID: mine}); !strings.Contains(got.URL, "mine") {
		t.Errorf("the agent reads %s", got.URL)
	}
	home := tabs[mine].WindowID
	// Another tab of the session opens in the agent window all the same, in a group that looks the same.
	opened := a.open("http://page.test/other.html")
	tabs, groups = p.strip()
	beside := groups[tabs[opened.TabID].GroupID]
	if tabs[opened.TabID].WindowID == home || beside.Title != "Borrowed" || beside.Color != "red" {
		t.Errorf("the opened tab is %+v in %+v", tabs[opened.TabID], beside)
	}
	a.session(protocol.Session{Op: "release"})
	tabs, _ = p.strip()
	if tabs[mine].WindowID != home || !tabs[mine].Active || tabs[mine].GroupID != folder {
		t.Errorf("released, the user's tab is %+v", tabs[mine])
	}
	if tab, there := tabs[opened.TabID]; !there || tab.GroupID >= 0 {
		t.Errorf("released, the opened tab is there: %v, %+v", there, tab)
	}
	if owned := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs; len(owned) != 0 {
		t.Errorf("released, the agent has tabs %+v", owned)
	}
	if sessions := p.status().Sessions; len(sessions) != 0 {
		t.Errorf("released, the popup shows %+v", sessions)
	}
	var attached []int64
	p.chrome(`chrome.debugger.getTargets().then(all => all.filter(t => t.attached && t.type === 'page').map(t => t.tabId ?? 0))`, &attached)
	if slices.Contains(attached, mine) || slices.Contains(attached, opened.TabID) {
		t.Errorf("released, tabs %v are still attached", attached)
	}
}

func TestTabThatTheUserTakesOutOfTheGroup(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	p := openPopup(t, r.browser)
	a := r.newAgent(t)
	made := only(t, a.session(protocol.Session{Op: "create", URL: "http://page.test/plain.html"}))
	taken := a.open("http://page.test/other.html")
	p.chrome(fmt.Sprintf("chrome.tabs.ungroup(%d).then(() => 1)", taken.TabID), nil)
	err := eventually(within(t), "the tab out of the session", func() (bool, error) {
		return slices.Equal(tabIDs(only(t, a.session(protocol.Session{Op: "list"}))), tabIDs(made)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs; len(tabs) != 1 {
		t.Errorf("the agent still has %+v", tabs)
	}
	// A tab that the user puts into the group stays theirs.
	stranger := p.usersTab("http://page.test/plain.html?stranger")
	tabs, _ := p.strip()
	p.chrome(fmt.Sprintf("chrome.tabs.group({tabIds: [%d], groupId: %d}).then(() => 1)", stranger, tabs[made.ActiveTabID].GroupID), nil)
	if got := a.session(protocol.Session{Op: "close"}); !slices.Equal(got.ClosedTabIDs, tabIDs(made)) {
		t.Errorf("closed are %v, expected %v", got.ClosedTabIDs, tabIDs(made))
	}
	if tabs, _ = p.strip(); tabs[stranger].ID == 0 {
		t.Error("the user's own tab went with the session")
	}
}

func TestSessionsAreTheAgents(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	p := openPopup(t, r.browser)
	ann, bob := r.newAgent(t), r.newAgent(t)
	first := only(t, ann.session(protocol.Session{Op: "create", Title: "First"}))
	if first.Tabs[0].URL != "about:blank" {
		t.Errorf("without an address it shows %s", first.Tabs[0].URL)
	}
	if got := bob.session(protocol.Session{Op: "list"}).Sessions; len(got) != 0 {
		t.Errorf("the other agent is told of %+v", got)
	}
	bob.fails(protocol.CodeSessionNotFound, protocol.Session{Op: "close", SessionID: first.SessionID})
	bob.fails(protocol.CodeNotOwner, protocol.AttachTab{Page: protocol.Page{TabID: first.ActiveTabID}})
	second := only(t, ann.session(protocol.Session{Op: "create", Title: "Second"}))
	ann.fails(protocol.CodeSessionNotFound, protocol.Session{Op: "close"}) // which of the two?
	// A tab of the agent's other session moves, and it is said from where.
	moved := do[protocol.AttachTabResult](ann, protocol.AttachTab{Page: protocol.Page{TabID: first.ActiveTabID}})
	if !slices.ContainsFunc(moved.Notes, func(note string) bool { return strings.Contains(note, "First") }) {
		t.Errorf("the attached tab's notes are %q, expected one that names the session First", moved.Notes)
	}
	tabs, groups := p.strip()
	if group := groups[tabs[first.ActiveTabID].GroupID]; group.Title != "Second" {
		t.Errorf("the moved tab stands in %+v", group)
	}
	now := only(t, ann.session(protocol.Session{Op: "list"}))
	if now.SessionID != second.SessionID || now.ActiveTabID != first.ActiveTabID || len(now.Tabs) != 2 {
		t.Errorf("the sessions are %+v, expected the second alone, with both tabs", now)
	}
	// Blocked is blocked by this way too, and leaves no session behind.
	p.chrome(`chrome.runtime.sendMessage({type: 'setBlocklist', entries: ['blocked.test']}).then(() => 1)`, nil)
	bob.fails(protocol.CodeDomainBlocked, protocol.Session{Op: "create", URL: "http://blocked.test/"})
	bob.fails(protocol.CodeNavigationFailed, protocol.Session{Op: "create", URL: "http://127.0.0.1:1/"})
	if got := bob.session(protocol.Session{Op: "list"}).Sessions; len(got) != 0 {
		t.Errorf("what failed left %+v", got)
	}
}

func TestSessionInTheForeground(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	p := openPopup(t, r.browser)
	a := r.newAgent(t)
	theirs := p.usersTab("http://page.test/plain.html?theirs")
	made := only(t, a.session(protocol.Session{Op: "create", URL: "http://page.test/other.html", Foreground: true}))
	tabs, groups := p.strip()
	tab := tabs[made.ActiveTabID]
	if tab.WindowID != tabs[theirs].WindowID || !tab.Active || groups[tab.GroupID].Title != "Agent" {
		t.Errorf("it stands at %+v in %+v, expected to be shown in the user's window %d", tab, groups[tab.GroupID], tabs[theirs].WindowID)
	}
	a.clickOn(protocol.Page{TabID: made.ActiveTabID}, "link", "Back")
}
