package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

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
	client  *client.Client
	browser *chromium.Browser
	stop    func() error
}

func openBench(ctx context.Context) (b *bench, err error) {
	b = &bench{site: httptest.NewServer(http.HandlerFunc(servePage)), stop: func() error { return nil }}
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
	if b.client, err = client.New(s.URL(), token, nil); err != nil {
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

// servePage writes a page with as many controls as its path says, ten to a paragraph.
func servePage(w http.ResponseWriter, r *http.Request) {
	var controls int
	if _, err := fmt.Sscanf(r.URL.Path, "/controls/%d", &controls); err != nil {
		http.NotFound(w, r)
		return
	}
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>Controls</title><main><h1>Controls</h1>")
	for i := range controls {
		if i%10 == 0 {
			fmt.Fprintf(&page, "<p>Paragraph %d ", i/10)
		}
		switch i % 4 {
		case 0:
			fmt.Fprintf(&page, "<button>Button %d</button> ", i)
		case 1:
			fmt.Fprintf(&page, "<a href='#r%d'>Link %d</a> ", i, i)
		case 2:
			fmt.Fprintf(&page, "<input aria-label='Text %d' value='v%d'> ", i, i)
		case 3:
			fmt.Fprintf(&page, "<label><input type=checkbox> Box %d</label> ", i)
		}
	}
	page.WriteString("</main>")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(page.String()))
}

// open opens a page of so many controls in a tab of the agent's, and attaches to it by the pipe as well.
func (b *bench) open(ctx context.Context, controls int) (protocol.Page, *chromium.Session, error) {
	url := fmt.Sprintf("http://bench.test/controls/%d", controls)
	opened, err := client.Do[protocol.OpenTabResult](ctx, b.client, protocol.OpenTab{URL: url})
	if err != nil {
		return protocol.Page{}, nil, err
	}
	target, err := b.browser.WaitTarget(ctx, "the page", func(t chromium.Target) bool { return t.Type == "page" && t.URL == url })
	if err != nil {
		return protocol.Page{}, nil, err
	}
	session, err := b.browser.Attach(ctx, target.ID)
	return protocol.Page{TabID: opened.TabID}, session, err
}

func (b *bench) comparisons(ctx context.Context) ([]comparison, error) {
	small, rawSmall, err := b.open(ctx, 500)
	if err != nil {
		return nil, err
	}
	large, rawLarge, err := b.open(ctx, 5000)
	if err != nil {
		return nil, err
	}
	click, err := b.click(ctx, small)
	if err != nil {
		return nil, err
	}
	rawClick, err := rawClicker(ctx, rawSmall)
	if err != nil {
		return nil, err
	}
	walk := func(ctx context.Context) error { return rawWalk(ctx, rawLarge, 5000) }
	snapshot := func(ctx context.Context) error {
		tree, err := client.Do[protocol.SnapshotResult](ctx, b.client, protocol.Snapshot{Page: large, Interactive: true})
		if err == nil && len(tree.Refs) < 5000 {
			return fmt.Errorf("the snapshot has %d refs, expected 5000", len(tree.Refs))
		}
		return err
	}
	extract := func(ctx context.Context) error {
		page, err := client.Do[protocol.ExtractResult](ctx, b.client, protocol.Extract{Page: large})
		if err == nil && (len(page.Elements) != 200 || len(page.Markdown) < 20<<10) {
			return fmt.Errorf("the extract has %d elements and %d bytes of markdown", len(page.Elements), len(page.Markdown))
		}
		return err
	}
	return []comparison{
		{name: "click, page of 500 elements", limit: 3, runs: 60, ours: click, floor: rawClick},
		{name: "snapshot, 5,000 interactive elements", limit: 2, runs: 15, ours: snapshot, floor: walk},
		{name: "extract, 5,000 interactive elements", limit: 4, runs: 15, ours: extract, floor: walk},
	}, nil
}

// click is an agent's click on a uid that it was told.
func (b *bench) click(ctx context.Context, page protocol.Page) (func(context.Context) error, error) {
	read, err := client.Do[protocol.ExtractResult](ctx, b.client, protocol.Extract{Page: page, Parts: []string{"elements"}})
	if err != nil {
		return nil, err
	}
	for _, e := range read.Elements {
		if e.Role == "button" && e.Name == "Button 8" {
			action := protocol.Click{Page: page, Target: protocol.Target{UID: e.UID}}
			return func(ctx context.Context) error {
				_, err := b.client.Do(ctx, action)
				return err
			}, nil
		}
	}
	return nil, errors.New("the page tells of no button")
}
