package e2e

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// patience is how long a test waits for what should take moments: long, since the machine may be busy.
const patience = 90 * time.Second

// rig is a server, a browser with the extension in it, paired, and a site.
type rig struct {
	site    *site
	server  *serving
	browser *chromium.Browser
	records string
}

// rigOptions alter what a rig is made of; the zero value is the usual one.
type rigOptions struct {
	// addr is a server that the test runs by itself, with its data directory; empty means one in this process.
	addr, dataDir string
	// profile is a browser profile to keep; empty means a temporary one.
	profile string
	// downloads is the folder in which the server may read what the browser saved; empty means none.
	downloads string
	// display is an X display for a browser with windows; empty means headless.
	display string
	// url is the browser's own first page.
	url string
	// token stands in place of a pairing code.
	token string
	// dialect is what the extension speaks; empty means the bridge's.
	dialect string
	// switches are further arguments of the browser.
	switches []string
	// others are folders of further extensions.
	others []string
	// unconnected says not to wait for the extension's connection.
	unconnected bool
}

// shared are the rigs of the tests that leave them as they found them. Tests run beside one another, so there come to be
// as many as run at once, and each is lent to one at a time.
var shared struct {
	mu        sync.Mutex
	all, free []*rig
	lent      map[string]*rig // by the name of the test
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, r := range shared.all {
		if err := r.close(); err != nil {
			fmt.Fprintln(os.Stderr, "a shared rig:", err)
			code = 1
		}
		if said := r.server.log.String(); said != "" {
			fmt.Fprintf(os.Stderr, "all was well, and yet a shared server logged:\n%s", said)
			code = 1
		}
	}
	if binary.dir != "" {
		_ = os.RemoveAll(binary.dir)
	}
	os.Exit(code)
}

// sharedRig lends the test one of the package's rigs until it ends, the same one to all its subtests: an agent of its own
// for each test keeps them apart.
func sharedRig(t *testing.T) *rig {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	for name := t.Name(); name != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
		if r := shared.lent[name]; r != nil {
			return r
		}
	}
	var r *rig
	if n := len(shared.free) - 1; n >= 0 {
		r, shared.free = shared.free[n], shared.free[:n]
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience) // the rig outlives the test
		defer cancel()
		var err error
		if r, err = openRig(ctx, rigOptions{}); err != nil {
			t.Fatalf("a shared rig did not start: %v", err)
		}
		shared.all = append(shared.all, r)
	}
	if shared.lent == nil {
		shared.lent = map[string]*rig{}
	}
	shared.lent[t.Name()] = r
	t.Cleanup(func() {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		delete(shared.lent, t.Name())
		shared.free = append(shared.free, r)
	})
	return r
}

// newRig is a rig of the test's own, for tests that break something.
func newRig(t *testing.T, opts rigOptions) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	r, err := openRig(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.close(); err != nil {
			t.Error(err)
		}
		if t.Failed() && r.server != nil {
			t.Logf("the server's log:\n%s", r.server.log)
		}
	})
	return r
}

func openRig(ctx context.Context, opts rigOptions) (r *rig, err error) {
	r = &rig{site: openSite()}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.records, err = os.MkdirTemp("", "drawbridge-e2e-"); err != nil {
		return r, err
	}
	dataDir := opts.dataDir
	if dataDir == "" {
		dataDir = filepath.Join(r.records, "data")
		if r.server, err = serveBy(server.Options{Addr: "127.0.0.1:0", DataDir: dataDir, Downloads: opts.downloads}); err != nil {
			return r, err
		}
		opts.addr = r.server.addr
	}
	c, err := clientOf(opts.addr, dataDir, "")
	if err != nil {
		return r, err
	}
	if opts.token == "" {
		pairing, err := c.Pair(ctx)
		if err != nil {
			return r, err
		}
		opts.token = pairing.Code
	}
	if r.browser, err = r.launch(ctx, opts); err != nil {
		return r, err
	}
	if opts.unconnected {
		return r, nil
	}
	return r, connected(ctx, c, 1)
}

// launch starts a browser that finds the site under every name in .test.
func (r *rig) launch(ctx context.Context, opts rigOptions) (*chromium.Browser, error) {
	var config []byte // a kept profile is paired already
	if opts.token != "" {
		var err error
		if config, err = json.Marshal(map[string]string{"address": opts.addr, "pairingToken": opts.token, "dialect": cmp.Or(opts.dialect, "bridge")}); err != nil {
			return nil, err
		}
	}
	return chromium.Launch(ctx, chromium.Options{
		Headless: opts.display == "", Display: opts.display, ProfileDir: opts.profile, URL: opts.url,
		Extension: extension.Files(), ExtensionConfig: config, OtherExtensions: opts.others,
		RecordDir: filepath.Join(r.records, "launches"),
		ExtraArgs: append([]string{"--host-resolver-rules=MAP *.test " + r.site.addr, "--window-position=0,0", "--window-size=900,700"}, opts.switches...),
	})
}

func (r *rig) close() error {
	var failed []error
	if r.browser != nil {
		failed = append(failed, r.browser.Stop(context.Background()))
	}
	if r.server != nil {
		failed = append(failed, r.server.stop())
	}
	r.site.close()
	return errors.Join(append(failed, os.RemoveAll(r.records))...)
}

// serving is a server in this process.
type serving struct {
	addr, dataDir string
	log           *logBuffer
	end           context.CancelFunc
	done          chan error
	once          sync.Once
	err           error
}

func serve(addr, dataDir string) (*serving, error) {
	return serveBy(server.Options{Addr: addr, DataDir: dataDir})
}

func serveBy(opts server.Options) (*serving, error) {
	log := &logBuffer{}
	opts.Version, opts.DrainTime = "e2e", time.Second
	opts.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	s, err := server.New(&opts)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	up := &serving{addr: s.Addr(), dataDir: opts.DataDir, log: log, end: end, done: make(chan error, 1)}
	go func() { up.done <- s.Run(ctx) }()
	return up, nil
}

func (s *serving) stop() error {
	s.once.Do(func() {
		s.end()
		s.err = <-s.done
	})
	return s.err
}

func clientOf(addr, dataDir, session string) (*client.Client, error) {
	token, err := store.ReadCredential(dataDir)
	if err != nil {
		return nil, err
	}
	return client.New("http://"+addr, token, &client.Options{Session: session})
}

// connected waits until so many browsers are.
func connected(ctx context.Context, c *client.Client, want int) error {
	return eventually(ctx, fmt.Sprintf("%d connected browsers", want), func() (bool, error) {
		browsers, err := c.Browsers(ctx)
		if err != nil {
			return false, nil // the server may just be starting: the context ends the wait
		}
		n := 0
		for _, b := range browsers {
			if b.Connected {
				n++
			}
		}
		return n == want, nil
	})
}

// eventually asks again until it is so, for what tells nobody when it changes.
func eventually(ctx context.Context, what string, so func() (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience*2/3, fmt.Errorf("%s did not come about within %s", what, patience*2/3))
	defer cancel()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := so()
		if err != nil {
			return fmt.Errorf("wait for %s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// logBuffer is a log that a test can read.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String is what was logged so far.
func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// page attaches to the page whose address begins with url, by a way that is independent of the extension.
func (r *rig) page(t *testing.T, url string) *chromium.Session {
	t.Helper()
	target, err := r.browser.WaitTarget(within(t), "the page "+url, func(target chromium.Target) bool {
		return target.Type == "page" && strings.HasPrefix(target.URL, url)
	})
	if err != nil {
		t.Fatal(err)
	}
	session, err := r.browser.Attach(within(t), target.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Detach(context.Background()) }) // the page may be closed by then
	return session
}

// within is a context that ends a wait that hangs.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
