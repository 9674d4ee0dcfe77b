package protocol

// Version is the bridge dialect's integer protocolVersion. It rises when a message's shape
// changes, when a field becomes required, or when a meaning changes in a way that the extension
// cannot notice at run time. New action types, new event types and new optional fields leave it.
//
// History:
//
//	1 → 2  extract returns text, markdown, elements and obstacle in place of text and html; click,
//	       type and wait_for take uid or selector; hover, evaluate and element_stale are new.
//	2 → 3  session end reasons system_idle and screen_locked.
//	3 → 4  consent removed: a domain blocklist in place of the allow list, no session TTL;
//	       scope_violation and session_expired gone, domain_blocked and global_stop new.
const Version = 4

// MinVersion is the oldest protocolVersion that the server still speaks: the range is
// [MinVersion, Version].
const MinVersion = 4

// Features that go beyond plain version 4. A frame, event, error field or request field that
// belongs to one of them is sent only to a peer that named it in its caps; a strict validator of
// plain version 4 would refuse it.
const (
	// CapState: the extension sends state after ack.
	CapState = "frame.state"
	// CapPing: either side may send ping, and answers pong.
	CapPing = "frame.ping"
	// CapCancel: the extension understands cancel.
	CapCancel = "frame.cancel"
	// CapPolicy: the extension understands policy.
	CapPolicy = "frame.policy"
	// CapChunk: answers over ChunkThreshold come in chunk frames.
	CapChunk = "frame.chunk"
	// CapRequestContext: request carries timeoutMs, agentId and callKey.
	CapRequestContext = "request.context"
	// CapOutcome: errors carry outcome, retryable and detail.
	CapOutcome = "error.outcome"
	// CapEvents: the event types beyond the four of plain version 4 are understood.
	CapEvents = "event.extended"
	// CapAck: ack carries connectionId, caps, browserName, heartbeatMs, policy and deviceToken.
	CapAck = "ack.extended"
)

// Features lists every feature of this version, in the order in which hello and ack name them.
func Features() []string {
	return []string{
		CapState, CapPing, CapCancel, CapPolicy, CapChunk,
		CapRequestContext, CapOutcome, CapEvents, CapAck,
	}
}

// Close codes of the WebSocket, beside the standard ones.
const (
	// CloseUnauthorized: the first frame was no hello, or its token is unknown. Terminal after reject.
	CloseUnauthorized = 4001
	// CloseVersion: protocolVersion is outside the server's range. Terminal after reject.
	CloseVersion = 4002
	// CloseSilent: no first frame within HandshakeTimeout. The client just tries again.
	CloseSilent = 4008
	// CloseReplaced: another connection of the same browser took over. The client stays out
	// until its user says otherwise.
	CloseReplaced = 4009
	// CloseInvalidFrames: more than MaxInvalidFrames invalid frames within a minute.
	CloseInvalidFrames = 4010
	// CloseGoingAway: the server drains. The client tries again.
	CloseGoingAway = 4011
)
