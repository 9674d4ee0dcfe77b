package e2e

import (
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// strike presses a key where the focus is, or on a target.
func (f *trial) strike(key string, target ...protocol.Target) protocol.PressResult {
	f.t.Helper()
	press := protocol.Press{Page: f.page, Key: key}
	for _, t := range target {
		press.MaybeTarget = protocol.MaybeTarget(t)
	}
	return do[protocol.PressResult](f.agent, press)
}

// enter types text.
func (f *trial) enter(target protocol.Target, text string) protocol.TypeResult {
	f.t.Helper()
	return do[protocol.TypeResult](f.agent, protocol.Type{Page: f.page, Target: target, Text: &text})
}

// What a key does is what it does under a person's hand.
var keyboard = []fault{
	{"shortcuts_leave_no_letter", func(f *trial) {
		f.load(`<input id=i autofocus><input id=free><script>keys = [];
			i.addEventListener('keydown', e => {
				keys.push([e.ctrlKey ? 'C' : '', e.shiftKey ? 'S' : '', e.altKey ? 'A' : '', e.key, e.code].join(' ').trim());
				if (e.ctrlKey) e.preventDefault();
			})</script>`)
		saw := func(want string) {
			f.t.Helper()
			f.until("keys.filter(k => !/(Control|Shift|Alt)(Left|Right)$/.test(k))", want)
			f.run("keys.length = 0")
		}
		for _, c := range []struct{ key, seen string }{
			{"Control+s", `["C   s KeyS"]`},
			{"Control+B", `["C   b KeyB"]`},
			{"Control+Shift+K", `["C S  K KeyK"]`},
			{"Alt+1", `["A 1 Digit1"]`},
			{"Control++", `["C S  + Equal"]`},
		} {
			f.strike(c.key, css("#i"))
			saw(c.seen)
			f.is("i.value", `""`)
		}
		f.strike("Shift+a", css("#i"))
		saw(`["S  A KeyA"]`)
		f.strike("+", css("#i"))
		saw(`["S  + Equal"]`)
		f.is("i.value", `"A+"`)
		// Nothing is held down afterwards.
		f.strike("x", css("#i"))
		saw(`["x KeyX"]`)
		f.is("i.value", `"A+x"`)
		f.strike("Control+b", css("#free"))
		f.is("free.value", `""`)
	}},
	{"modifiers_after_a_dialog", func(f *trial) {
		f.load(`<input id=i><script>keys = []; onkeydown = e => { keys.push(e.key + e.ctrlKey); if (e.key === 'k' && e.ctrlKey) alert('Sure?') }; onkeyup = e => keys.push('-' + e.key)</script>`)
		pressed, err := f.try(within(f.t), protocol.Press{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#i"}, Key: "Control+k"})
		if result, ok := pressed.(protocol.PressResult); err != nil || !ok || result.Dialog == nil {
			f.t.Errorf("the press that opens a dialog gives %+v, %v", pressed, err)
		}
		do[protocol.DialogResult](f.agent, protocol.Dialog{Page: f.page, Accept: true})
		f.strike("z", css("#i"))
		f.until("i.value", `"z"`)
		f.is("keys.includes('ztrue')", "false")
	}},
	{"emoji_and_rare_characters", func(f *trial) {
		const text = "👨‍👩‍👧 𩸽 🇯🇵 é e\u0301"
		f.load(`<input id=i><textarea id=a></textarea><div id=c contenteditable></div><input id=m maxlength=4><script>bad = 0;
			addEventListener('input', e => { if (/\uFFFD|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(e.target.value ?? e.target.textContent)) bad++ })</script>`)
		f.holds("the box", f.enter(css("#i"), text).Value, text)
		f.until("i.value", `"`+text+`"`)
		f.holds("the area", f.enter(css("#a"), text+"\nb").Value, text+"\nb")
		f.until("a.value", `"`+text+`\nb"`)
		f.enter(css("#c"), text)
		f.until("c.innerText.trim()", `"`+text+`"`)
		// Where the field holds less it is told, and no character is cut in two.
		cut := f.enter(css("#m"), "👍👍👍")
		f.until("m.value", `"👍👍"`)
		f.holds("the short box", cut.Value, "👍👍")
		f.tells(cut.Notes, "4 characters at most")
		two := f.enter(css("#i"), "\nb")
		f.until("i.value", `"`+text+` b"`)
		f.tells(two.Notes, "one line")
		f.is("bad", "0")
	}},
	{"field_that_waits_for_an_input_method", func(f *trial) {
		f.load(`<form><input id=i><button>Send</button></form><script>sent = []; starts = 0; ends = 0; composing = false;
			i.addEventListener('compositionstart', () => { starts++; composing = true }); i.addEventListener('compositionend', () => { ends++; composing = false });
			i.addEventListener('keydown', e => { if (e.key === 'Enter' && (e.isComposing || composing)) e.preventDefault() });
			document.forms[0].onsubmit = e => { e.preventDefault(); sent.push(i.value) }</script>`)
		f.holds("the box", f.enter(css("#i"), "你好").Value, "你好")
		f.strike("Enter", css("#i"))
		f.until("sent", `["你好"]`)
		// Whether or not it began like an input method, it has ended like one.
		f.is("starts === ends", "true")
	}},
	{"keys_do_what_they_do", func(f *trial) {
		f.load(`<form onsubmit="event.preventDefault();n=(window.n||0)+1"><input id=i value=ab><input id=k type=checkbox><select id=s aria-label=L><option>a<option>b<option>c</select><button id=g>go</button></form>
			<dialog id=d><button>ok</button></dialog><textarea id=t></textarea>`)
		f.strike("Enter", css("#i"))
		f.until("n", "1")
		f.strike("Tab", css("#i"))
		f.until("document.activeElement.id", `"k"`)
		f.strike("Space")
		f.until("k.checked", "true")
		f.strike("Tab")
		f.until("document.activeElement.id", `"s"`)
		f.strike("ArrowDown")
		f.until("s.value", `"b"`)
		f.strike("Shift+Tab")
		f.until("document.activeElement.id", `"k"`)
		f.strike("End", css("#i"))
		f.strike("Backspace")
		f.until("i.value", `"a"`)
		f.strike("ControlOrMeta+a", css("#i"))
		f.strike("Delete")
		f.until("i.value", `""`)
		f.strike("Enter", css("#t"))
		f.until("t.value", `"\n"`)
		f.run("d.showModal()")
		f.strike("Escape")
		f.until("d.open", "false")
		f.strike("Enter", css("#g"))
		f.until("n", "2")
		f.refused(protocol.CodeInvalidAction, protocol.Press{Page: f.page, Key: "Hyper+x"}, "modifier")
		f.refused(protocol.CodeInvalidAction, protocol.Press{Page: f.page, Key: "Entre"}, "Enter")
	}},
}
