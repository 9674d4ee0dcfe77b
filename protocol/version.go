package protocol

// Version is the bridge dialect's integer protocolVersion. It rises when a message's shape
// changes, when a field becomes required, or when a meaning changes in a way that the extension
// cannot notice at run time. New action types, new event types and new optional fields leave it.
// History has what each rise was for.
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
	// CapRecall: the extension understands a request's recallMs.
	CapRecall = "request.recall"
	// CapOnlyOn: the extension understands onlyOn of type and fill.
	CapOnlyOn = "action.onlyOn"
	// CapCredentials: the extension understands credentials and onlyOn of navigate.
	CapCredentials = "action.credentials"
	// CapOnDisk: the extension understands onDisk of download.
	CapOnDisk = "action.onDisk"
	// CapOutcome: errors carry outcome, retryable and detail.
	CapOutcome = "error.outcome"
	// CapEvents: the event types beyond the four of plain version 4 are understood.
	CapEvents = "event.extended"
	// CapAck: ack carries connectionId, caps, browserName, heartbeatMs, policy and deviceToken.
	CapAck = "ack.extended"
	// CapProof: hello carries a nonce, and ack carries serverKey and proof.
	CapProof = "ack.proof"
	// CapBrowserID: ack may carry browserId.
	CapBrowserID = "ack.browserId"
)

// Feature is one of the features beyond plain version 4.
type Feature struct {
	// Name is what caps say.
	Name string
	// Means says what a peer that names it sends, or understands.
	Means string
}

// FeatureTable lists every feature of this version, in the order in which hello and ack name them.
var FeatureTable = []Feature{
	{CapState, "the extension sends `state` right after `ack`"},
	{CapPing, "either side may send `ping`, and answers `pong`"},
	{CapCancel, "the extension understands `cancel`"},
	{CapPolicy, "the extension understands `policy`"},
	{CapChunk, "answers over 1 MiB come in `chunk` frames of at most 256 KiB, so that other frames pass between them"},
	{CapRequestContext, "`request` has `timeoutMs`, `agentId` and `callKey`, and actions may have members beyond version 4"},
	{CapRecall, "`request` has `recallMs`, which asks what came of an earlier one"},
	{CapOnlyOn, "`type` and `fill` have `onlyOn`: the text is a secret, entered on these origins only and never told"},
	{CapCredentials, "`navigate` has `credentials` and `onlyOn`: a user and password for a server of these origins that asks for them, never told"},
	{CapOnDisk, "`download` has `onDisk`: of a complete one, the path in place of the bytes, for a server that may read it"},
	{CapOutcome, "errors have `outcome`, `retryable` and their details"},
	{CapEvents, "events beyond the four of version 4"},
	{CapAck, "`ack` has `connectionId`, `caps`, `browserName`, `heartbeatMs`, `policy` and `deviceToken`"},
	{CapProof, "`hello` has a `nonce` for a server whose key the extension knows; `ack` has `serverKey`, and `proof`, its signature"},
	{CapBrowserID, "`ack` may have `browserId`, another one than the hello's, for the copy of a profile"},
}

// Features lists the names of every feature of this version, in the order in which hello and ack name them.
func Features() []string {
	names := make([]string, len(FeatureTable))
	for i, f := range FeatureTable {
		names[i] = f.Name
	}
	return names
}

// Bump is one rise of Version.
type Bump struct {
	From, To int
	// What changed, in sentences.
	What string
}

// History lists the rises of Version.
var History = []Bump{
	{1, 2, "`extract` returns `text`, `markdown`, `elements` and `obstacle` in place of `text` and `html`. `click`, `type` and `wait_for` take " +
		"`uid` in place of `selector` where one has it. `hover`, `evaluate` and the error `element_stale` are new. A server spoke both for one release."},
	{2, 3, "`session_ended` tells `system_idle` from `screen_locked`; both were `expired` before. A server of version 2 would refuse the new reasons, " +
		"so the versions must not meet."},
	{3, 4, "No consent any more: a domain blocklist in place of the allow list for each domain, and no time limit of sessions. The errors " +
		"`scope_violation` and `session_expired` are gone, `domain_blocked` is new. The event `permission_denied` became `domain_blocked`, and " +
		"`global_stop` is new. `session_started` lost `expiresAt` and has `startedAt`; `session_ended` has `tabId` and `actionCount`; its reason " +
		"`expired` is gone, `domain_blocked` and `global_stop` are new. A hard cut: neither speaks the other."},
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
