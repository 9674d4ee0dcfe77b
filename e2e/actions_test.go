package e2e

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	evaluate := func(body string) protocol.EvaluateResult {
		t.Helper()
		return do[protocol.EvaluateResult](a, protocol.Evaluate{Page: page, Expression: body})
	}
	for body, want := range map[string]string{
		"return document.title": `"A plain page"`, "return [1, {a: null}]": `[1,{"a":null}]`, "return Promise.resolve(7)": "7",
		"return null": "null", "return true": "true", "return 'é👩‍👧'": `"é👩‍👧"`,
	} {
		if got := evaluate(body); string(got.Value) != want || got.Type == "" {
			t.Errorf("%s gives %s %s, expected %s", body, got.Type, got.Value, want)
		}
	}
	if got := evaluate("document.title"); got.Type != "undefined" || len(got.Value) > 0 {
		t.Errorf("without return it gives %+v", got)
	}
	for _, body := range []string{"return new Map([[1, 2]])", "return document.body", "return () => 1", "return Symbol('s')", "return 10n", "return window"} {
		if got := evaluate(body); got.Description == "" || len(got.Value) > 0 {
			t.Errorf("%s gives %+v, expected a description", body, got)
		}
	}
	if got := evaluate("return 'x'.repeat(20000)"); !got.Truncated || !strings.Contains(got.Preview, "…[truncated ") || len(got.Preview) > 9000 {
		t.Errorf("a large value gives truncated=%v and %d bytes", got.Truncated, len(got.Preview))
	}
	for body, want := range map[string]string{"throw new Error('kaputt')": "kaputt", "return Promise.reject(new Error('late'))": "late", "return (": "SyntaxError", "noSuchThing()": "noSuchThing"} {
		if refusal := a.fails(protocol.CodeInvalidAction, protocol.Evaluate{Page: page, Expression: body}); !strings.Contains(refusal.Message, want) || refusal.Retryable != protocol.RetryNo {
			t.Errorf("%s says %q, %s", body, refusal.Message, refusal.Retryable)
		}
	}
	if got := evaluate("alert('a'); return [confirm('b'), prompt('c')]"); string(got.Value) != "[false,null]" {
		t.Errorf("dialogs within give %s", got.Value)
	}
	a.fails(protocol.CodeTimeout, protocol.Evaluate{Page: page, Expression: "for (;;) {}"})
	if got := evaluate("return 1"); string(got.Value) != "1" {
		t.Errorf("after an endless loop it gives %s", got.Value)
	}
}

func TestDialogsNeverHang(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "dialogs", `<button onclick="document.title = 'said ' + prompt('your name?', 'nobody')">Ask</button>`))
	_, err := a.try(within(t), protocol.Click{Page: page, Target: a.target(page, "button", "Ask")})
	if err != nil {
		a.failed(protocol.CodeDialogOpen, protocol.Click{}, err)
	}
	for _, action := range []protocol.Action{protocol.Extract{Page: page}, protocol.Evaluate{Page: page, Expression: "return 1"}, protocol.Click{Page: page, Target: protocol.Target{Selector: "button"}}} {
		if refusal := a.fails(protocol.CodeDialogOpen, action); !strings.Contains(refusal.Message, "your name?") {
			t.Errorf("%s does not say what the dialog asks: %s", protocol.TypeOf(action), refusal.Message)
		}
	}
	do[protocol.DialogResult](a, protocol.Dialog{Page: page, Accept: true, Text: "Ada"})
	if title := a.extract(page).Title; title != "said Ada" {
		t.Errorf("the page's title is %q", title)
	}
}

func TestNavigation(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	clicked := a.clickOn(page, "link", "link to another")
	if clicked.URL != "http://page.test/other.html" {
		t.Errorf("the click says that it led to %q", clicked.URL)
	}
	if back := do[protocol.NavigateResult](a, protocol.Navigate{Page: page, To: "back"}); back.Title != "A plain page" {
		t.Errorf("back leads to %+v", back)
	}
	if forward := do[protocol.NavigateResult](a, protocol.Navigate{Page: page, To: "forward"}); forward.Title != "Another page" {
		t.Errorf("forward leads to %+v", forward)
	}
	do[protocol.NavigateResult](a, protocol.Navigate{Page: page, To: "reload"})
	if n := r.site.saw("page.test/other.html"); n < 2 {
		t.Errorf("after a reload the site saw %d requests", n)
	}
	if refusal := a.fails(protocol.CodeNavigationFailed, protocol.OpenTab{URL: "http://127.0.0.1:1/"}); !strings.Contains(refusal.Message, "net::ERR_") {
		t.Errorf("the error does not name the browser's: %s", refusal.Message)
	}
	a.fails(protocol.CodeElementNotFound, protocol.Click{Page: page, Target: protocol.Target{Selector: "#none"}})
	a.fails(protocol.CodeElementNotFound, protocol.Click{Page: page, Target: protocol.Target{UID: "e99999"}})
	a.fails(protocol.CodeTabNotFound, protocol.Extract{Page: protocol.Page{TabID: 999999999}})
}

func TestScrollHoverWait(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "tall", `
		<style>#menu span { display: none } #menu:hover span { display: inline }</style>
		<p id="menu" tabindex="0">Menu <span>unfolded</span></p>
		<button onclick="setTimeout(() => { document.getElementById('late').hidden = false; }, 300)">Later</button>
		<p id="late" hidden>Here at last</p><div style="height:5000px"></div><p id="end">The end</p>`))
	down := do[protocol.ScrollResult](a, protocol.Scroll{Page: page, Direction: "down", Pixels: 400})
	if down.Y != 400 || down.AtEnd {
		t.Errorf("scrolled to %+v, expected 400", down)
	}
	if bottom := do[protocol.ScrollResult](a, protocol.Scroll{Page: page, To: "bottom"}); !bottom.AtEnd {
		t.Errorf("the bottom is %+v", bottom)
	}
	if top := do[protocol.ScrollResult](a, protocol.Scroll{Page: page, To: "top"}); top.Y != 0 {
		t.Errorf("the top is %+v", top)
	}
	do[protocol.HoverResult](a, protocol.Hover{Page: page, Target: protocol.Target{Selector: "#menu"}})
	do[protocol.WaitForResult](a, protocol.WaitFor{Page: page, Text: "unfolded"})
	a.clickOn(page, "button", "Later")
	if waited := do[protocol.WaitForResult](a, protocol.WaitFor{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#late"}, State: "visible"}); !waited.OK {
		t.Errorf("the wait says %+v", waited)
	}
	a.fails(protocol.CodeTimeout, protocol.WaitFor{Page: page, Text: "never said", TimeoutMS: 300})
}

func TestScreenshot(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "colours", `<body style="margin:0;background:rgb(200,30,40)"><div id="box" style="width:120px;height:80px;background:rgb(10,120,200)"></div><div style="height:4000px"></div>`))
	picture := func(action protocol.Screenshot) image.Image {
		t.Helper()
		result := do[protocol.ScreenshotResult](a, action)
		raw, err := base64.StdEncoding.DecodeString(result.Data)
		if err != nil {
			t.Fatal(err)
		}
		decoded, _, err := image.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%s: %v", result.MimeType, err)
		}
		if size := decoded.Bounds().Size(); size.X != result.Width || size.Y != result.Height {
			t.Errorf("the picture is %v, the result says %d × %d", size, result.Width, result.Height)
		}
		return decoded
	}
	view := picture(protocol.Screenshot{Page: page})
	if red, _, blue, _ := view.At(300, 300).RGBA(); red>>8 < 150 || blue>>8 > 90 {
		t.Errorf("the background is %v", view.At(300, 300))
	}
	box := picture(protocol.Screenshot{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#box"}, Format: "jpeg"})
	if size := box.Bounds().Size(); size.X != 120 || size.Y != 80 {
		t.Errorf("the box is %v", size)
	}
	if _, _, blue, _ := box.At(60, 40).RGBA(); blue>>8 < 150 {
		t.Errorf("the box is of colour %v", box.At(60, 40))
	}
	if full := picture(protocol.Screenshot{Page: page, FullPage: true, LongEdge: 8000}); full.Bounds().Dy() < 4000 {
		t.Errorf("the whole page is %v", full.Bounds().Size())
	}
}

func TestTwoAgentsKeepTheirTabsApart(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	var mine, theirs *agent
	t.Run("mine", func(t *testing.T) {
		mine = r.newAgent(t)
		page := mine.open("http://page.test/plain.html?mine")
		t.Run("theirs", func(t *testing.T) {
			theirs = r.newAgent(t)
			theirs.fails(protocol.CodeNotOwner, protocol.Extract{Page: page})
			theirs.fails(protocol.CodeSessionNotFound, protocol.Extract{})
			if tabs := do[protocol.ListTabsResult](theirs, protocol.ListTabs{}).Tabs; len(tabs) != 0 {
				t.Errorf("the other agent is told of %+v", tabs)
			}
		})
		if read := mine.extract(protocol.Page{}); !strings.Contains(read.URL, "mine") {
			t.Errorf("without a tab the agent reads %s", read.URL)
		}
	})
}
