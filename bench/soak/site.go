package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// buttons is how many buttons a page has: each is for one call, so that the page's count is the call's.
const buttons = 40

// host is the name by which the browser finds the site.
const host = "soak.test"

// press is one button of one page. No two pages have the same name, and no two calls the same button.
type press struct {
	page   string
	button string
}

// site serves pages that count for themselves: the handler of a click does not return before the site knows of it, so that
// an action which says it was done must be in the count already.
type site struct {
	server *httptest.Server

	mu   sync.Mutex
	seen map[press]int
}

func openSite() *site {
	s := &site{seen: map[press]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page/{page}", s.page)
	mux.HandleFunc("POST /press/{page}/{button}", s.pressed)
	s.server = httptest.NewServer(mux)
	return s
}

func (s *site) addr() string { return s.server.Listener.Addr().String() }

func (s *site) close() {
	s.server.CloseClientConnections() // a page that still loads would be waited for
	s.server.Close()
}

func (s *site) page(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>%s</title><p>", r.PathValue("page"))
	for i := range buttons {
		fmt.Fprintf(&b, "<button id=b%d>press %d</button> ", i, i)
	}
	b.WriteString(`<script>
addEventListener('click', event => {
  const button = event.target.closest('button');
  if (!button) return;
  const report = new XMLHttpRequest();
  report.open('POST', '/press/' + document.title + '/' + button.id, false);
  report.send();
});
</script>`)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(b.String())) // a browser that went away asks again
}

func (s *site) pressed(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen[press{r.PathValue("page"), r.PathValue("button")}]++
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// presses is what the pages counted so far.
func (s *site) presses() map[press]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[press]int, len(s.seen))
	for p, n := range s.seen {
		seen[p] = n
	}
	return seen
}
