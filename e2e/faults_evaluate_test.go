package e2e

import (
	"net/http"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// compute evaluates an expression's body in the trial's page.
func (f *trial) compute(body string) protocol.EvaluateResult {
	f.t.Helper()
	return do[protocol.EvaluateResult](f.agent, protocol.Evaluate{Page: f.page, Expression: body})
}

// An expression's value comes back as what it is, on every page, and its end is awaited no longer than it may take.
var evaluation = []fault{
	{"values_that_json_lacks", func(f *trial) {
		f.load("<p>page")
		for body, want := range map[string]string{
			"NaN": "NaN", "-0": "-0", "1n": "1n", "Infinity": "Infinity", "undefined": "undefined",
			"[NaN, undefined]": "[NaN,undefined]", "{a: -0}": `{"a":-0}`, "[[1n]]": "[[1n]]", "new Date(0)": "1970-01-01T00:00:00.000Z",
			"new Map([['k', -Infinity]])": `Map(1) {"k" => -Infinity}`, "document.querySelector('p')": "<p>",
		} {
			got := f.compute("return " + body)
			if told := got.Description; (body == "undefined" && got.Type != "undefined") || (body != "undefined" && told != want) || len(got.Value) > 0 {
				f.t.Errorf("%s gives %+v, expected %s", body, got, want)
			}
		}
		if got := f.compute("return null"); string(got.Value) != "null" || got.Description != "" {
			f.t.Errorf("null gives %+v", got)
		}
		// A page that patches JSON for itself does not change what is read.
		f.run("JSON.stringify = () => 'patched'; Array.prototype.toJSON = () => 'patched'; Object.keys = () => ['patched']")
		if got := f.compute("return {a: [1, 'x']}"); string(got.Value) != `{"a":[1,"x"]}` {
			f.t.Errorf("in a page that patches JSON it gives %s", got.Value)
		}
	}},
	{"page_that_forbids_scripts", func(f *trial) {
		path := f.rig.site.handle(f.t, "strict", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; sandbox allow-scripts allow-forms")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<!doctype html><title>strict</title><h1>Strict</h1><button id=b>Go</button><input aria-label=Name>"))
		}))
		f.show("http://strict.test" + path)
		if got := f.compute("return 1 + 1"); string(got.Value) != "2" {
			f.t.Errorf("1 + 1 gives %s", got.Value)
		}
		if got := f.compute("b.onclick = () => { document.title = 'pressed' }; return new Function('return 7')()"); string(got.Value) != "7" {
			f.t.Errorf("a made function gives %+v", got)
		}
		f.reads([]string{"Strict"}, nil)
		f.press(f.ref("button", "Go"))
		f.until("document.title", `"pressed"`)
		f.holds("the box", f.fill(f.ref("textbox", "Name"), "Ada").Value, "Ada")
		f.is("document.querySelector('input').value", `"Ada"`)
		f.point(css("#b"))
		f.is("b.matches(':hover')", "true")
	}},
	{"expression_that_never_ends", func(f *trial) {
		f.load("<button onclick=\"document.title='alive'\">Go</button>")
		for _, body := range []string{"for (;;) {}", "return new Promise(() => {})"} {
			began := time.Now()
			refusal := f.fails(protocol.CodeTimeout, protocol.Evaluate{Page: f.page, Expression: body})
			if took := time.Since(began); took > 18*time.Second {
				f.t.Errorf("%s was awaited for %s", body, took)
			}
			if refusal.Outcome != protocol.Unknown || !strings.Contains(refusal.Message, "did not end") {
				f.t.Errorf("%s: the outcome is %s: %s", body, refusal.Outcome, refusal.Message)
			}
		}
		f.press(f.ref("button", "Go"))
		f.until("document.title", `"alive"`)
	}},
	{"page_that_does_not_let_anybody_in", func(f *trial) {
		f.show(strings.Replace(f.html("busy", `<button>Go</button>`), "page.test", "busy.test", 1))
		other := f.open(strings.Replace(f.html("other", `<h1>Other</h1>`), "page.test", "idle.test", 1))
		// A timer that goes on until the page is left in peace again.
		f.run("setTimeout(() => { for (const end = performance.now() + 9000; performance.now() < end;); document.title = 'over' }, 0)")
		began := time.Now()
		ctx := within(f.t)
		_, err := f.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.Snapshot{Page: f.page}}, TimeoutMS: 2000})
		refusal := f.failed(protocol.CodeTimeout, protocol.Snapshot{}, err)
		if took := time.Since(began); took > 6*time.Second {
			f.t.Errorf("the busy page was awaited for %s", took)
		}
		if !containsFold(refusal.Message, "busy") {
			f.t.Errorf("the error does not say that the page is busy: %s", refusal.Message)
		}
		if read := f.extract(other); !strings.Contains(read.Text, "Other") {
			f.t.Errorf("the other tab reads %q", read.Text)
		}
		f.until("document.title", `"over"`)
		f.lists(`button "Go"`, 1)
	}},
}
