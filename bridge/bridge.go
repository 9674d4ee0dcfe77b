// Package bridge is a Drawbridge server inside another Go program: browsers pair with it, and the program, or the model that it
// speaks to, acts in them.
//
//	b, err := bridge.Start(ctx, nil)
//	defer b.Close()
//	pairing, err := b.Pair(ctx)           // pairing.Link is to be opened in the browser with the extension
//	browser, err := b.WaitBrowser(ctx)
//	agent, err := b.Agent("invoices")     // with tabs of its own
//	tab, err := client.Do[protocol.OpenTabResult](ctx, agent.Client, protocol.OpenTab{URL: "https://example.com/"})
//
// For a model there is [BrowserTool], and [Agent.Call] does what the model chose.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Options are the knobs of [Start]; nil and the zero value are fine.
type Options struct {
	// Addr is the host:port that browsers connect to, loopback only; port 0 takes a free one. A browser that is to come back after
	// a restart needs the same port. Default: 127.0.0.1:47600.
	Addr string
	// DataDir holds tokens, rules, secrets and the audit trail; one server has it at a time. Default: that of the command line.
	DataDir string
	// Version is what browsers are told of this program. Default: dev.
	Version string
	// Downloads is the folder in which the files that browsers saved are read, for download. Default: none, and then their bytes are
	// fetched once more.
	Downloads string
	// Logger gets trouble as warnings and errors. Default: discard.
	Logger *slog.Logger
}

// Bridge is a running server. Its methods may be called concurrently.
type Bridge struct {
	// fixed at creation
	server    *server.Server
	token     string
	transport *http.Transport
	client    *client.Client
	stop      context.CancelFunc
	done      chan struct{} // closed when the server has ended
	err       error         // the server's end; read after done
}

// Start listens and serves until ctx ends or [Bridge.Close] is called. It fails while another server has the data directory or the
// address: of two programs on one machine each needs its own.
func Start(ctx context.Context, opts *Options) (*Bridge, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	s, err := server.New(&server.Options{Addr: o.Addr, DataDir: o.DataDir, Version: o.Version, Downloads: o.Downloads, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	token, err := store.ReadCredential(s.DataDir())
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	running, stop := context.WithCancel(ctx)
	b := &Bridge{server: s, token: token, transport: &http.Transport{}, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		b.err = s.Run(running)
	}()
	if b.client, err = b.newClient(""); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// newClient makes a client that comes in by the same door as every other program: one set of checks, one audit trail.
func (b *Bridge) newClient(session string) (*client.Client, error) {
	return client.New(b.server.URL(), b.token, &client.Options{Session: session, HTTP: &http.Client{Transport: b.transport}})
}

// Close gives what is under way 10 s to end, tells the browsers to come back later, and waits for the server's end. It may be called
// twice.
func (b *Bridge) Close() error {
	b.stop()
	<-b.done
	b.transport.CloseIdleConnections()
	return b.err
}

// Addr is the host:port that browsers connect to, with the real port.
func (b *Bridge) Addr() string { return b.server.Addr() }

// Pair makes a link, and the code in it, by which one browser becomes this program's user's. Its ExpiresAt says until when.
func (b *Bridge) Pair(ctx context.Context) (protocol.PairResponse, error) { return b.client.Pair(ctx) }

// Browsers lists the browsers that are paired, connected or not.
func (b *Bridge) Browsers(ctx context.Context) ([]protocol.BrowserInfo, error) {
	return b.client.Browsers(ctx)
}

// WaitBrowser waits until a browser is connected, which may be so already, and returns it. It ends with an error when ctx or the
// server does.
func (b *Bridge) WaitBrowser(ctx context.Context) (protocol.BrowserInfo, error) {
	own := agent.Caller{Identity: store.Identity{User: b.server.User(), Scopes: []store.Scope{store.ScopeAgent}}}
	desk := b.server.Desk()
	// A notice only says to look again: one that was lost behind others does no harm.
	notices, err := desk.Follow(own, 16)
	if err != nil {
		return protocol.BrowserInfo{}, err
	}
	defer notices.Close()
	for {
		browsers, err := desk.Browsers(own)
		if err != nil {
			return protocol.BrowserInfo{}, err
		}
		for _, info := range browsers {
			if info.Connected {
				return info, nil
			}
		}
		select {
		case <-notices.C: // closed by our own Close alone
		case <-b.done:
			return protocol.BrowserInfo{}, errors.New("wait for a browser: the server has ended")
		case <-ctx.Done():
			return protocol.BrowserInfo{}, fmt.Errorf("wait for a browser: none has connected, open a link of Pair in one that has the extension: %w", context.Cause(ctx))
		}
	}
}

// Events gives what happens in the browsers, from now on, until ctx ends or the loop is left; see [client.Client.Events].
func (b *Bridge) Events(ctx context.Context) iter.Seq2[protocol.Notice, error] {
	return b.client.Events(ctx)
}
