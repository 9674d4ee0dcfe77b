package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newUpCommand(a *app) *cobra.Command {
	var addr string
	var verbose, detached bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the server, and say how to connect your browser to it",
		Long: "Start the server in the foreground, on this machine only. Ctrl-C stops it.\n" +
			"It writes the extension to disk and prints where, with a link that pairs one browser.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.up(cmd.Context(), addr, verbose, detached)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "`host:port` to listen on, loopback only ($DRAWBRIDGE_ADDR; default 127.0.0.1:47600)")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log every coming and going to stderr")
	cmd.Flags().BoolVar(&detached, "detached", false, "be the child of drawbridge mcp: one line of JSON on stdout when ready, and nothing else")
	_ = cmd.Flags().MarkHidden("detached") // it fails only for a flag that does not exist
	return cmd
}

func (a *app) up(ctx context.Context, addr string, verbose, detached bool) error {
	up, err := a.serve(ctx, addr, verbose)
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
