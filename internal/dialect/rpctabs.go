package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func (d *drive) openTab(ctx context.Context, a protocol.OpenTab) (protocol.Result, error) {
	tab, session, err := d.open(ctx, a)
	if err != nil {
		return nil, err
	}
	d.memory.Own(d.call.Agent, session, tab.TabID)
	result := protocol.OpenTabResult{OK: true, TabID: tab.TabID, URL: tab.URL, Title: tab.Title}
	if result.URL == "" {
		result.URL = a.URL
	}
	p, err := d.openPage(ctx, tab.TabID)
	if err == nil {
		err = p.load(ctx)
	}
	switch {
	case isCode(err, protocol.CodeTimeout):
		result.StillLoading = true
	case err != nil:
		return nil, err
	default:
		result.URL, result.Title = p.now.URL, p.now.Title
	}
	return result, nil
}

// open opens a tab in the agent's latest session, or in a new one.
func (d *drive) open(ctx context.Context, a protocol.OpenTab) (tab protocol.RPCTab, session string, err error) {
	if session = d.memory.Latest(d.call.Agent); session != "" {
		aim, err := d.line.Aim(ctx, session)
		if err != nil {
			return tab, "", err
		}
		defer aim.Done()
		aim.Chosen()
		opened, err := ask[protocol.RPCTabsOpenResult](ctx, d, "tabs.open", protocol.RPCTabsOpen{SessionID: session, URL: a.URL, Active: a.Focus})
		if !isCode(err, protocol.CodeSessionNotFound) {
			return opened.Tab, session, err
		}
		d.memory.Forget(session) // its last tab was closed, or the user took it away
	}
	background := !a.Focus
	made, err := ask[protocol.RPCSessionsCreateResult](ctx, d, "sessions.create", protocol.RPCSessionsCreate{URL: a.URL, Background: &background})
	if err != nil {
		return tab, "", err
	}
	current := currentOf(made.Session)
	for _, t := range made.Session.Tabs {
		if t.TabID == current {
			return t, made.Session.SessionID, nil
		}
	}
	return tab, "", protocol.Errorf(protocol.CodeInternal, "the browser made a session without a tab").WithOutcome(protocol.Done)
}

// load waits until the page has loaded.
func (p *page) load(ctx context.Context) error {
	_, err := on[protocol.RPCPagesWaitResult](ctx, p, "pages.wait", protocol.RPCPagesWait{SessionID: p.session, Load: "load"})
	return err
}

// The dialect has no method that leaves for another document, so a script does, in three steps. A document is known by when it
// began, which is another time for each, and its own again for one that comes back from the cache.
const (
	// birth tells which document this is.
	birth = "performance.timeOrigin"
	// departure leaves, and tells when the page has left or will not: hash changes and the page's own routing stay in the document, as
	// do a download and an address that is refused.
	departure = `new Promise((tell) => {
  addEventListener("pagehide", () => tell("left"), {once: true});
  for (const stays of ["hashchange", "popstate"]) addEventListener(stays, () => tell("stayed"), {once: true});
  setTimeout(() => tell("stayed"), 8000);
  %s
})`
	// arrival ends in another document than the one that was left, and tells its scheme; in the old one it waits to go down with it.
	arrival = `performance.timeOrigin !== %s ? location.protocol : new Promise((tell) => setTimeout(tell, 8000))`
)

func (d *drive) navigate(ctx context.Context, a protocol.Navigate) (protocol.Result, error) {
	p, err := d.openPage(ctx, a.TabID)
	if err != nil {
		return nil, err
	}
	began, err := p.script(ctx, birth)
	if err != nil {
		return nil, err
	}
	leave := map[string]string{"back": "history.back();", "forward": "history.forward();", "reload": "location.reload();"}[a.To]
	if a.URL != "" {
		address, err := json.Marshal(a.URL)
		if err != nil {
			return nil, err
		}
		leave = "location.assign(" + string(address) + ");"
	}
	said, err := p.script(ctx, fmt.Sprintf(departure, leave))
	for try := 0; (goneWithPage(err) || string(said) == `"left"`) && try < 3; try++ {
		said, err = p.script(ctx, fmt.Sprintf(arrival, began))
	}
	if err != nil && !goneWithPage(err) {
		return nil, err
	}
	if string(said) == `"chrome-error:"` {
		return nil, protocol.Errorf(protocol.CodeNavigationFailed,
			"the browser could not load the page, and the rpc dialect does not tell why: check the address").WithOutcome(protocol.Done)
	}
	result := protocol.NavigateResult{OK: true}
	if err := p.load(ctx); isCode(err, protocol.CodeTimeout) {
		result.StillLoading = true
	} else if err != nil {
		return nil, err
	}
	result.URL, result.Title = p.now.URL, p.now.Title
	return result, nil
}

// goneWithPage reports whether a script was not answered because its document is gone: that is what was wanted.
func goneWithPage(err error) bool {
	return isCode(err, protocol.CodeElementBlocked, protocol.CodeInvalidAction)
}

// script runs a script of ours and gives what it tells.
func (p *page) script(ctx context.Context, script string) (json.RawMessage, error) {
	r, err := on[protocol.RPCPagesEvalResult](ctx, p, "pages.eval", protocol.RPCPagesEval{SessionID: p.session, Script: script, AwaitPromise: true})
	return r.Result, err
}

// chooses performs a tabs method that changes which tab is its session's current one.
func chooses[R any](ctx context.Context, d *drive, tab int64, method string) (R, string, error) {
	var none R
	session, err := d.sessionOf(ctx, tab)
	if err != nil {
		return none, "", err
	}
	aim, err := d.line.Aim(ctx, session)
	if err != nil {
		return none, "", err
	}
	defer aim.Done()
	aim.Chosen()
	r, err := ask[R](ctx, d, method, protocol.RPCTabOfSession{SessionID: session, TabID: tab})
	if isCode(err, protocol.CodeTabNotFound) {
		d.memory.ForgetTab(tab)
	}
	return r, session, err
}

func (d *drive) closeTab(ctx context.Context, a protocol.CloseTab) (protocol.Result, error) {
	r, session, err := chooses[protocol.RPCTabsCloseResult](ctx, d, a.TabID, "tabs.close")
	if err != nil {
		return nil, err
	}
	d.memory.ForgetTab(a.TabID)
	if r.SessionClosed {
		d.memory.Forget(session)
	}
	return protocol.CloseTabResult{OK: true}, nil
}

func (d *drive) activateTab(ctx context.Context, a protocol.ActivateTab) (protocol.Result, error) {
	_, session, err := chooses[protocol.RPCTabsActivateResult](ctx, d, a.TabID, "tabs.activate")
	if err != nil {
		return nil, err
	}
	d.memory.Own(d.call.Agent, session, a.TabID)
	return protocol.ActivateTabResult{OK: true}, nil
}

func (d *drive) attachTab(ctx context.Context, a protocol.AttachTab) (protocol.Result, error) {
	if a.TabID == 0 {
		made, err := ask[protocol.RPCSessionsAttachCurrentResult](ctx, d, "sessions.attachCurrent", protocol.RPCSessionsAttachCurrent{})
		if err != nil {
			return nil, err
		}
		return d.attached(ctx, made.Session, made.AttachedTabID)
	}
	session, err := d.sessionOf(ctx, a.TabID) // takes it into a session
	if err != nil {
		return nil, err
	}
	list, err := ask[protocol.RPCTabsListResult](ctx, d, "tabs.list", protocol.RPCInSession{SessionID: session})
	if err != nil {
		return nil, err
	}
	return d.attached(ctx, protocol.RPCSession{SessionID: session, Tabs: list.Tabs}, a.TabID)
}

// attached tells of a tab that is in a session of the agent's now, or lets go of it where the rules forbid it.
func (d *drive) attached(ctx context.Context, s protocol.RPCSession, tab int64) (protocol.Result, error) {
	if tab == 0 {
		tab = currentOf(s)
	}
	for _, t := range s.Tabs {
		if t.TabID != tab {
			continue
		}
		if refused := d.allow(t.URL); refused != nil {
			d.memory.Forget(s.SessionID)
			if _, err := ask[protocol.RPCSessionsReleaseResult](ctx, d, "sessions.release", protocol.RPCInSession{SessionID: s.SessionID}); err != nil {
				return nil, err
			}
			return nil, refused
		}
		d.memory.Own(d.call.Agent, s.SessionID, tabIDs(s.Tabs)...)
		return protocol.AttachTabResult{OK: true, TabID: tab, URL: t.URL, Title: t.Title}, nil
	}
	return nil, protocol.Errorf(protocol.CodeTabNotFound, "the tab is not in the session that it was taken into: list the tabs again").WithOutcome(protocol.Done)
}

func (d *drive) listTabs(ctx context.Context, a protocol.ListTabs) (protocol.Result, error) {
	sessions, err := d.sessions(ctx)
	if err != nil {
		return nil, err
	}
	result := protocol.ListTabsResult{Tabs: []protocol.TabInfo{}}
	in := map[int64]string{}
	for _, s := range sessions {
		owner, known := d.memory.Owner(s.SessionID)
		mine := known && owner == d.call.Agent
		for _, t := range s.Tabs {
			in[t.TabID] = s.SessionID
			if mine && a.Scope != "user" {
				d.list(&result, t, "agent", s.SessionID, a.Query)
			} else if !mine && a.Scope == "all" {
				d.list(&result, t, "other_agent", s.SessionID, a.Query)
			}
		}
	}
	if a.Scope != "user" && a.Scope != "all" {
		return result, nil
	}
	users, err := d.userTabs(ctx, a.Query)
	if err != nil {
		return nil, err
	}
	for _, t := range users {
		if in[t.TabID] == "" {
			d.list(&result, t, "user", "", a.Query)
		}
	}
	return result, nil
}

// userTabs asks for the user's tabs, or for those among them that a query meets.
func (d *drive) userTabs(ctx context.Context, query string) ([]protocol.RPCTab, error) {
	if query == "" {
		r, err := ask[protocol.RPCTabsUserListResult](ctx, d, "tabs.userList", protocol.RPCNothing{})
		return r.Tabs, err
	}
	r, err := ask[protocol.RPCTabsSearchResult](ctx, d, "tabs.search", protocol.RPCTabsSearch{Query: query, Limit: 1000})
	return r.Matches, err
}

// list adds a tab, unless the rules forbid to show it.
func (d *drive) list(to *protocol.ListTabsResult, t protocol.RPCTab, owner, session, query string) {
	meets := func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(query)) }
	if d.allow(t.URL) != nil || !meets(t.URL) && !meets(t.Title) {
		return
	}
	to.Tabs = append(to.Tabs, protocol.TabInfo{TabID: t.TabID, URL: t.URL, Title: t.Title, Active: t.Active, Owner: owner, SessionID: session})
}
