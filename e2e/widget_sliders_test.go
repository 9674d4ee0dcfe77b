package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const noUiSliderPage = `<link rel=stylesheet href="/npm/nouislider/dist/nouislider.min.css"><script src="/npm/nouislider/dist/nouislider.min.js"></script>
	<div id=one style="width:300px;margin:40px"></div><div id=two style="width:300px;margin:40px"></div><div id=tall style="height:150px;margin:40px"></div>
	<script>
	const range = {min: 0, max: 100}, changes = [];
	noUiSlider.create(one, {start: 20, range, handleAttributes: [{'aria-label': 'Price'}]});
	noUiSlider.create(two, {start: [20, 80], connect: true, step: 10, range, handleAttributes: [{'aria-label': 'From'}, {'aria-label': 'To'}]});
	noUiSlider.create(tall, {start: 0, orientation: 'vertical', range, handleAttributes: [{'aria-label': 'Height'}]});
	for (const it of [one, two, tall]) it.noUiSlider.on('change', v => changes.push(it.id + ' ' + v.map(Math.round)));
	ready = true;
	</script>`

func TestWidgetNoUiSlider(t *testing.T) {
	t.Parallel()
	uses{
		"handle": func(f *trial) {
			f.dragBy("#one .noUi-handle", 90, 0)
			f.until("changes", `["one 50"]`)
		},
		"two_handles": func(f *trial) {
			f.dragBy("#two .noUi-handle-upper", -90, 0)
			f.dragBy("#two .noUi-handle-lower", 60, 5)
			f.until("changes", `["two 20,50","two 40,50"]`)
		},
		"vertical": func(f *trial) {
			f.dragBy("#tall .noUi-handle", 0, 75)
			f.until("changes.length === 1 && Math.abs(Number(tall.noUiSlider.get()) - 50) <= 1", "true")
		},
		"track": func(f *trial) {
			box := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#one"}, What: "box"}).Box
			do[protocol.MouseResult](f.agent, protocol.Mouse{Page: f.page, Kind: "click", X: box.X + 225, Y: box.Y + box.Height/2})
			f.until("Math.abs(Number(one.noUiSlider.get()) - 75) <= 1", "true")
		},
		"keys": func(f *trial) {
			price := f.ref("slider", "Price")
			f.refused(protocol.CodeInvalidAction, protocol.Fill{Page: f.page, Target: price, Text: ptr("70")}, "press")
			for range 3 {
				do[protocol.PressResult](f.agent, protocol.Press{Page: f.page, MaybeTarget: protocol.MaybeTarget{UID: price.UID}, Key: "ArrowRight"})
			}
			f.until("Number(one.noUiSlider.get()) > 20", "true")
			do[protocol.PressResult](f.agent, protocol.Press{Page: f.page, MaybeTarget: protocol.MaybeTarget{UID: price.UID}, Key: "End"})
			f.until("Number(one.noUiSlider.get())", "100")
		},
	}.tryOut(t, noUiSliderPage)
}

const sortablePage = `<script src="/npm/sortablejs/Sortable.min.js"></script>
	<style>ul { float: left; width: 130px; min-height: 60px; padding: 8px; margin: 8px; background: #eee } li { list-style: none; height: 28px; background: #9cf; margin: 2px }</style>
	<ul id=native><li>a<li>b<li>c<li>d</ul><ul id=own><li>a<li>b<li>c<li>d</ul>
	<ul id=todo><li>write<li>test</ul><ul id=done></ul>
	<ul id=handled><li><b>=</b> x<li><b>=</b> y<li><b>=</b> z</ul>
	<script>
	const ends = [];
	const onEnd = e => ends.push(e.from.id + e.oldIndex + e.to.id + e.newIndex);
	new Sortable(native, {onEnd}); new Sortable(own, {onEnd, forceFallback: true, animation: 150});
	new Sortable(todo, {onEnd, group: 'tasks'}); new Sortable(done, {onEnd, group: 'tasks'});
	new Sortable(handled, {onEnd, handle: 'b'});
	const order = it => [...it.children].map(l => l.textContent.trim()).join('');
	ready = true;
	</script>`

func TestWidgetSortable(t *testing.T) {
	t.Parallel()
	uses{
		"native": func(f *trial) {
			f.dragOnto(css("#native li:nth-child(1)"), css("#native li:nth-child(3)"))
			f.until("order(native)", `"bcad"`)
			f.until("ends", `["native0native2"]`)
			f.dragOnto(css("#native li:nth-child(4)"), css("#native li:nth-child(1)"))
			f.until("order(native)", `"dbca"`)
		},
		"own_fallback": func(f *trial) {
			f.dragOnto(css("#own li:nth-child(1)"), css("#own li:nth-child(3)"))
			f.until("order(own)", `"bcad"`)
			f.until("ends", `["own0own2"]`)
		},
		"between_lists": func(f *trial) {
			f.dragOnto(css("#todo li:nth-child(1)"), css("#done"))
			f.until("[order(todo), order(done)]", `["test","write"]`)
			f.dragOnto(css("#todo li"), css("#done li"))
			f.until("[order(todo), [...order(done)].sort().join('')]", `["","eeirstttw"]`)
		},
		"handle": func(f *trial) {
			f.dragOnto(css("#handled li:nth-child(3) b"), css("#handled li:nth-child(1)"))
			f.until("order(handled)", `"= z= x= y"`)
		},
	}.tryOut(t, sortablePage)
}
