package e2e

import (
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What is dragged is in hand all the way, as with a person's pointer.
var drags = []fault{
	{"goal_that_gets_ready_on_the_first_move_over_it", func(f *trial) {
		f.load(`<script>seen = []</script><div id=card draggable=true style="width:80px;height:40px">card</div><div id=late style="width:120px;height:80px;margin-top:40px">late</div>
			<script>card.ondragstart = e => e.dataTransfer.setData('text/plain', 'the card');
			ready = false;
			late.ondragover = e => { if (ready) e.preventDefault(); ready = true; };
			late.ondrop = e => { e.preventDefault(); seen.push('drop ' + e.dataTransfer.getData('text/plain') + ' ' + e.isTrusted); };
			card.ondragend = e => seen.push('end ' + e.dataTransfer.dropEffect)</script>`)
		f.pull(f.page, "#card", "#late")
		f.until("seen[0]", `"drop the card true"`)
		f.until("seen.length", "2")
	}},
	{"list_that_sorts_after_some_moves", func(f *trial) {
		f.load(`<style>li{height:40px;width:120px}</style><ul id=list><li id=a>1<li id=b>2<li id=c>3</ul>
			<script>let held, from, moves, taken;
			list.onpointerdown = e => { held = e.target; from = e; moves = 0; taken = false; held.setPointerCapture(e.pointerId); };
			list.onpointermove = e => { if (!held) return; moves++; taken ||= moves >= 3 && Math.hypot(e.x - from.x, e.y - from.y) > 8; };
			list.onpointerup = e => {
				const over = document.elementsFromPoint(e.x, e.y).find(x => x.localName === 'li' && x !== held);
				if (taken && over) over.after(held);
				held = undefined;
			};</script>`)
		f.pull(f.page, "#a", "#c")
		f.until("list.innerText.replace(/\\s+/g, '')", `"231"`)
	}},
	{"list_that_sorts_after_a_delay", func(f *trial) {
		// As such libraries do for a touch: a press that is held for a while, at one place.
		f.load(`<style>li{height:40px;width:120px}</style><ul id=list><li id=a>1<li id=b>2<li id=c>3</ul>
			<script>let held, timer, taken;
			list.onpointerdown = e => { held = e.target; taken = false; held.setPointerCapture(e.pointerId); timer = setTimeout(() => { taken = true; }, 150); };
			list.onpointerup = e => {
				clearTimeout(timer);
				const over = document.elementsFromPoint(e.x, e.y).find(x => x.localName === 'li' && x !== held);
				if (taken && over) over.after(held);
				held = undefined;
			};</script>`)
		f.pull(f.page, "#a", "#c")
		f.until("list.innerText.replace(/\\s+/g, '')", `"231"`)
	}},
	{"onto_a_canvas", func(f *trial) {
		f.load(`<body style="margin:0"><div id=pot style="width:60px;height:40px;background:#ccc"></div><canvas id=canvas width=300 height=200 style="display:block"></canvas><button onclick="hits++">Next</button>
			<script>hits = 0; drawn = 0; pressed = []; ups = [];
			canvas.onpointermove = e => { pressed.push(e.buttons); if (e.buttons === 1) drawn++; };
			onpointerup = e => ups.push([e.target.id, e.clientX, e.clientY, e.buttons]);</script>`)
		do[protocol.DragResult](f.agent, protocol.Drag{Page: f.page, From: css("#pot"), Point: &protocol.Point{X: 150, Y: 140}})
		f.until("ups", `[["canvas",150,140,0]]`)
		f.is("drawn > 3 && pressed.every(b => b === 1)", "true")
		f.press(f.ref("button", "Next"))
		f.until("hits", "1")
	}},
	{"into_a_frame", func(f *trial) { intoFrame(f, "page.test") }},
	{"into_a_frame_of_another_site", func(f *trial) { intoFrame(f, "frame.test") }},
	{"out_of_a_frame_of_another_site", func(f *trial) {
		inner := f.html("inner", `<body style="margin:0"><div id=card draggable=true style="width:80px;height:40px;background:#9cf">card</div>
			<script>card.ondragstart = e => e.dataTransfer.setData('text/plain', 'from inside')</script>`)
		f.load(`<body style="margin:0"><script>seen = []</script><div id=place style="width:200px;height:80px;background:#eee">place</div>
			<iframe width=200 height=100 src="` + at("frame.test", inner) + `"></iframe>
			<script>place.ondragover = e => e.preventDefault(); place.ondrop = e => { e.preventDefault(); seen.push(e.dataTransfer.getData('text/plain')); }</script>`)
		f.pull(f.page, "#card", "#place")
		f.until("seen", `["from inside"]`)
	}},
	{"goal_that_moves_when_the_drag_begins", func(f *trial) {
		f.load(`<body style="margin:0"><script>seen = []</script><div id=card draggable=true style="width:80px;height:40px;background:#9cf">card</div>
			<div id=first hidden style="height:120px;background:#fcc">another place</div><div id=goal style="width:200px;height:60px;background:#eee">goal</div>
			<script>card.ondragstart = e => { e.dataTransfer.setData('text/plain', 'x'); setTimeout(() => { first.hidden = false; }); };
			for (const place of [first, goal]) { place.ondragover = e => e.preventDefault(); place.ondrop = e => { e.preventDefault(); seen.push(place.id); }; }</script>`)
		f.pull(f.page, "#card", "#goal")
		f.until("seen", `["goal"]`)
	}},
	{"button_is_up_again_when_a_drag_fails", func(f *trial) {
		f.load(`<body style="margin:0"><script>downs = 0; ups = 0; hits = 0; held = []</script><div id=pot style="width:60px;height:40px;background:#ccc">pot</div>
			<div id=goal style="width:200px;height:100px;background:#eee;position:absolute;left:20px;top:120px">goal</div><button style="position:absolute;left:20px;top:260px" onclick="hits++">Next</button>
			<script>pot.onpointerdown = () => { downs++; setTimeout(() => goal.remove()); }; onpointerup = () => ups++; onpointermove = e => held.push(e.buttons)</script>`)
		goal := css("#goal")
		if _, err := f.try(within(f.t), protocol.Drag{Page: f.page, From: css("#pot"), To: &goal}); err == nil {
			f.t.Error("a drag onto what has gone away meanwhile is called done")
		}
		f.until("downs", "1")
		f.is("ups", "1")
		f.run("held = []")
		f.press(f.ref("button", "Next"))
		f.until("hits", "1")
		f.is("held.every(b => b === 0)", "true")
	}},
	{"slider_made_of_boxes", func(f *trial) {
		f.load(`<body style="margin:0"><div id=rail style="position:relative;width:400px;height:20px;margin:40px;background:#eee"><div id=thumb role=slider tabindex=0 aria-label=Price aria-valuemin=0 aria-valuemax=100 aria-valuenow=0 style="position:absolute;left:0;width:20px;height:20px;background:#369"></div></div>
			<script>thumb.onmousedown = e => {
				e.preventDefault();
				const start = e.clientX - thumb.offsetLeft;
				const move = m => { const left = Math.min(380, Math.max(0, m.clientX - start)); thumb.style.left = left + 'px'; thumb.setAttribute('aria-valuenow', Math.round(left / 3.8)); };
				const up = () => { removeEventListener('mousemove', move); removeEventListener('mouseup', up); };
				addEventListener('mousemove', move); addEventListener('mouseup', up);
			}</script>`)
		do[protocol.DragResult](f.agent, protocol.Drag{Page: f.page, From: f.ref("slider", "Price"), Point: &protocol.Point{X: 240, Y: 50}})
		f.until("thumb.getAttribute('aria-valuenow')", `"50"`)
		if shown := f.ref("slider", "Price"); shown.UID == "" {
			f.t.Error("the slider has no ref")
		}
	}},
}

// at is an address under another host of the site.
func at(host, url string) string { return strings.Replace(url, "page.test", host, 1) }

// intoFrame drags from the page into a frame, by HTML5 and by the pointer.
func intoFrame(f *trial, host string) {
	f.t.Helper()
	inner := f.html("inner", `<body style="margin:0"><div id=place style="width:180px;height:90px;background:#eee">place</div>
		<script>seen = []; const tell = what => { seen.push(what); parent.postMessage(what, '*'); };
		place.ondragover = e => e.preventDefault();
		place.ondrop = e => { e.preventDefault(); tell('drop ' + e.dataTransfer.getData('text/plain') + ' at ' + e.offsetX + ' ' + e.offsetY); };
		place.onpointerup = e => tell('up ' + e.buttons)</script>`)
	f.load(`<body style="margin:0"><script>seen = []; ends = []; onmessage = e => seen.push(e.data)</script>
		<div id=card draggable=true style="width:80px;height:40px;background:#9cf">card</div><button onclick="seen.push('click')">Next</button>
		<div style="height:60px"></div><iframe width=200 height=100 src="` + at(host, inner) + `"></iframe>
		<script>card.ondragstart = e => e.dataTransfer.setData('text/plain', 'the card'); card.ondragend = e => ends.push(e.dataTransfer.dropEffect)</script>`)
	dropped := f.pull(f.page, "#card", "#place")
	f.until("seen", `["drop the card at 90 45"]`)
	f.until("ends.length", "1")
	if host == "page.test" && len(dropped.Notes) > 0 {
		f.t.Errorf("the drop says %q", dropped.Notes)
	}
	if host != "page.test" {
		f.tells(dropped.Notes, "its own document hears")
	}
	f.press(f.ref("button", "Next"))
	f.until("seen[1]", `"click"`)
}
