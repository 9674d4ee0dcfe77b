package protocol

import "time"

// AuditKind says what an audit line is about.
type AuditKind string

// The kinds. An intent is written before an action is dispatched and its outcome after; an intent without an outcome is an action
// that was in flight when the server died.
const (
	AuditIntent  AuditKind = "intent"
	AuditOutcome AuditKind = "outcome"
	AuditEvent   AuditKind = "event"
	AuditPaired  AuditKind = "paired"
	AuditRules   AuditKind = "rules"
	AuditMinted  AuditKind = "minted"
	AuditRevoked AuditKind = "revoked"
	AuditSecret  AuditKind = "secret" // one was set or removed; its value is in no line
	AuditRenamed AuditKind = "renamed"
)

// AuditEntry is one line of the audit trail. It says who did what where; it never holds a token, a typed text or a page's words.
type AuditEntry struct {
	// When it was written.
	Time time.Time `json:"time"`
	// What the line is about.
	Kind AuditKind `json:"kind"`
	// Joins an intent with its outcome.
	Call string `json:"call,omitempty"`
	// Who; tokenId is a token's public id.
	User    string `json:"user,omitempty"`
	TokenID string `json:"tokenId,omitempty"`
	AgentID string `json:"agentId,omitempty"`
	// In which browser.
	BrowserID string `json:"browserId,omitempty"`
	// An action's or an event's type.
	Action string `json:"action,omitempty"`
	// The tab, when one was named.
	TabID int64 `json:"tabId,omitempty"`
	// Where it happened, or the address asked for: scheme, host and path only, as queries and fragments carry secrets.
	Address string `json:"address,omitempty"`
	// The action's arguments; of what was typed, uploaded or run only how long it was.
	Arguments map[string]any `json:"arguments,omitempty"`
	// ok or an error's code, and that error's not_sent, done or unknown.
	Result  string `json:"result,omitempty"`
	Outcome string `json:"outcome,omitempty"`
	// One short word more: the reason of an ended session, the name of a device.
	Detail string `json:"detail,omitempty"`
	// How long the action took, in milliseconds.
	Millis int64 `json:"ms,omitempty"`
}

// AuditResponse is the answer of GET /v1/audit.
type AuditResponse struct {
	Entries []AuditEntry `json:"entries"`
}
