package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// statusOf is the HTTP status of an error code, for clients that look at nothing else.
func statusOf(code protocol.ErrorCode) int {
	switch code {
	case protocol.CodeInvalidAction:
		return http.StatusBadRequest
	case protocol.CodeUnauthorized, protocol.CodeDomainBlocked, protocol.CodeStopped, protocol.CodeNotOwner:
		return http.StatusForbidden
	case protocol.CodeSessionNotFound, protocol.CodeTabNotFound, protocol.CodeElementNotFound:
		return http.StatusNotFound
	case protocol.CodeElementStale, protocol.CodeElementBlocked, protocol.CodeDialogOpen, protocol.CodeForeignExtension, protocol.CodeNameInUse:
		return http.StatusConflict
	case protocol.CodeTimeout:
		return http.StatusGatewayTimeout
	case protocol.CodeNavigationFailed:
		return http.StatusBadGateway
	case protocol.CodeUnsupported, protocol.CodeProtocolMismatch:
		return http.StatusNotImplemented
	case protocol.CodeNotConnected:
		return http.StatusServiceUnavailable
	case protocol.CodeCancelled:
		return statusClientClosed
	}
	return http.StatusInternalServerError
}

// statusClientClosed is nginx's 499: the client gave up, so that nobody reads it but logs.
const statusClientClosed = 499

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, status int, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"the answer cannot be encoded","outcome":"unknown","retryable":"no"}}`)
	}
	writeRaw(w, status, raw)
}

// writeRaw answers with JSON that is there already, in parts that are sent one after the other.
func writeRaw(w http.ResponseWriter, status int, parts ...[]byte) {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json")
	}
	h.Set("Content-Length", strconv.Itoa(length))
	w.WriteHeader(status)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return // the client is gone, which is nobody's trouble
		}
	}
}

// writeError answers with an error and a status of its own.
func writeError(w http.ResponseWriter, status int, err *protocol.Error) {
	writeProblem(w, status, err, nil)
}

// writeProblem answers with an error in the form of RFC 9457.
func writeProblem(w http.ResponseWriter, status int, err *protocol.Error, events []protocol.AnyEvent) {
	title := http.StatusText(status)
	if title == "" {
		title = "Client Closed Request"
	}
	err = err.Complete()
	w.Header().Set("Content-Type", "application/problem+json")
	writeJSON(w, status, protocol.Problem{
		Type: "urn:drawbridge:error:" + string(err.Code), Title: title, Status: status, Detail: err.Message, Error: *err, Events: events,
	})
}

// writeFailure answers with whatever went wrong. What is not meant for agents stays in the log.
func (s *Server) writeFailure(w http.ResponseWriter, err error) {
	var typed *protocol.Error
	if !errors.As(err, &typed) {
		s.log.Error("a request failed for a fault of the server", "err", err)
		typed = protocol.Errorf(protocol.CodeInternal, "the server has a fault: look at its log").WithOutcome(protocol.Unknown)
	}
	writeError(w, statusOf(typed.Code), typed)
}

func lowered(s string) string { return strings.ToLower(s) }

// clip keeps a stranger's header from filling the log.
func clip(s string) string {
	const limit = 100
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "…"
}
