package server

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// streamBuffer is how many events wait for a slow reader before it loses some.
	streamBuffer = 1024
	// streamIdle is how often a stream without events says that it lives, so that no proxy ends it.
	streamIdle = 20 * time.Second
	// streamWrite is how long a reader may take over one event.
	streamWrite = 10 * time.Second
)

// stream writes server-sent events until next says that there are no more, the reader goes, or the server drains. next returns
// nil for an event to leave out.
func stream[T any](s *Server, w http.ResponseWriter, r *http.Request, events <-chan T, next func(T) any) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	write := func(text string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(streamWrite)) // a connection without deadlines is one of a test
		_, err := w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	if !write(": from now on\n\n") {
		return
	}
	idle := time.NewTicker(streamIdle)
	defer idle.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.draining:
			return
		case <-idle.C:
			if !write(": still here\n\n") {
				return
			}
		case event, ok := <-events:
			if !ok {
				return
			}
			value := next(event)
			if value == nil {
				continue
			}
			raw, err := json.Marshal(value)
			if err != nil {
				s.log.Error("an event cannot be encoded", "err", err)
				return
			}
			if !write("data: " + string(raw) + "\n\n") {
				return
			}
		}
	}
}

// events is GET /v1/events.
func (s *Server) events(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	notices, err := s.desk.Follow(caller, streamBuffer)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	defer notices.Close()
	var told uint64
	stream(s, w, r, notices.C, func(n hub.Notice) any {
		notice := protocol.Notice{Kind: n.Kind, BrowserID: n.BrowserID, AgentID: n.AgentID}
		if lost := notices.Dropped(); lost > told {
			// What was lost was lost before this one came: it says so in front.
			defer func() { told = lost }()
			notice.Lost = int64(lost - told)
		}
		if n.Event != nil {
			event := s.desk.Told(r.Context(), caller, n.Event)
			if event == nil {
				return nil
			}
			notice.Event = &protocol.AnyEvent{Event: event}
		}
		return notice
	})
}

// audit is GET /v1/audit.
func (s *Server) audit(r *http.Request, caller agent.Caller) (any, error) {
	limit, err := number(r, "limit", 100, protocol.MaxAuditLines)
	if err != nil {
		return nil, err
	}
	entries, err := s.desk.Audit(r.Context(), caller, limit)
	return protocol.AuditResponse{Entries: entries}, err
}

// followAudit is GET /v1/audit/stream.
func (s *Server) followAudit(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	feed, err := s.desk.FollowAudit(caller, streamBuffer)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	defer feed.Close()
	stream(s, w, r, feed.C, func(e protocol.AuditEntry) any { return e })
}
