package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// number reads a query parameter that is a whole number from 1 to most.
func number(r *http.Request, name string, absent, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, protocol.Errorf(protocol.CodeInvalidAction, "%s is %q: expected a whole number from 1 to %d", name, clip(text), most)
	}
	return n, nil
}

// sessions is GET /v1/sessions.
func (s *Server) sessions(w http.ResponseWriter, _ *http.Request, caller agent.Caller) {
	sessions, err := s.desk.Sessions(caller)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, protocol.SessionsResponse{Sessions: sessions})
}

// tokens is GET /v1/tokens.
func (s *Server) tokens(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	tokens, err := s.desk.Tokens(r.Context(), caller)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, protocol.TokensResponse{Tokens: tokens})
}

// newToken is POST /v1/tokens.
func (s *Server) newToken(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	body, ok := s.readBody(w, r)
	if !ok {
		return
	}
	want, err := protocol.DecodeBody[protocol.NewTokenRequest](body)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	secret, info, err := s.desk.NewToken(r.Context(), caller, want)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, protocol.NewTokenResponse{Token: secret, Info: info})
}

// leave is DELETE /v1/sessions.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	left, err := s.desk.Leave(r.Context(), caller)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, protocol.SessionsResponse{Sessions: left})
}

// revokeToken is DELETE /v1/tokens/{id}.
func (s *Server) revokeToken(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	info, err := s.desk.RevokeToken(r.Context(), caller, r.PathValue("id"))
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, info)
}

// secrets is GET /v1/secrets.
func (s *Server) secrets(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	infos, err := s.desk.Secrets(r.Context(), caller)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, protocol.SecretsResponse{Secrets: infos})
}

// setSecret is PUT /v1/secrets/{name}.
func (s *Server) setSecret(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	body, ok := s.readBody(w, r)
	if !ok {
		return
	}
	want, err := protocol.DecodeBody[protocol.SetSecretRequest](body)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	info, err := s.desk.SetSecret(r.Context(), caller, r.PathValue("name"), want)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, info)
}

// removeSecret is DELETE /v1/secrets/{name}.
func (s *Server) removeSecret(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	info, err := s.desk.RemoveSecret(r.Context(), caller, r.PathValue("name"))
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	writeJSON(w, http.StatusOK, info)
}

// batch is POST /v1/batch.
func (s *Server) batch(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
	if !caller.Identity.Has(store.ScopeAgent) {
		writeError(w, http.StatusForbidden, lacksAgent())
		return
	}
	release, ok := s.room(r)
	if !ok {
		return
	}
	defer release()
	body, ok := s.readBody(w, r)
	if !ok {
		return
	}
	asked, err := protocol.DecodeBody[protocol.BatchRequest](body)
	if err != nil {
		s.writeFailure(w, err)
		return
	}
	requests := make([]agent.Request, len(asked.Actions))
	for i, a := range asked.Actions {
		requests[i] = requestOf(a)
	}
	response := protocol.BatchResponse{Results: []protocol.ActResponse{}}
	for _, outcome := range s.desk.Batch(r.Context(), caller, requests) {
		response.Results = append(response.Results, protocol.ActResponse{
			Result: outcome.Answer.Raw, Error: outcome.Err, Events: protocol.AnyEvents(outcome.Answer.Events),
		})
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bodyTime)) // a connection without deadlines is one of a test
	writeJSON(w, http.StatusOK, response)
}
