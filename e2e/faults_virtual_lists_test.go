package e2e

import (
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Lists that hold only the rows in view: the list scrolls, not the window, and its rows become other records.
var virtualLists = []fault{
	{"rows_beyond_the_first_screen", func(f *trial) {
		f.load(`<div id=list style="height:300px;overflow:auto"><div style="height:30000px;position:relative"></div></div><script>
			const rows = list.firstChild;
			const render = () => {
				const from = Math.floor(list.scrollTop / 30);
				rows.innerHTML = '';
				for (let i = from; i < Math.min(from + 12, 1000); i++)
					rows.innerHTML += '<button style="position:absolute;height:30px;top:' + i * 30 + 'px">Row ' + i + '</button>';
			};
			list.onscroll = render; render()</script>`)
		for range 12 {
			elements := f.extract(f.page).Elements
			if len(elements) == 0 {
				f.t.Fatal("the page tells of no rows")
			}
			for _, e := range elements {
				if e.Name == "Row 500" {
					f.is("scrollY", "0")
					return
				}
			}
			target := protocol.MaybeTarget{UID: elements[len(elements)/2].UID}
			result := do[protocol.ScrollResult](f.agent, protocol.Scroll{Page: f.page, MaybeTarget: target, Direction: "down", Pixels: 1650})
			f.is("list.scrollTop", fmt.Sprint(result.Y))
			f.tells(result.Notes, "list")
			f.until("rows.firstChild.textContent === 'Row ' + Math.floor(list.scrollTop / 30)", "true")
		}
		f.t.Errorf("row 500 was not reached: the list is scrolled to %s", f.says("list.scrollTop"))
	}},
	{"row_that_became_another_record", func(f *trial) {
		f.load(`<ul id=list style="height:200px;overflow:auto"></ul><script>
			deleted = [];
			for (let i = 0; i < 10; i++)
				list.innerHTML += '<li style="height:60px"><span></span><button onclick="deleted.push(this.textContent)"></button></li>';
			let from = 0;
			const render = () => [...list.children].forEach((row, i) => {
				row.firstChild.textContent = 'Row ' + (from + i);
				row.lastChild.textContent = 'Delete ' + (from + i);
			});
			list.onscroll = () => { from = 50; render(); };
			render()</script>`)
		old := f.ref("button", "Delete 3")
		do[protocol.ScrollResult](f.agent, protocol.Scroll{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#list"}, Direction: "down", Pixels: 100})
		f.until("list.querySelectorAll('button')[3].textContent", `"Delete 53"`)
		f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: old}, "Delete 3", "Delete 53")
		f.is("deleted", "[]")
		f.press(f.ref("button", "Delete 53"))
		f.until("deleted", `["Delete 53"]`)
	}},
	{"click_while_the_list_ignores_the_pointer", func(f *trial) {
		f.load(`<div id=list style="height:300px;overflow:auto">` + strings.Repeat(`<button style="display:block;height:60px" onclick="hits++">Row</button>`, 100) + `</div><script>
			hits = 0; scrolls = 0;
			let timer;
			list.onscroll = () => {
				scrolls++;
				list.style.pointerEvents = 'none';
				clearTimeout(timer);
				timer = setTimeout(() => { list.style.pointerEvents = ''; }, 150);
			}</script>`)
		// Straight after the page has seen a scroll, without an action in between that could take its time.
		f.until("new Promise(done => { list.addEventListener('scroll', () => done(list.style.pointerEvents)); list.scrollBy(0, 600); })", `"none"`)
		f.press(css("#list button:nth-child(13)"))
		f.until("hits", "1")
	}},
}
