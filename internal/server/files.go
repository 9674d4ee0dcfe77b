package server

import (
	"bytes"
	"errors"
	"mime"
	"net/http"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/files"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// file is GET /v1/files/{id}. What a file holds came from a page: nothing that opens the answer may take it for a page of ours.
func (s *Server) file(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	kept, err := s.desk.File(caller, r.PathValue("id"))
	if errors.Is(err, files.ErrNotFound) {
		// One answer for all reasons: who guesses learns nothing.
		writeError(w, http.StatusNotFound, protocol.Errorf(protocol.CodeInvalidAction,
			"no file is kept under this id: a file is kept for %v, and a user's oldest go when there are too many; have the action done again", files.Lifetime))
		return
	}
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kept.MimeType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": kept.Name}))
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("ETag", `"`+kept.ID+`"`)                                               // what an id names never changes
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bodyTime)) // a connection without deadlines is one of a test
	http.ServeContent(&problemRange{ResponseWriter: w}, r, "", time.Time{}, bytes.NewReader(kept.Data))
}

// problemRange tells of a range that cannot be met as every other error is told; the standard library does it in plain text.
type problemRange struct {
	http.ResponseWriter
	refused bool // the answer is written, and what still comes is the plain text
}

// WriteHeader begins the answer.
func (p *problemRange) WriteHeader(status int) {
	if status != http.StatusRequestedRangeNotSatisfiable {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	p.refused = true
	h := p.Header()
	h.Del("Content-Disposition")
	writeError(p.ResponseWriter, status, protocol.Errorf(protocol.CodeInvalidAction, "the file has no such range: its length stands in the header Content-Range; ask for less, or without Range"))
}

// Write writes a part of the file.
func (p *problemRange) Write(b []byte) (int, error) {
	if p.refused {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}
