package e2e

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// vault answers only to those who log in by HTTP.
func vault(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	if name, word, ok := r.BasicAuth(); !ok || name != "ada" || word != "love" {
		w.Header().Set("WWW-Authenticate", `Basic realm="Vault"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_, _ = io.WriteString(w, "<!doctype html><title>In the vault</title><p>gold")
}

// mentions fails the test when an error does not name what it should.
func mentions(t *testing.T, refusal *protocol.Error, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(refusal.Message, word) {
			t.Errorf("the error does not name %q: %s", word, refusal.Message)
		}
	}
}

func TestWhatOnlyTheUserCanGiveIsNamed(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	locked := "http://page.test" + r.site.handle(t, "vault", http.HandlerFunc(vault))
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	page := a.open("http://page.test/plain.html")

	mentions(t, a.fails(protocol.CodeNavigationFailed, protocol.Navigate{Page: page, URL: locked}),
		"net::ERR_INVALID_AUTH_CREDENTIALS", "needs the user", "user name and password", "handoff")
	mentions(t, a.fails(protocol.CodeNavigationFailed, protocol.Extract{Page: page}), "error page", locked)
	mentions(t, a.fails(protocol.CodeNavigationFailed, protocol.Navigate{Page: page, URL: untrusted.URL}),
		"net::ERR_CERT_AUTHORITY_INVALID", "only the user", "handoff")
	mentions(t, a.fails(protocol.CodeNavigationFailed, protocol.Snapshot{Page: page}), "error page", untrusted.URL)

	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: "http://page.test/plain.html"})
	refusal := a.fails(protocol.CodeTimeout, protocol.Evaluate{Page: page, Expression: fmt.Sprintf("return fetch(%q).then(r => r.status)", locked)})
	mentions(t, refusal, "GET "+locked, "needs the user", "user name and password", "handoff")
	if refusal.Outcome != protocol.Unknown {
		t.Errorf("its outcome is %s, expected unknown", refusal.Outcome)
	}
	// Nothing but that request is held up.
	if title := a.value(page, "document.title"); title != `"A plain page"` {
		t.Errorf("the page's title is %s", title)
	}
	// In a window without a dialog to show, printing is over at once and no error.
	printing := a.open(r.site.html(t, "print", `<button onclick="print(); document.title = 'printed'">Print</button>`))
	if clicked := a.clickOn(printing, "button", "Print"); clicked.Title != "printed" {
		t.Errorf("printing without a window gives %+v", clicked)
	}
}

func TestPrintDialogAndPermissionPromptsAreNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs a desktop and half a minute")
	}
	r := newRig(t, rigOptions{display: desktop(t)})
	a := r.newAgent(t)
	quick := func(refusal *protocol.Error, began time.Time) {
		t.Helper()
		mentions(t, refusal, "print dialog", "only the user", "handoff")
		if took := time.Since(began); refusal.Outcome != protocol.Unknown || took > 5*time.Second {
			t.Errorf("after %s it says %s", took, refusal.Outcome)
		}
	}
	secure := "http://" + r.site.addr
	body := `<!doctype html><title>paper</title><button onclick="print()">Print</button>`
	paper := secure + r.site.handle(t, "paper", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, body)
	}))
	asks := a.open(paper)
	for script, want := range map[string]string{
		"return new Promise(r => navigator.geolocation.getCurrentPosition(r, r))": "where the user is",
		"return Notification.requestPermission()":                                 "notifications",
	} {
		refusal := a.fails(protocol.CodeTimeout, protocol.Evaluate{Page: asks, Expression: script})
		mentions(t, refusal, "needs the user", want, "handoff")
		if refusal.Outcome != protocol.Unknown {
			t.Errorf("%s: the outcome is %s, expected unknown", script, refusal.Outcome)
		}
	}

	page := a.open(paper)
	button := a.target(page, "button", "Print")
	began := time.Now()
	quick(a.fails(protocol.CodeTimeout, protocol.Click{Page: page, Target: button}), began)
	began = time.Now()
	quick(a.fails(protocol.CodeTimeout, protocol.Extract{Page: page}), began)
	// Another tab is not held up, and the one that stands still can be closed.
	if title := a.value(asks, "document.title"); title != `"paper"` {
		t.Errorf("in another tab the title is %s", title)
	}
	do[protocol.CloseTabResult](a, protocol.CloseTab(page))

	page = a.open(paper)
	began = time.Now()
	quick(a.fails(protocol.CodeTimeout, protocol.Evaluate{Page: page, Expression: "print(); return 1"}), began)
	// Leaving ends it.
	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: "http://other.test/plain.html"})
	if title := a.value(page, "document.title"); title != `"A plain page"` {
		t.Errorf("after leaving the title is %s", title)
	}
}
