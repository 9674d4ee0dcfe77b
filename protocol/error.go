package protocol

import (
	"fmt"
	"slices"
)

// ErrorCode names what went wrong; agents and exit codes branch on it.
type ErrorCode string

// The error codes. ErrorCodes holds the same with what an agent does about each.
const (
	CodeDomainBlocked    ErrorCode = "domain_blocked"
	CodeStopped          ErrorCode = "stopped"
	CodeNotOwner         ErrorCode = "not_owner"
	CodeForeignExtension ErrorCode = "foreign_extension"
	CodeSessionNotFound  ErrorCode = "session_not_found"
	CodeTabNotFound      ErrorCode = "tab_not_found"
	CodeElementNotFound  ErrorCode = "element_not_found"
	CodeElementStale     ErrorCode = "element_stale"
	CodeElementBlocked   ErrorCode = "element_blocked"
	CodeInvalidAction    ErrorCode = "invalid_action"
	CodeDialogOpen       ErrorCode = "dialog_open"
	CodeTimeout          ErrorCode = "timeout"
	CodeNavigationFailed ErrorCode = "navigation_failed"
	CodeUnsupported      ErrorCode = "unsupported"
	CodeNotConnected     ErrorCode = "not_connected"
	CodeCancelled        ErrorCode = "cancelled"
	CodeInternal         ErrorCode = "internal"
	CodeUnauthorized     ErrorCode = "unauthorized"
	CodeProtocolMismatch ErrorCode = "protocol_mismatch"
	CodeNameInUse        ErrorCode = "name_in_use"
)

// CodeInfo says of an error code what an agent does about it.
type CodeInfo struct {
	Code ErrorCode
	// Advice is the agent's next step, in one sentence.
	Advice string
	// Retryable is the value where the place that raised the error knows no better.
	Retryable Retryable
	// Extended is true for codes beyond plain version 4.
	Extended bool
	// Handshake is true for codes that no action gives: they stand in reject, and in the API's answers that are about no action.
	Handshake bool
}

// ErrorCodes is the one table of error codes.
var ErrorCodes = []CodeInfo{
	{CodeDomainBlocked, "Terminal: tell the user; no other tab and no other action.", RetryNo, false, false},
	{CodeStopped, "Terminal: the user pressed stop; only the user resumes, in the popup.", RetryNo, true, false},
	{CodeNotOwner, "The tab is another agent's: open your own with open_tab.", RetryNo, true, false},
	{CodeForeignExtension, "Another extension keeps Drawbridge out of this user's tab: open the page with open_tab.", RetryNo, true, false},
	{CodeSessionNotFound, "Several tabs or none: give tabId.", RetryNo, false, false},
	{CodeTabNotFound, "List the tabs again with list_tabs.", RetryNo, false, false},
	{CodeElementNotFound, "Take a new snapshot or extract and choose another element.", RetryAfterRefresh, false, false},
	{CodeElementStale, "Take a new snapshot or extract before the next interaction.", RetryAfterRefresh, false, false},
	{CodeElementBlocked, "Another element covers it, or it is disabled: deal with what the message names.", RetryAfterRefresh, true, false},
	{CodeInvalidAction, "Mend the call as the message says: it breaks the schema, asks for what cannot be, or the page's script threw.", RetryNo, false, false},
	{CodeDialogOpen, "Answer the dialog with the dialog action.", RetryAfterRefresh, true, false},
	{CodeTimeout, "Use wait_for, then try once more, only if the page is slow.", RetryAfterRefresh, false, false},
	{CodeNavigationFailed, "The browser's network error stands in the message: check the address.", RetrySame, true, false},
	{CodeUnsupported, "This browser's dialect or version lacks it: do without, or update the extension.", RetryNo, true, false},
	{CodeNotConnected, "No such browser is connected: start it, or pair it.", RetrySame, true, false},
	{CodeCancelled, "The caller gave up: look at the page, then call again if it is still wanted.", RetrySame, true, false},
	{CodeInternal, "Look at the page, then try once more; if it comes again, tell the user: it is a fault of Drawbridge.", RetryNo, false, false},
	{CodeUnauthorized, "The token is unknown or lacks the scope: pair again, or use another token.", RetryNo, false, true},
	{CodeProtocolMismatch, "Update the extension or the server: their protocol versions do not meet.", RetryNo, false, true},
	{CodeNameInUse, "Another browser has that name: choose another.", RetryNo, true, true},
}

// Info returns the table's row for a code; ok is false for a code that is not in the table.
func (c ErrorCode) Info() (info CodeInfo, ok bool) {
	i := slices.IndexFunc(ErrorCodes, func(r CodeInfo) bool { return r.Code == c })
	if i < 0 {
		return CodeInfo{}, false
	}
	return ErrorCodes[i], true
}

// Outcome says whether what was asked for reached the page.
type Outcome string

// The three outcomes.
const (
	// NotSent: nothing was dispatched; sending it again does no harm.
	NotSent Outcome = "not_sent"
	// Done: it was dispatched and its effect is known.
	Done Outcome = "done"
	// Unknown: it was dispatched, and what came of it was not seen.
	Unknown Outcome = "unknown"
)

// Outcomes lists the outcomes.
var Outcomes = []Outcome{NotSent, Done, Unknown}

// Retryable says how the same call may be made again.
type Retryable string

// The ways of trying again.
const (
	// RetrySame: the same call may be sent again as it is.
	RetrySame Retryable = "same"
	// RetryAfterRefresh: look at the page again first.
	RetryAfterRefresh Retryable = "after_refresh"
	// RetryNo: sending it again gives the same error.
	RetryNo Retryable = "no"
)

// Retryables lists the ways of trying again.
var Retryables = []Retryable{RetrySame, RetryAfterRefresh, RetryNo}

// Error is the one error of every door and every wire.
type Error struct {
	// What went wrong, for programs.
	Code ErrorCode `json:"code" jsonschema:"minLength=1,maxLength=64"`
	// What happened, what was expected and what to do next, for people and models.
	Message string `json:"message" jsonschema:"maxLength=8192"`
	// Whether it reached the page. Set on every error on its way to an agent.
	Outcome Outcome `json:"outcome,omitempty"`
	// How it may be tried again. Set on every error on its way to an agent.
	Retryable Retryable `json:"retryable,omitempty"`
	// What to do next, in a sentence or two. Set on every error on its way to an agent.
	Hint string `json:"hint,omitempty" jsonschema:"maxLength=1024"`
	// The step of the action that failed: resolve, enabled, scroll, geometry, stable, hit test,
	// input, verify, settle.
	Step string `json:"step,omitempty" jsonschema:"maxLength=64"`
	// Elements that the message speaks of: what covers the target, the buttons of the dialog
	// that does, the element's new name.
	Elements []Element `json:"elements,omitempty" jsonschema:"maxItems=20"`
	// The tabs among which the call could not choose.
	Candidates []TabInfo `json:"candidates,omitempty" jsonschema:"maxItems=50"`
}

// Errorf makes an error of a code with the table's retryable and outcome not_sent.
func Errorf(code ErrorCode, format string, args ...any) *Error {
	info, _ := code.Info()
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Outcome: NotSent, Retryable: info.Retryable}
}

// WithOutcome returns a copy with another outcome. An unknown outcome is never retryable as it
// is, since the first try may have reached the page.
func (e *Error) WithOutcome(o Outcome) *Error {
	c := *e
	c.Outcome = o
	if o != NotSent && c.Retryable == RetrySame {
		c.Retryable = RetryAfterRefresh
	}
	return &c
}

// WithHint returns a copy that says what to do next better than the table does for its code.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

// Error gives "code: message".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Is compares by code, so that errors.Is(err, &Error{Code: c}) asks for a kind of error.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// unknownAdvice is for a code that only a newer peer knows.
const unknownAdvice = "Go by the message: this version does not know the code; update Drawbridge."

// Complete returns e with the table's hint where it has none, and with outcome and retryable filled in where a peer without CapOutcome left
// them out: what such a peer answered was at least received, so the outcome is unknown unless
// the code itself says that nothing was dispatched.
func (e *Error) Complete() *Error {
	c := *e
	info, known := c.Code.Info()
	if c.Hint == "" {
		c.Hint = info.Advice
		if !known {
			c.Hint = unknownAdvice
		}
	}
	if c.Retryable == "" {
		c.Retryable = RetryNo
		if known {
			c.Retryable = info.Retryable
		}
	}
	if c.Outcome == "" {
		c.Outcome = Unknown
		switch c.Code {
		case CodeDomainBlocked, CodeStopped, CodeNotOwner, CodeForeignExtension, CodeSessionNotFound,
			CodeTabNotFound, CodeElementNotFound, CodeElementStale, CodeElementBlocked, CodeUnsupported:
			c.Outcome = NotSent
		}
	}
	return &c
}
