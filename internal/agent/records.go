package agent

import (
	"context"
	"maps"
	"slices"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Sessions lists who works in which tabs of the caller's user's browsers, by browser and agent. It needs the scope agent or admin.
func (d *Desk) Sessions(caller Caller) ([]protocol.AgentSession, error) {
	browsers, err := d.Browsers(caller)
	if err != nil {
		return nil, err
	}
	sessions := []protocol.AgentSession{}
	for _, b := range browsers {
		by := map[string][]protocol.TabRecord{}
		for _, tab := range b.Tabs {
			by[tab.AgentID] = append(by[tab.AgentID], tab)
		}
		for _, id := range slices.Sorted(maps.Keys(by)) {
			sessions = append(sessions, protocol.AgentSession{
				BrowserID: b.BrowserID, Browser: b.Name, AgentID: id, Own: id != "" && id == caller.AgentID(), Tabs: by[id],
			})
		}
	}
	return sessions, nil
}

// Follow begins a stream of what happens in the browsers of the caller's user; buffer is how many notices may wait. It needs the
// scope agent. The caller must Close it.
func (d *Desk) Follow(caller Caller, buffer int) (*hub.Subscription, error) {
	if err := allowed(caller, store.ScopeAgent); err != nil {
		return nil, err
	}
	return d.hub.Subscribe(caller.Identity.User, buffer), nil
}

// Audit returns the last lines of the trail about the caller's user, oldest first, at most limit. It needs the scope admin.
func (d *Desk) Audit(ctx context.Context, caller Caller, limit int) ([]protocol.AuditEntry, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return nil, err
	}
	return d.store.AuditTail(ctx, caller.Identity.User, limit)
}

// FollowAudit begins a stream of the lines that are written about the caller's user; buffer is how many may wait. It needs the
// scope admin. The caller must Close it.
func (d *Desk) FollowAudit(caller Caller, buffer int) (*store.AuditFeed, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return nil, err
	}
	return d.store.FollowAudit(caller.Identity.User, buffer), nil
}

// Tokens lists the tokens of the caller's user, the revoked ones too, oldest first. It needs the scope admin.
func (d *Desk) Tokens(ctx context.Context, caller Caller) ([]protocol.TokenInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return nil, err
	}
	all, err := d.store.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	infos := []protocol.TokenInfo{}
	for _, t := range all {
		if t.User == caller.Identity.User {
			infos = append(infos, tokenInfo(t))
		}
	}
	return infos, nil
}

// NewToken makes a token of the caller's user, which is returned this once. It needs the scope admin, and gives no scope that the
// caller lacks but that of a browser.
func (d *Desk) NewToken(ctx context.Context, caller Caller, want protocol.NewTokenRequest) (string, protocol.TokenInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return "", protocol.TokenInfo{}, err
	}
	ask := store.NewToken{User: caller.Identity.User, Name: want.Name}
	for _, scope := range want.Scopes {
		if s := store.Scope(scope); s != store.ScopeBrowser && !caller.Identity.Has(s) {
			return "", protocol.TokenInfo{}, protocol.Errorf(protocol.CodeUnauthorized, "a token cannot make one of the scope %s without having it", scope)
		}
		if !slices.Contains(ask.Scopes, store.Scope(scope)) {
			ask.Scopes = append(ask.Scopes, store.Scope(scope))
		}
	}
	secret, token, err := d.store.Mint(ctx, ask)
	if err != nil {
		return "", protocol.TokenInfo{}, err
	}
	d.note(ctx, d.tokenLine(caller, protocol.AuditMinted, token), nil)
	return secret, tokenInfo(token), nil
}

// RevokeToken ends a token of the caller's user for good, with what is connected by it. It needs the scope admin. A token of
// another user is as unknown as one that never was.
func (d *Desk) RevokeToken(ctx context.Context, caller Caller, id string) (protocol.TokenInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return protocol.TokenInfo{}, err
	}
	token, err := d.tokenOf(ctx, caller.Identity.User, id)
	if err != nil {
		return protocol.TokenInfo{}, err
	}
	if err := d.store.Revoke(ctx, token.ID); err != nil {
		return protocol.TokenInfo{}, err
	}
	d.note(ctx, d.tokenLine(caller, protocol.AuditRevoked, token), nil)
	d.opts.Revoked(token.ID)
	token, err = d.tokenOf(ctx, caller.Identity.User, id)
	return tokenInfo(token), err
}

func (d *Desk) tokenOf(ctx context.Context, user, id string) (store.Token, error) {
	all, err := d.store.Tokens(ctx)
	if err != nil {
		return store.Token{}, err
	}
	for _, t := range all {
		if t.User == user && t.ID == id {
			return t, nil
		}
	}
	return store.Token{}, protocol.Errorf(protocol.CodeInvalidAction, "no token has the id %q: list them to see their ids", clipped(id)).
		WithHint("List the tokens, by GET /v1/tokens or drawbridge token list, and give an id from there.")
}

func (d *Desk) tokenLine(caller Caller, kind protocol.AuditKind, of store.Token) store.AuditEntry {
	return store.AuditEntry{
		Kind: kind, User: caller.Identity.User, TokenID: caller.Identity.TokenID, AgentID: caller.AgentID(), BrowserID: of.BrowserID,
		Detail: of.ID + " " + of.Name,
	}
}

func tokenInfo(t store.Token) protocol.TokenInfo {
	info := protocol.TokenInfo{ID: t.ID, Name: t.Name, Scopes: []string{}, BrowserID: t.BrowserID, CreatedAt: t.Created.UnixMilli()}
	for _, s := range t.Scopes {
		info.Scopes = append(info.Scopes, string(s))
	}
	if !t.Revoked.IsZero() {
		info.RevokedAt = t.Revoked.UnixMilli()
	}
	if !t.Seen.IsZero() {
		info.SeenAt = t.Seen.UnixMilli()
	}
	return info
}

// Outcome is what came of one action of a batch.
type Outcome struct {
	Answer Answer
	// Err is nil when it was done.
	Err *protocol.Error
}

// Batch has actions done one after the other and stops at the first error: the outcomes are those of the actions that were begun.
func (d *Desk) Batch(ctx context.Context, caller Caller, requests []Request) []Outcome {
	var outcomes []Outcome
	for _, r := range requests {
		outcome := Outcome{}
		answer, err := d.Do(ctx, caller, r)
		outcome.Answer = answer
		if err != nil {
			outcome.Err = typedError(err)
		}
		outcomes = append(outcomes, outcome)
		if err != nil {
			break
		}
	}
	return outcomes
}
