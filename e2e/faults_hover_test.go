package e2e

import "github.com/drawbridge-browser/drawbridge/protocol"

// The pointer stays where it was put, until it is moved.
var hovers = []fault{
	{"action_that_shows_on_hover", func(f *trial) {
		f.load(`<script>hits = 0; left = 0</script><ul><li style="height:30px" onmouseenter="b.style.display='inline'" onmouseleave="left++;b.style.display='none'">Row <button id=b style="display:none" onclick="hits++">Del</button></li></ul>`)
		f.point(css("li"))
		f.lists(`button "Del"`, 1)
		f.press(f.ref("button", "Del"))
		f.until("[hits, left]", "[1,0]")
	}},
	{"menu_under_the_pointer", func(f *trial) {
		f.load(`<style>body { margin: 0 } ul { display: none; position: absolute; top: 30px; margin: 0 } nav:hover ul { display: block }</style>
			<nav style="height:30px;width:90px">Menu<ul><li><a href="#x">Item</a></ul></nav>`)
		f.point(css("nav"))
		item := f.ref("link", "Item")
		// What only looks leaves the pointer alone.
		do[protocol.ScreenshotResult](f.agent, protocol.Screenshot{Page: f.page})
		f.outline()
		f.is("document.querySelector('ul').checkVisibility()", "true")
		f.press(item)
		f.until("location.hash", `"#x"`)
	}},
	{"second_level_menu", func(f *trial) {
		f.load(`<style>body { margin: 0 } div { width: 100px } .sub { display: none; position: absolute; left: 100px } li { list-style: none; height: 30px } ul { margin: 0; padding: 0 }</style>
			<script>shut = 0; picked = ''; timers = new Map();
			const enter = (li) => { clearTimeout(timers.get(li)); li.querySelector('.sub').style.display = 'block'; };
			const leave = (li) => timers.set(li, setTimeout(() => { shut++; li.querySelector('.sub').style.display = 'none'; }, 300))</script>
			<div><ul><li id=a onmouseenter="enter(this)" onmouseleave="leave(this)">A<ul class=sub style="top:0"><li id=b onmouseenter="enter(this)" onmouseleave="leave(this)" style="width:100px">B<ul class=sub style="top:0"><li><button onclick="picked+='C'">C</button></li></ul></li></ul></li></ul></div>`)
		f.point(css("#a"))
		f.point(css("#b"))
		// Longer than the menu's own timer: the pointer must still be where it was put.
		f.run("new Promise(done => setTimeout(done, 400))")
		f.is("shut", "0")
		f.press(f.ref("button", "C"))
		f.until("[picked, shut]", `["C",0]`)
	}},
}
