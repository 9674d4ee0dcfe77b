package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/rawcdp"
	"github.com/drawbridge-browser/drawbridge/bench/site"
	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// bench is a server, a browser with the extension in it, and a site with pages of many elements.
type bench struct {
	site    *httptest.Server
	dataDir string
	address string // the server's
	client  *client.Client
	browser *chromium.Browser
	stop    func() error
}

func openBench(ctx context.Context) (b *bench, err error) {
	b = &bench{site: httptest.NewServer(site.New()), stop: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	if b.dataDir, err = os.MkdirTemp("", "drawbridge-bench-"); err != nil {
		return b, err
	}
	s, err := server.New(&server.Options{Addr: "127.0.0.1:0", DataDir: b.dataDir, Version: "bench", DrainTime: time.Second})
	if err != nil {
		return b, err
	}
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- s.Run(serving) }()
	b.stop = func() error { end(); return <-done }
	token, err := store.ReadCredential(b.dataDir)
	if err != nil {
		return b, err
	}
	b.address = s.URL()
	if b.client, err = client.New(b.address, token, &client.Options{Session: cliSession}); err != nil {
		return b, err
	}
	pairing, err := b.client.Pair(ctx)
	if err != nil {
		return b, err
	}
	config, err := json.Marshal(map[string]string{"address": s.Addr(), "pairingToken": pairing.Code})
	if err != nil {
		return b, err
	}
	b.browser, err = chromium.Launch(ctx, chromium.Options{
		Headless: true, Extension: extension.Files(), ExtensionConfig: config, Scratch: []string{b.dataDir},
		ExtraArgs: []string{"--host-resolver-rules=MAP bench.test " + b.site.Listener.Addr().String()},
	})
	if err != nil {
		return b, err
	}
	return b, b.connected(ctx)
}

func (b *bench) connected(ctx context.Context) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		browsers, err := b.client.Browsers(ctx)
		if err != nil {
			return err
		}
		if len(browsers) > 0 && browsers[0].Connected {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for the browser's connection: %w", ctx.Err())
		}
	}
}

func (b *bench) close() error {
	err := b.stop()
	if b.browser != nil {
		err = errors.Join(err, b.browser.Stop(context.Background()))
	}
	b.site.CloseClientConnections()
	b.site.Close()
	return errors.Join(err, os.RemoveAll(b.dataDir))
}

// tab is a page in a tab of the agent's, which both ways work on.
type tab struct {
	page protocol.Page
	raw  *rawcdp.Page
	// refs are the uids that the agent was told, by role and name.
	refs map[string]string
}

// open opens a page in a tab of the agent's, attaches to it by the pipe as well, and reads it once.
func (b *bench) open(ctx context.Context, path string) (*tab, error) {
	url := "http://bench.test" + path
	opened, err := client.Do[protocol.OpenTabResult](ctx, b.client, protocol.OpenTab{URL: url})
	if err != nil {
		return nil, err
	}
	target, err := b.browser.WaitTarget(ctx, "the page", func(t chromium.Target) bool { return t.Type == "page" && t.URL == url })
	if err != nil {
		return nil, err
	}
	session, err := b.browser.Attach(ctx, target.ID)
	if err != nil {
		return nil, err
	}
	t := &tab{page: protocol.Page{TabID: opened.TabID}, raw: rawcdp.New(session), refs: map[string]string{}}
	tree, err := b.do(ctx, protocol.Snapshot{Page: t.page, Interactive: true})
	if err != nil {
		return nil, err
	}
	if tree, ok := tree.(protocol.SnapshotResult); ok {
		for uid, ref := range tree.Refs {
			t.refs[ref.Role+" "+ref.Name] = uid
		}
	}
	return t, nil
}

// do has an action done; a busy machine gets more time for it than an agent would.
func (b *bench) do(ctx context.Context, action protocol.Action) (protocol.Result, error) {
	answer, err := b.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: action}, TimeoutMS: int64(actionTimeout / time.Millisecond)})
	if err != nil {
		return nil, err
	}
	return protocol.DecodeResult(protocol.TypeOf(action), answer.Result)
}

// actionTimeout is how long one action may take.
const actionTimeout = 2 * time.Minute

// ref is the target that the agent was told by role and name.
func (t *tab) ref(roleAndName string) protocol.Target {
	return protocol.Target{UID: t.refs[roleAndName]}
}
