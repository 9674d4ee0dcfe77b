package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// reloadExtension has the extension loaded anew, as a developer or an update does, and returns when the server has its new connection:
// what is sent over the old one, which the server may still hold, ends as unknown.
func reloadExtension(t *testing.T, r *rig) {
	t.Helper()
	c, err := clientOf(r.server.addr, r.server.dataDir, "")
	if err != nil {
		t.Fatal(err)
	}
	connectedAt := func() (int64, error) {
		browsers, err := c.Browsers(within(t))
		if err != nil || len(browsers) != 1 || !browsers[0].Connected {
			return 0, err
		}
		return browsers[0].ConnectedAt, nil
	}
	last, err := connectedAt()
	if err != nil || last == 0 {
		t.Fatalf("the browser is not connected (%v)", err)
	}
	before, err := r.browser.Worker(within(t))
	if err != nil {
		t.Fatal(err)
	}
	worker, err := r.browser.Attach(within(t), before.ID)
	if err != nil {
		t.Fatal(err)
	}
	// A moment later, so that the worker answers before it goes.
	if err := worker.Evaluate(within(t), "void setTimeout(() => chrome.runtime.reload())", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.browser.WaitTarget(within(t), "the next worker", func(target chromium.Target) bool {
		return target.Type == "service_worker" && target.URL == before.URL && target.ID != before.ID
	}); err != nil {
		t.Fatal(err)
	}
	if err := eventually(within(t), "the extension's next connection", func() (bool, error) {
		at, err := connectedAt()
		return at > last, err
	}); err != nil {
		t.Fatal(err)
	}
}

// updateExtension has the extension updated to a build that is the same but for its name, and whose page script leaves word of itself.
func updateExtension(t *testing.T, r *rig) {
	t.Helper()
	dir := filepath.Join(r.browser.WorkDir(), "extension")
	page, worker := filepath.Join(dir, "page.js"), filepath.Join(dir, "worker.js")
	script, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const word = `;{const w=globalThis.drawbridge,c=w.call;w.call=(m,a)=>{document.documentElement.dataset.answeredBy="the update";return c(m,a)}}`
	names := regexp.MustCompile(`"[0-9a-f]{16}"`)
	name := names.Find(script)
	if name == nil || len(names.FindAll(script, -1)) != 1 {
		t.Fatalf("page.js has %q, expected one name of its build", names.FindAll(script, -1))
	}
	updated := []byte(`"the next build"`)
	orders, err := os.ReadFile(worker)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(orders, name) {
		t.Fatalf("the worker does not know the page script as %s", name)
	}
	for path, content := range map[string][]byte{page: append(bytes.ReplaceAll(script, name, updated), word...), worker: bytes.ReplaceAll(orders, name, updated)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reloadExtension(t, r)
}

// Chrome leaves what the extension put into a page where it is, cut off from the extension: it goes on all the same.
func TestExtensionReloadedUnderAnOpenPage(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "reloaded", `<main><p>Text</p><button onclick="this.textContent = 'Pressed'">Press</button><div id=empty></div></main>`))
	button := a.target(page, "button", "Press")
	reloadExtension(t, r)
	// Before its agent does anything: the tab is as before no other agent's, and none of the user's.
	r.newAgent(t).fails(protocol.CodeNotOwner, protocol.Click{Page: page, Target: button})
	tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{Scope: "session"}).Tabs
	if len(tabs) != 1 || tabs[0].TabID != page.TabID || tabs[0].Owner != "agent" {
		t.Errorf("after the reload the agent's tabs are %+v, expected the one from before", tabs)
	}
	do[protocol.ClickResult](a, protocol.Click{Page: page, Target: button})
	if again := a.target(page, "button", "Pressed"); again != button {
		t.Errorf("the button is %+v after the extension was reloaded, expected %+v as before", again, button)
	}
	// Updated: the script of the build before is in the page, and no worker of another build may hear it. What that one told means
	// nothing any more, rather than something else.
	updateExtension(t, r)
	a.fails(protocol.CodeElementStale, protocol.Click{Page: page, Target: button})
	if again := a.target(page, "button", "Pressed"); again == button {
		t.Errorf("two builds gave one name, %+v", again)
	}
	do[protocol.ClickResult](a, protocol.Click{Page: page, Target: a.target(page, "button", "Pressed")})
	if by := a.value(page, "document.documentElement.dataset.answeredBy"); by != `"the update"` {
		t.Errorf("after the update the page's script is %s", by)
	}
	// Loaded anew once more, and then the page goes: what was told of it means nothing on the next one, rather than something else.
	reloadExtension(t, r)
	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: r.site.html(t, "reloaded-next", `<main><button onclick="this.textContent = 'Wrong'">Other</button></main>`)})
	if other := a.target(page, "button", "Other"); other == button {
		t.Errorf("two elements are %+v", other)
	}
	a.fails(protocol.CodeElementStale, protocol.Click{Page: page, Target: button})
	a.target(page, "button", "Other")
}
