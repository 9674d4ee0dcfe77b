package e2e

import (
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A click lands on its target, or it says what is in the way.
var covered = []fault{
	{"nothing_of_ours_over_the_page", func(f *trial) {
		f.load(`<style>button { position: fixed; width: 60px; height: 24px }</style><script>hits = ''</script>
			<button style="left:2px;top:2px" onclick="hits+='a'">A</button><button style="right:2px;top:2px" onclick="hits+='b'">B</button>
			<button style="left:2px;bottom:2px" onclick="hits+='c'">C</button><button style="right:2px;bottom:2px" onclick="hits+='d'">D</button>
			<button style="left:50%;top:50%" onclick="hits+='e'">E</button>`)
		before := f.says("document.documentElement.outerHTML")
		for _, name := range []string{"A", "B", "C", "D", "E"} {
			f.press(f.ref("button", name))
		}
		f.until("hits", `"abcde"`)
		f.is("document.documentElement.outerHTML", before)
		f.lists("button", 5)
	}},
	{"link_over_two_lines", func(f *trial) {
		f.load(`<p style="width:260px;font:20px monospace">start of a longer line <a href="#hit">wrapped link text</a> and the tail</p>`)
		f.press(f.ref("link", "wrapped link text"))
		f.until("location.hash", `"#hit"`)
	}},
	{"label_that_holds_a_link", func(f *trial) {
		terms := f.html("terms", "<h1>Terms</h1>")
		f.load(fmt.Sprintf(`<header style="position:sticky;top:0;height:120px;background:#eee">H</header><div style="height:2000px"></div>
			<label><input type=checkbox> I agree to <a href="%s">the long terms text</a></label><div style="height:2000px"></div>`, terms))
		f.press(f.ref("checkbox", "I agree to the long terms text"))
		f.until("document.querySelector('input').checked", "true")
		f.is("document.title", `"page"`)
		if n := f.rig.site.saw(strings.TrimPrefix(terms, "http://")); n > 0 {
			f.t.Errorf("the terms were loaded %d times", n)
		}
		// From below, the target would come to lie under the header.
		f.run("scrollTo(0, 1e6)")
		f.press(css("input"))
		f.until("document.querySelector('input').checked", "false")
		f.is("document.title", `"page"`)
	}},
	{"behind_a_modal_dialog", func(f *trial) {
		f.load(`<script>hits = ''</script><button onclick="hits+='behind'">Behind</button>
			<dialog id=d><button onclick="hits+='in'">In</button></dialog><script>d.showModal()</script>`)
		f.lists(`button "In"`, 1)
		f.lists(`button "Behind"`, 0)
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("button")}, "dialog")
		f.is("hits", `""`)
		f.press(f.ref("button", "In"))
		f.until("hits", `"in"`)
	}},
	{"dialog_that_is_still_coming_in", func(f *trial) {
		// As widget libraries do: what is done to a dialog while it slides in is forgotten, and then it takes the focus.
		f.load(`<style>#d { position: fixed; inset: 100px; background: #fff; transition: transform .6s; transform: translateY(-80px) } #d.open { transform: none }</style>
			<script>hits = ''; open_ = false</script><button onclick="d.hidden=false; d.offsetTop; d.className='open'">Open</button>
			<div id=d role=dialog aria-label=D tabindex=-1 hidden><input aria-label=Name><button onclick="hits += open_ ? 'in' : 'early'">In</button></div>
			<script>d.addEventListener('transitionend', () => { open_ = true; d.focus() })</script>`)
		f.press(f.ref("button", "Open"))
		f.fill(css("input"), "a name")
		f.is("document.querySelector('input').value", `"a name"`)
		f.press(css("#d button"))
		f.is("hits", `"in"`)
	}},
	{"behind_a_layer", func(f *trial) {
		f.load(`<script>hits = ''</script><button onclick="hits+='behind'">Behind</button>
			<div id=consent style="position:fixed;inset:0;z-index:9;background:#fffc"><p>We value your privacy</p><button onclick="hits+='ok ';this.parentNode.remove()">Accept all</button></div>`)
		accept := f.ref("button", "Accept all")
		refusal := f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("button")}, "consent", "Accept all")
		named := false
		for _, e := range refusal.Elements {
			named = named || e.UID == accept.UID
		}
		if !named {
			f.t.Errorf("the refusal does not give the layer's button %s: %+v", accept.UID, refusal.Elements)
		}
		f.is("hits", `""`)
		f.press(accept)
		f.press(css("button"))
		f.until("hits", `"ok behind"`)
	}},
}
