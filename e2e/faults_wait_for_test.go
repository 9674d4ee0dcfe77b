package e2e

import (
	"fmt"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A wait ends when what it waits for has come about, by whichever way, and not before.
var waitsFor = []fault{
	{"text_that_goes_with_its_frame", func(f *trial) {
		inner := f.html("inner", "<p>Loading")
		for where, address := range map[string]string{"same site": inner, "another site": elsewhere(inner)} {
			f.load(fmt.Sprintf(`<p>Report</p><iframe src="%s"></iframe>`, address))
			f.waits(protocol.WaitFor{Text: "Loading"})
			f.run("setTimeout(() => { gone = true; document.querySelector('iframe').remove() }, 500)")
			waited := f.waits(protocol.WaitFor{TextGone: "Loading"})
			f.is("gone", "true")
			if waited.WaitedMS > soon.Milliseconds() {
				f.t.Errorf("%s: it took %d ms", where, waited.WaitedMS)
			}
		}
	}},
	{"element_that_goes_with_its_frame", func(f *trial) {
		f.load(`<iframe srcdoc="<div class=spinner>…</div>"></iframe>`)
		f.waits(protocol.WaitFor{MaybeTarget: protocol.MaybeTarget{Selector: ".spinner"}})
		for _, state := range []string{"hidden", "detached"} {
			f.run("gone = false; document.querySelector('iframe') ?? (document.body.innerHTML = `<iframe srcdoc='<div class=spinner>…</div>'></iframe>`)")
			f.waits(protocol.WaitFor{MaybeTarget: protocol.MaybeTarget{Selector: ".spinner"}, State: "attached"})
			f.run("setTimeout(() => { gone = true; document.querySelector('iframe').remove() }, 300)")
			f.waits(protocol.WaitFor{MaybeTarget: protocol.MaybeTarget{Selector: ".spinner"}, State: state})
			f.is("gone", "true")
		}
	}},
	{"text_in_a_frame_that_comes_later", func(f *trial) {
		inner := elsewhere(f.html("late", "<p>Ready at last"))
		f.load("<p>Report</p>")
		f.run(fmt.Sprintf(`setTimeout(() => { const f = document.createElement('iframe'); f.src = %q; document.body.append(f) }, 300)`, inner))
		f.waits(protocol.WaitFor{Text: "Ready at last"})
		f.is("document.querySelectorAll('iframe').length", "1")
	}},
	{"element_that_style_alone_shows", func(f *trial) {
		f.load(`<style>.box { display: none }</style><div class=box>Saved</div>`)
		f.run("setTimeout(() => { shown = true; document.styleSheets[0].insertRule('.box { display: block !important }', 1) }, 300)")
		waited := f.waits(protocol.WaitFor{MaybeTarget: protocol.MaybeTarget{Selector: ".box"}, TimeoutMS: 40_000})
		f.is("shown", "true")
		if waited.WaitedMS > soon.Milliseconds() {
			f.t.Errorf("nothing told of it: it took %d ms", waited.WaitedMS)
		}
	}},
	{"next_document", func(f *trial) {
		f.load("<p>First")
		next := f.html("next", "<p>Second")
		f.run(fmt.Sprintf("setTimeout(() => { location.href = %q }, 300)", next))
		f.waits(protocol.WaitFor{Text: "Second"})
		f.until("document.title", `"next"`)
	}},
	{"what_is_not_so_in_time", func(f *trial) {
		f.load("<p>First")
		began := time.Now()
		refusal := f.refused(protocol.CodeTimeout, protocol.WaitFor{Page: f.page, Text: "never", TimeoutMS: 300}, "never")
		if refusal.Retryable == "" || time.Since(began) > soon {
			f.t.Errorf("it ended after %v with %v", time.Since(began), refusal)
		}
	}},
	{"a_page_that_is_left_alone_meanwhile", func(f *trial) {
		// A wait that asks again and again shows in what the page's process does.
		f.load(`<p>Quiet</p>`)
		tasks := func() (seconds float64) {
			var metrics struct {
				Metrics []struct {
					Name  string
					Value float64
				}
			}
			if err := f.seen.Call(within(f.t), "Performance.getMetrics", nil, &metrics); err != nil {
				f.t.Fatal(err)
			}
			for _, m := range metrics.Metrics {
				if m.Name == "ScriptDuration" {
					seconds = m.Value
				}
			}
			return seconds
		}
		if err := f.seen.Call(within(f.t), "Performance.enable", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		waiting := func(ms int) float64 {
			before := tasks()
			f.fails(protocol.CodeTimeout, protocol.WaitFor{Page: f.page, Text: "never", TimeoutMS: ms})
			return tasks() - before
		}
		waiting(100) // what is done once only
		short, long := waiting(100), waiting(3000)
		if long > 4*short+0.02 {
			f.t.Errorf("a wait of 0.1 s costs the page %.4f s of script, one of 3 s %.4f s: it asks again and again", short, long)
		}
	}},
}

// waits has a wait end well.
func (f *trial) waits(wait protocol.WaitFor) protocol.WaitForResult {
	f.t.Helper()
	wait.Page = f.page
	return do[protocol.WaitForResult](f.agent, wait)
}

// elsewhere is the same page under the name of another site: in a frame it has a process of its own.
func elsewhere(url string) string { return strings.Replace(url, "//page.test/", "//other.test/", 1) }
