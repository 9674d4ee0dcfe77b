package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/mcpserver"
	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// callerKey finds, in the context of a request to MCP, the caller that its token made it.
type callerKey struct{}

// mcp is MCP over streamable HTTP, behind the same checks as the API.
func (s *Server) mcp(stateless bool) http.Handler {
	streamable := mcpserver.NewHandler(s.visitor, stateless, &mcpserver.Options{Version: s.opts.Version})
	s.mcps = append(s.mcps, streamable)
	return s.api(func(w http.ResponseWriter, r *http.Request, caller agent.Caller) {
		if !caller.Identity.Has(store.ScopeAgent) {
			writeError(w, http.StatusForbidden, lacksAgent())
			return
		}
		streamable.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
	})
}

// hasVisitors tells whether a client of MCP over HTTP has a session, also while it asks nothing.
func (s *Server) hasVisitors() bool {
	return slices.ContainsFunc(s.mcps, (*mcpserver.Handler).InUse)
}

// visitor tells MCP on whose behalf a request comes.
func (s *Server) visitor(ctx context.Context) (mcpserver.Visitor, bool) {
	caller, ok := ctx.Value(callerKey{}).(agent.Caller)
	return mcpserver.Visitor{
		ID: caller.Identity.TokenID, Session: caller.Session,
		Desk: func(session string) mcpserver.Desk {
			return deskOf{s.desk, agent.Caller{Identity: caller.Identity, Session: session}}
		},
		Leave: func(session string) { s.letGo(agent.Caller{Identity: caller.Identity, Session: session}) },
	}, ok
}

// deskOf is the desk as one agent sees it.
type deskOf struct {
	desk   *agent.Desk
	caller agent.Caller
}

// Act has one action done.
func (d deskOf) Act(ctx context.Context, call mcpserver.Call) (mcpserver.Reply, error) {
	answer, err := d.desk.Do(ctx, d.caller, agent.Request{Action: call.Action, Browser: call.Browser})
	return mcpserver.Reply{Result: answer.Result, Events: answer.Events}, err
}
