package e2e

import (
	"encoding/json"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// popup is the extension's popup, opened as a page: the user's hand in a test.
type popup struct {
	t       *testing.T
	browser *chromium.Browser
	session *chromium.Session
}

// openPopup opens it. While it is open it keeps the extension's worker awake, as the real one does.
func openPopup(t *testing.T, browser *chromium.Browser) *popup {
	t.Helper()
	session, err := browser.OpenPage(within(t), "chrome-extension://"+browser.ExtensionID()+"/popup.html")
	if err != nil {
		t.Fatal(err)
	}
	const loaded = `new Promise(resolve => document.readyState === 'complete' ? resolve(1) : addEventListener('load', () => resolve(1)))`
	if err := session.Evaluate(within(t), loaded, nil); err != nil {
		t.Fatal(err)
	}
	return &popup{t: t, browser: browser, session: session}
}

func (p *popup) close() {
	p.t.Helper()
	if err := p.browser.CloseTarget(within(p.t), p.session.TargetID); err != nil {
		p.t.Error(err)
	}
}

// press clicks the first button that the selector matches, once it is there, shown and enabled.
func (p *popup) press(selector string) {
	p.t.Helper()
	quoted, err := json.Marshal(selector)
	if err != nil {
		p.t.Fatal(err)
	}
	script := `new Promise(resolve => {
  const press = () => {
    const button = document.querySelector(` + string(quoted) + `);
    if (document.readyState !== 'complete' || !button || button.disabled || !button.checkVisibility()) { setTimeout(press, 20); return; }
    button.click();
    resolve();
  };
  press();
})`
	if err := p.session.Evaluate(within(p.t), script, nil); err != nil {
		p.t.Fatalf("press %s: %v", selector, err)
	}
}

// pairBy pastes a pairing link into the form, which must be open, and sends it off.
func (p *popup) pairBy(link string) {
	p.t.Helper()
	text, err := json.Marshal(link)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.session.Evaluate(within(p.t), "document.getElementById('link').value = "+string(text), nil); err != nil {
		p.t.Fatal(err)
	}
	p.press("#pairing button.primary")
}

// status is what the worker tells its popup.
type status struct {
	Link     string `json:"link"`
	Reason   string `json:"reason"`
	Paired   bool   `json:"paired"`
	Sessions []struct {
		TabID int64 `json:"tabId"`
	} `json:"sessions"`
	Stopped struct {
		All *struct {
			By string `json:"by"`
		} `json:"all"`
		Sessions int `json:"sessions"`
	} `json:"stopped"`
}

func (p *popup) status() status {
	p.t.Helper()
	var answer struct {
		Status status `json:"status"`
	}
	const ask = `(async () => { for (;;) { try { return await chrome.runtime.sendMessage({type: 'getStatus'}) } catch { await new Promise(r => setTimeout(r, 50)) } } })()`
	if err := p.session.Evaluate(within(p.t), ask, &answer); err != nil {
		p.t.Fatal(err)
	}
	return answer.Status
}

// awaitLink waits for a state of the link.
func (p *popup) awaitLink(want string) status {
	p.t.Helper()
	var last status
	err := eventually(within(p.t), "the link "+want, func() (bool, error) {
		last = p.status()
		return last.Link == want, nil
	})
	if err != nil {
		p.t.Fatalf("%v; the popup says %+v", err, last)
	}
	return last
}

// shows waits until the popup's page says a text.
func (p *popup) shows(text string) {
	p.t.Helper()
	var said string
	err := eventually(within(p.t), "the words "+text+" in the popup", func() (bool, error) {
		err := p.session.Evaluate(within(p.t), "document.body.innerText", &said)
		return containsFold(said, text), err
	})
	if err != nil {
		p.t.Fatalf("%v; it says %q", err, said)
	}
}
