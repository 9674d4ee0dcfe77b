package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Visitor is on whose behalf one HTTP request comes.
type Visitor struct {
	// ID is the same for all requests with the same right to a session: a session that began under one is
	// closed to others. It may be logged.
	ID string
	// Session names the agent where the client did so itself; empty gives each client's session one of its own.
	Session string
	// Desk returns the desk of the visitor's agent of that session name, "" being one like any other.
	Desk func(session string) Desk
	// Leave is called when a client's session has ended that named no session: its agent will not come again. It may be called
	// again for the same session.
	Leave func(session string)
}

const (
	// idleSession is how long a client may be silent before its session ends. Its tabs outlive that: they stay
	// open, the user's.
	idleSession = 30 * time.Minute
	// maxAgents is how many agents' rests of long answers are kept.
	maxAgents = 256
	// visitorKey finds the visitor in what the SDK knows of a request.
	visitorKey = "visitor"
)

// Handler is MCP over streamable HTTP. Make one with [NewHandler].
type Handler struct {
	http.Handler
	server *mcp.Server
	all    *visitors
}

// InUse tells whether a client has a session.
func (h *Handler) InUse() bool {
	for range h.server.Sessions() {
		return true
	}
	return false
}

// Close ends every client's session and returns when their agents have left. Call it once nothing is served any more.
func (h *Handler) Close() {
	for session := range h.server.Sessions() {
		_ = session.Close() // its client is told by the next request that it makes
	}
	h.all.leaving.Wait()
}

// NewHandler serves MCP over streamable HTTP. With stateless set there are no sessions: every request stands
// alone, and the visitor's own session name alone says which agent it is.
//
// Who may come was checked before: visit only says who it is, by the request's context.
func NewHandler(visit func(context.Context) (Visitor, bool), stateless bool, opts *Options) *Handler {
	all := &visitors{opts: opts.filled(), agents: map[string]*tool{}}
	server := newServer(opts.filled(), all.agent)
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:           stateless,
		SessionTimeout:      idleSession,
		MaxRequestBodyBytes: maxRequestBytes,
		// The server checked the Host against its own list of names, which is stricter.
		DisableLocalhostProtection:   true,
		PropagateRequestCancellation: true,
	})
	known := func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		v, ok := visit(ctx)
		if !ok {
			return nil, errors.New("the request came past the door that knows its token")
		}
		return &auth.TokenInfo{UserID: v.ID, Extra: map[string]any{visitorKey: v}}, nil
	}
	guarded := auth.RequireBearerToken(known, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(streamable)
	return &Handler{Handler: guarded, server: server, all: all}
}

// visitors are the agents that come by HTTP.
type visitors struct {
	opts    Options
	leaving sync.WaitGroup // one for each session at whose end an agent leaves

	mu     sync.Mutex
	agents map[string]*tool
	order  []string // the keys of agents, oldest first
}

// agent is the tool of the agent that makes a call.
func (all *visitors) agent(r *mcp.CallToolRequest) *tool {
	v, ok := r.Extra.TokenInfo.Extra[visitorKey].(Visitor)
	if !ok { // RequireBearerToken lets nothing through without one
		return newTool(nobody{}, all.opts)
	}
	session, passes := v.Session, false
	if id := r.Session.ID(); session == "" && id != "" {
		sum := sha256.Sum256([]byte(id)) // the id itself is the client's to know, not the log's
		session, passes = "mcp-"+hex.EncodeToString(sum[:8]), true
	}
	key := v.ID + "/" + session
	all.mu.Lock()
	defer all.mu.Unlock()
	if t, ok := all.agents[key]; ok {
		return t
	}
	t := newTool(v.Desk(session), all.opts)
	all.agents[key] = t
	all.order = append(all.order, key)
	if passes {
		all.leaving.Go(func() {
			_ = r.Session.Wait() // however it ended
			all.forget(key)
			v.Leave(session)
		})
	}
	if len(all.order) > maxAgents {
		delete(all.agents, all.order[0])
		all.order = all.order[1:]
	}
	return t
}

func (all *visitors) forget(key string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.agents, key)
	all.order = slices.DeleteFunc(all.order, func(other string) bool { return other == key })
}

// nobody is the desk of a request without a visitor.
type nobody struct{}

func (nobody) Act(context.Context, Call) (Reply, error) {
	return Reply{}, errors.New("the request names no visitor")
}
