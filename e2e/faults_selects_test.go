package e2e

import "github.com/drawbridge-browser/drawbridge/protocol"

// counting counts the events that a page hears from its lists.
const counting = `<script>heard = []; for (const type of ['input', 'change']) addEventListener(type, () => heard.push(type))</script>`

// Lists of options: exactly what was named is chosen, or nothing is touched.
var selects = []fault{
	{"by_value_and_by_label", func(f *trial) {
		f.load(counting + `<select aria-label=Country><option value=FR>France<option value=US>United States<option value=DE>Germany</select>`)
		country := f.ref("combobox", "Country")
		f.choose(country, "Germany")
		f.until("[document.querySelector('select').value, heard]", `["DE",["input","change"]]`)
		f.choose(country, "US")
		f.until("[document.querySelector('select').value, heard.length]", `["US",4]`)
		f.choose(country, "DE")
		f.until("[document.querySelector('select').value, heard.length]", `["DE",6]`)
	}},
	{"combobox_that_is_a_text_field", func(f *trial) {
		f.load(`<textarea role=combobox aria-label=Search aria-expanded=false></textarea><ul id=pop hidden><li role=option tabindex=-1 onclick="document.title='chosen'">Berlin Mitte</li></ul>
			<input role=combobox aria-label=City list=l><datalist id=l><option>Berlin</datalist><script>
			document.querySelector('textarea').oninput = () => { pop.hidden = false; }</script>`)
		f.holds("the search", f.fill(f.ref("combobox", "Search"), "ber").Value, "ber")
		f.holds("the city", f.fill(f.ref("combobox", "City"), "ber").Value, "ber")
		f.until("[document.querySelector('textarea').value, document.querySelector('input').value]", `["ber","ber"]`)
		f.press(f.ref("option", "Berlin Mitte"))
		f.until("document.title", `"chosen"`)
	}},
	{"label_that_is_anothers_value", func(f *trial) {
		f.load(counting + `<select id=s><option value=a>Alpha<option value=b selected>Beta<option value=Alpha>Tricky</select>
			<select id=t><option value=1>Same<option value=2 selected>Other<option value=3>Same</select>`)
		f.refused(protocol.CodeInvalidAction, protocol.Select{Page: f.page, Target: css("#s"), Values: []string{"Alpha"}}, "Tricky")
		f.refused(protocol.CodeInvalidAction, protocol.Select{Page: f.page, Target: css("#t"), Values: []string{"Same"}}, "Same")
		f.is("[s.value, t.value, heard.length]", `["b","2",0]`)
	}},
	{"option_that_is_not_there", func(f *trial) {
		f.load(counting + `<select id=s><option>A<option selected>B</select><input id=t value=keep><select id=d disabled><option>X<option>Y</select>`)
		f.refused(protocol.CodeInvalidAction, protocol.Select{Page: f.page, Target: css("#s"), Values: []string{"Zzz"}}, "Zzz")
		f.refused(protocol.CodeInvalidAction, protocol.Select{Page: f.page, Target: css("#t"), Values: []string{"A"}})
		f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: css("#d"), Values: []string{"Y"}}, "disabled")
		f.is("[s.value, t.value, d.value, heard.length]", `["B","keep","X",0]`)
	}},
	{"option_in_a_disabled_group", func(f *trial) {
		f.load(counting + `<select id=s><option>none<optgroup label=Fruit disabled><option>banana</optgroup></select>`)
		f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: css("#s"), Values: []string{"banana"}}, "disabled")
		f.is("[s.value, heard.length]", `["none",0]`)
	}},
	{"several_at_once", func(f *trial) {
		f.load(counting + `<select id=m multiple><option>A<option selected>B<option>C</select>`)
		f.choose(css("#m"), "A", "C")
		f.until("[[...m.selectedOptions].map(o => o.text), heard]", `[["A","C"],["input","change"]]`)
	}},
	{"select_that_its_page_keeps_behind_a_widget", func(f *trial) {
		f.load(`<style>.kept { position: absolute; inset: 0; opacity: 0; pointer-events: none }</style><div style="position:relative">
			<select class=kept tabindex=-1 aria-label=Kept><option>Red<option>Green</select><input class=kept tabindex=-1 aria-label=Words value=one>
			<button aria-haspopup=listbox>Red</button></div>
			<div style="position:relative;margin-top:40px"><select aria-label=Styled style="position:absolute;inset:0;opacity:0"><option>Red<option>Green</select><span>Red</span></div>`)
		f.lists("Kept", 0)
		f.lists("Words", 0)
		f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: css("select.kept"), Values: []string{"Green"}}, "not shown")
		f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: css("input.kept"), Text: ptr("two")}, "not shown")
		f.is("[...document.querySelectorAll('.kept')].map(e => e.value)", `["Red","one"]`)
		// One that lies unseen over what stands for it is worked like any other.
		f.choose(f.ref("combobox", "Styled"), "Green")
		f.until("document.querySelector('[aria-label=Styled]').value", `"Green"`)
	}},
}
