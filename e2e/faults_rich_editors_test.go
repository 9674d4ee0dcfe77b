package e2e

import (
	"encoding/json"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Editors keep their text in a model of their own, which only real input reaches.
var richEditors = []fault{
	{"line_breaks_in_a_block_editor", func(f *trial) {
		f.load(`<div id=e contenteditable role=textbox aria-label=Body></div><script>
			m = ''; trusted = true;
			e.addEventListener('beforeinput', event => {
				event.preventDefault();
				trusted &&= event.isTrusted;
				if (event.inputType === 'insertText') m += event.data;
				else if (/^insert(Paragraph|LineBreak)$/.test(event.inputType)) m += '\n';
				e.innerText = m;
				getSelection().selectAllChildren(e); getSelection().collapseToEnd();
			})</script>`)
		f.fill(f.ref("textbox", "Body"), "a\nb")
		f.until("m", `"a\nb"`)
		f.is("trusted", "true")
	}},
	{"slider_that_is_no_field", func(f *trial) {
		f.load(`<div role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=50 style="width:100px;height:20px;background:#ddd"></div><script>
			s = document.querySelector('div');
			s.onkeydown = e => { const by = {ArrowRight: 1, ArrowLeft: -1}[e.key]; if (by) s.ariaValueNow = Number(s.ariaValueNow) + by; }</script>`)
		volume := f.ref("slider", "Volume")
		f.refused(protocol.CodeInvalidAction, protocol.Fill{Page: f.page, Target: volume, Text: ptr("70")}, "press")
		f.is("s.ariaValueNow", `"50"`)
		do[protocol.PressResult](f.agent, protocol.Press{Page: f.page, MaybeTarget: protocol.MaybeTarget{UID: volume.UID}, Key: "ArrowRight"})
		f.until("s.ariaValueNow", `"51"`)
	}},
	{"code_editor_with_a_hidden_text_area", func(f *trial) {
		f.load(`<div id=paint style="font:12px monospace;white-space:pre;min-height:40px"></div>
			<textarea aria-label=Code style="position:absolute;left:-2000px;width:1px;height:1px"></textarea><script>
			area = document.querySelector('textarea'); area.value = 'old text\n'; inputs = 0;
			const show = () => { paint.textContent = area.value; };
			area.oninput = () => { inputs++; show(); };
			area.onkeydown = event => { if (event.key === 'Enter') { event.preventDefault(); area.setRangeText('\n    ', area.selectionStart, area.selectionEnd, 'end'); show(); } };
			paint.onclick = () => area.focus();
			show()</script>`)
		code := strings.Repeat("func `f`() {\n\treturn \"x\"\n}\n", 110)
		f.holds("the editor", f.fill(css("textarea"), code).Value, code)
		want, err := json.Marshal(code)
		if err != nil {
			f.t.Fatal(err)
		}
		if got := f.says("paint.textContent"); got != string(want) {
			f.t.Errorf("the editor shows %d bytes, expected %d: %.80s …", len(got), len(want), got)
		}
	}},
	{"code_editor_that_empties_its_text_area", func(f *trial) {
		f.load(`<div id=paint style="font:12px monospace;white-space:pre;min-height:40px"></div>
			<textarea aria-label=Code style="position:absolute;left:0;top:0;width:1px;height:1px;opacity:0"></textarea><script>
			area = document.querySelector('textarea'); model = 'old text'; all = false;
			const show = () => { paint.textContent = model; area.value = ''; };
			area.oninput = () => { model = all ? area.value : model + area.value; all = false; show(); };
			area.onkeydown = event => {
				if (event.ctrlKey && event.key === 'a') { all = true; event.preventDefault(); }
				if (event.key === 'Backspace' || event.key === 'Delete') { if (all) { model = ''; all = false; } show(); }
			};
			show()</script>`)
		result := f.fill(css("textarea"), "let `a` = 1;\n\tlet b;")
		f.until("model", `"let `+"`a`"+` = 1;\n\tlet b;"`)
		f.tells(result.Notes, "look at the page")
	}},
	{"editor_that_takes_trusted_input_only", func(f *trial) {
		f.load(`<div id=e contenteditable role=textbox aria-label=Post></div><button onclick="sent=state">Send</button><script>
			state = ''; sent = null;
			e.addEventListener('beforeinput', event => { if (!event.isTrusted) event.preventDefault(); });
			e.addEventListener('input', event => { if (event.isTrusted) state = e.innerText; })</script>`)
		f.holds("the editor", f.fill(f.ref("textbox", "Post"), "Grüße 👋").Value, "Grüße 👋")
		f.press(f.ref("button", "Send"))
		f.until("sent", `"Grüße 👋"`)
	}},
}
