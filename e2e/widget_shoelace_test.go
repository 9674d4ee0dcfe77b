package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const shoelacePage = `<link rel=stylesheet href="/npm/@shoelace-style/shoelace/cdn/themes/light.css"><script type=module src="/npm/@shoelace-style/shoelace/cdn/shoelace.js"></script>
	<sl-input id=user label=User></sl-input> <sl-input id=count type=number label=Count></sl-input> <sl-textarea id=note label=Note></sl-textarea>
	<sl-select id=colour label=Colour value=red><sl-option value=red>Red</sl-option><sl-option value=green>Green</sl-option><sl-option value=blue disabled>Blue</sl-option></sl-select>
	<sl-select id=many label=Toppings multiple value=ham><sl-option value=ham>Ham</sl-option><sl-option value=eggs>Eggs</sl-option><sl-option value=peas>Peas</sl-option></sl-select>
	<sl-checkbox id=agree>I agree</sl-checkbox> <sl-switch id=dark>Dark mode</sl-switch>
	<sl-radio-group id=size label=Size value=m><sl-radio value=s>Small</sl-radio><sl-radio value=m>Medium</sl-radio></sl-radio-group>
	<sl-range id=volume label=Volume min=0 max=100 value=40 style="width:300px"></sl-range> <sl-rating id=stars label=Stars></sl-rating>
	<sl-dropdown><sl-button slot=trigger caret>More</sl-button><sl-menu id=menu><sl-menu-item value=cut>Cut</sl-menu-item><sl-menu-item disabled value=paste>Paste</sl-menu-item><sl-menu-item type=checkbox value=wrap>Wrap lines</sl-menu-item></sl-menu></sl-dropdown>
	<sl-button id=asker>Delete</sl-button><sl-dialog id=dialog label="Delete this?"><sl-input autofocus label=Why></sl-input><sl-button slot=footer id=yes>Do it</sl-button></sl-dialog>
	<sl-tab-group id=tabs><sl-tab slot=nav panel=one>One</sl-tab><sl-tab slot=nav panel=two>Two</sl-tab><sl-tab-panel name=one>The first panel</sl-tab-panel><sl-tab-panel name=two>The second panel</sl-tab-panel></sl-tab-group>
	<sl-details id=details summary="More about it">What there is to know</sl-details>
	<sl-tree><sl-tree-item id=fruit>Fruit<sl-tree-item id=pear>Pear</sl-tree-item></sl-tree-item></sl-tree>
	<sl-tag id=tag removable>Label</sl-tag>
	<script type=module>
	globalThis.log = [];
	for (const type of ['sl-change', 'sl-select', 'sl-remove', 'sl-tab-show', 'sl-after-show', 'sl-after-hide'])
		addEventListener(type, e => log.push([type, e.target.id || e.target.localName, e.detail?.item?.value].filter(Boolean).join(' ')));
	asker.onclick = () => dialog.show();
	yes.onclick = () => { log.push('deleted'); dialog.hide(); };
	await Promise.all([...document.querySelectorAll(':not(:defined)')].map(it => customElements.whenDefined(it.localName)));
	await Promise.all([...document.querySelectorAll('*')].map(it => it.updateComplete));
	globalThis.ready = true;
	</script>`

func TestWidgetShoelace(t *testing.T) {
	t.Parallel()
	value := func(id string) string { return "document.getElementById('" + id + "').value" }
	uses{
		"text": func(f *trial) {
			f.fill(f.ref("textbox", "User"), "ada")
			f.until(value("user"), `"ada"`)
			f.typed(css("#user"), " lovelace", false)
			f.until(value("user"), `"ada lovelace"`)
			f.fill(f.ref("spinbutton", "Count"), "12")
			f.until(value("count"), `"12"`)
			f.fill(css("#note"), "one\ntwo")
			f.until(value("note"), `"one\ntwo"`)
		},
		"select": func(f *trial) {
			f.choose(css("#colour"), "Green")
			f.until(value("colour"), `"green"`)
			f.until("log.includes('sl-change colour')", "true")
			f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: f.ref("combobox", "Colour"), Values: []string{"Blue"}}, "disabled")
			f.is(value("colour"), `"green"`)
		},
		"select_by_clicks": func(f *trial) {
			f.press(f.ref("combobox", "Colour"))
			f.press(f.lateRef("option", "Green"))
			f.until(value("colour"), `"green"`)
		},
		"boxes": func(f *trial) {
			f.press(f.ref("checkbox", "I agree"))
			f.until("agree.checked", "true")
			f.fill(css("#agree"), "false")
			f.until("agree.checked", "false")
			f.press(f.ref("switch", "Dark mode"))
			f.until("dark.checked", "true")
			f.press(f.ref("radio", "Small"))
			f.until(value("size"), `"s"`)
		},
		"range_and_rating": func(f *trial) {
			f.fill(css("#volume"), "75")
			f.until(value("volume"), "75")
			f.key("ArrowRight", "")
			box := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#stars"}, What: "box"}).Box
			do[protocol.MouseResult](f.agent, protocol.Mouse{Page: f.page, Kind: "click", X: box.X + box.Width*0.7, Y: box.Y + box.Height/2})
			f.until(value("stars"), "4")
		},
		"menu": func(f *trial) {
			f.press(f.ref("button", "More"))
			f.press(f.lateRef("menuitemcheckbox", "Wrap lines"))
			f.until("log.includes('sl-select menu wrap')", "true")
			f.until("log.includes('sl-after-hide sl-dropdown')", "true")
			f.press(f.ref("button", "More"))
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("[value=paste]")}, "disabled")
			f.press(f.lateRef("menuitem", "Cut"))
			f.until("log.includes('sl-select menu cut')", "true")
		},
		"dialog": func(f *trial) {
			f.press(f.ref("button", "Delete"))
			f.fill(f.lateRef("textbox", "Why"), "old")
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("#asker")}, "covered")
			f.press(f.ref("button", "Do it"))
			f.until("[dialog.open, log.includes('deleted')]", "[false,true]")
			f.press(f.lateRef("button", "Delete"))
			f.press(f.lateRef("button", "Close"))
			f.until("dialog.open", "false")
		},
		"places": func(f *trial) {
			f.press(f.ref("tab", "Two"))
			f.until("[...document.querySelectorAll('sl-tab-panel')].map(p => p.active)", "[false,true]")
			f.press(f.ref("button", "More about it"))
			f.until("details.open", "true")
			f.press(css("#fruit"))
			removers := f.found(protocol.Find{Role: "button", Name: "Remove"}).Elements // the topping's, then the tag's
			f.press(protocol.Target{UID: removers[len(removers)-1].UID})
			f.until("log.includes('sl-remove tag')", "true")
		},
	}.tryOut(t, shoelacePage)
}
