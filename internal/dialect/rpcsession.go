package dialect

import (
	"context"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func (d *drive) session(ctx context.Context, a protocol.Session) (protocol.Result, error) {
	switch a.Op {
	case "create":
		wanted := protocol.RPCSessionsCreate{URL: a.URL, Title: a.Title, Color: a.Color}
		if a.Foreground {
			wanted.Background = new(bool)
		}
		made, err := ask[protocol.RPCSessionsCreateResult](ctx, d, "sessions.create", wanted)
		if err != nil {
			return nil, err
		}
		d.memory.Own(d.call.Agent, made.Session.SessionID, tabIDs(made.Session.Tabs)...)
		return d.told(made.Session), nil
	case "attachCurrent":
		made, err := ask[protocol.RPCSessionsAttachCurrentResult](ctx, d, "sessions.attachCurrent", protocol.RPCSessionsAttachCurrent{Title: a.Title, Color: a.Color})
		if err != nil {
			return nil, err
		}
		if _, err := d.attached(ctx, made.Session, made.AttachedTabID); err != nil {
			return nil, err
		}
		return d.told(made.Session), nil
	case "list":
		return d.listSessions(ctx)
	case "release":
		if a.SessionID == "" {
			return d.releaseAll(ctx)
		}
	}
	session, err := d.namedSession(ctx, a.SessionID)
	if err != nil {
		return nil, err
	}
	switch a.Op {
	case "rename":
		r, err := ask[protocol.RPCSessionsRenameResult](ctx, d, "sessions.rename", protocol.RPCSessionsRename{SessionID: session, Title: a.Title})
		if err != nil {
			return nil, err
		}
		return d.told(r.Session), nil
	case "release":
		return protocol.SessionResult{OK: true}, d.release(ctx, session)
	default:
		r, err := ask[protocol.RPCSessionsCloseResult](ctx, d, "sessions.close", protocol.RPCInSession{SessionID: session})
		if err != nil {
			return nil, err
		}
		d.memory.Forget(session)
		return protocol.SessionResult{OK: true, ClosedTabIDs: r.ClosedTabIDs}, nil
	}
}

// release ends control of a session, whose tabs stay.
func (d *drive) release(ctx context.Context, session string) error {
	if _, err := ask[protocol.RPCSessionsReleaseResult](ctx, d, "sessions.release", protocol.RPCInSession{SessionID: session}); err != nil {
		return err
	}
	d.memory.Forget(session)
	return nil
}

// releaseAll releases every session of the agent's.
func (d *drive) releaseAll(ctx context.Context) (protocol.Result, error) {
	sessions, err := d.sessions(ctx)
	if err != nil {
		return nil, err
	}
	none := true
	for _, s := range sessions {
		if owner, known := d.memory.Owner(s.SessionID); !known || owner != d.call.Agent {
			continue
		}
		none = false
		if err := d.release(ctx, s.SessionID); err != nil {
			return nil, err
		}
	}
	if none {
		return nil, protocol.Errorf(protocol.CodeSessionNotFound, "you have no session: session create makes one")
	}
	return protocol.SessionResult{OK: true}, nil
}

func (d *drive) listSessions(ctx context.Context) (protocol.Result, error) {
	sessions, err := d.sessions(ctx)
	if err != nil {
		return nil, err
	}
	mine := []protocol.RPCSession{}
	for _, s := range sessions {
		if owner, known := d.memory.Owner(s.SessionID); known && owner == d.call.Agent {
			mine = append(mine, s)
		}
	}
	return d.told(mine...), nil
}

// namedSession finds the agent's session of that id, or its only one.
func (d *drive) namedSession(ctx context.Context, id string) (string, error) {
	sessions, err := d.sessions(ctx)
	if err != nil {
		return "", err
	}
	var mine []string
	for _, s := range sessions {
		owner, known := d.memory.Owner(s.SessionID)
		switch {
		case known && owner != d.call.Agent:
		case s.SessionID == id:
			return id, nil // one that nobody has any more may be ended by whoever names it
		case known:
			mine = append(mine, s.SessionID)
		}
	}
	if id == "" && len(mine) == 1 {
		return mine[0], nil
	}
	return "", protocol.Errorf(protocol.CodeSessionNotFound, "no such session of yours: give sessionId, one of %s", strings.Join(append(mine, "(create one)"), ", "))
}

// told describes sessions as agents see them; tabs that the rules forbid are left out.
func (d *drive) told(sessions ...protocol.RPCSession) protocol.SessionResult {
	result := protocol.SessionResult{OK: true}
	for _, s := range sessions {
		info := protocol.SessionInfo{SessionID: s.SessionID, Title: s.Title, Color: s.Color, ActiveTabID: s.ActiveTabID}
		list := protocol.ListTabsResult{Tabs: []protocol.TabInfo{}}
		for _, t := range s.Tabs {
			d.list(&list, t, "agent", s.SessionID, "")
		}
		info.Tabs = list.Tabs
		result.Sessions = append(result.Sessions, info)
	}
	return result
}

func (d *drive) network(ctx context.Context, a protocol.Network) (protocol.Result, error) {
	if a.Op == "detail" && a.RequestID == "" {
		return nil, protocol.Errorf(protocol.CodeInvalidAction, "detail needs requestId: one of what list gives")
	}
	p, err := d.openPage(ctx, a.TabID)
	if err != nil {
		return nil, err
	}
	var params any = protocol.RPCInSession{SessionID: p.session}
	if a.Op == "detail" {
		params = protocol.RPCNetworkDetail{SessionID: p.session, RequestID: a.RequestID}
	}
	r, err := ask[protocol.RPCNetworkResult](ctx, d, "network."+a.Op, params)
	if err != nil {
		return nil, err
	}
	limit := a.Limit
	if limit == 0 {
		limit = 50
	}
	return protocol.NetworkResult{OK: true, Entries: r.Requests[max(len(r.Requests)-limit, 0):]}, nil
}
