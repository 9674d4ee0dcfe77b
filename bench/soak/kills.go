package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// kill is one interruption.
type kill struct {
	kind string
	// victim is the agent that it strikes; empty means all of them.
	victim string
	at     time.Time
	// recovered is the time from it to the end of the first action that began after it and went well. Set before over is closed.
	recovered time.Duration
	over      chan struct{} // closed by the judge
}

// kind is one way to interrupt.
type kind struct {
	name string
	// strike does it; it returns when what was killed runs again, if the soak itself has to start it.
	strike func(ctx context.Context, s *stage, victim *agent, r *rand.Rand) error
	// one says that it strikes one agent only.
	one bool
}

// kinds are all that happens to a link, in the order of the report.
var kinds = []kind{
	{name: "worker killed", strike: killWorker},
	{name: "server killed", strike: restartServer},
	{name: "socket reset", strike: func(_ context.Context, s *stage, _ *agent, _ *rand.Rand) error { s.proxy.cut(); return nil }},
	{name: "socket deaf", strike: func(_ context.Context, s *stage, _ *agent, _ *rand.Rand) error { s.proxy.silence(); return nil }},
	{name: "line held up", strike: holdLine},
	{name: "extension reloaded", strike: reloadExtension},
	{name: "browser restarted", strike: restartBrowser},
	{name: "agent gone", strike: abandonCall, one: true},
	{name: "tab closed", strike: closeTab, one: true},
	{name: "tab crashed", strike: crashTab, one: true},
}

// killWorker ends the extension's service worker as Chrome does.
func killWorker(ctx context.Context, s *stage, _ *agent, _ *rand.Rand) error {
	b, err := s.chromium()
	if err != nil {
		return err
	}
	worker, err := b.Worker(ctx)
	if err != nil {
		return err
	}
	return b.CloseTarget(ctx, worker.ID)
}

func restartServer(ctx context.Context, s *stage, _ *agent, _ *rand.Rand) error {
	if err := s.killServer(); err != nil {
		return err
	}
	return s.startServer(ctx)
}

// holdLine keeps everything on its way for some seconds, less than either end takes for death.
func holdLine(ctx context.Context, s *stage, _ *agent, r *rand.Rand) error {
	release := s.proxy.hold()
	defer release()
	return wait(ctx, 2*time.Second+time.Duration(r.Int64N(int64(5*time.Second))))
}

func reloadExtension(ctx context.Context, s *stage, _ *agent, _ *rand.Rand) error {
	b, err := s.chromium()
	if err != nil {
		return err
	}
	target, err := b.Worker(ctx)
	if err != nil {
		return err
	}
	worker, err := b.Attach(ctx, target.ID)
	if err != nil {
		return err
	}
	// A moment later, so that the worker answers before it goes.
	if err := worker.Evaluate(ctx, "void setTimeout(() => chrome.runtime.reload())", nil); err != nil {
		return err
	}
	_, err = b.WaitTarget(ctx, "the reloaded extension's worker", func(t chromium.Target) bool {
		return t.Type == "service_worker" && t.URL == target.URL && t.ID != target.ID
	})
	return err
}

func restartBrowser(ctx context.Context, s *stage, _ *agent, _ *rand.Rand) error {
	if err := s.stopBrowser(ctx); err != nil {
		return err
	}
	return s.startBrowser(ctx, nil)
}

// abandonCall ends an agent's call while it is under way; between two calls there is none, so it looks again.
func abandonCall(ctx context.Context, _ *stage, victim *agent, _ *rand.Rand) error {
	for !victim.abandon() {
		if err := wait(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func closeTab(ctx context.Context, s *stage, victim *agent, _ *rand.Rand) error {
	return withPage(ctx, s, victim, func(b *chromium.Browser, page chromium.Target) error { return b.CloseTarget(ctx, page.ID) })
}

func crashTab(ctx context.Context, s *stage, victim *agent, _ *rand.Rand) error {
	return withPage(ctx, s, victim, func(b *chromium.Browser, page chromium.Target) error {
		session, err := b.Attach(ctx, page.ID)
		if err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		// Nobody is left to answer; that the page's process is gone is told by an event.
		gone := make(chan struct{})
		defer session.On("Inspector.targetCrashed", func(json.RawMessage) { close(gone) })()
		_ = session.Call(short, "Inspector.enable", nil, nil)
		_ = session.Call(short, "Page.crash", nil, nil)
		select {
		case <-gone:
		case <-short.Done():
			return fmt.Errorf("crash the page: %w", context.Cause(short))
		}
		_ = session.Detach(ctx) // there may be nothing to detach from
		return nil
	})
}

// withPage does something to the victim's page, which may be on its way to the next one: then to that.
func withPage(ctx context.Context, s *stage, victim *agent, do func(*chromium.Browser, chromium.Target) error) error {
	const tries = 5
	var failed error
	for range tries {
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		b, page, err := s.pageOf(short, victim.showing())
		cancel()
		if err == nil {
			err = do(b, page)
		}
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	return fmt.Errorf("find the page of %s: %w", victim.name, failed)
}

// order deals the kinds out: each once, in an order of its own, before any comes again.
type order struct {
	rand *rand.Rand
	left []int
}

func (o *order) deal() kind {
	if len(o.left) == 0 {
		o.left = o.rand.Perm(len(kinds))
	}
	next := o.left[0]
	o.left = o.left[1:]
	return kinds[next]
}
