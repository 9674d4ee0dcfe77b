package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// injector writes a second real extension that puts a frame of its own into pages, as password managers do: early,
// late, or again and again whenever it is taken away, as the page's address asks.
func injector(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const script = `
const put = () => {
  const frame = document.createElement('iframe');
  frame.src = chrome.runtime.getURL('frame.html');
  frame.className = 'injected';
  frame.addEventListener('load', () => { frame.dataset.loaded = 'yes'; });
  (document.body ?? document.documentElement).append(frame);
};
const when = new URL(location.href).searchParams.get('inject');
if (when === 'early') put();
if (when === 'late') addEventListener('late', put);
if (when === 'again') {
  put();
  let left = 5;
  new MutationObserver(() => {
    if (left > 0 && !document.querySelector('.injected')) { left--; put(); }
  }).observe(document, {childList: true, subtree: true});
}
`
	for name, content := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"injector","version":"1",
			"content_scripts":[{"matches":["<all_urls>"],"js":["content.js"],"run_at":"document_start"}],
			"web_accessible_resources":[{"resources":["frame.html"],"matches":["<all_urls>"]}]}`,
		"content.js": script,
		"frame.html": `<!doctype html><title>foreign</title><p>a foreign frame`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFramesOfOtherExtensions(t *testing.T) {
	t.Parallel()
	other := injector(t)
	r := newRig(t, rigOptions{others: []string{other}})
	id, err := chromium.ExtensionID(other)
	if err != nil {
		t.Fatal(err)
	}
	noted := func(notes []string) bool {
		return slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, id) })
	}
	for _, when := range []string{"early", "again"} {
		t.Run("in an agent's tab, "+when, func(t *testing.T) {
			a := r.newAgent(t)
			const path = "http://page.test/plain.html?inject="
			opened := do[protocol.OpenTabResult](a, protocol.OpenTab{URL: path + when})
			page := protocol.Page{TabID: opened.TabID}
			read := a.extract(page)
			if !strings.Contains(read.Markdown, "It has a paragraph") || strings.Contains(read.Markdown, "foreign frame") {
				t.Errorf("the page reads:\n%s", read.Markdown)
			}
			name := a.target(page, "textbox", "Name")
			typed := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: name, Text: ptr("still here")})
			if typed.Value == nil || *typed.Value != "still here" {
				t.Errorf("the box holds %v", typed.Value)
			}
			if !noted(opened.Notes) && !noted(read.Notes) && !noted(typed.Notes) {
				t.Errorf("no result says that a frame of %s was removed: %q %q %q", id, opened.Notes, read.Notes, typed.Notes)
			}
		})
	}
	t.Run("in an agent's tab, late", func(t *testing.T) {
		a := r.newAgent(t)
		const url = "http://page.test/plain.html?inject=late"
		page := a.open(url)
		name := a.target(page, "textbox", "Name")
		session := r.page(t, url)
		for i := range 3 {
			if err := session.Evaluate(within(t), "dispatchEvent(new Event('late'))", nil); err != nil {
				t.Fatal(err)
			}
			typed := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: name, Text: ptr(string(rune('a' + i)))})
			if want := "abc"[:i+1]; typed.Value == nil || *typed.Value != want {
				t.Errorf("the box holds %v, expected %q: the uid is good over a removal", typed.Value, want)
			}
		}
	})
	t.Run("in the user's tab", func(t *testing.T) {
		a := r.newAgent(t)
		const url = "http://page.test/plain.html?inject=early&user"
		if err := r.browser.Call(within(t), "Target.createTarget", map[string]any{"url": url}, nil); err != nil {
			t.Fatal(err)
		}
		session := r.page(t, url)
		awaitTrue(t, session, "document.querySelector('.injected[data-loaded]') !== null")
		var tab int64
		if err := eventually(within(t), "the user's tab in the list", func() (bool, error) {
			for _, info := range do[protocol.ListTabsResult](a, protocol.ListTabs{Scope: "user"}).Tabs {
				if info.URL == url {
					tab = info.TabID
				}
			}
			return tab != 0, nil
		}); err != nil {
			t.Fatal(err)
		}
		refusal := a.fails(protocol.CodeForeignExtension, protocol.Click{Page: protocol.Page{TabID: tab}, Target: protocol.Target{Selector: "button"}})
		if !strings.Contains(refusal.Message, id) {
			t.Errorf("the error does not name the extension %s: %s", id, refusal.Message)
		}
		var there bool
		if err := session.Evaluate(within(t), "document.querySelector('.injected') !== null", &there); err != nil || !there {
			t.Errorf("the user's frame was taken away (%v)", err)
		}
	})
}

// awaitTrue waits until an expression is true in the page.
func awaitTrue(t *testing.T, session *chromium.Session, expression string) {
	t.Helper()
	if err := eventually(within(t), expression, func() (bool, error) {
		var raw json.RawMessage
		if err := session.Evaluate(within(t), expression, &raw); err != nil {
			return false, nil // the page may just be loading
		}
		return string(raw) == "true", nil
	}); err != nil {
		t.Fatal(err)
	}
}
