package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const fluentPage = importMapMark + `
	<fluent-text-input id=user>User</fluent-text-input> <fluent-textarea id=note><span slot=label>Note</span></fluent-textarea>
	<fluent-field label-position=after><label slot=label for=agree>I agree</label><fluent-checkbox slot=input id=agree></fluent-checkbox></fluent-field>
	<fluent-field label-position=after><label slot=label for=dark>Dark mode</label><fluent-switch slot=input id=dark></fluent-switch></fluent-field>
	<fluent-radio-group id=size name=size><fluent-field label-position=after><label slot=label for=s>Small</label><fluent-radio slot=input id=s name=size value=s></fluent-radio></fluent-field>
		<fluent-field label-position=after><label slot=label for=l>Large</label><fluent-radio slot=input id=l name=size value=l></fluent-radio></fluent-field></fluent-radio-group>
	<fluent-dropdown id=fruit aria-label=Fruit><fluent-listbox><fluent-option value=a>Apple</fluent-option><fluent-option value=p>Pear</fluent-option></fluent-listbox></fluent-dropdown>
	<fluent-dropdown id=many aria-label=Toppings multiple><fluent-listbox><fluent-option>Ham</fluent-option><fluent-option>Eggs</fluent-option><fluent-option>Peas</fluent-option></fluent-listbox></fluent-dropdown>
	<fluent-slider id=volume aria-label=Volume min=0 max=100 value=40 style="width:300px"></fluent-slider>
	<fluent-menu><fluent-menu-button slot=trigger>More</fluent-menu-button><fluent-menu-list><fluent-menu-item id=cut>Cut</fluent-menu-item><fluent-menu-item role=menuitemcheckbox id=wrap>Wrap lines</fluent-menu-item><fluent-menu-item disabled>Paste</fluent-menu-item></fluent-menu-list></fluent-menu>
	<fluent-button id=asker>Delete</fluent-button>
	<fluent-dialog id=dialog type=modal aria-label="Delete this?"><fluent-dialog-body><fluent-text-input id=why>Why</fluent-text-input><fluent-button slot=action id=yes>Do it</fluent-button></fluent-dialog-body></fluent-dialog>
	<fluent-tablist id=tabs><fluent-tab id=t1 aria-controls=p1>One</fluent-tab><fluent-tab id=t2 aria-controls=p2>Two</fluent-tab></fluent-tablist><div id=p1>The first</div><div id=p2>The second</div>
	<fluent-accordion><fluent-accordion-item id=ship><span slot=heading>Shipping</span>On its way</fluent-accordion-item></fluent-accordion>
	<fluent-toggle-button id=bold>Bold</fluent-toggle-button>
	<fluent-tree><fluent-tree-item id=fruits>Fruits<fluent-tree-item slot=item id=pear>Pears</fluent-tree-item></fluent-tree-item></fluent-tree>
	<script type=module>
	import '@fluentui/web-components/web-components-all.min.js';
	globalThis.log = [];
	for (const it of [cut, asker, yes]) it.addEventListener('click', () => log.push(it.id));
	asker.addEventListener('click', () => dialog.show());
	yes.addEventListener('click', () => dialog.hide());
	await Promise.all([...document.querySelectorAll(':not(:defined)')].map(it => customElements.whenDefined(it.localName)));
	for (let i = 0; i < 3; i++) await new Promise(done => setTimeout(done));
	globalThis.ready = true;
	</script>`

func TestWidgetFluent(t *testing.T) {
	t.Parallel()
	value := func(id string) string { return "document.getElementById('" + id + "').value" }
	uses{
		"text": func(f *trial) {
			f.fill(f.ref("textbox", "User"), "ada")
			f.until(value("user"), `"ada"`)
			f.typed(css("#user"), " lovelace", false)
			f.until(value("user"), `"ada lovelace"`)
			f.fill(css("#note"), "one\ntwo")
			f.until(value("note"), `"one\ntwo"`)
		},
		"boxes": func(f *trial) {
			f.press(css("#agree"))
			f.until("agree.checked", "true")
			f.press(css("#agree"))
			f.until("agree.checked", "false")
			f.press(css("#dark"))
			f.until("dark.checked", "true")
			f.press(css("#l"))
			f.until(value("size"), `"l"`)
			f.press(css("#bold"))
			f.until("bold.pressed", "true")
		},
		// By what they say of themselves inside, which nobody has read yet.
		"boxes_filled": func(f *trial) {
			for _, set := range []struct{ id, to, says string }{
				{"agree", "true", "agree.checked"},
				{"agree", "true", "agree.checked"},
				{"agree", "false", "!agree.checked"},
				{"dark", "true", "dark.checked"},
				{"l", "true", value("size") + " === 'l'"},
			} {
				f.holds(set.id, f.fill(css("#"+set.id), set.to).Value, set.to)
				f.until(set.says, "true")
			}
		},
		"dropdown": func(f *trial) {
			f.choose(css("#fruit"), "Pear")
			f.until(value("fruit"), `"p"`)
			f.choose(css("#fruit"), "Apple")
			f.until(value("fruit"), `"a"`)
		},
		"dropdown_by_clicks": func(f *trial) {
			f.press(css("#fruit"))
			f.press(css("fluent-option[value=p]"))
			f.until(value("fruit"), `"p"`)
		},
		"dropdown_of_several": func(f *trial) {
			f.choose(css("#many"), "Ham", "Peas")
			f.until("many.selectedOptions.map(o => o.text)", `["Ham","Peas"]`)
		},
		"slider": func(f *trial) {
			f.key("ArrowRight", "#volume")
			f.until(value("volume"), `"41"`)
			box := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#volume"}, What: "box"}).Box
			do[protocol.MouseResult](f.agent, protocol.Mouse{Page: f.page, Kind: "click", X: box.X + box.Width*0.8, Y: box.Y + box.Height/2})
			f.until("Math.abs(Number(volume.value) - 80) <= 2", "true")
		},
		"menu": func(f *trial) {
			f.press(css("fluent-menu-button"))
			f.press(css("#cut"))
			f.until("log", `["cut"]`)
			f.press(css("fluent-menu-button"))
			f.press(css("#wrap"))
			f.until("wrap.checked", "true")
		},
		"dialog": func(f *trial) {
			f.press(css("#asker"))
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#why"}})
			f.fill(css("#why"), "old")
			f.until(value("why"), `"old"`)
			f.press(css("#yes"))
			f.until("log", `["asker","yes"]`)
			f.press(css("#asker"))
			f.key("Escape", "")
			f.until("document.querySelectorAll('dialog:modal').length + dialog.shadowRoot.querySelectorAll('dialog:modal').length", "0")
		},
		"places": func(f *trial) {
			f.press(css("#t2"))
			f.until("tabs.activeid", `"t2"`)
			f.press(f.ref("button", "Shipping"))
			f.until("ship.expanded", "true")
			f.press(css("#fruits"))
			f.until("fruits.expanded || fruits.selected", "true")
		},
	}.tryOut(t, fluentPage)
}
