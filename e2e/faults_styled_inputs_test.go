package e2e

import "github.com/drawbridge-browser/drawbridge/protocol"

// Boxes and switches that pages hide behind what they paint are worked as a person works them.
var styledInputs = []fault{
	{"radio_clipped_away", func(f *trial) {
		f.load(`<style>input { position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0); overflow: hidden }</style>
			<script>clicks = []; addEventListener('click', e => clicks.push(e.target.localName + (e.isTrusted ? '' : ' by script')), true)</script>
			<input type=radio name=r id=a><label for=a>One</label><input type=radio name=r id=b><label for=b>Two</label><input type=radio name=r id=c><label for=c>Three</label>`)
		f.press(f.ref("radio", "Two"))
		f.until("[a.checked, b.checked, c.checked]", "[false,true,false]")
		// The browser hands a label's click on to its control, as for any person.
		f.is("clicks", `["label","input"]`)
		f.is("document.activeElement.id", `"b"`)
	}},
	{"label_painted_by_a_pseudo_element", func(f *trial) {
		f.load(`<style>label::before { content: ""; position: absolute; width: 16px; height: 16px; border: 1px solid }</style><p>Terms</p>
			<input id=c type=checkbox aria-label=Agree style="position:absolute;opacity:0;width:0;height:0"><label for=c style="position:relative"></label>`)
		f.press(f.ref("checkbox", "Agree"))
		f.until("c.checked", "true")
	}},
	{"disabled_box_in_a_label", func(f *trial) {
		f.load(`<label>Click me<input type=checkbox disabled style="width:0;height:0;border:0;margin:0"></label>`)
		f.lists("disabled", 1)
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: f.ref("checkbox", "Click me")}, "disabled")
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("label")}, "disabled")
		f.is("document.querySelector('input').checked", "false")
	}},
	{"transparent_switch", func(f *trial) {
		f.load(`<span style="position:relative;width:40px;height:20px;display:inline-block;background:#ccc"><input type=checkbox role=switch aria-label=Wifi style="position:absolute;inset:0;opacity:0"></span>`)
		f.lists(`switch "Wifi"`, 1)
		f.press(f.ref("switch", "Wifi"))
		f.until("document.querySelector('input').checked", "true")
	}},
}
