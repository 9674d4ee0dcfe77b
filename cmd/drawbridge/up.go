package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newUpCommand(a *app) *cobra.Command {
	var addr string
	var verbose, detached bool
	var public server.Public
	var idle time.Duration
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the server, and say how to connect your browser to it",
		Long: "Start the server in the foreground, on this machine only. Ctrl-C stops it.\n" +
			"It writes the extension to disk and prints where, with a link that pairs one browser.\n\n" +
			"For browsers and agents elsewhere: --public-url with --public-addr and a certificate, or with a proxy that\n" +
			"speaks TLS and passes the Host on as it came.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if idle < 0 {
				return usagef("--idle %s is no time to wait: expected one such as 10m, or 0 for a server that stays", idle)
			}
			up := func() (*served, error) {
				return a.serve(cmd.Context(), server.Options{Addr: addr, Public: others(public), IdleEnd: idle}, verbose)
			}
			return a.up(cmd.Context(), up, detached)
		},
	}
	cmd.Flags().StringVar(&public.URL, "public-url", "", "the https `address` by which other machines know this server; pairing links begin with it")
	cmd.Flags().StringVar(&public.Addr, "public-addr", "", "`host:port` to listen on for other machines, with a certificate or behind a proxy")
	cmd.Flags().StringVar(&public.CertFile, "tls-cert", "", "`file` with the certificate and its chain, PEM")
	cmd.Flags().StringVar(&public.KeyFile, "tls-key", "", "`file` with the certificate's key, PEM")
	cmd.Flags().BoolVar(&public.Proxied, "behind-proxy", false, "a proxy that speaks TLS to the world stands before --public-addr, so that it need not")
	cmd.Flags().StringVar(&addr, "addr", "", "`host:port` to listen on, loopback only ($DRAWBRIDGE_ADDR; default 127.0.0.1:47600)")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log every coming and going to stderr")
	cmd.Flags().BoolVar(&detached, "detached", false, "be the child of drawbridge mcp: one line of JSON on stdout when ready, and nothing else")
	cmd.Flags().DurationVar(&idle, "idle", 0, "end by itself after this `time` without an agent, such as 10m; 0 means never")
	_ = cmd.Flags().MarkHidden("detached") // it fails only for a flag that does not exist
	return cmd
}

// others is how other machines reach the server; nil when nothing was said of them.
func others(public server.Public) *server.Public {
	if public == (server.Public{}) {
		return nil
	}
	return &public
}

func (a *app) up(ctx context.Context, serve func() (*served, error), detached bool) error {
	up, err := serve()
	if errors.Is(err, store.ErrInUse) {
		return a.alreadyUp(err)
	}
	if err != nil {
		return err
	}
	defer up.stop()
	announce := a.announce
	if detached {
		announce = a.announceDetached
	}
	if err := announce(ctx, up); err != nil {
		return up.closeAfter(err)
	}
	return <-up.done
}

// alreadyUp words the case that a second up meets the first.
func (a *app) alreadyUp(err error) error {
	return &adviceError{
		err:  protocol.Errorf(protocol.CodeNameInUse, "%v", err),
		next: "drawbridge pair for a link to the server that runs, or --data-dir for a second one",
	}
}

// announce tells a person how to go on.
func (a *app) announce(ctx context.Context, up *served) error {
	dir, err := a.extensionDir(nil)
	if err != nil {
		return err
	}
	if err := writeExtension(dir); err != nil {
		return err
	}
	pairing, err := up.client.Pair(ctx)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(map[string]any{
			"addr": up.server.Addr(), "dataDir": up.server.DataDir(), "extension": dir, "link": pairing.Link, "code": pairing.Code, "version": buildVersion(),
		})
	}
	return a.say("Drawbridge %s serves your browsers at %s. Its data is in %s\n\nThe extension is in %s\n%s\n\n%s\n\n%s",
		buildVersion(), up.server.Addr(), up.server.DataDir(), dir, loadSteps(dir), pairingText(pairing),
		"Then, in another shell: drawbridge open https://example.com\n"+
			"For an MCP client, such as Claude Code: claude mcp add drawbridge -- drawbridge mcp\n"+
			"Ctrl-C stops the server.")
}

// announceDetached tells the process that started us that clients may come. Stdout is a pipe
// that it closes then: nothing may be written to it afterwards.
func (a *app) announceDetached(_ context.Context, up *served) error {
	return json.NewEncoder(a.stdout).Encode(store.ServerInfo{Addr: up.server.Addr(), PID: os.Getpid(), Version: buildVersion()})
}
