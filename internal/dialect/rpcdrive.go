package dialect

import (
	"context"
	"errors"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// drive is one action on its way through the rpc dialect.
type drive struct {
	call   hub.Call
	line   *hub.Line
	memory *hub.Memory
}

// Drive performs an action by methods of the rpc dialect. What they cannot say
// is refused with unsupported before anything is sent.
func (RPC) Drive(ctx context.Context, call hub.Call, line *hub.Line, memory *hub.Memory) (protocol.Result, error) {
	t := protocol.TypeOf(call.Action)
	if lack, ok := protocol.RPCLackOf(call.Action); ok {
		what := string(t)
		if lack.What != "" {
			what += " with " + lack.What
		}
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser speaks the rpc dialect, which has no words for %s: %s", what, lack.Instead)
	}
	d := &drive{call: call, line: line, memory: memory}
	switch a := call.Action.(type) {
	case protocol.OpenTab:
		return d.openTab(ctx, a)
	case protocol.Navigate:
		return d.navigate(ctx, a)
	case protocol.CloseTab:
		return d.closeTab(ctx, a)
	case protocol.ActivateTab:
		return d.activateTab(ctx, a)
	case protocol.ListTabs:
		return d.listTabs(ctx, a)
	case protocol.AttachTab:
		return d.attachTab(ctx, a)
	case protocol.Session:
		return d.session(ctx, a)
	case protocol.Network:
		return d.network(ctx, a)
	}
	return d.onPage(ctx)
}

// onPage performs the actions that are made of pages methods on one tab.
func (d *drive) onPage(ctx context.Context) (protocol.Result, error) {
	p, err := d.openPage(ctx, protocol.TabOf(d.call.Action))
	if err != nil {
		return nil, err
	}
	switch a := d.call.Action.(type) {
	case protocol.Click:
		return p.click(ctx, a)
	case protocol.Hover:
		return p.hover(ctx, a)
	case protocol.Type:
		return p.typeText(ctx, a)
	case protocol.Fill:
		return p.fill(ctx, a)
	case protocol.Select:
		return p.choose(ctx, a)
	case protocol.Press:
		return p.press(ctx, a)
	case protocol.Scroll:
		return p.scroll(ctx, a)
	case protocol.Mouse:
		return p.mouse(ctx, a)
	case protocol.WaitFor:
		return p.wait(ctx, a)
	case protocol.Extract:
		return p.extract(ctx, a)
	case protocol.Snapshot:
		return p.snapshot(ctx, a)
	case protocol.Find:
		return p.find(ctx, a)
	case protocol.Get:
		return p.get(ctx, a)
	case protocol.Evaluate:
		return p.evaluate(ctx, a)
	case protocol.Screenshot:
		return p.screenshot(ctx, a)
	case protocol.PDF:
		return p.pdf(ctx, a)
	}
	return nil, protocol.Errorf(protocol.CodeUnsupported, "the rpc dialect has no %s", protocol.TypeOf(d.call.Action))
}

// ask requests one method and reads its result.
func ask[R any](ctx context.Context, d *drive, method string, params any) (R, error) {
	return askThen[R](ctx, d, method, params, nil)
}

// askThen is ask; queued is called when what is asked for later is sent later.
func askThen[R any](ctx context.Context, d *drive, method string, params any, queued func()) (R, error) {
	var none R
	raw, err := d.line.RequestThen(ctx, method, params, queued)
	if err != nil {
		return none, err
	}
	r, err := protocol.DecodeRPCResult[R](method, raw)
	if err != nil {
		return none, protocol.Errorf(protocol.CodeInternal,
			"the browser's answer does not fit the protocol (%v): update the extension or the server, the action may have happened", err).WithOutcome(protocol.Unknown)
	}
	return r, nil
}

// allow refuses a page whose address the server's rules forbid.
func (d *drive) allow(address string) *protocol.Error {
	if d.call.Allow == nil || address == "" {
		return nil
	}
	return d.call.Allow(address)
}

func isCode(err error, codes ...protocol.ErrorCode) bool {
	for _, code := range codes {
		if errors.Is(err, &protocol.Error{Code: code}) {
			return true
		}
	}
	return false
}

// sessionOf finds the session that an action means: that of the tab it names, else the one that the agent used last.
// A tab that is in no session is the user's: it is taken into one of the agent's.
func (d *drive) sessionOf(ctx context.Context, tab int64) (string, error) {
	if tab == 0 {
		if session := d.memory.Latest(d.call.Agent); session != "" {
			return session, nil
		}
		return "", protocol.Errorf(protocol.CodeSessionNotFound, "you have no tab in this browser: open one with open_tab, or name a tab of the user's with tabId")
	}
	if session := d.memory.SessionOf(tab); session != "" {
		return session, d.mine(session, tab)
	}
	sessions, err := d.sessions(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range sessions {
		for _, t := range s.Tabs {
			if t.TabID != tab {
				continue
			}
			if err := d.mine(s.SessionID, tab); err != nil {
				return "", err
			}
			d.memory.Own(d.call.Agent, s.SessionID, tabIDs(s.Tabs)...) // one that nobody has any more
			return s.SessionID, nil
		}
	}
	return d.take(ctx, tab)
}

// mine refuses a session of another agent's.
func (d *drive) mine(session string, tab int64) error {
	if owner, known := d.memory.Owner(session); known && owner != d.call.Agent {
		return protocol.Errorf(protocol.CodeNotOwner, "tab %d is another agent's: open your own with open_tab", tab)
	}
	return nil
}

// sessions asks which sessions there are.
func (d *drive) sessions(ctx context.Context) ([]protocol.RPCSession, error) {
	r, err := ask[protocol.RPCSessionsListResult](ctx, d, "sessions.list", protocol.RPCNothing{})
	if err != nil {
		return nil, err
	}
	tabs := map[string][]int64{}
	for _, s := range r.Sessions {
		tabs[s.SessionID] = tabIDs(s.Tabs)
	}
	d.memory.Announced(tabs)
	return r.Sessions, nil
}

func tabIDs(tabs []protocol.RPCTab) []int64 {
	ids := make([]int64, len(tabs))
	for i, t := range tabs {
		ids[i] = t.TabID
	}
	return ids
}

// take brings a tab of the user's into a session of the agent's, and refuses one that the rules forbid before it is touched.
func (d *drive) take(ctx context.Context, tab int64) (session string, err error) {
	users, err := ask[protocol.RPCTabsUserListResult](ctx, d, "tabs.userList", protocol.RPCNothing{})
	if err != nil {
		return "", err
	}
	found := false
	for _, t := range users.Tabs {
		if t.TabID == tab {
			found = true
			if err := d.allow(t.URL); err != nil {
				return "", err
			}
		}
	}
	if !found {
		return "", protocol.Errorf(protocol.CodeTabNotFound, "there is no tab %d: list the tabs again", tab)
	}
	session, blank := d.memory.Latest(d.call.Agent), int64(0)
	if session == "" {
		made, err := ask[protocol.RPCSessionsCreateResult](ctx, d, "sessions.create", protocol.RPCSessionsCreate{})
		if err != nil {
			return "", err
		}
		session, blank = made.Session.SessionID, currentOf(made.Session)
		d.memory.Own(d.call.Agent, session, tabIDs(made.Session.Tabs)...)
	}
	aim, err := d.line.Aim(ctx, session)
	if err != nil {
		return "", err
	}
	defer aim.Done()
	aim.Chosen()
	if _, err := ask[protocol.RPCTabsAttachResult](ctx, d, "tabs.attach", protocol.RPCTabOfSession{SessionID: session, TabID: tab}); err != nil {
		return "", err
	}
	d.memory.Own(d.call.Agent, session, tab)
	if blank != 0 { // a session is never without a tab, and this one has its own now
		if _, err := ask[protocol.RPCTabsCloseResult](ctx, d, "tabs.close", protocol.RPCTabOfSession{SessionID: session, TabID: blank}); err != nil {
			return "", err
		}
		d.memory.ForgetTab(blank)
	}
	return session, nil
}

// currentOf is a session's current tab, 0 for none.
func currentOf(s protocol.RPCSession) int64 {
	if s.ActiveTabID != 0 || len(s.Tabs) == 0 {
		return s.ActiveTabID
	}
	return s.Tabs[len(s.Tabs)-1].TabID
}

// page is one tab that an action works on, while it has the turn on its session.
type page struct {
	*drive
	session string
	tab     protocol.RPCTab // as it was before the action
	choice  uint64          // the choice of the session's current tab under which it is the current one
	now     protocol.RPCPage
}

// openPage waits for the turn on the tab's session and makes the tab its current one.
func (d *drive) openPage(ctx context.Context, tab int64) (*page, error) {
	session, err := d.sessionOf(ctx, tab)
	if err != nil {
		return nil, err
	}
	if err := d.line.Hold(ctx, session); err != nil {
		return nil, err
	}
	p := &page{drive: d, session: session, tab: protocol.RPCTab{TabID: tab}}
	aim, err := d.line.Aim(ctx, session)
	if err != nil {
		return nil, err
	}
	defer aim.Done()
	if err := p.makeCurrent(ctx, aim); err != nil {
		if isCode(err, protocol.CodeSessionNotFound) {
			d.memory.Forget(session)
		}
		return nil, err
	}
	if err := d.allow(p.tab.URL); err != nil {
		return nil, err
	}
	p.now = protocol.RPCPage{URL: p.tab.URL, Title: p.tab.Title}
	d.memory.Own(d.call.Agent, session, p.tab.TabID)
	return p, nil
}

// makeCurrent makes the page's tab the session's current one, or learns which that is.
func (p *page) makeCurrent(ctx context.Context, aim *hub.Aim) error {
	active, err := ask[protocol.RPCTabsActiveResult](ctx, p.drive, "tabs.active", protocol.RPCInSession{SessionID: p.session})
	if err != nil {
		return err
	}
	if p.tab.TabID == 0 || p.tab.TabID == active.Tab.TabID {
		p.tab, p.choice = active.Tab, aim.Choice()
		return nil
	}
	aim.Chosen()
	chosen, err := ask[protocol.RPCTabsActivateResult](ctx, p.drive, "tabs.activate", protocol.RPCTabOfSession{SessionID: p.session, TabID: p.tab.TabID})
	if err != nil {
		if isCode(err, protocol.CodeTabNotFound) {
			p.memory.ForgetTab(p.tab.TabID)
		}
		return err
	}
	if chosen.Tab.TabID != p.tab.TabID {
		return protocol.Errorf(protocol.CodeInternal, "the browser chose tab %d when it was asked for tab %d: nothing more was done", chosen.Tab.TabID, p.tab.TabID)
	}
	p.tab, p.choice = chosen.Tab, aim.Choice()
	return nil
}

// pageResult is a result of a pages method.
type pageResult interface {
	Common() protocol.RPCPagesResult
}

// on asks for a pages method on the page's tab, and for nothing if that is not the session's current one.
func on[R pageResult](ctx context.Context, p *page, method string, params any) (R, error) {
	var none R
	aim, err := p.line.Aim(ctx, p.session)
	if err != nil {
		return none, err
	}
	defer aim.Done()
	if aim.Choice() != p.choice {
		if err := p.makeCurrent(ctx, aim); err != nil {
			return none, err
		}
	}
	r, err := askThen[R](ctx, p.drive, method, params, aim.Done)
	if err != nil {
		return none, err
	}
	common := r.Common()
	if common.TabID != 0 && common.TabID != p.tab.TabID {
		return none, protocol.Errorf(protocol.CodeInternal,
			"the browser did %s on tab %d in place of tab %d: look at both before going on", method, common.TabID, p.tab.TabID).WithOutcome(protocol.Done)
	}
	if err := p.allow(common.Page.URL); err != nil {
		return none, err.WithOutcome(protocol.Done)
	}
	p.now = common.Page
	return r, nil
}

// changed says what the page told of itself that is new.
func (p *page) changed() protocol.Changed {
	var c protocol.Changed
	if p.now.URL != p.tab.URL {
		c.URL = p.now.URL
	}
	if p.now.Title != p.tab.Title {
		c.Title = p.now.Title
	}
	return c
}
