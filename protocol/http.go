package protocol

import "encoding/json"

// ActRequest is the body of POST /v1/act. Who the agent is comes from the bearer token and the
// Drawbridge-Session header, never from here.
type ActRequest struct {
	Action AnyAction `json:"action"`
	// The browser's id or name. Absent: the only one connected.
	Browser string `json:"browser,omitempty" jsonschema:"maxLength=128"`
	// How long to wait, in milliseconds. Absent: the action's own default.
	TimeoutMS int64 `json:"timeoutMs,omitempty" jsonschema:"minimum=1,maximum=600000"`
	// Names the call, so that its true outcome can be asked for after a cut.
	CallKey string `json:"callKey,omitempty" jsonschema:"maxLength=128"`
	// Asks what came of the call of this callKey, sent this many milliseconds ago to a server that has died since, and does
	// nothing. An error of outcome not_sent says that it may be sent again.
	RecallMS int64 `json:"recallMs,omitempty" jsonschema:"minimum=1,maximum=600000"`
	// file: the server keeps the bytes that a screenshot, pdf or download brings, all parts of a download in one, and the answer's
	// file says where they are; data in the result is empty.
	As string `json:"as,omitempty" jsonschema:"enum=file"`
}

// AsFile is the one value of an ActRequest's As.
const AsFile = "file"

// ActResponse is the answer of POST /v1/act: exactly one of result and error.
type ActResponse struct {
	// The result of the request's action.
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
	// Where the bytes are, for a request with as. Absent where the action brought none, such as a download that is not complete.
	File *FileInfo `json:"file,omitempty"`
	// What happened on the agent's tabs since its last result.
	Events []AnyEvent `json:"events,omitempty"`
}

// FileInfo is a file that the server keeps for a while, which GET /v1/files/{id} gives to every agent of the same user.
type FileInfo struct {
	// Names it. It cannot be guessed.
	ID string `json:"id"`
	// Without folders, and with nothing that a file system would not take.
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	// In bytes.
	Size int64 `json:"size"`
	// When it is forgotten, epoch milliseconds. A user's oldest go earlier when there are too many: fetch a file at once.
	ExpiresAt int64 `json:"expiresAt"`
}

// BrowserInfo describes a browser that is connected, or was.
type BrowserInfo struct {
	BrowserID   string `json:"browserId"`
	Name        string `json:"name,omitempty"`
	Connected   bool   `json:"connected"`
	Dialect     string `json:"dialect,omitempty" jsonschema:"enum=bridge,enum=rpc"`
	Version     string `json:"version,omitempty"`
	UserAgent   string `json:"userAgent,omitempty"`
	ConnectedAt int64  `json:"connectedAt,omitempty"`
	// It is connected and its heartbeat is late: nothing was heard of it for 30 seconds. After 50 it is cut off.
	Unresponsive bool `json:"unresponsive,omitempty"`
	// The user's Stop all is in force there.
	Stopped bool        `json:"stopped,omitempty"`
	Tabs    []TabRecord `json:"tabs,omitempty"`
	// The action types that it knows.
	Actions []string `json:"actions,omitempty"`
}

// BrowsersResponse is the answer of GET /v1/browsers.
type BrowsersResponse struct {
	Browsers []BrowserInfo `json:"browsers"`
}

// PairResponse is the answer of POST /v1/pair.
type PairResponse struct {
	// The one-use code.
	Code string `json:"code"`
	// The link that carries it in its fragment, and behind a dot the fingerprint of the server's key.
	Link string `json:"link"`
	// That fingerprint, by which the browser knows this server again: 32 hexadecimal digits.
	ServerKey string `json:"serverKey,omitempty"`
	// When it ends, epoch milliseconds.
	ExpiresAt int64 `json:"expiresAt"`
}

// SessionHeader names the agent's client session in HTTP requests, so that agents that share a
// token keep their tabs apart: a courtesy among friends, not a security boundary.
const SessionHeader = "Drawbridge-Session"
