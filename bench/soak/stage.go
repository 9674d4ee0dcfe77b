package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// stage is all that the soak runs: the server's own process, a browser whose way to it leads through the proxy, and a site.
type stage struct {
	// fixed at creation
	dir     string
	program string
	site    *site
	proxy   *proxy
	log     *os.File
	port    string
	token   string

	mu      sync.Mutex
	server  *exec.Cmd         // nil while it is down
	browser *chromium.Browser // nil while it is closed
}

// openStage builds the server's program unless one is given, and starts everything.
func openStage(ctx context.Context, program string) (s *stage, err error) {
	s = &stage{program: program, site: openSite()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = os.MkdirTemp("", "drawbridge-soak-"); err != nil {
		return s, err
	}
	if s.program == "" {
		s.program = filepath.Join(s.dir, "drawbridge")
		build := exec.CommandContext(ctx, "go", "build", "-o", s.program, "github.com/drawbridge-browser/drawbridge/cmd/drawbridge")
		if out, err := build.CombinedOutput(); err != nil {
			return s, fmt.Errorf("build the server: %w\n%s", err, out)
		}
	}
	if s.log, err = os.Create(filepath.Join(s.dir, "server.log")); err != nil {
		return s, err
	}
	s.port = "0"
	if err := s.startServer(ctx); err != nil {
		return s, err
	}
	if s.proxy, err = openProxy(net.JoinHostPort("127.0.0.1", s.port)); err != nil {
		return s, err
	}
	if s.token, err = store.ReadCredential(s.data()); err != nil {
		return s, err
	}
	c, err := s.client("")
	if err != nil {
		return s, err
	}
	pairing, err := c.Pair(ctx)
	if err != nil {
		return s, err
	}
	// Without the developer mode an unpacked extension is not started again after a reload.
	preferences := filepath.Join(s.profile(), "Default", "Preferences")
	if err := os.MkdirAll(filepath.Dir(preferences), 0o700); err != nil {
		return s, err
	}
	if err := os.WriteFile(preferences, []byte(`{"extensions":{"ui":{"developer_mode":true}}}`), 0o600); err != nil {
		return s, err
	}
	// The name leads to the proxy; the server knows itself by it.
	config, err := json.Marshal(map[string]string{"address": net.JoinHostPort("localhost", s.port), "pairingToken": pairing.Code})
	if err != nil {
		return s, err
	}
	return s, s.startBrowser(ctx, config)
}

func (s *stage) data() string    { return filepath.Join(s.dir, "data") }
func (s *stage) profile() string { return filepath.Join(s.dir, "profile") }

// client is one for a session's agents; it speaks to the server directly.
func (s *stage) client(session string) (*client.Client, error) {
	return client.New("http://"+net.JoinHostPort("127.0.0.1", s.port), s.token, &client.Options{Session: session})
}

// startServer starts the server, at the same port as before, and returns when it is ready.
func (s *stage) startServer(ctx context.Context) error {
	cmd := exec.Command(s.program, "up", "--detached", "--addr", net.JoinHostPort("127.0.0.1", s.port), "--data-dir", s.data())
	cmd.Stderr = s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	type ready struct {
		info store.ServerInfo
		err  error
	}
	said := make(chan ready, 1)
	go func() {
		line, err := bufio.NewReader(out).ReadBytes('\n')
		var r ready
		if r.err = err; err == nil {
			r.err = json.Unmarshal(line, &r.info)
		}
		said <- r
	}()
	var r ready
	select {
	case r = <-said:
	case <-ctx.Done():
		r.err = context.Cause(ctx)
	}
	if r.err == nil {
		_, s.port, r.err = net.SplitHostPort(r.info.Addr)
	}
	if r.err != nil {
		_ = cmd.Process.Kill()
		return fmt.Errorf("start the server: %w", errors.Join(r.err, cmd.Wait()))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = cmd
	return nil
}

// killServer ends the server's process without a word to it.
func (s *stage) killServer() error {
	s.mu.Lock()
	cmd := s.server
	s.server = nil
	s.mu.Unlock()
	if cmd == nil {
		return nil
	}
	if err := cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill the server: %w", err)
	}
	var killed *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &killed) {
		return fmt.Errorf("kill the server: %w", err)
	}
	return nil
}

// startBrowser opens the browser; one that was paired before needs no config.
func (s *stage) startBrowser(ctx context.Context, config []byte) error {
	b, err := chromium.Launch(ctx, chromium.Options{
		Headless: true, ProfileDir: s.profile(), Extension: extension.Files(), ExtensionConfig: config,
		RecordDir: filepath.Join(s.dir, "launches"),
		ExtraArgs: []string{"--host-resolver-rules=MAP " + host + " " + s.site.addr() + ", MAP localhost " + s.proxy.addr()},
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browser = b
	return nil
}

// stopBrowser closes the browser as its user does.
func (s *stage) stopBrowser(ctx context.Context) error {
	s.mu.Lock()
	b := s.browser
	s.browser = nil
	s.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Stop(ctx)
}

var errClosed = errors.New("the browser is closed")

func (s *stage) chromium() (*chromium.Browser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil {
		return nil, errClosed
	}
	return s.browser, nil
}

// pageOf finds the tab in which an agent's page is shown.
func (s *stage) pageOf(ctx context.Context, page string) (*chromium.Browser, chromium.Target, error) {
	b, err := s.chromium()
	if err != nil {
		return nil, chromium.Target{}, err
	}
	target, err := b.WaitTarget(ctx, "the page "+page, func(t chromium.Target) bool { return t.Type == "page" && t.URL == address(page) })
	return b, target, err
}

// closePages closes the pages of an agent that has lost them, so that they do not pile up.
func (s *stage) closePages(ctx context.Context, agent string) error {
	b, err := s.chromium()
	if err != nil {
		return err
	}
	targets, err := b.Targets(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, target := range targets {
		if target.Type == "page" && strings.HasPrefix(target.URL, address(agent+"-")) {
			failed = append(failed, b.CloseTarget(ctx, target.ID))
		}
	}
	return errors.Join(failed...)
}

func address(page string) string { return "http://" + host + "/page/" + page }

// connected waits until the browser has come to the server.
func (s *stage) connected(ctx context.Context) error {
	c, err := s.client("")
	if err != nil {
		return err
	}
	// A call waits by itself for a browser that was there before; for the first time somebody has to look.
	for {
		browsers, err := c.Browsers(ctx)
		if err != nil {
			return err
		}
		if len(browsers) > 0 && browsers[0].Connected {
			_, err := c.Do(ctx, protocol.ListTabs{})
			return err
		}
		if err := wait(ctx, look); err != nil {
			return fmt.Errorf("wait for the browser's connection: %w", err)
		}
	}
}

// lastWords is the end of the server's log.
func (s *stage) lastWords() string {
	raw, err := os.ReadFile(s.log.Name())
	if err != nil {
		return err.Error()
	}
	const most = 4 << 10
	return string(raw[max(len(raw)-most, 0):])
}

func (s *stage) close() error {
	failed := []error{s.stopBrowser(context.Background()), s.killServer()}
	if s.proxy != nil {
		s.proxy.close()
	}
	if s.log != nil {
		failed = append(failed, s.log.Close())
	}
	s.site.close()
	if s.dir != "" {
		failed = append(failed, os.RemoveAll(s.dir))
	}
	return errors.Join(failed...)
}
