package protocol

import "reflect"

// Scopes of tokens, as endpoints ask for them.
const (
	ScopeAgent = "agent"
	ScopeAdmin = "admin"
)

// Endpoint is one address of the HTTP API. The server's routes and the OpenAPI document range over
// [Endpoints], so that neither has an address that the other lacks.
type Endpoint struct {
	Method, Path string
	// Name is the operation's name in generated clients.
	Name string
	// Summary says in a sentence what it does.
	Summary string
	// Scope is what the token must be good for; empty means that no token is asked for.
	Scope string
	// Request and Response are the types of the bodies; nil where there is none.
	Request, Response reflect.Type
	// Stream tells that the answer is an event stream, of which each event's data is a Response, or one without events where that is nil.
	Stream bool
	// File tells that the answer is a file's bytes, of a type of its own, whole or in the range that was asked for.
	File bool
	// Query are the parameters that may stand behind the question mark, with what they do.
	Query []Parameter
}

// Parameter is one query parameter, a whole number where Most is set and else a word.
type Parameter struct {
	Name, Description string
	Most              int
}

// Endpoints is the HTTP API.
var Endpoints = []Endpoint{
	{
		Method: "POST", Path: "/v1/act", Name: "act", Scope: ScopeAgent, Summary: "Has one action done and waits for its end.",
		Request: reflect.TypeFor[ActRequest](), Response: reflect.TypeFor[ActResponse](),
	},
	{
		Method: "POST", Path: "/v1/batch", Name: "batch", Scope: ScopeAgent, Summary: "Has several actions done one after the other, and stops at the first error.",
		Request: reflect.TypeFor[BatchRequest](), Response: reflect.TypeFor[BatchResponse](),
	},
	{
		Method: "GET", Path: "/v1/files/{id}", Name: "file", Scope: ScopeAgent, File: true,
		Summary: "Gives the bytes that an action brought which was asked for as a file.",
	},
	{
		Method: "GET", Path: "/v1/browsers", Name: "browsers", Scope: ScopeAgent, Summary: "Lists the browsers of the token's user.",
		Response: reflect.TypeFor[BrowsersResponse](),
	},
	{
		Method: "PUT", Path: "/v1/browsers/{browser}/name", Name: "renameBrowser", Scope: ScopeAdmin,
		Summary: "Gives a browser, which the path names by its id or name, another name, for good. It goes before the one that the browser says of itself.",
		Request: reflect.TypeFor[RenameBrowserRequest](), Response: reflect.TypeFor[BrowserInfo](),
	},
	{
		Method: "GET", Path: "/v1/sessions", Name: "sessions", Scope: ScopeAgent, Summary: "Lists who works in which tabs of the user's browsers.",
		Response: reflect.TypeFor[SessionsResponse](),
	},
	{
		Method: "DELETE", Path: "/v1/sessions", Name: "leave", Scope: ScopeAgent,
		Summary:  "Ends the agent that asks: its tabs stay open and are the user's. Tells what it had.",
		Response: reflect.TypeFor[SessionsResponse](),
	},
	{
		Method: "GET", Path: "/v1/presence", Name: "present", Scope: ScopeAgent, Stream: true,
		Summary: "Says that the agent is there, for as long as the stream is read, which tells nothing. A few seconds after its last one has ended the agent has left, as by DELETE /v1/sessions. The agent's session must have a name.",
	},
	{
		Method: "GET", Path: "/v1/events", Name: "events", Scope: ScopeAgent, Stream: true,
		Summary:  "Tells what happens in the user's browsers, from now on, until the caller goes away.",
		Response: reflect.TypeFor[Notice](),
	},
	{
		Method: "GET", Path: "/v1/audit", Name: "audit", Scope: ScopeAdmin, Summary: "Returns the last lines of the audit trail that are about the token's user, oldest first.",
		Response: reflect.TypeFor[AuditResponse](),
		Query:    []Parameter{{Name: "limit", Description: "How many lines at most. Default 100.", Most: MaxAuditLines}},
	},
	{
		Method: "GET", Path: "/v1/audit/stream", Name: "followAudit", Scope: ScopeAdmin, Stream: true,
		Summary:  "Tells the lines that are written to the audit trail about the token's user, from now on.",
		Response: reflect.TypeFor[AuditEntry](),
	},
	{
		Method: "POST", Path: "/v1/pair", Name: "pair", Scope: ScopeAdmin, Summary: "Makes a one-use pairing code for a browser of the token's user.",
		Response: reflect.TypeFor[PairResponse](),
	},
	{Method: "GET", Path: "/v1/rules", Name: "rules", Scope: ScopeAdmin, Summary: "Returns the rules in force.", Response: reflect.TypeFor[Rules]()},
	{
		Method: "PUT", Path: "/v1/rules", Name: "setRules", Scope: ScopeAdmin, Summary: "Replaces the rules; connected browsers learn of it at once.",
		Request: reflect.TypeFor[Rules](), Response: reflect.TypeFor[Rules](),
	},
	{Method: "GET", Path: "/v1/tokens", Name: "tokens", Scope: ScopeAdmin, Summary: "Lists the tokens of the token's user, revoked ones too.", Response: reflect.TypeFor[TokensResponse]()},
	{
		Method: "POST", Path: "/v1/tokens", Name: "newToken", Scope: ScopeAdmin, Summary: "Makes a token of the same user, and tells it this once.",
		Request: reflect.TypeFor[NewTokenRequest](), Response: reflect.TypeFor[NewTokenResponse](),
	},
	{
		Method: "DELETE", Path: "/v1/tokens/{id}", Name: "revokeToken", Scope: ScopeAdmin,
		Summary:  "Ends a token for good, and what is connected by it within a second.",
		Response: reflect.TypeFor[TokenInfo](),
	},
	{Method: "GET", Path: "/v1/secrets", Name: "secrets", Scope: ScopeAdmin, Summary: "Lists the secrets of the token's user, without their values.", Response: reflect.TypeFor[SecretsResponse]()},
	{
		Method: "PUT", Path: "/v1/secrets/{name}", Name: "setSecret", Scope: ScopeAdmin, Summary: "Keeps a secret that agents of the same user may have typed by its name, on its origins only.",
		Request: reflect.TypeFor[SetSecretRequest](), Response: reflect.TypeFor[SecretInfo](),
	},
	{
		Method: "DELETE", Path: "/v1/secrets/{name}", Name: "removeSecret", Scope: ScopeAdmin, Summary: "Forgets a secret.",
		Response: reflect.TypeFor[SecretInfo](),
	},
}

// RenameBrowserRequest is the body of PUT /v1/browsers/{browser}/name.
type RenameBrowserRequest struct {
	// The new name, which no other browser of the user may have. Empty gives it back the one that it says of itself.
	Name string `json:"name" jsonschema:"maxLength=64"`
}

// MaxAuditLines is the most that one answer brings of the audit trail.
const MaxAuditLines = 10_000

// MaxBatch is how many actions a batch may have.
const MaxBatch = 100

// BatchRequest is the body of POST /v1/batch.
type BatchRequest struct {
	// What to do, one after the other.
	Actions []ActRequest `json:"actions" jsonschema:"minItems=1,maxItems=100"`
}

// BatchResponse is the answer of POST /v1/batch: one answer for each action that was begun. The last has
// the error, if there was one; those behind it were not sent.
type BatchResponse struct {
	Results []ActResponse `json:"results"`
}

// AgentSession is one agent's work in one browser.
type AgentSession struct {
	BrowserID string `json:"browserId"`
	Browser   string `json:"browser,omitempty"`
	// The agent: its token's public id and, after a slash, its session's name. Absent for tabs of nobody known.
	AgentID string `json:"agentId,omitempty"`
	// The agent asks now.
	Own  bool        `json:"own,omitempty"`
	Tabs []TabRecord `json:"tabs"`
}

// SessionsResponse is the answer of GET /v1/sessions.
type SessionsResponse struct {
	Sessions []AgentSession `json:"sessions"`
}

// NoticeKind says what a notice is about.
type NoticeKind string

// The kinds of notices.
const (
	// NoticeEvent: the browser told an event.
	NoticeEvent NoticeKind = "event"
	// NoticeConnected: the browser came.
	NoticeConnected NoticeKind = "connected"
	// NoticeDisconnected: the browser went.
	NoticeDisconnected NoticeKind = "disconnected"
)

// Notice is one event of GET /v1/events.
type Notice struct {
	Kind      NoticeKind `json:"kind"`
	BrowserID string     `json:"browserId,omitempty"`
	// The agent that works on the event's tab.
	AgentID string `json:"agentId,omitempty"`
	// For kind event.
	Event *AnyEvent `json:"event,omitempty"`
	// This many notices before this one are missing, because the reader was slow.
	Lost int64 `json:"lost,omitempty"`
}

// TokenInfo is what is known of a token: everything but the token itself.
type TokenInfo struct {
	// Names it without giving it away.
	ID string `json:"id"`
	// For people, to know which one to revoke.
	Name string `json:"name,omitempty"`
	// What it is good for.
	Scopes []string `json:"scopes" jsonschema:"enum=agent,enum=browser,enum=admin"`
	// The one browser that it belongs to.
	BrowserID string `json:"browserId,omitempty"`
	// When it was made and when it ended, epoch milliseconds.
	CreatedAt int64 `json:"createdAt"`
	RevokedAt int64 `json:"revokedAt,omitempty"`
	// When its browser last came or went, epoch milliseconds; of a browser's token only.
	SeenAt int64 `json:"seenAt,omitempty"`
}

// TokensResponse is the answer of GET /v1/tokens.
type TokensResponse struct {
	Tokens []TokenInfo `json:"tokens"`
}

// NewTokenRequest is the body of POST /v1/tokens.
type NewTokenRequest struct {
	// For people, to know which one to revoke.
	Name string `json:"name" jsonschema:"minLength=1,maxLength=100"`
	// What it is to be good for.
	Scopes []string `json:"scopes" jsonschema:"minItems=1,maxItems=3,enum=agent,enum=browser,enum=admin"`
}

// NewTokenResponse is the answer of POST /v1/tokens.
type NewTokenResponse struct {
	// The token, which is told this once: only its hash is kept.
	Token string    `json:"token"`
	Info  TokenInfo `json:"info"`
}

// SecretInfo is what is told of a secret: everything but its value.
type SecretInfo struct {
	// What agents call it.
	Name string `json:"name"`
	// Where alone it may be typed.
	Origins []string `json:"origins"`
	// When it was last set, epoch milliseconds.
	ChangedAt int64 `json:"changedAt"`
}

// SecretsResponse is the answer of GET /v1/secrets.
type SecretsResponse struct {
	Secrets []SecretInfo `json:"secrets"`
}

// SetSecretRequest is the body of PUT /v1/secrets/{name}.
type SetSecretRequest struct {
	// What is typed.
	Value string `json:"value" jsonschema:"minLength=3,maxLength=4096"`
	// The only origins on which it may be typed, such as https://example.com; of an address, its origin.
	Origins []string `json:"origins" jsonschema:"minItems=1,maxItems=20"`
}

// Problem is the body of every answer that is an error (RFC 9457).
type Problem struct {
	// urn:drawbridge:error: and the error's code.
	Type string `json:"type"`
	// The HTTP status, in words and as a number.
	Title  string `json:"title"`
	Status int    `json:"status"`
	// What happened, what was expected and what to do next.
	Detail string `json:"detail"`
	// The same with what programs branch on.
	Error Error `json:"error"`
	// What happened on the agent's tabs since its last result.
	Events []AnyEvent `json:"events,omitempty"`
}
