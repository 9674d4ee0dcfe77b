package agent

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// RenameBrowser gives the browser of the caller's user that which names, by its id or name, another name, for good; empty gives it
// back the one that it says of itself. It needs the scope admin. A name that another browser of the user has, or that is another's id,
// is refused.
func (d *Desk) RenameBrowser(ctx context.Context, caller Caller, which, name string) (protocol.BrowserInfo, error) {
	var none protocol.BrowserInfo
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return none, err
	}
	name = strings.TrimSpace(name)
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.ContainsAny(name, `"`) {
		return none, protocol.Errorf(protocol.CodeInvalidAction, "a browser's name has letters, digits, signs and spaces, but no quotes and no line breaks: choose another")
	}
	user := caller.Identity.User
	d.changing.Lock()
	defer d.changing.Unlock()
	known, err := d.named(ctx, user)
	if err != nil {
		return none, err
	}
	renamed, err := oneOf(known, which)
	if err != nil {
		return none, err
	}
	if name != "" {
		for _, other := range known {
			if other.BrowserID != renamed.BrowserID && (strings.EqualFold(other.Name, name) || other.BrowserID == name) {
				return none, protocol.Errorf(protocol.CodeNameInUse, "%s goes by the name %q already: choose another, or rename that one first", hub.Title(other.Name, other.BrowserID), name)
			}
		}
	}
	if err := d.store.SetBrowserName(ctx, store.BrowserName{User: user, BrowserID: renamed.BrowserID, Name: name}); err != nil {
		return none, err
	}
	d.hub.Rename(user, renamed.BrowserID, name)
	d.note(ctx, store.AuditEntry{
		Kind: protocol.AuditRenamed, User: user, TokenID: caller.Identity.TokenID, AgentID: caller.AgentID(), BrowserID: renamed.BrowserID, Detail: name,
	}, nil)
	renamed.Name = name
	for _, now := range d.hub.Browsers(user) { // its own name is the hub's to know
		if now.BrowserID == renamed.BrowserID {
			renamed = now
		}
	}
	clean, err := d.scrubber(ctx, user)
	if err != nil {
		return none, err
	}
	return clean.browsers([]protocol.BrowserInfo{renamed})[0], nil
}

// named are the browsers of a user that have a name here or are connected, or were a moment ago.
func (d *Desk) named(ctx context.Context, user string) ([]protocol.BrowserInfo, error) {
	names, err := d.store.BrowserNames(ctx)
	if err != nil {
		return nil, err
	}
	known := d.hub.Browsers(user)
	for _, n := range names {
		if n.User == user && !slices.ContainsFunc(known, func(b protocol.BrowserInfo) bool { return b.BrowserID == n.BrowserID }) {
			known = append(known, protocol.BrowserInfo{BrowserID: n.BrowserID, Name: n.Name})
		}
	}
	return known, nil
}

// oneOf is the one browser that which means.
func oneOf(known []protocol.BrowserInfo, which string) (protocol.BrowserInfo, error) {
	var meant []protocol.BrowserInfo
	for _, b := range known {
		if b.BrowserID == which {
			return b, nil
		}
		if b.Name != "" && strings.EqualFold(b.Name, which) {
			meant = append(meant, b)
		}
	}
	switch {
	case len(meant) == 1:
		return meant[0], nil
	case len(meant) > 1:
		return protocol.BrowserInfo{}, protocol.Errorf(protocol.CodeInvalidAction, "several browsers go by the name %q: name one by its id: %s", which, titles(meant))
	}
	return protocol.BrowserInfo{}, protocol.Errorf(protocol.CodeNotConnected, "no browser goes by %q: start it first, or name one of: %s", clipped(which), titles(known))
}

func titles(browsers []protocol.BrowserInfo) string {
	if len(browsers) == 0 {
		return "none"
	}
	all := make([]string, len(browsers))
	for i, b := range browsers {
		all[i] = hub.Title(b.Name, b.BrowserID)
	}
	return strings.Join(all, ", ")
}

// clipped keeps what somebody sent from filling an error.
func clipped(text string) string {
	const limit = 64
	return strings.ToValidUTF8(text[:min(len(text), limit)], "")
}
