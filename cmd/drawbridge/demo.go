package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/shop"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// The two sites of the demo. Neither name exists outside the browser that the demo starts.
const (
	shopSite    = "http://harbour.test"
	blockedSite = "http://tracker.test"
)

// demoLimit is how long the demo's flow may take: far more than it needs on a slow machine.
const demoLimit = 3 * time.Minute

func newDemoCommand() *cobra.Command {
	var url string
	var headless bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch an agent order in a small shop, in a browser of its own",
		Long: "Watch an agent order in a small shop that ships with this program: in a browser of its own,\n" +
			"through a server of its own, both gone afterwards. Where there is a display a window is\n" +
			"typed into all the while, and the keystrokes that the agent's work cost there are counted.\n" +
			"It succeeds only if the shop's own log has the order. With --url it reads that page instead.",
		Example: "  drawbridge demo\n  drawbridge demo --url https://example.com",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().StringVar(&url, "url", "", "read the page at this `address` instead")
	cmd.Flags().BoolVar(&headless, "headless", false, "without a window, also where there is a display")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		asJSON, err := cmd.Flags().GetBool("json")
		if err != nil {
			return err
		}
		if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			headless = true
		}
		out := cmd.OutOrStdout()
		if asJSON {
			out = io.Discard // the one line of JSON stands alone
		}
		summary, err := runDemo(cmd.Context(), demoOptions{url: url, headless: headless, out: out, log: cmd.ErrOrStderr()})
		if asJSON && summary != nil {
			err = errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(summary))
		}
		return err
	}
	return cmd
}

type demoOptions struct {
	url      string
	headless bool
	out, log io.Writer
}

// demoSummary is what the demo's last line says.
type demoSummary struct {
	Steps   int     `json:"steps"`
	Seconds float64 `json:"seconds"`
	// Tokens is an estimate of what a model would have read.
	Tokens int `json:"tokens"`
	// FocusStolen is how often the window that is typed into lost the focus; nil where nothing typed.
	FocusStolen *int `json:"focusStolen,omitempty"`
	// KeysTyped and KeysLost count keystrokes in that window.
	KeysTyped int `json:"keysTyped,omitempty"`
	KeysLost  int `json:"keysLost,omitempty"`
	// Order is the order's number in the shop's own log.
	Order string `json:"order,omitempty"`
	OK    bool   `json:"ok"`
}

// stage is all that the demo runs on.
type stage struct {
	opts    demoOptions
	shop    *shop.Shop
	client  *client.Client
	browser *chromium.Browser
}

// runDemo sets the stage, plays the flow and clears the stage again. The summary is nil when the flow never began.
func runDemo(ctx context.Context, opts demoOptions) (summary *demoSummary, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, demoLimit, fmt.Errorf("the demo took longer than %s", demoLimit))
	defer cancel()
	st := &stage{opts: opts, shop: shop.New()}
	siteAddr, closeSite, err := serveShop(st.shop)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	stop, err := st.open(ctx, siteAddr)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	if opts.url != "" {
		return st.readPage(ctx)
	}
	return st.play(ctx)
}

func serveShop(handler http.Handler) (addr string, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("open the shop: %w", err)
	}
	site := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- site.Serve(listener) }()
	return listener.Addr().String(), func() error {
		err := site.Close()
		if ended := <-done; !errors.Is(ended, http.ErrServerClosed) {
			err = errors.Join(err, ended)
		}
		return err
	}, nil
}

// open starts a server and a browser of the demo's own.
func (st *stage) open(ctx context.Context, siteAddr string) (stop func() error, err error) {
	dataDir, err := os.MkdirTemp("", "drawbridge-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a data directory for the demo: %w", err)
	}
	s, err := server.New(&server.Options{
		Addr: "127.0.0.1:0", DataDir: dataDir, Version: buildVersion(), DrainTime: time.Second,
		Logger: slog.New(slog.NewTextHandler(st.opts.log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dataDir))
	}
	// Not ctx: the server has to stand until the browser is stopped.
	serving, stopServer := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- s.Run(serving) }()
	stop = func() error {
		stopServer()
		err := <-done
		if st.browser != nil {
			stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
			defer cancel()
			err = errors.Join(err, st.browser.Stop(stopping))
		}
		return errors.Join(err, os.RemoveAll(dataDir))
	}
	if err := st.connect(ctx, s, siteAddr); err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}

// connect starts the browser, paired, and waits for it.
func (st *stage) connect(ctx context.Context, s *server.Server, siteAddr string) error {
	token, err := store.ReadCredential(s.DataDir())
	if err != nil {
		return err
	}
	if st.client, err = client.New(s.URL(), token, &client.Options{Session: "demo"}); err != nil {
		return err
	}
	if err := st.client.SetRules(ctx, protocol.Rules{Blocklist: []string{"tracker.test"}}); err != nil {
		return err
	}
	pairing, err := st.client.Pair(ctx)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]string{"address": s.Addr(), "pairingToken": pairing.Code})
	if err != nil {
		return fmt.Errorf("make the extension's configuration: %w", err)
	}
	built, err := builtExtension()
	if err != nil {
		return err
	}
	opts := chromium.Options{
		Headless: st.opts.headless, Extension: built, ExtensionConfig: config, Scratch: []string{s.DataDir()},
		ExtraArgs: []string{"--host-resolver-rules=MAP harbour.test " + siteAddr + ",MAP tracker.test " + siteAddr},
	}
	if !st.opts.headless {
		opts.URL = shopSite + "/typing"
	}
	if st.browser, err = chromium.Launch(ctx, opts); err != nil {
		return err
	}
	_, err = awaitBrowser(ctx, st.client, nil, st.browser.Done())
	return err
}

// place moves the window of the page at url to a place on the screen. Command line switches would do it for every
// window that is ever opened. Where the window manager has the last word it is only a wish.
func (st *stage) place(ctx context.Context, url string, left, top, width, height int) error {
	if st.opts.headless {
		return nil
	}
	target, err := st.browser.WaitTarget(ctx, "the page "+url, func(t chromium.Target) bool { return t.Type == "page" && t.URL == url })
	if err != nil {
		return err
	}
	var window struct {
		ID int `json:"windowId"`
	}
	if err := st.browser.Call(ctx, "Browser.getWindowForTarget", map[string]any{"targetId": target.ID}, &window); err != nil {
		return err
	}
	bounds := map[string]any{"left": left, "top": top, "width": width, "height": height}
	return st.browser.Call(ctx, "Browser.setWindowBounds", map[string]any{"windowId": window.ID, "bounds": bounds}, nil)
}
