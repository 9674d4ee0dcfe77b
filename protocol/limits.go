package protocol

import "time"

// Limits of the wire, the same on both sides.
const (
	// HandshakeTimeout is how long the server waits for the first frame.
	HandshakeTimeout = 10 * time.Second
	// HandshakeBytes is all that a connection may send before it is acknowledged.
	HandshakeBytes = 16 << 10
	// Heartbeat is how often the extension sends ping: a data message, since protocol-level pings
	// do not keep a service worker alive.
	Heartbeat = 20 * time.Second
	// PongTimeout is how long the extension waits for pong before it calls the link dead.
	PongTimeout = 10 * time.Second
	// SilenceTimeout is how long the server hears nothing before it calls the link dead.
	SilenceTimeout = 50 * time.Second
	// HeartbeatLate is how long the server hears nothing before it says that a browser is unresponsive: a heartbeat, and the time
	// for an answer.
	HeartbeatLate = Heartbeat + PongTimeout
	// ChunkThreshold is the size of an answer, in bytes of JSON, above which it is cut into chunks.
	ChunkThreshold = 1 << 20
	// ChunkBytes is the most bytes of an answer that one chunk frame carries.
	ChunkBytes = 256 << 10
	// FrameBytes is the largest frame of a peer that knows chunk.
	FrameBytes = 2 << 20
	// AnswerBytes is the largest answer, whole or put together from chunks, and the largest frame
	// of a peer that does not know chunk.
	AnswerBytes = 64 << 20
	// MaxInvalidFrames is how many invalid frames a minute are borne.
	MaxInvalidFrames = 20
	// ReconnectGrace is how long a call waits for a browser that was connected a moment ago: an
	// extension's recycled worker comes back by its alarm within that time.
	ReconnectGrace = 35 * time.Second
	// RPCTimeout is how long an action waits at least, over the rpc dialect, whose caller says nothing else.
	RPCTimeout = 30 * time.Second
	// PairingLifetime is how long a pairing code may be used, once.
	PairingLifetime = 5 * time.Minute
	// MaxTimeout caps what a caller may ask for in timeoutMs.
	MaxTimeout = 10 * time.Minute
	// LedgerCalls is how many calls the extension remembers by callKey.
	LedgerCalls = 200
	// MaxSafeInteger is the largest integer that both sides hold exactly.
	MaxSafeInteger = 1<<53 - 1
	// MaxDepth is how deep a frame's JSON may nest.
	MaxDepth = 512
)

// Budgets of what one extract or evaluate returns.
const (
	// TextBytes caps ExtractResult.Text, in bytes of UTF-8.
	TextBytes = 50 << 10
	// MarkdownBytes caps ExtractResult.Markdown, in bytes of UTF-8.
	MarkdownBytes = 30 << 10
	// MaxElements caps ExtractResult.Elements.
	MaxElements = 200
	// EvaluateBytes caps the JSON of an EvaluateResult's value.
	EvaluateBytes = 8 << 10
)
