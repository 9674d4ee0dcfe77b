package e2e

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/shop"
)

//go:embed site
var siteFiles embed.FS

// site answers under every name that ends in .test: the pages of e2e/site, pages that tests write, those of widgets
// from npm, and the shop at shop.test. It logs what reached it.
type site struct {
	addr   string
	server *httptest.Server
	shop   *shop.Shop

	mu      sync.Mutex
	made    map[string]http.Handler // path → what a test put there
	seen    []string                // host and path of each request
	changed chan struct{}           // closed and renewed by each request
}

func openSite() *site {
	s := &site{shop: shop.New(), made: map[string]http.Handler{}, changed: make(chan struct{})}
	s.server = httptest.NewServer(s)
	s.addr = s.server.Listener.Addr().String()
	return s
}

func (s *site) close() {
	s.server.CloseClientConnections() // a page that still loads would be waited for
	s.server.Close()
}

// ServeHTTP logs and answers.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Host+r.URL.RequestURI())
	close(s.changed)
	s.changed = make(chan struct{})
	made := s.made[r.URL.Path]
	s.mu.Unlock()
	switch {
	case made != nil:
		made.ServeHTTP(w, r)
	case r.Host == "shop.test":
		s.shop.ServeHTTP(w, r)
	case strings.HasSuffix(r.Host, ".kitchensink.test"):
		widgets.kitchenSink.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/npm/"):
		widgets.packages.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/widgets/"):
		widgets.pages.ServeHTTP(w, r)
	default:
		files, err := fs.Sub(siteFiles, "site")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		http.FileServerFS(files).ServeHTTP(w, r)
	}
}

// handle puts a handler at a path of the test's own, under every host, and returns the path.
func (s *site) handle(t *testing.T, name string, h http.Handler) string {
	t.Helper()
	path := "/" + strings.ReplaceAll(t.Name(), "/", "-") + "/" + name
	path = strings.Map(func(r rune) rune {
		if r == ' ' {
			return '-'
		}
		return r
	}, path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[path] = h
	return path
}

// html writes a page and returns its address at page.test.
func (s *site) html(t *testing.T, name, body string) string {
	t.Helper()
	return "http://page.test" + s.handle(t, name, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title>%s", name, body)
	}))
}

// redirect answers with a redirect and returns its path.
func (s *site) redirect(t *testing.T, name, to string) string {
	t.Helper()
	return s.handle(t, name, http.RedirectHandler(to, http.StatusFound))
}

// saw counts the requests for an address without its scheme.
func (s *site) saw(address string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, seen := range s.seen {
		if seen == address {
			n++
		}
	}
	return n
}

// await returns when an address, without its scheme, has been asked for.
func (s *site) await(ctx context.Context, address string) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if s.saw(address) > 0 {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for a request for %s: %w", address, context.Cause(ctx))
		}
	}
}
