package server

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// maxBody is the largest request body: an upload of files in base64.
	maxBody = protocol.AnswerBytes
	// maxBodies is how many bytes of bodies may be under way at once; whoever comes later waits.
	maxBodies = 4 * maxBody
	// bodyTime is how long a client may take to send its body, and to take its answer.
	bodyTime = 2 * time.Minute
)

// routes is every door of the server.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws/browser", s.serveBrowser)
	mux.HandleFunc("GET /healthz", s.health)
	mux.Handle("GET /metrics", s.inside(s.metrics.handler()))
	mux.HandleFunc("GET /pair", servePairPage)
	mux.HandleFunc("GET /openapi.json", openAPI)
	for _, e := range protocol.Endpoints {
		mux.Handle(e.Method+" "+e.Path, s.api(s.endpoint(e.Name)))
	}
	mux.Handle("/mcp", s.mcp(false))
	mux.Handle("/mcp/stateless", s.mcp(true))
	return s.guard(s.metrics.count(mux))
}

// endpoint is what answers at one of protocol's addresses; nil is found by the first test.
func (s *Server) endpoint(name string) handler {
	return map[string]handler{
		"act": s.act, "batch": s.batch, "file": s.file, "browsers": s.asked(s.browsers), "renameBrowser": told(s, s.renameBrowser), "sessions": s.asked(s.sessions), "leave": s.asked(s.leave), "present": s.present, "events": s.events,
		"audit": s.asked(s.audit), "followAudit": s.followAudit, "pair": s.asked(s.newPairing), "rules": s.asked(s.rules), "setRules": told(s, s.setRules),
		"tokens": s.asked(s.tokens), "newToken": told(s, s.newToken), "revokeToken": s.asked(s.revokeToken),
		"secrets": s.asked(s.secrets), "setSecret": told(s, s.setSecret), "removeSecret": s.asked(s.removeSecret),
	}[name]
}

// openAPI is GET /openapi.json: the HTTP API, for programs. It says nothing of this server's data and asks for no token.
func openAPI(w http.ResponseWriter, _ *http.Request) { writeRaw(w, http.StatusOK, protocol.OpenAPI) }

// guard refuses every request that was not made to a name of ours, on every route.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if !s.known(r) {
			s.log.Warn("refused a request to a host that is not ours: a page may be trying DNS rebinding", "host", clip(r.Host), "path", clip(r.URL.Path))
			writeError(w, http.StatusForbidden, protocol.Errorf(protocol.CodeUnauthorized, "this server is not known by that host name: use http://%s", s.Addr()))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// api checks the origin and the token of a request to /v1 before its handler sees it.
func (s *Server) api(handle handler) http.Handler {
	return s.idle.used(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Programs send no Origin. Pages do, and have no business here even with a token.
		if origin := r.Header.Get("Origin"); origin != "" && !s.origins[lowered(origin)] {
			s.log.Warn("refused a page's request to the API", "origin", clip(origin))
			writeError(w, http.StatusForbidden, protocol.Errorf(protocol.CodeUnauthorized, "pages may not call the API"))
			return
		}
		caller := agent.Caller{Session: r.Header.Get(protocol.SessionHeader)}
		if err := agent.CheckSession(caller.Session); err != nil {
			s.writeFailure(w, err)
			return
		}
		token, ok := bearer(r)
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeError(w, http.StatusUnauthorized, protocol.Errorf(protocol.CodeUnauthorized, "no token: expected the header Authorization: Bearer <token>"))
			return
		}
		var err error
		caller.Identity, err = s.store.Resolve(r.Context(), token)
		if errors.Is(err, store.ErrNotFound) {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			writeError(w, http.StatusUnauthorized, protocol.Errorf(protocol.CodeUnauthorized, "the token is unknown or was revoked"))
			return
		}
		if err != nil {
			s.writeFailure(w, err)
			return
		}
		ctx, done := s.bounded(r.Context(), caller.Identity.TokenID)
		defer done()
		handle(w, r.WithContext(ctx), caller)
	}))
}

func bearer(r *http.Request) (token string, ok bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(headers[0], " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// act is POST /v1/act: an action in, its result or an error out.
func (s *Server) act(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	// Before the body: who may not act need not send 64 MiB.
	if !caller.Identity.Has(store.ScopeAgent) {
		writeError(w, http.StatusForbidden, lacksAgent())
		return
	}
	// The room is given back only at the end: the action's strings are the body's.
	release, ok := s.room(r)
	if !ok {
		return
	}
	defer release()
	body, ok := s.readBody(w, r)
	if !ok {
		return
	}
	request, err := protocol.DecodeActRequest(body)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	answer, err := s.desk.Do(r.Context(), caller, requestOf(request))
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bodyTime)) // a connection without deadlines is one of a test
	events := protocol.AnyEvents(answer.Events)
	var typed *protocol.Error
	if errors.As(err, &typed) {
		writeProblem(w, statusOf(typed.Code), typed, events)
		return
	}
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	rest, err := json.Marshal(protocol.ActResponse{File: answer.File, Events: events})
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	// The result goes in front as the browser sent it: to read and write a screenshot once more takes longer than to make it.
	tail := rest[1:]
	if len(tail) > 1 {
		tail = append([]byte(","), tail...)
	}
	writeRaw(w, http.StatusOK, []byte(`{"result":`), answer.Raw, tail)
}

func lacksAgent() *protocol.Error {
	return protocol.Errorf(protocol.CodeUnauthorized, "the token lacks the scope agent: use a token that has it")
}

// room waits until the bodies under way leave room for this one, and returns how to give the room back.
func (s *Server) room(r *http.Request) (release func(), ok bool) {
	size := min(r.ContentLength, maxBody)
	if size < 0 {
		size = maxBody
	}
	if s.bodies.Acquire(r.Context(), size) != nil {
		return nil, false // the caller did not want to wait
	}
	return func() { s.bodies.Release(size) }, true
}

// requestOf is an API request as the desk takes it.
func requestOf(r protocol.ActRequest) agent.Request {
	return agent.Request{Action: r.Action.Action, Browser: r.Browser, CallKey: r.CallKey, Recall: time.Duration(r.RecallMS) * time.Millisecond, Timeout: time.Duration(r.TimeoutMS) * time.Millisecond, Keep: r.As == protocol.AsFile}
}

// readBody reads a JSON body within its limits, or answers the request with what is wrong.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	// A form, which a page may send without asking first, has another type.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, protocol.Errorf(protocol.CodeInvalidAction, "expected the header Content-Type: application/json"))
		return nil, false
	}
	deadlines := http.NewResponseController(w)
	_ = deadlines.SetReadDeadline(time.Now().Add(bodyTime)) // as above
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = deadlines.SetReadDeadline(time.Time{}) // an action may take longer: the deadline is the body's alone
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		writeError(w, http.StatusRequestEntityTooLarge, protocol.Errorf(protocol.CodeInvalidAction, "the body has more than %d bytes", maxBody))
	case err != nil:
		writeError(w, http.StatusBadRequest, protocol.Errorf(protocol.CodeInvalidAction, "the body could not be read: %v", err))
	default:
		return body, true
	}
	return nil, false
}

// health is GET /healthz: that a Drawbridge answers here, and which.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, struct {
		Service string `json:"service"`
		Version string `json:"version"`
	}{"drawbridge", s.opts.Version})
}
