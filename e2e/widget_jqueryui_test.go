package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const jqueryUIPage = `<link rel=stylesheet href="/npm/jquery-ui-dist/jquery-ui.min.css"><script src="/npm/jquery/dist/jquery.min.js"></script><script src="/npm/jquery-ui-dist/jquery-ui.min.js"></script>
	<style>.box { width: 90px; height: 40px; background: #9cf; margin: 4px } #sortable { width: 160px } #sortable li, #selectable li { height: 24px }</style>
	<label>Due <input id=date></label> <label>Language <input id=language></label> <label>Amount <input id=amount value=3></label>
	<label for=speed>Speed</label><select id=speed><option>Slow<option selected>Fast<option>Faster</select>
	<div id=slider style="width:200px;margin:12px"></div>
	<div id=tabs><ul><li><a href="#t1">First</a><li><a href="#t2">Second</a></ul><div id=t1>In the first</div><div id=t2>In the second</div></div>
	<div id=accordion><h3>Section one</h3><div>The first</div><h3>Section two</h3><div>The second</div></div>
	<ul id=sortable><li>one<li>two<li>three<li>four</ul>
	<div style="display:flex"><div id=drag class=box>drag me</div><div id=drop class=box style="background:#fc9;margin-left:120px">drop here</div></div>
	<ol id=selectable><li>red<li>green<li>blue</ol>
	<ul id=menu style="width:120px"><li><div>Books</div><li><div>Music</div><ul><li><div>Rock</div><li><div>Jazz</div></ul></ul>
	<div id=box class=box>resize me</div>
	<button id=opener>Delete</button><div id=dialog title="Delete this?"><p>It cannot be undone.</div>
	<input type=checkbox id=bold><label for=bold>Bold</label>
	<script>
	const log = [];
	$('#date').datepicker({defaultDate: new Date(2024, 2, 5), changeMonth: true});
	$('#language').autocomplete({source: ['ActionScript', 'C', 'Java', 'JavaScript', 'Scala'], select: (e, ui) => log.push('chose ' + ui.item.value)});
	$('#amount').spinner();
	$('#speed').selectmenu({change: (e, ui) => log.push('speed ' + ui.item.value)});
	$('#slider').slider({value: 40, change: (e, ui) => log.push('slider ' + ui.value)});
	$('#tabs').tabs(); $('#accordion').accordion({animate: 50}); $('#sortable').sortable(); $('#bold').checkboxradio();
	$('#drag').draggable(); $('#drop').droppable({drop: (e, ui) => log.push('dropped ' + ui.draggable.text())});
	$('#selectable').selectable({filter: 'li'}); $('#menu').menu({select: (e, ui) => log.push('menu ' + ui.item.text())});
	$('#box').resizable();
	$('#dialog').dialog({autoOpen: false, modal: true, buttons: {Delete() { log.push('deleted'); $(this).dialog('close'); }, Cancel() { $(this).dialog('close'); }}});
	$('#opener').on('click', () => $('#dialog').dialog('open'));
	ready = true;
	</script>`

func TestWidgetJQueryUI(t *testing.T) {
	t.Parallel()
	uses{
		"datepicker": func(f *trial) {
			f.press(css("#date"))
			f.press(css("#ui-datepicker-div .ui-datepicker-next"))
			f.press(f.lateRef("link", "17"))
			f.until("document.getElementById('date').value", `"04/17/2024"`)
			f.press(css("h3")) // anything else, to let it close
			f.press(css("#date"))
			f.choose(css(".ui-datepicker-month"), "Dec")
			f.press(f.lateRef("link", "24"))
			f.until("document.getElementById('date').value", `"12/24/2024"`)
		},
		"datepicker_typed": func(f *trial) {
			f.fill(css("#date"), "07/09/2025")
			f.key("Enter", "")
			f.until("$('#date').datepicker('getDate').toDateString()", `"Wed Jul 09 2025"`)
		},
		"autocomplete": func(f *trial) {
			f.typed(f.ref("textbox", "Language"), "ja", false)
			// Its list has no roles: it is found by what it says.
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "JavaScript"})
			offered := f.found(protocol.Find{Text: "JavaScript"}).Elements
			f.press(protocol.Target{UID: offered[len(offered)-1].UID})
			f.until("log", `["chose JavaScript"]`)
			f.until("document.getElementById('language').value", `"JavaScript"`)
		},
		"spinner": func(f *trial) {
			f.press(css(".ui-spinner-up"))
			f.until("amount.value", `"4"`)
			f.key("ArrowDown", "#amount")
			f.key("ArrowDown", "#amount")
			f.until("amount.value", `"2"`)
			f.fill(css("#amount"), "12")
			f.until("$('#amount').spinner('value')", "12")
		},
		"selectmenu": func(f *trial) {
			f.choose(css("#speed-button"), "Faster")
			f.until("[$('#speed').val(), log]", `["Faster",["speed Faster"]]`)
		},
		"slider": func(f *trial) {
			f.dragBy("#slider .ui-slider-handle", 80, 0)
			f.until("$('#slider').slider('value')", "80")
			f.key("ArrowRight", "#slider .ui-slider-handle")
			f.until("$('#slider').slider('value')", "81")
			f.is("log", `["slider 80","slider 81"]`)
		},
		"tabs": func(f *trial) {
			f.press(f.ref("tab", "Second"))
			f.until("[...document.querySelectorAll('#tabs [role=tabpanel]')].map(p => p.checkVisibility())", "[false,true]")
			f.press(f.ref("tab", "First"))
			f.until("[...document.querySelectorAll('#tabs [role=tabpanel]')].map(p => p.checkVisibility())", "[true,false]")
		},
		"accordion": func(f *trial) {
			f.press(f.ref("tab", "Section two"))
			f.until("$('#accordion').accordion('option', 'active')", "1")
			f.until("[...document.querySelectorAll('#accordion > div')].map(p => p.checkVisibility())", "[false,true]")
		},
		"sortable": func(f *trial) {
			f.dragBy("#sortable li:nth-child(1)", 0, 62) // past the middle of the third
			f.until("$('#sortable').sortable('instance').dragging || $('#sortable').text().replace(/\\s/g, '')", `"twothreeonefour"`)
		},
		"drop": func(f *trial) {
			f.dragOnto(css("#drag"), css("#drop"))
			f.until("log", `["dropped drag me"]`)
		},
		"resize": func(f *trial) {
			f.dragBy("#box .ui-resizable-e", 60, 0)
			f.until("document.getElementById('box').offsetWidth", "150")
		},
		"selectable": func(f *trial) {
			f.press(css("#selectable li:nth-child(1)"))
			do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: css("#selectable li:nth-child(3)"), Modifiers: []protocol.Modifier{"Control"}})
			f.until("$('#selectable .ui-selected').map((i, l) => l.textContent.trim()).get()", `["red","blue"]`)
		},
		"submenu": func(f *trial) {
			f.point(f.ref("menuitem", "Music"))
			f.press(f.lateRef("menuitem", "Jazz"))
			f.until("log", `["menu Jazz"]`)
		},
		"dialog": func(f *trial) {
			f.press(f.ref("button", "Delete"))
			f.until("$('#dialog').dialog('isOpen')", "true")
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("#opener")}, "covered")
			f.press(f.lateRef("button", "Cancel"))
			f.until("[$('#dialog').dialog('isOpen'), log]", "[false,[]]")
			f.press(f.lateRef("button", "Delete"))
			f.press(css(".ui-dialog-buttonpane button"))
			f.until("[$('#dialog').dialog('isOpen'), log]", `[false,["deleted"]]`)
		},
		"checkbox": func(f *trial) {
			f.press(f.ref("checkbox", "Bold"))
			f.until("bold.checked", "true")
			f.fill(css("#bold"), "false")
			f.until("bold.checked", "false")
		},
	}.tryOut(t, jqueryUIPage)
}
