// Package mcpserver offers the browser to models, as one MCP tool.
//
// The tool's input is one flat object: an action and the fields of all actions, since
// model providers refuse a top-level oneOf. Which fields belong to which action is
// enforced here and by protocol's decoder, and a mistake comes back as a tool error
// in the action's own words. Answers are text as package render writes it.
package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Call is one action for a desk to perform.
type Call struct {
	// Action is what to do.
	Action protocol.Action
	// Browser is the browser's id or name; empty for the only one connected.
	Browser string
}

// Reply is what came of a call.
type Reply struct {
	// Result is the action's result.
	Result protocol.Result
	// Events is what happened on the agent's tabs since its last reply, also beside an error.
	Events []protocol.Event
}

// Desk performs the actions of one agent. It may be called concurrently; cancelling ctx
// reaches the browser. Errors that a model should read are *protocol.Error.
type Desk interface {
	Act(ctx context.Context, call Call) (Reply, error)
}

// Options are the knobs of New; nil and the zero value are fine.
type Options struct {
	// Version is this program's version, told to the client.
	Version string
	// Tokens is how much of a page one answer brings; 0 means render.DefaultTokens.
	Tokens int
	// Split offers a tool for each action, under the names that people know from other browser servers
	// (browser_click), in place of the one tool browser.
	Split bool
	// Structured sends beside the text what it was written from, as JSON: the answer is paid for twice.
	Structured bool
}

//go:embed instructions.txt
var instructions string

// New makes an MCP server with the browser tool on desk. One server is one agent: make
// one for each client, since what it keeps of long answers is that agent's.
func New(desk Desk, opts *Options) *mcp.Server {
	o := opts.filled()
	t := newTool(desk, o)
	return newServer(o, func(*mcp.CallToolRequest) *tool { return t })
}

func (o *Options) filled() Options {
	var filled Options
	if o != nil {
		filled = *o
	}
	if filled.Tokens <= 0 {
		filled.Tokens = render.DefaultTokens
	}
	return filled
}

// newServer makes a server that asks of each call which agent makes it.
func newServer(o Options, agent func(*mcp.CallToolRequest) *tool) *mcp.Server {
	opts := &mcp.ServerOptions{
		Instructions: told(o.Split),
		// The tools never change while a client is connected, and nothing is logged over MCP.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	}
	register := func(*mcp.Server) {}
	if fixtures != nil {
		register = fixtures(opts)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "drawbridge", Title: "Drawbridge", Version: o.Version}, opts)
	register(server)
	add := func(definition *mcp.Tool, read func(json.RawMessage) (input, error)) {
		server.AddTool(definition, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			stop := report(ctx, r)
			defer stop()
			return agent(r).call(ctx, r.Params.Arguments, read).result(), nil
		})
	}
	if !o.Split {
		add(definition(), decode)
		return server
	}
	for _, d := range splitDefinitions() {
		add(d.tool, d.read)
	}
	return server
}

// Serve answers one client on in and out until its input ends, ctx does, or the
// connection breaks. The end of the input is no error.
func Serve(ctx context.Context, server *mcp.Server, in io.ReadCloser, out io.WriteCloser) error {
	err := server.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxRequestBytes})
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return fmt.Errorf("serve mcp: %w", err)
}

// maxRequestBytes bounds one request line: an upload carries its files in base64.
const maxRequestBytes = 96 << 20
