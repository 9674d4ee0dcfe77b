package e2e

import "strings"

// What components hide from scripts is as much a part of the page as anything.
var shadowDOM = []fault{
	{"button_in_a_closed_root", func(f *trial) {
		f.load(`<x-b></x-b><script>customElements.define('x-b', class extends HTMLElement {
			constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<button onclick="document.title=\'published\'">Publish</button>'; }
		})</script>`)
		f.lists(`button "Publish"`, 1)
		f.press(f.ref("button", "Publish"))
		f.until("document.title", `"published"`)
	}},
	{"slotted_content", func(f *trial) {
		f.load(`<x-o><i slot=s>slotted</i><i>unslotted</i></x-o><script>
			document.querySelector('x-o').attachShadow({mode: 'open'}).innerHTML = '<button onclick="document.title=\'open\'">Open <slot name=s></slot></button>'</script>`)
		f.lists(`button "Open slotted"`, 1)
		f.lists("unslotted", 0)
		read := f.extract(f.page)
		if said := read.Text + read.Markdown; strings.Contains(said, "unslotted") || !strings.Contains(said, "slotted") {
			f.t.Errorf("the extract says %q", said)
		}
		f.press(f.ref("button", "Open slotted"))
		f.until("document.title", `"open"`)
	}},
	{"radio_under_its_own_label", func(f *trial) {
		f.load(`<x-r style="display:block;position:relative;width:60px;height:30px"></x-r><script>
			root = document.querySelector('x-r').attachShadow({mode: 'open'});
			root.innerHTML = '<label for=r style="position:absolute;inset:0"></label><input id=r type=radio aria-label="Express">';
			trusted = 0;
			root.addEventListener('click', e => { if (e.isTrusted && e.target.localName === 'label') trusted++; })</script>`)
		f.press(f.ref("radio", "Express"))
		f.until("root.querySelector('input').checked", "true")
		f.is("trusted", "1")
	}},
}
