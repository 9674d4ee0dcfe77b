package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// connectTime is how long a launched browser's extension may take to connect.
const connectTime = 30 * time.Second

type launchFlags struct {
	headless bool
	profile  string
	addr     string
	verbose  bool
}

func newLaunchCommand(a *app) *cobra.Command {
	var f launchFlags
	cmd := &cobra.Command{
		Use:   "launch",
		Short: "Start a Chromium with the extension inside, already paired",
		Long: "Start a Chromium of its own with the extension inside and already paired, until Ctrl-C\n" +
			"or until its window is closed. Without --profile nothing of it stays behind.\n" +
			"It joins the running server, or else runs one itself meanwhile.",
		Example: "  drawbridge launch\n  drawbridge launch --headless",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.launch(cmd.Context(), f)
		},
	}
	cmd.Flags().BoolVar(&f.headless, "headless", false, "without a window, for servers and CI")
	cmd.Flags().StringVar(&f.profile, "profile", "", "`directory` of a profile to use and keep; without it a temporary one")
	cmd.Flags().StringVar(&f.addr, "addr", "", "`host:port` for a server that is not running yet ($DRAWBRIDGE_ADDR)")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "log every coming and going to stderr")
	return cmd
}

func (a *app) launch(ctx context.Context, f launchFlags) (err error) {
	c, addr, own, err := a.serverFor(ctx, f)
	if err != nil {
		return err
	}
	if own != nil {
		defer func() { err = errors.Join(err, own.close()) }()
	}
	before, err := c.Browsers(ctx)
	if err != nil {
		return err
	}
	browser, err := a.launchPaired(ctx, c, addr, f)
	if err != nil {
		return err
	}
	defer func() {
		// Not ctx: it has ended, and the end in order must not be cut short by that.
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		err = errors.Join(err, browser.Stop(stopping))
	}()
	connected, err := awaitBrowser(ctx, c, before, browser.Done())
	if err != nil {
		return err
	}
	if err := a.announceLaunch(connected, addr); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		a.note("stopping the browser")
		return nil
	case <-browser.Done():
		a.note("the browser was closed")
		return nil
	case failed := <-ended(own):
		return fmt.Errorf("the server ended: %w", failed)
	}
}

// serverFor is the running server, or one of our own where none runs.
func (a *app) serverFor(ctx context.Context, f launchFlags) (c *client.Client, addr string, own *served, err error) {
	info, token, err := a.healthy(ctx)
	if err == nil {
		c, err = a.clientOf(info, token, a.flags.session)
		if err == nil {
			go hold(ctx, c) // ctx ends with the command
		}
		return c, info.Addr, nil, err
	}
	if !absent(err) {
		return nil, "", nil, err
	}
	// Not ctx: the browser has to be stopped while its server still runs.
	own, err = a.serve(context.WithoutCancel(ctx), server.Options{Addr: f.addr}, f.verbose)
	if err != nil {
		return nil, "", nil, err
	}
	return own.client, own.server.Addr(), own, nil
}

// ended is where the end of a server of our own is heard; of another's nothing is.
func ended(own *served) <-chan error {
	if own == nil {
		return nil
	}
	return own.done
}

// launchPaired starts the browser with a pairing code in its extension's folder.
func (a *app) launchPaired(ctx context.Context, c *client.Client, addr string, f launchFlags) (*chromium.Browser, error) {
	built, err := builtExtension()
	if err != nil {
		return nil, err
	}
	pairing, err := c.Pair(ctx)
	if err != nil {
		return nil, err
	}
	// At a browser without windows nobody can be asked for help.
	config, err := json.Marshal(map[string]any{"address": addr, "pairingToken": pairing.Code, "unattended": f.headless})
	if err != nil {
		return nil, fmt.Errorf("make the extension's configuration: %w", err)
	}
	options := chromium.Options{Headless: f.headless, Extension: built, ExtensionConfig: config}
	if f.profile != "" {
		if options.ProfileDir, err = filepath.Abs(f.profile); err != nil {
			return nil, fmt.Errorf("find the profile: %w", err)
		}
	}
	browser, err := chromium.Launch(ctx, options)
	if errors.Is(err, chromium.ErrNoDisplay) {
		return nil, &adviceError{err: protocol.Errorf(protocol.CodeInvalidAction, "%v", err), next: "drawbridge launch --headless"}
	}
	return browser, err
}

// awaitBrowser waits until a browser is connected that was not before.
func awaitBrowser(ctx context.Context, c *client.Client, before []protocol.BrowserInfo, gone <-chan struct{}) (protocol.BrowserInfo, error) {
	there := map[string]int64{}
	for _, b := range before {
		if b.Connected {
			there[b.BrowserID] = b.ConnectedAt
		}
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	tick := time.NewTicker(retryTime)
	defer tick.Stop()
	for {
		now, err := c.Browsers(ctx)
		if err != nil {
			return protocol.BrowserInfo{}, err
		}
		for _, b := range now {
			if since, old := there[b.BrowserID]; b.Connected && (!old || since != b.ConnectedAt) {
				return b, nil
			}
		}
		select {
		case <-tick.C:
		case <-gone:
			return protocol.BrowserInfo{}, errors.New("the browser ended before its extension had connected")
		case <-ctx.Done():
			return protocol.BrowserInfo{}, fmt.Errorf("the browser's extension did not connect within %s (%w): a kept profile may be paired with another server, whose address its popup shows", connectTime, ctx.Err())
		}
	}
}

func (a *app) announceLaunch(b protocol.BrowserInfo, addr string) error {
	if a.flags.json {
		return a.printJSON(map[string]any{"addr": addr, "browser": b})
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("read the server's address: %w", err)
	}
	return a.say("A browser is ready: %s (server on port %s)\n\nNow, in another shell: drawbridge open https://example.com\nCtrl-C stops it.", browserLine(b), port)
}
