package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Three libraries that put a list of their own in the place of a select.

const choicesPage = `<link rel=stylesheet href="/npm/choices.js/public/assets/styles/choices.min.css"><script src="/npm/choices.js/public/assets/scripts/choices.min.js"></script>
	<label for=one>Colour</label><select id=one><option value=r selected>Red<option value=g>Green<option value=b disabled>Blue</select>
	<label for=many>Toppings</label><select id=many multiple><option selected>Ham<option>Eggs<option>Peas</select>
	<label for=words>Labels</label><input id=words value=one,two>
	<div style="height:400px"></div>
	<script>
	const changes = [];
	addEventListener('change', e => changes.push(e.target.id), true);
	new Choices('#one', {});
	new Choices('#many', {removeItemButton: true});
	new Choices('#words', {removeItemButton: true});
	ready = true;
	</script>`

func TestWidgetChoices(t *testing.T) {
	t.Parallel()
	held := "[...document.getElementById('%').selectedOptions].map(o => o.value).join()"
	one, many := named(held, "one"), named(held, "many")
	uses{
		"one": func(f *trial) {
			f.choose(css(".choices[data-type=select-one]"), "Green")
			f.until(one, `"g"`)
			f.until("changes", `["one"]`)
			f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: css(".choices[data-type=select-one]"), Values: []string{"Blue"}}, "disabled")
			f.is(one, `"g"`)
		},
		"one_by_clicks": func(f *trial) {
			f.press(css(".choices[data-type=select-one]"))
			f.press(f.lateRef("option", "Green"))
			f.until(one, `"g"`)
		},
		"one_by_search": func(f *trial) {
			f.press(css(".choices[data-type=select-one]"))
			f.typed(css(".choices.is-open input"), "gre", false)
			f.key("Enter", "")
			f.until(one, `"g"`)
		},
		"native_select": func(f *trial) {
			f.refused(protocol.CodeElementBlocked, protocol.Select{Page: f.page, Target: css("#one"), Values: []string{"Green"}}, "not shown")
			f.is(one, `"r"`)
		},
		"several": func(f *trial) {
			f.typed(css(".choices[data-type=select-multiple] input"), "pe", false)
			f.press(css(".choices.is-open .choices__list--dropdown [role=option]"))
			f.until(many, `"Ham,Peas"`)
			f.press(f.ref("button", "Remove item: Ham"))
			f.until(many, `"Peas"`)
		},
		"words": func(f *trial) {
			f.refused(protocol.CodeElementBlocked, protocol.Type{Page: f.page, Target: css("#words"), Text: ptr("three")}, "not shown")
			f.typed(f.ref("searchbox", "Labels"), "three", true)
			f.until("words.value", `"one,two,three"`)
			f.press(css(".choices[data-type=text] [data-value=two] button"))
			f.until("words.value", `"one,three"`)
		},
	}.tryOut(t, choicesPage)
}

const tomSelectPage = `<link rel=stylesheet href="/npm/tom-select/dist/css/tom-select.css"><script src="/npm/tom-select/dist/js/tom-select.complete.min.js"></script>
	<label for=one>Colour</label><select id=one><option value=r selected>Red<option value=g>Green<option value=b>Blue</select>
	<label for=many>Toppings</label><select id=many multiple><option selected>Ham<option>Eggs<option>Peas</select>
	<label for=words>Labels</label><input id=words value=one,two>
	<label for=far>City</label><select id=far><option value=""></select>
	<div style="height:400px"></div>
	<script>
	const changes = [];
	addEventListener('change', e => changes.push(e.target.id), true);
	new TomSelect('#one', {});
	new TomSelect('#many', {plugins: ['remove_button']});
	new TomSelect('#words', {create: true, plugins: ['remove_button']});
	new TomSelect('#far', {valueField: 'name', labelField: 'name', searchField: 'name', load: (query, done) => setTimeout(() => done(['Berlin', 'Bern', 'Paris'].filter(c => c.startsWith(query)).map(name => ({name}))), 300)});
	ready = true;
	</script>`

func TestWidgetTomSelect(t *testing.T) {
	t.Parallel()
	held := "[...document.getElementById('%').selectedOptions].map(o => o.value).join()"
	one, many, far := named(held, "one"), named(held, "many"), named(held, "far")
	uses{
		"one": func(f *trial) {
			f.choose(css("#one-ts-control"), "Green")
			f.until(one, `"g"`)
			f.until("changes.includes('one')", "true")
		},
		"one_by_ref": func(f *trial) {
			f.choose(f.ref("combobox", "Colour"), "Blue")
			f.until(one, `"b"`)
		},
		"one_by_clicks": func(f *trial) {
			f.press(css("#one + .ts-wrapper .ts-control"))
			f.press(f.lateRef("option", "Green"))
			f.until(one, `"g"`)
		},
		"several": func(f *trial) {
			f.typed(css("#many-ts-control"), "pea", false)
			// It narrows its list a moment after the last key, and takes the first that is left.
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#many-ts-dropdown [data-value=Eggs]"}, State: "detached"})
			f.key("Enter", "")
			f.until(many, `"Ham,Peas"`)
			f.press(css("#many + .ts-wrapper [data-value=Ham] .remove"))
			f.until(many, `"Peas"`)
		},
		"words": func(f *trial) {
			f.typed(css("#words-ts-control"), "three", true)
			f.until("words.value", `"one,two,three"`)
			f.press(css("[data-value=two] .remove"))
			f.until("words.value", `"one,three"`)
		},
		"loaded": func(f *trial) {
			f.choose(css("#far-ts-control"), "Bern")
			f.until(far, `"Bern"`)
		},
	}.tryOut(t, tomSelectPage)
}

const select2Page = `<link rel=stylesheet href="/npm/select2/dist/css/select2.min.css"><script src="/npm/jquery/dist/jquery.min.js"></script><script src="/npm/select2/dist/js/select2.min.js"></script>
	<label for=one>Colour</label> <select id=one style="width:200px"><option value=r selected>Red<option value=g>Green<option value=b>Blue</select>
	<label for=many>Toppings</label> <select id=many multiple style="width:200px"><option selected>Ham<option>Eggs<option>Peas</select>
	<label for=free>Labels</label> <select id=free multiple style="width:200px"></select>
	<div style="height:400px"></div>
	<script>
	const changes = [];
	$('#one, #many, #free').on('change', e => changes.push(e.target.id));
	$('#one, #many').select2();
	$('#free').select2({tags: true, tokenSeparators: [',']});
	ready = true;
	</script>`

func TestWidgetSelect2(t *testing.T) {
	t.Parallel()
	held := "$('#%').val()"
	uses{
		"one": func(f *trial) {
			f.choose(css("#one + .select2 [role=combobox]"), "Green")
			f.until(named(held, "one"), `"g"`)
			f.is("changes", `["one"]`)
		},
		"one_by_clicks": func(f *trial) {
			f.press(css("#one + .select2"))
			f.press(f.lateRef("option", "Blue"))
			f.until(named(held, "one"), `"b"`)
		},
		"one_by_search": func(f *trial) {
			f.press(css("#one + .select2"))
			f.typed(css(".select2-search__field[aria-controls=select2-one-results]"), "gre", true)
			f.until(named(held, "one"), `"g"`)
		},
		"several": func(f *trial) {
			f.press(css("#many + .select2"))
			f.press(f.lateRef("option", "Peas"))
			f.until(named(held, "many"), `["Ham","Peas"]`)
			f.press(css("#many + .select2 [title=Ham] button"))
			f.until(named(held, "many"), `["Peas"]`)
		},
		"tags": func(f *trial) {
			f.typed(css("#free + .select2 textarea"), "first", true)
			f.typed(css("#free + .select2 textarea"), "second,", false)
			f.until(named(held, "free"), `["first","second"]`)
		},
		"native_select": func(f *trial) {
			// Select2 keeps the select itself, a pixel wide; what is chosen there by keyboard counts too.
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("#one")})
		},
	}.tryOut(t, select2Page)
}
