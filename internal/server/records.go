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

// handler answers a request whose token was checked.
type handler = func(w http.ResponseWriter, r *http.Request, caller agent.Caller)

// asked answers with what ask returns, or with its error.
func (s *Server) asked(ask func(r *http.Request, caller agent.Caller) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
		value, err := ask(r, caller)
		if err != nil {
			s.writeFailure(w, err)
			return
		}
		writeJSON(w, http.StatusOK, value)
	}
}

// told is asked for requests with a body, which ask gets once it was read and checked.
func told[B any](s *Server, ask func(r *http.Request, caller agent.Caller, body B) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
		raw, ok := s.readBody(w, r)
		if !ok {
			return
		}
		s.asked(func(r *http.Request, caller agent.Caller) (any, error) {
			body, err := protocol.DecodeBody[B](raw)
			if err != nil {
				return nil, err
			}
			return ask(r, caller, body)
		})(w, r, caller)
	}
}

// browsers is GET /v1/browsers.
func (s *Server) browsers(_ *http.Request, caller agent.Caller) (any, error) {
	infos, err := s.desk.Browsers(caller)
	return protocol.BrowsersResponse{Browsers: infos}, err
}

// renameBrowser is PUT /v1/browsers/{browser}/name.
func (s *Server) renameBrowser(r *http.Request, caller agent.Caller, want protocol.RenameBrowserRequest) (any, error) {
	return s.desk.RenameBrowser(r.Context(), caller, r.PathValue("browser"), want.Name)
}

// sessions is GET /v1/sessions.
func (s *Server) sessions(_ *http.Request, caller agent.Caller) (any, error) {
	sessions, err := s.desk.Sessions(caller)
	return protocol.SessionsResponse{Sessions: sessions}, err
}

// leave is DELETE /v1/sessions.
func (s *Server) leave(r *http.Request, caller agent.Caller) (any, error) {
	left, err := s.desk.Leave(r.Context(), caller)
	return protocol.SessionsResponse{Sessions: left}, err
}

// newPairing is POST /v1/pair.
func (s *Server) newPairing(r *http.Request, caller agent.Caller) (any, error) {
	code, expires, err := s.desk.Pair(r.Context(), caller)
	if err != nil {
		return nil, err
	}
	// In the fragment, which browsers do not send: no log and no Referer ever has it.
	return protocol.PairResponse{
		Code: code, Link: s.pairingBase() + "/pair#" + code + "." + s.fingerprint, ServerKey: s.fingerprint, ExpiresAt: expires.UnixMilli(),
	}, nil
}

// rules is GET /v1/rules.
func (s *Server) rules(_ *http.Request, caller agent.Caller) (any, error) {
	return s.desk.Rules(caller)
}

// setRules is PUT /v1/rules.
func (s *Server) setRules(r *http.Request, caller agent.Caller, rules protocol.Rules) (any, error) {
	return s.desk.SetRules(r.Context(), caller, rules)
}

// tokens is GET /v1/tokens.
func (s *Server) tokens(r *http.Request, caller agent.Caller) (any, error) {
	tokens, err := s.desk.Tokens(r.Context(), caller)
	return protocol.TokensResponse{Tokens: tokens}, err
}

// newToken is POST /v1/tokens.
func (s *Server) newToken(r *http.Request, caller agent.Caller, want protocol.NewTokenRequest) (any, error) {
	secret, info, err := s.desk.NewToken(r.Context(), caller, want)
	return protocol.NewTokenResponse{Token: secret, Info: info}, err
}

// revokeToken is DELETE /v1/tokens/{id}.
func (s *Server) revokeToken(r *http.Request, caller agent.Caller) (any, error) {
	return s.desk.RevokeToken(r.Context(), caller, r.PathValue("id"))
}

// secrets is GET /v1/secrets.
func (s *Server) secrets(r *http.Request, caller agent.Caller) (any, error) {
	infos, err := s.desk.Secrets(r.Context(), caller)
	return protocol.SecretsResponse{Secrets: infos}, err
}

// setSecret is PUT /v1/secrets/{name}.
func (s *Server) setSecret(r *http.Request, caller agent.Caller, want protocol.SetSecretRequest) (any, error) {
	return s.desk.SetSecret(r.Context(), caller, r.PathValue("name"), want)
}

// removeSecret is DELETE /v1/secrets/{name}.
func (s *Server) removeSecret(r *http.Request, caller agent.Caller) (any, error) {
	return s.desk.RemoveSecret(r.Context(), caller, r.PathValue("name"))
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
			Result: outcome.Answer.Raw, Error: outcome.Err, File: outcome.Answer.File, Events: protocol.AnyEvents(outcome.Answer.Events),
		})
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bodyTime)) // a connection without deadlines is one of a test
	writeJSON(w, http.StatusOK, response)
}
