package e2e

import (
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What is read is what a person sees, whatever an attribute says of it.
var hiddenContent = []fault{
	{"hidden_by_any_spelling", func(f *trial) {
		f.load(`<p>seen</p><code style="Display: None">payload</code><code style="display:none!important">p2</code>
			<style>.later { DISPLAY: none }</style><p class=later>p3</p><p id=scripted>p4</p><script>scripted.style.setProperty('display', 'none')</script>`)
		f.writes("seen")
		f.reads([]string{"seen"}, []string{"payload", "p2", "p3", "p4"})
	}},
	{"article_under_aria_hidden", func(f *trial) {
		f.load(`<div aria-hidden=true><p>` + strings.Repeat("visible words ", 100) + `</p><button>Like</button></div><footer>f</footer>`)
		f.reads([]string{strings.TrimSpace(strings.Repeat("visible words ", 20))}, nil)
		// It is told, and it is told that a reader by ear does not get it.
		f.lists(`button "Like" [ref=`, 1)
		f.lists("- paragraph aria-hidden", 1)
		f.lists(`"Like" [ref=e0] aria-hidden`, 1)
	}},
	{"dialog_in_a_wrapper_that_is_not_painted", func(f *trial) {
		f.load(`<div style="visibility:hidden">unsaid<div role=dialog style="visibility:visible"><button onclick="document.title='saved'">Save</button></div></div>`)
		f.lists("- dialog", 1)
		f.lists("unsaid", 0)
		f.press(f.ref("button", "Save"))
		f.until("document.title", `"saved"`)
	}},
	{"content_that_nobody_can_work", func(f *trial) {
		f.load(`<div inert><button>A</button></div><button style="display:contents">B</button><details><summary>S</summary><button>C</button></details>
			<div hidden=until-found><button>D</button></div><div style="content-visibility:hidden"><button>E</button></div>`)
		told := func(names string) {
			f.t.Helper()
			for _, name := range []string{"A", "B", "C", "D", "E", "S"} {
				want := strings.Count(names, name)
				f.lists(`"`+name+`" [ref=`, want)
			}
			elements := ""
			for _, e := range f.extract(f.page).Elements {
				elements += e.Name
			}
			if elements != names {
				f.t.Errorf("the extract lists %q, expected %q", elements, names)
			}
		}
		told("BS")
		for _, e := range f.extract(f.page).Elements {
			if e.Name == "S" {
				f.press(protocol.Target{UID: e.UID})
			}
		}
		f.until("document.querySelector('details').open", "true")
		told("BSC")
	}},
}
