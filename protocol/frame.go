package protocol

import "encoding/json"

// Frame is one text frame of the bridge dialect. A connection's life:
//
//	extension                      server
//	hello ───────────────────────▶        within HandshakeTimeout, nothing before it
//	      ◀─────────────────────── ack    or reject and close
//	state ───────────────────────▶
//	      ◀─────────────────────── request
//	response, or chunk … chunk ──▶        the chunks' data put together is a response
//	event ───────────────────────▶        any time
//	      ◀─────────────────────── cancel, policy
//	ping ◀──────────────────────▶ pong
type Frame interface{ isFrame() }

// Hello opens a connection (extension to server).
type Hello struct {
	ProtocolVersion int    `json:"protocolVersion" jsonschema:"minimum=1,maximum=1000000"`
	ClientVersion   string `json:"clientVersion" jsonschema:"maxLength=64"`
	// A device token, or a one-use pairing code.
	PairingToken string `json:"pairingToken" jsonschema:"maxLength=512"`
	// The action types that the extension knows, and Features.
	Caps []string `json:"caps" jsonschema:"maxItems=200"`
	// A UUID made once per installation.
	BrowserID string `json:"browserId,omitempty" jsonschema:"pattern=^[0-9a-fA-F-]+$,minLength=36,maxLength=36"`
	// Rises with each connection of this installation.
	ConnectionSeq int64 `json:"connectionSeq,omitempty" jsonschema:"minimum=0,maximum=9007199254740991"`
	// What the user calls this browser.
	BrowserName string `json:"browserName,omitempty" jsonschema:"maxLength=128"`
	UserAgent   string `json:"userAgent,omitempty" jsonschema:"maxLength=1024"`
	// What the server shall sign, from an extension that knows its key. See ProofText.
	Nonce string `json:"nonce,omitempty" jsonschema:"pattern=^[0-9A-Za-z_-]+$,minLength=22,maxLength=128"`
}

// Ack accepts a hello (server to extension).
type Ack struct {
	ProtocolVersion int    `json:"protocolVersion" jsonschema:"minimum=1,maximum=1000000"`
	ServerVersion   string `json:"serverVersion" jsonschema:"maxLength=64"`
	// Names this connection in logs.
	ConnectionID string `json:"connectionId,omitempty" jsonschema:"maxLength=128"`
	// The server's Features.
	Caps []string `json:"caps,omitempty" jsonschema:"maxItems=200"`
	// The browser's name as confirmed.
	BrowserName string `json:"browserName,omitempty" jsonschema:"maxLength=128"`
	// How often the extension sends ping, in milliseconds.
	HeartbeatMS int64 `json:"heartbeatMs,omitempty" jsonschema:"minimum=1000,maximum=60000"`
	// The server's own rules.
	Policy *Rules `json:"policy,omitempty"`
	// The device token in exchange for a pairing code. Sent once: the extension keeps it.
	DeviceToken string `json:"deviceToken,omitempty" jsonschema:"maxLength=512"`
	// Another id for this browser, which keeps it: it is the copy of a profile whose own is connected.
	BrowserID string `json:"browserId,omitempty" jsonschema:"pattern=^[0-9a-fA-F-]+$,minLength=36,maxLength=36"`
	// The server's public key: ECDSA on P-256, an uncompressed point in base64url. With a device token, or with proof.
	ServerKey string `json:"serverKey,omitempty" jsonschema:"pattern=^[0-9A-Za-z_-]+$,maxLength=128"`
	// Its signature over the hello's nonce: r and s of 32 bytes each, in base64url.
	Proof string `json:"proof,omitempty" jsonschema:"pattern=^[0-9A-Za-z_-]+$,maxLength=128"`
}

// Rules is the server's policy for a browser.
type Rules struct {
	// Registrable domains, hosts or IP addresses that no action may touch.
	Blocklist []string `json:"blocklist" jsonschema:"maxItems=100000"`
}

// Reject refuses a hello (server to extension) and is terminal.
type Reject struct {
	RequiredMinProtocolVersion int   `json:"requiredMinProtocolVersion" jsonschema:"minimum=1,maximum=1000000"`
	Error                      Error `json:"error"`
}

// State tells the server what the extension holds (right after ack).
type State struct {
	// Tabs at work.
	Tabs []TabRecord `json:"tabs" jsonschema:"maxItems=10000"`
	// Stop all is in force.
	Stopped bool `json:"stopped,omitempty"`
	// Calls that ran while the link was down.
	Calls []LedgerEntry `json:"calls,omitempty" jsonschema:"maxItems=200"`
}

// LedgerEntry is one call that the extension remembers.
type LedgerEntry struct {
	CallKey string `json:"callKey" jsonschema:"maxLength=128"`
	// Exactly one of result and error, or neither while it runs or if its end was not seen.
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
	// It was dispatched to the page.
	Started bool `json:"started,omitempty"`
}

// Request asks for an action (server to extension).
type Request struct {
	// A UUIDv4 made by the server.
	ID     string    `json:"id" jsonschema:"minLength=1,maxLength=128"`
	Action AnyAction `json:"action"`
	// How long the caller waits, in milliseconds, queueing included.
	TimeoutMS int64 `json:"timeoutMs,omitempty" jsonschema:"minimum=1,maximum=600000"`
	// The agent on whose behalf.
	AgentID string `json:"agentId,omitempty" jsonschema:"maxLength=128"`
	// Names the call across reconnects.
	CallKey string `json:"callKey,omitempty" jsonschema:"maxLength=128"`
	// The call was sent over another connection this many milliseconds ago: answer with what came of it, and do not begin it.
	// Only with callKey, and only to a peer that knows request.recall.
	RecallMS int64 `json:"recallMs,omitempty" jsonschema:"minimum=1,maximum=600000"`
}

// Response answers a request (extension to server): exactly one of result and error.
type Response struct {
	ID string `json:"id" jsonschema:"minLength=1,maxLength=128"`
	// The result of the request's action.
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// EventFrame carries an event (extension to server).
type EventFrame struct {
	Event AnyEvent `json:"event"`
}

// Ping asks for a pong.
type Ping struct{}

// Pong answers a ping.
type Pong struct{}

// Cancel stops a request that still runs (server to extension).
type Cancel struct {
	// The request's id.
	ID string `json:"id" jsonschema:"minLength=1,maxLength=128"`
}

// Policy tells the extension that the server's rules changed.
type Policy struct {
	Policy Rules `json:"policy"`
}

// Chunk is a piece of a large response's JSON (extension to server).
type Chunk struct {
	// The request's id.
	ID string `json:"id" jsonschema:"minLength=1,maxLength=128"`
	// From 0, without gaps.
	Seq int64 `json:"seq" jsonschema:"minimum=0,maximum=1000000"`
	// No more follow.
	Last bool `json:"last"`
	// A piece of the response frame's JSON text, at most ChunkBytes of UTF-8.
	Data string `json:"data" jsonschema:"maxLength=262144"`
}

func (Hello) isFrame()      {}
func (Ack) isFrame()        {}
func (Reject) isFrame()     {}
func (State) isFrame()      {}
func (Request) isFrame()    {}
func (Response) isFrame()   {}
func (EventFrame) isFrame() {}
func (Ping) isFrame()       {}
func (Pong) isFrame()       {}
func (Cancel) isFrame()     {}
func (Policy) isFrame()     {}
func (Chunk) isFrame()      {}
