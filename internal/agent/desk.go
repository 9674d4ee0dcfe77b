// Package agent is the one desk that every door goes through: it turns a caller and an action into a result or one typed error.
//
//	identity ─▶ scope ─▶ policy ─▶ audit (intent) ─▶ hub ─▶ audit (outcome) ─▶ result, and what the agent should know
//
// Doors (HTTP, MCP, the console) resolve a token to an identity and hand over what they were asked for; they decide nothing.
// Who owns a tab is the extension's to know and to enforce: the desk says on whose behalf each call comes, in a form that no
// request's body can forge.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/files"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/policy"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Hub is what the desk needs of the hub.
type Hub interface {
	Do(ctx context.Context, call hub.Call) (hub.Reply, error)
	Browsers(user string) []protocol.BrowserInfo
	Where(user, agent string) []string
	Rename(user, browserID, name string)
	PushPolicy(user string, rules protocol.Rules) int
	Subscribe(user string, buffer int) *hub.Subscription
	Keep() *hub.Backlog
}

// Store is what the desk needs of the store.
type Store interface {
	Audit(ctx context.Context, entry store.AuditEntry) error
	NewPairing(ctx context.Context, user, name string) (code string, expires time.Time, err error)
	AuditTail(ctx context.Context, user string, limit int) ([]store.AuditEntry, error)
	FollowAudit(user string, buffer int) *store.AuditFeed
	Tokens(ctx context.Context) ([]store.Token, error)
	Mint(ctx context.Context, want store.NewToken) (string, store.Token, error)
	Revoke(ctx context.Context, id string) error
	SetSecret(ctx context.Context, secret store.Secret) (store.Secret, error)
	Secrets(ctx context.Context, user string) ([]store.Secret, error)
	RemoveSecret(ctx context.Context, user, name string) (store.Secret, error)
	SetBrowserName(ctx context.Context, name store.BrowserName) error
	BrowserNames(ctx context.Context) ([]store.BrowserName, error)
	SetConnected(ctx context.Context, c store.Connected) error
	SetGone(ctx context.Context, user, browserID string) error
	SetSeen(ctx context.Context, user, browserID string) error
	Rules(ctx context.Context) (store.Rules, error)
	SetRules(ctx context.Context, rules store.Rules) error
}

var (
	_ Hub   = (*hub.Hub)(nil)
	_ Store = (*store.Store)(nil)
)

// Options are the knobs of [New]; nil and the zero value are fine.
type Options struct {
	// Logger gets what cannot be told to any caller. Default: discard.
	Logger *slog.Logger
	// OwnPort is the port of this server's listener, whose pages no agent may open. Empty when there is none.
	OwnPort string
	// Revoked is called once a token has ended, with its public id, to end what is connected by it. Default: nothing.
	Revoked func(tokenID string)
	// Downloads is the folder in which files that browsers saved may be read; empty means that none may.
	Downloads string
	// Observe is called after each action with its type, the error's code or ok, and how long it took. Default: nothing.
	Observe func(action, code string, took time.Duration)
}

// Desk serves the agents of all users. Its methods may be called concurrently.
type Desk struct {
	// fixed at creation
	hub   Hub
	store Store
	opts  Options

	chosen choices
	scrub  scrubbers
	files  *files.Shelf // fixed at creation

	changing sync.Mutex // held over a change of the rules or of a name, so that what is stored is what is in force
	rules    atomic.Pointer[policy.Rules]
}

// New makes a desk over a hub and a store, with the stored rules in force. It fails when those cannot be read.
func New(ctx context.Context, h Hub, s Store, opts *Options) (*Desk, error) {
	d := &Desk{hub: h, store: s, files: files.NewShelf()}
	if opts != nil {
		d.opts = *opts
	}
	if d.opts.Logger == nil {
		d.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if d.opts.Observe == nil {
		d.opts.Observe = func(string, string, time.Duration) {}
	}
	if d.opts.Revoked == nil {
		d.opts.Revoked = func(string) {}
	}
	stored, err := s.Rules(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := policy.Compile(protocol.Rules{Blocklist: stored.Blocklist}, d.opts.OwnPort)
	if err != nil {
		return nil, fmt.Errorf("stored rules: %w", err)
	}
	d.rules.Store(rules)
	return d, nil
}

// Caller is on whose behalf something is asked.
type Caller struct {
	// Identity comes from the caller's token.
	Identity store.Identity
	// Session tells apart the agents that share a token; empty is a session like any other. See [CheckSession].
	Session string
}

// maxSession is the longest session name, in bytes.
const maxSession = 64

// CheckSession refuses a session name that is too long or has other characters than letters, digits and ._:-.
func CheckSession(session string) error {
	fits := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._:-", r)
	}
	if len(session) > maxSession || strings.ContainsFunc(session, func(r rune) bool { return !fits(r) }) {
		return protocol.Errorf(protocol.CodeInvalidAction, "the session's name may have at most %d letters, digits and ._:-", maxSession)
	}
	return nil
}

// AgentID is the name by which browsers know the caller: its token's public id and its session.
func (c Caller) AgentID() string {
	if c.Session == "" {
		return c.Identity.TokenID
	}
	return c.Identity.TokenID + "/" + c.Session
}

// Request is one action that a caller wants done.
type Request struct {
	// Action must have been validated when it was read.
	Action protocol.Action
	// Browser is an id or a name; empty means the only one connected.
	Browser string
	// Timeout is how long to wait; 0 means the action's own default.
	Timeout time.Duration
	// Recall, when not 0, asks what came of the call of this CallKey that was sent that long ago, and does nothing.
	Recall time.Duration
	// CallKey names the call across reconnects; empty means that its outcome will not be asked for.
	CallKey string
	// Keep has the bytes that the action brings kept for the user's agents to fetch, in place of having them in the answer. It is an
	// error for an action that brings none.
	Keep bool
}

// Answer is what came of a request.
type Answer struct {
	// BrowserID is the browser that did it, empty if it got to none.
	BrowserID string
	// Result is set when there was no error; Raw is its JSON as the browser sent it.
	Result protocol.Result
	Raw    json.RawMessage
	// File is where the bytes are that were kept; nil where there are none.
	File *protocol.FileInfo
	// Events is what happened on the agent's tabs since its last answer. They may come with an error.
	Events []protocol.Event
}

// Do has an action done and waits for its end. An error is a *protocol.Error with outcome and retryable set. When ctx ends
// first, Do returns at once and the browser is told to stop.
func (d *Desk) Do(ctx context.Context, caller Caller, request Request) (Answer, error) {
	do := d.once
	if request.Keep {
		do = d.keep
	}
	answer, err := do(ctx, caller, request)
	if err != nil {
		return answer, typedError(err)
	}
	return answer, nil
}

// once has one action done by one call of the browser.
func (d *Desk) once(ctx context.Context, caller Caller, request Request) (Answer, error) {
	start := time.Now()
	action := string(protocol.TypeOf(request.Action))
	answer, err := d.do(ctx, caller, request)
	code := "ok"
	if err != nil {
		code = string(err.Code)
	}
	d.opts.Observe(action, code, time.Since(start))
	if err != nil {
		return answer, err
	}
	return answer, nil
}

func (d *Desk) do(ctx context.Context, caller Caller, request Request) (Answer, *protocol.Error) {
	if err := allowed(caller, store.ScopeAgent); err != nil {
		return Answer{}, err
	}
	if request.Action == nil {
		return Answer{}, protocol.Errorf(protocol.CodeInvalidAction, "the request has no action")
	}
	clean, err := d.scrubber(ctx, caller.Identity.User)
	if err != nil {
		d.opts.Logger.Error("an action was refused because its answer could not be kept clear of secrets", "err", err)
		return Answer{}, protocol.Errorf(protocol.CodeInternal, "the server cannot read its secrets, so nothing was done; tell the user to look at the server's log").
			WithHint("Tell the user: nothing is done until the server can read its secrets.")
	}
	line := store.AuditEntry{
		Kind: protocol.AuditIntent, Call: uuid.NewString(),
		User: caller.Identity.User, TokenID: caller.Identity.TokenID, AgentID: caller.AgentID(), BrowserID: request.Browser,
		Action: string(protocol.TypeOf(request.Action)), TabID: protocol.TabOf(request.Action), Address: askedAddress(request.Action), Arguments: maskedArguments(request.Action),
	}
	line.Address = clean.text(line.Address)
	sent, refusal := d.withSecret(ctx, caller.Identity.User, request.Action)
	if refusal == nil {
		refusal = d.judge(sent)
	}
	if err := refusal; err != nil {
		line.Kind = protocol.AuditOutcome
		d.note(ctx, line, err)
		return Answer{}, err
	}
	if err := d.store.Audit(ctx, line); err != nil {
		d.opts.Logger.Error("an action was refused because its audit line could not be written", "err", err)
		return Answer{}, protocol.Errorf(protocol.CodeInternal, "the audit trail cannot be written, so nothing was done; tell the user to look at the server's log and disk").
			WithHint("Tell the user: nothing is done until the server's log and disk were looked at.")
	}
	start := time.Now()
	call := hub.Call{
		User: caller.Identity.User, Browser: d.chosen.of(caller.AgentID(), request.Browser), Agent: caller.AgentID(),
		Action: onDisk(sent, d.opts.Downloads != ""), Timeout: request.Timeout, Key: request.CallKey, Recall: request.Recall, Allow: d.allowPage,
	}
	reply, err := d.hub.Do(ctx, call)
	if had, ok := d.fromDisk(call.Action, reply); ok {
		reply = had
	} else {
		call.Action, call.Key = onDisk(sent, false), "" // another call, which only reads
		events := reply.Events
		reply, err = d.hub.Do(ctx, call)
		reply.Events = append(events, reply.Events...)
	}
	line.Kind, line.Millis = protocol.AuditOutcome, time.Since(start).Milliseconds()
	if reply.BrowserID != "" {
		line.BrowserID = reply.BrowserID
		if request.Browser != "" {
			d.chosen.set(caller.AgentID(), reply.BrowserID) // not the name, which it may lose
		}
	}
	answer := Answer{BrowserID: reply.BrowserID, Result: reply.Result, Raw: reply.Raw, Events: reply.Events}
	var typed *protocol.Error
	if err != nil {
		typed = typedError(err)
	}
	d.note(ctx, line, typed)
	told, unclear := clean.answer(request.Action, answer)
	if typed == nil {
		return told, unclear
	}
	return told, clean.failure(typed)
}

// judge asks policy. The address of the tab is left to the extension: what the server remembers of it may be a navigation old,
// and refusing by that would be as wrong as allowing by it.
func (d *Desk) judge(action protocol.Action) *protocol.Error {
	switch decision := policy.Decide(action, "", d.rules.Load()); decision.Verdict {
	case policy.Allow:
		return nil
	case policy.Ask:
		return protocol.Errorf(protocol.CodeUnsupported, "%s needs the user's consent, and this server has no way to ask for it", decision.Domain).
			WithHint("Tell the user: they may do it themselves, or allow the domain.")
	default:
		return decision.Err
	}
}

// allowPage judges the address of a page that an action is about to touch, or has met.
func (d *Desk) allowPage(address string) *protocol.Error {
	if decision := policy.Decide(protocol.ListTabs{}, address, d.rules.Load()); decision.Verdict != policy.Allow {
		return decision.Err
	}
	return nil
}

func secretOf(action protocol.Action) string {
	switch a := action.(type) {
	case protocol.Type:
		return a.Secret
	case protocol.Fill:
		return a.Secret
	case protocol.Navigate:
		return a.Secret
	}
	return ""
}

// note writes an outcome. The deed is done by then: a line that cannot be written is the operator's to hear of, not the agent's.
func (d *Desk) note(ctx context.Context, line store.AuditEntry, err *protocol.Error) {
	line.Result = "ok"
	if err != nil {
		line.Result, line.Outcome = string(err.Code), string(err.Outcome)
	}
	if err := d.store.Audit(context.WithoutCancel(ctx), line); err != nil {
		d.opts.Logger.Error("an outcome is missing in the audit trail", "call", line.Call, "err", err)
	}
}

// typedError gives what the hub returned in the form that agents get.
func typedError(err error) *protocol.Error {
	var typed *protocol.Error
	if errors.As(err, &typed) {
		return typed.Complete()
	}
	return protocol.Errorf(protocol.CodeInternal, "%v", err).WithOutcome(protocol.Unknown).Complete()
}

// askedAddress is the address that an action asks for, cut down to what an audit line may hold.
func askedAddress(action protocol.Action) string {
	var address string
	switch a := action.(type) {
	case protocol.OpenTab:
		address = a.URL
	case protocol.Navigate:
		address = a.URL
	case protocol.Session:
		address = a.URL
	}
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	if u.Opaque != "" { // data:, javascript: and their like carry content
		return u.Scheme + ":"
	}
	const limit = 500
	plain := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	return plain[:min(len(plain), limit)]
}

// allowed checks the scope of a caller's token.
func allowed(caller Caller, scope store.Scope) *protocol.Error {
	if caller.Identity.Has(scope) {
		return nil
	}
	return protocol.Errorf(protocol.CodeUnauthorized, "the token lacks the scope %s: use a token that has it", scope)
}
