package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// popupPage is a page of the extension, to look into its storage.
func (r *rig) popupPage(t *testing.T) *chromium.Session {
	t.Helper()
	return openPopup(t, r.browser).session
}

// requested waits until the recording has a finished request whose address contains a part.
func (a *agent) requested(page protocol.Page, part string) protocol.NetworkEntry {
	a.t.Helper()
	var found protocol.NetworkEntry
	var all []protocol.NetworkEntry
	err := eventually(within(a.t), "the recorded request "+part, func() (bool, error) {
		all = do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list", Limit: 1000}).Entries
		for _, e := range all {
			if strings.Contains(e.URL, part) && (e.Status != 0 || e.Error != "") && e.DurationMS >= 0 {
				found = e
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		a.t.Fatalf("%v; it has %+v", err, all)
	}
	return found
}

// detail waits until a request has ended and returns it whole.
func (a *agent) detail(page protocol.Page, id string) (protocol.NetworkEntry, []string) {
	a.t.Helper()
	var result protocol.NetworkResult
	if err := eventually(within(a.t), "the end of request "+id, func() (bool, error) {
		result = do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "detail", RequestID: id})
		return !strings.Contains(strings.Join(result.Notes, " "), "under way"), nil
	}); err != nil {
		a.t.Fatal(err)
	}
	if len(result.Entries) != 1 {
		a.t.Fatalf("detail gives %+v", result)
	}
	return result.Entries[0], result.Notes
}

func TestNetworkRecordsRequestsAndMasksSecrets(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	answer := func(name, kind, body string) string {
		return r.site.handle(t, name, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Set-Cookie", "sid=set-secret; Path=/")
			_, _ = w.Write([]byte(body))
		}))
	}
	data := answer("data", "application/json", `{"said":"héllo"}`)
	large := answer("large", "text/plain", strings.Repeat("é", 100_000))
	picture := answer("picture", "image/png", string(bytes.Repeat([]byte{0, 1, 2, 255}, 64)))
	moved := r.site.redirect(t, "moved", data)
	frame := r.site.html(t, "inner", `<script>setTimeout(() => fetch('`+data+`?from-the-frame'), 300)</script>`)
	page := a.open(r.site.html(t, "network", `<p>quiet</p>`))
	do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "start"})
	script := fmt.Sprintf(`(async () => {
		document.cookie = 'own=cookie-secret';
		await fetch(%q + '?access_token=url-secret&page=2', {method: 'POST', body: 'x', headers: {Authorization: 'Bearer header-secret', 'X-Api-Key': 'key-secret', 'X-Plain': 'plain'}});
		await fetch(%q); await fetch(%q); await fetch(%q); await fetch('http://127.0.0.1:1/refused').catch(() => 0);
		const f = document.createElement('iframe'); f.src = %q; document.body.append(f);
	})()`, data, large, picture, moved, strings.Replace(frame, "page.test", "other.test", 1))
	a.value(page, script)

	posted := a.requested(page, "/data?access_token=")
	if posted.Method != "POST" || posted.Status != 200 || posted.Kind != "fetch" || posted.RequestHeaders != nil {
		t.Errorf("the listed request is %+v", posted)
	}
	whole, _ := a.detail(page, posted.RequestID)
	if whole.Body != `{"said":"héllo"}` || whole.RequestHeaders["x-plain"] != "plain" || whole.ResponseHeaders["content-type"] != "application/json" {
		t.Errorf("the request whole is %+v", whole)
	}
	for _, name := range []string{"authorization", "x-api-key", "cookie"} {
		if whole.RequestHeaders[name] != "[masked]" {
			t.Errorf("the request's %s is %q, expected it masked", name, whole.RequestHeaders[name])
		}
	}
	if whole.ResponseHeaders["set-cookie"] != "[masked]" {
		t.Errorf("set-cookie is %q, expected it masked", whole.ResponseHeaders["set-cookie"])
	}
	if said := fmt.Sprintf("%+v %+v", posted, whole); strings.Contains(said, "-secret") || !strings.Contains(said, "page=2") {
		t.Errorf("a secret got out, or too much was masked: %s", said)
	}
	if cut, notes := a.detail(page, a.requested(page, "/large").RequestID); len(cut.Body) != 64<<10 || len(notes) != 1 || !strings.Contains(notes[0], "100000") {
		t.Errorf("of the large body came %d bytes, with the notes %q", len(cut.Body), notes)
	}
	if image, notes := a.detail(page, a.requested(page, "/picture").RequestID); image.Body != "" || len(notes) != 1 || !strings.Contains(notes[0], "256 bytes of image/png") {
		t.Errorf("the picture gives %q and %q", image.Body, notes)
	}
	if hop, _ := a.detail(page, a.requested(page, "/moved").RequestID); hop.Status != http.StatusFound || !strings.HasSuffix(hop.ResponseHeaders["location"], "/data") {
		t.Errorf("the redirect is %+v", hop)
	}
	if refused := a.requested(page, "/refused"); refused.Error != "net::ERR_CONNECTION_REFUSED" && !strings.Contains(refused.Error, "ERR_UNSAFE_PORT") {
		t.Errorf("the refused request is %+v", refused)
	}
	inFrame := a.requested(page, "?from-the-frame")
	if !strings.HasPrefix(inFrame.URL, "http://other.test/") {
		t.Errorf("the frame's request is %+v", inFrame)
	}
	if whole, notes := a.detail(page, inFrame.RequestID); whole.Body != `{"said":"héllo"}` {
		t.Errorf("the frame's body is %q, %q", whole.Body, notes)
	}
	a.fails(protocol.CodeInvalidAction, protocol.Network{Page: page, Op: "detail"})
	a.fails(protocol.CodeInvalidAction, protocol.Network{Page: page, Op: "detail", RequestID: "none"})
	do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "stop"})
	a.value(page, `fetch('/after-the-end').then(() => 1)`)
	for _, e := range do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list"}).Entries {
		if strings.Contains(e.URL, "after-the-end") {
			t.Errorf("after stop it recorded %+v", e)
		}
	}
}

func TestNetworkKeepsADocumentsBodyOverActions(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	begun := do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list"})
	if len(begun.Entries) != 0 || len(begun.Notes) != 1 {
		t.Errorf("the first list gives %+v", begun)
	}
	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, To: "reload"})
	a.clickOn(page, "button", "Send")
	first := a.requested(page, "/plain.html")
	if whole, notes := a.detail(page, first.RequestID); whole.Kind != "document" || !strings.Contains(whole.Body, "<title>A plain page</title>") {
		t.Errorf("after the page has gone its document is %q, %q", whole.Body, notes)
	}
	// What one agent recorded ends with its session.
	do[protocol.CloseTabResult](a, protocol.CloseTab(page))
	var left string
	extension := r.popupPage(t)
	if err := eventually(within(t), "the end of the recording", func() (bool, error) {
		err := extension.Evaluate(within(t), fmt.Sprintf("chrome.storage.session.get('network.%d').then(JSON.stringify)", page.TabID), &left)
		return left == "{}", err
	}); err != nil {
		t.Errorf("%v: %s", err, left)
	}
}

func TestRecordingsLeaveBlockedDomainsOut(t *testing.T) {
	t.Parallel()
	r, a := blockedRig(t)
	secret := r.site.html(t, "secret", `<script>console.log('said on a blocked page')</script>`)
	page := a.open(r.site.html(t, "outer", `<script>console.log('said on an open page')</script>`))
	do[protocol.ConsoleResult](a, protocol.Console{Page: page, Op: "start"})
	do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "start"})
	blocked := strings.Replace(secret, "page.test", "blocked.test", 1)
	a.value(page, fmt.Sprintf(`new Promise(done => { const f = document.createElement('iframe'); f.src = %q; f.onload = done; document.body.append(f); }).then(() => fetch('/last')).then(() => 1)`, blocked))
	a.requested(page, "/last")
	listed := do[protocol.NetworkResult](a, protocol.Network{Page: page, Op: "list", Limit: 1000})
	if said := fmt.Sprintf("%+v", listed.Entries); strings.Contains(said, "blocked.test") || !strings.Contains(strings.Join(listed.Notes, " "), "blocked domains") {
		t.Errorf("the list shows %s, and says %q", said, listed.Notes)
	}
	a.value(page, "console.log('the end')")
	said := lines(a.logged(page, "log the end").Entries)
	if all := strings.Join(said, "\n"); strings.Contains(all, "said on a blocked page") || !strings.Contains(all, "said on an open page") {
		t.Errorf("the console shows %q", said)
	}
}
