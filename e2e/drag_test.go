package e2e

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// pull drags one element onto another.
func (a *agent) pull(page protocol.Page, from, to string) protocol.DragResult {
	a.t.Helper()
	goal := bySelector(to)
	return do[protocol.DragResult](a, protocol.Drag{Page: page, From: bySelector(from), To: &goal})
}

// A page with what drags a page by itself knows: each writes down what it saw.
const html5Page = `<style>div{width:90px;height:50px;border:1px solid;margin:10px}</style>
<div id=card draggable=true>card</div><div id=shut>shut</div><div id=place>place</div><div id=late>late</div>
<p><button onclick="log.push('clicked')">Next</button>
<script>
const log = [];
const once = what => { if (log.at(-1) !== what) log.push(what); };
for (const type of ['dragstart', 'drag', 'dragend']) card.addEventListener(type, e => {
  if (type === 'dragstart') { e.dataTransfer.setData('text/plain', 'the card'); e.dataTransfer.effectAllowed = 'move'; }
  if (type !== 'drag') once(type + (e.isTrusted ? '' : ' untrusted'));
});
place.ondragenter = e => { e.preventDefault(); once('enter'); };
place.ondragover = e => { e.preventDefault(); once('over'); };
place.ondrop = e => { e.preventDefault(); once('drop ' + e.dataTransfer.getData('text/plain')); place.append(card); };
let ready = false;
late.ondragover = e => { if (ready) e.preventDefault(); ready = true; };
late.ondrop = e => { e.preventDefault(); log.push('late drop'); late.append(card); };
</script>`

func TestDragHTML5(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "html5", html5Page))
	if refused := a.pull(page, "#card", "#shut"); !strings.Contains(strings.Join(refused.Notes, " "), "nothing takes it") {
		t.Errorf("a drop that nothing takes says %+v", refused)
	}
	if got := a.saw(page); got != "dragstart, dragend" {
		t.Errorf("a drop that nothing takes: the page saw %q", got)
	}
	if dropped := a.pull(page, "#card", "#place"); len(dropped.Notes) > 0 {
		t.Errorf("the drop says %+v", dropped)
	}
	if got := a.saw(page); got != "dragstart, enter, over, drop the card, dragend" {
		t.Errorf("a drop: the page saw %q", got)
	}
	a.pull(page, "#card", "#late")
	if got := a.saw(page); !strings.Contains(got, "late drop") {
		t.Errorf("a goal that gets ready on the first move over it: the page saw %q", got)
	}
	a.clickOn(page, "button", "Next")
	if got := a.saw(page); got != "clicked" {
		t.Errorf("after the drags a click: the page saw %q", got)
	}
}

func TestDragByPointer(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "pointer", `<style>li{height:40px;width:120px;border:1px solid}canvas{border:1px solid}</style>
		<ul id=list><li id=one>1<li id=two>2<li id=three>3</ul><canvas id=canvas width=300 height=100></canvas>
		<div style="height:3000px"></div><div id=far style="height:60px;width:90px;border:1px solid">far</div>
		<script>
		const log = [];
		let held, from, moves;
		list.onpointerdown = e => { held = e.target; from = e; moves = 0; held.setPointerCapture(e.pointerId); };
		list.onpointermove = e => { if (held && Math.hypot(e.x - from.x, e.y - from.y) > 8) moves++; };
		list.onpointerup = e => {
			const over = document.elementsFromPoint(e.x, e.y).find(x => x.localName === 'li' && x !== held);
			if (moves >= 3 && over) over.after(held);
			if (document.elementFromPoint(e.x, e.y)?.id === 'far') log.push('far');
			held = undefined;
		};
		let drawn = 0;
		canvas.onpointermove = e => { if (e.buttons === 1) drawn++; };
		canvas.onpointerup = e => log.push('up ' + (drawn > 3) + ' ' + Math.round(e.offsetX) + ' ' + e.buttons);
		onclick = e => log.push('click ' + e.target.id);
		</script>`))
	a.pull(page, "#one", "#three")
	if got := a.value(page, "list.innerText.replace(/\\s+/g, '')"); got != `"231"` {
		t.Errorf("the list is %s, want 231", got)
	}
	a.saw(page)
	box := do[protocol.GetResult](a, protocol.Get{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#canvas"}, What: "box"}).Box
	do[protocol.DragResult](a, protocol.Drag{Page: page, From: bySelector("#canvas"), Point: &protocol.Point{X: box.X + 200, Y: box.Y + 50}})
	if got := a.saw(page); !strings.HasPrefix(got, "up true 199 0") && !strings.HasPrefix(got, "up true 200 0") {
		t.Errorf("on the canvas the page saw %q", got)
	}
	a.pull(page, "#two", "#far")
	if got := a.saw(page); !strings.HasPrefix(got, "far") {
		t.Errorf("a goal out of view: the page saw %q", got)
	}
	a.fails(protocol.CodeInvalidAction, protocol.Drag{Page: page, From: bySelector("#two"), Point: &protocol.Point{X: 5000, Y: 10}})
}

func TestDragSliderAndRefusals(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "slider", `<input id=range type=range min=0 max=100 value=10 style="width:400px;margin:20px 0 0 20px">
		<div id=covered style="width:80px;height:40px;background:#ccc;margin-top:20px"></div><div id=lid style="position:absolute;left:0;top:40px;width:200px;height:120px;background:#eee">lid</div>
		<button id=off disabled>off</button>
		<div id=asker draggable=true style="position:absolute;top:200px;width:60px;height:40px;border:1px solid">a</div><div id=goal style="position:absolute;top:300px;width:90px;height:60px;border:1px solid">g</div>
		<script>
		const log = [];
		range.oninput = () => log.push('input');
		range.onchange = () => log.push('change ' + range.value);
		onpointerdown = () => log.push('down');
		goal.ondragover = e => e.preventDefault();
		goal.ondrop = () => { document.title = confirm('move?') ? 'moved' : 'kept'; };
		</script>`))
	do[protocol.DragResult](a, protocol.Drag{Page: page, From: bySelector("#range"), Point: &protocol.Point{X: 340, Y: 30}})
	if got := a.value(page, "Math.abs(range.value - 80) < 5"); got != "true" {
		t.Errorf("the slider stands at %s, want about 80", a.value(page, "range.value"))
	}
	if got := a.saw(page); !strings.Contains(got, "change") {
		t.Errorf("the page saw %q", got)
	}
	goal := bySelector("#covered")
	for from, to := range map[string]protocol.Target{"#range": goal, "#covered": bySelector("#range"), "#off": bySelector("#range")} {
		if refusal := a.fails(protocol.CodeElementBlocked, protocol.Drag{Page: page, From: bySelector(from), To: &to}); refusal.Outcome != protocol.NotSent {
			t.Errorf("%s to %s says %s, outcome %s", from, to.Selector, refusal.Message, refusal.Outcome)
		}
	}
	if got := a.saw(page); got != "" {
		t.Errorf("refused drags reached the page: %s", got)
	}
	asked := a.pull(page, "#asker", "#goal")
	if asked.Dialog == nil || asked.Dialog.Message != "move?" {
		t.Fatalf("the drop does not tell of the dialog: %+v", asked)
	}
	do[protocol.DialogResult](a, protocol.Dialog{Page: page, Accept: true})
	if title := a.value(page, "document.title"); title != `"moved"` {
		t.Errorf("the page's title is %s", title)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "mouse", `<body style="margin:0"><div id=pad style="width:300px;height:200px;background:#ddd"></div>
		<div id=card draggable=true style="width:60px;height:40px;background:#9cf">c</div><div id=goal style="width:100px;height:60px;background:#fc9">g</div><div style="height:4000px"></div>
		<script>
		const log = [];
		for (const type of ['pointerdown', 'pointerup', 'click', 'auxclick', 'contextmenu'])
			pad.addEventListener(type, e => log.push([type, e.offsetX, e.offsetY, e.button, e.buttons, e.isTrusted].join(' ')));
		pad.onpointermove = e => log.push('move ' + e.offsetX + ' ' + e.buttons);
		pad.onwheel = e => log.push('wheel ' + e.deltaX + ' ' + e.deltaY);
		goal.ondragover = e => e.preventDefault();
		goal.ondrop = e => log.push('drop');
		</script>`))
	act := func(want string, action protocol.Mouse) protocol.MouseResult {
		t.Helper()
		action.Page = page
		result := do[protocol.MouseResult](a, action)
		if got := a.saw(page); got != want {
			t.Errorf("%s: the page saw %q, want %q", action.Kind, got, want)
		}
		return result
	}
	act("move 10 0", protocol.Mouse{Kind: "move", X: 10, Y: 20})
	act("move 30 0, pointerdown 30 40 0 1 true, pointerup 30 40 0 0 true, click 30 40 0 0 true", protocol.Mouse{Kind: "click", X: 30, Y: 40})
	act("move 50 0, pointerdown 50 60 0 1 true", protocol.Mouse{Kind: "down", X: 50, Y: 60})
	act("move 90 1", protocol.Mouse{Kind: "move", X: 90, Y: 60})
	a.fails(protocol.CodeInvalidAction, protocol.Mouse{Page: page, Kind: "down", X: 90, Y: 60})
	act("move 90 1, pointerup 90 60 0 0 true, click 90 60 0 0 true", protocol.Mouse{Kind: "up", X: 90, Y: 60})
	a.fails(protocol.CodeInvalidAction, protocol.Mouse{Page: page, Kind: "up", X: 90, Y: 60})
	act("move 20 0, pointerdown 20 20 2 2 true, contextmenu 20 20 2 2 true, pointerup 20 20 2 0 true, auxclick 20 20 2 0 true", protocol.Mouse{Kind: "click", X: 20, Y: 20, Button: "right"})
	act("wheel 0 120", protocol.Mouse{Kind: "wheel", X: 20, Y: 20, DeltaY: 120})
	if err := eventually(within(t), "the scroll", func() (bool, error) { return a.value(page, "scrollY") == "120", nil }); err != nil {
		t.Fatalf("%v; the page stands at %s", err, a.value(page, "scrollY"))
	}
	a.value(page, "scrollTo(0, 0)")
	a.fails(protocol.CodeInvalidAction, protocol.Mouse{Page: page, Kind: "wheel", X: 20, Y: 20})
	a.fails(protocol.CodeInvalidAction, protocol.Mouse{Page: page, Kind: "click", X: 20, Y: 90_000})

	a.saw(page)
	do[protocol.MouseResult](a, protocol.Mouse{Page: page, Kind: "down", X: 20, Y: 220})
	for _, y := range []float64{230, 250, 270} {
		do[protocol.MouseResult](a, protocol.Mouse{Page: page, Kind: "move", X: 30, Y: y})
	}
	act("drop", protocol.Mouse{Kind: "up", X: 30, Y: 270})
}
