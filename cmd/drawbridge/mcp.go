package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/mcpserver"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newMCPCommand(a *app) *cobra.Command {
	var tools string
	var idle time.Duration
	var structured bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Be an MCP server on stdin and stdout",
		Long: "Be an MCP server on stdin and stdout, for one client, with the one tool browser.\n" +
			"It works through the running server, or starts one in the background, which ends when no agent has\n" +
			"used it for ten minutes (--idle).\n" +
			"When the client ends, its tabs stay open and are yours; with --session NAME they stay the agent's.\n\n" +
			"Set-up of a client, such as Claude Code: claude mcp add drawbridge -- drawbridge mcp",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if idle < 0 {
				return usagef("--idle %s is no time to wait: expected one such as 10m, or 0 for a server that stays", idle)
			}
			if tools != "one" && tools != "split" {
				return usagef("--tools %s is unknown: expected one or split", tools)
			}
			session := "mcp-" + uuid.NewString() // each client is an agent of its own, with its own tabs
			named := cmd.Flags().Changed("session")
			if named {
				session = a.flags.session
			}
			alive, gone := context.WithCancel(cmd.Context())
			defer gone()
			elsewhere := a.flags.server != ""
			desk := &remoteDesk{app: a, session: session, idle: idle, hold: func(c *client.Client) {
				if named { // who has a name may come again, to its tabs
					go hold(alive, c)
				} else {
					present(alive, c, elsewhere)
				}
			}}
			if !named {
				defer desk.leave(cmd.Context())
			}
			if _, err := desk.connected(cmd.Context()); err != nil {
				return err
			}
			return mcpserver.Serve(cmd.Context(), mcpserver.New(desk, &mcpserver.Options{Version: buildVersion(), Split: tools == "split", Structured: structured}),
				io.NopCloser(a.stdin), unclosed{a.stdout})
		},
	}
	cmd.Flags().DurationVar(&idle, "idle", defaultIdle, "how long a server that this command starts stays without an agent, such as 10m; 0 means for ever")
	cmd.Flags().BoolVar(&structured, "structured", false, "send results as JSON too (structuredContent), whole, beside the text; costs its tokens again")
	cmd.Flags().StringVar(&tools, "tools", "one", "one: the tool browser; split: a `tool` for each action, such as browser_click, which costs more tokens")
	return cmd
}

// leaveTime is how long the end may take for giving tabs back: clients kill who takes much longer.
const leaveTime = 2 * time.Second

// unclosed is an output that the MCP server does not close: it is the process's own.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// remoteDesk performs actions by the running server. When that is gone, the next action finds
// or starts another.
type remoteDesk struct {
	// fixed at creation
	app     *app
	session string
	idle    time.Duration // after which a server that it started ends
	// hold keeps a server from ending for as long as the client is there.
	hold func(*client.Client)

	mu     sync.Mutex
	client *client.Client // nil until a server was found, and after it was lost
	held   bool           // if true, the server elsewhere is held
}

var _ mcpserver.Desk = (*remoteDesk)(nil)

// Act performs one action. It sends it again only where it was not sent, which the browser itself says where a server died.
func (d *remoteDesk) Act(ctx context.Context, call mcpserver.Call) (mcpserver.Reply, error) {
	key, sent := "", time.Now()
	if m, ok := protocol.MethodOf(protocol.TypeOf(call.Action)); ok && !m.Reads {
		key = uuid.NewString()
	}
	reply, err := d.act(ctx, call, key, time.Time{})
	if errors.Is(err, syscall.ECONNREFUSED) && ctx.Err() == nil {
		d.lose()
		return d.act(ctx, call, key, time.Time{})
	}
	if !errors.Is(err, client.ErrLost) || ctx.Err() != nil {
		return reply, err
	}
	d.lose()
	if key == "" { // to look twice does no harm
		return d.act(ctx, call, "", time.Time{})
	}
	// The server died in mid-call. The browser knows what it did: the next server asks it.
	told, asking := d.act(ctx, call, key, sent)
	var known *protocol.Error
	switch {
	case !errors.As(asking, &known) || known.Outcome == protocol.Done:
		return told, asking
	case known.Outcome == protocol.NotSent && known.Code == protocol.CodeNotConnected:
		return d.act(ctx, call, key, time.Time{})
	}
	return reply, err
}

// act has a call done, or asks what came of one that was sent, if that is not zero.
func (d *remoteDesk) act(ctx context.Context, call mcpserver.Call, key string, sent time.Time) (mcpserver.Reply, error) {
	c, err := d.connected(ctx)
	if err != nil {
		return mcpserver.Reply{}, err
	}
	var recallMS int64
	if !sent.IsZero() {
		recallMS = max(protocol.Ago(sent).Milliseconds(), 1) // until now, after a server was found
	}
	answer, err := c.Act(ctx, protocol.ActRequest{
		Action: protocol.AnyAction{Action: call.Action}, Browser: call.Browser, CallKey: key, RecallMS: recallMS,
	})
	reply := mcpserver.Reply{Events: answer.Events}
	if err != nil {
		return reply, err
	}
	reply.Result, err = answer.Read(call.Action)
	return reply, err
}

// connected is the client of the running server, which it finds or starts first if need be. The
// lock is held meanwhile: calls that come together start one server, not one each.
func (d *remoteDesk) connected(ctx context.Context) (*client.Client, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.client != nil {
		return d.client, nil
	}
	if d.app.flags.server != "" {
		c, err := d.app.elsewhere(d.session)
		if err != nil {
			return nil, err
		}
		if !d.held { // it goes on when the server is lost
			d.hold(c)
		}
		d.client, d.held = c, true
		return c, nil
	}
	info, token, err := d.app.ensureServer(ctx, d.idle)
	if err != nil {
		return nil, err
	}
	c, err := d.app.clientOf(info, token, d.session)
	if err != nil {
		return nil, err
	}
	d.hold(c)
	d.client = c
	return c, nil
}

// leave gives the agent's tabs back, as far as the server is still there: the client is gone and hears nothing of it.
func (d *remoteDesk) leave(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	if _, err := d.client.Leave(ctx); err != nil {
		d.app.note("drawbridge: the tabs could not be given back: %v", err)
	}
}

func (d *remoteDesk) lose() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.client = nil
}
