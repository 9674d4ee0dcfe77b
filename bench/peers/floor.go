package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/bench/rawcdp"
	"github.com/drawbridge-browser/drawbridge/bench/site"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// floor is the debugging protocol itself, without a tool and without an agent's words: what no tool can be faster than.
type floor struct {
	browser *chromium.Browser
	page    *rawcdp.Page
}

var _ hand = (*floor)(nil)

func startFloor(ctx context.Context, binary chromium.Binary) (*floor, error) {
	browser, err := chromium.Launch(ctx, chromium.Options{Binary: binary, Headless: true})
	if err != nil {
		return nil, err
	}
	f := &floor{browser: browser}
	session, err := browser.OpenPage(ctx, "about:blank")
	if err == nil {
		f.page = rawcdp.New(session)
		// A page that is not in front draws one frame a second, and hears of the pointer's moves with its frames.
		err = errors.Join(session.Call(ctx, "Page.enable", nil, nil), session.Call(ctx, "Page.bringToFront", nil, nil),
			session.Call(ctx, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil))
	}
	if err != nil {
		_ = f.close()
		return nil, err
	}
	return f, nil
}

func (f *floor) open(ctx context.Context, url string) (string, error) {
	f.page.Forget()
	loaded := make(chan struct{}, 1)
	forget := f.page.Session.On("Page.loadEventFired", func(json.RawMessage) {
		select {
		case loaded <- struct{}{}:
		default:
		}
	})
	defer forget()
	if err := f.page.Session.Call(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return "", err
	}
	select {
	case <-loaded:
		return "", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (f *floor) look(ctx context.Context, _ bool) (string, error) { return "", f.page.Walk(ctx, 1) }

func (f *floor) more(context.Context, string) (string, bool, error) { return "", false, nil }

func (f *floor) click(ctx context.Context, c site.Control) (string, error) {
	return "", f.page.Click(ctx, c.Selector)
}

func (f *floor) fill(ctx context.Context, c site.Control) (string, error) {
	return "", f.page.Fill(ctx, c.Selector, c.Value)
}

func (f *floor) choose(ctx context.Context, c site.Control) (string, error) {
	return "", f.page.Choose(ctx, c.Selector, c.Value)
}

func (f *floor) evaluate(ctx context.Context, body string) (string, error) {
	var got any
	err := f.page.Session.Evaluate(ctx, body, &got)
	return fmt.Sprint(got), err
}

func (f *floor) press(ctx context.Context, c site.Control, effect string) (string, error) {
	if err := f.page.Click(ctx, c.Selector); err != nil {
		return "", err
	}
	return f.evaluate(ctx, "document.querySelector('"+strings.ReplaceAll(effect, "'", `\'`)+"').textContent")
}

func (f *floor) knows(site.Control) bool { return true }

func (f *floor) definitions(context.Context) (string, error) { return "", nil }

func (f *floor) close() error { return f.browser.Stop(context.Background()) }
