package e2e

import (
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// scroll scrolls in the trial's page.
func (f *trial) scroll(action protocol.Scroll) protocol.ScrollResult {
	f.t.Helper()
	action.Page = f.page
	return do[protocol.ScrollResult](f.agent, action)
}

// A page that does not scroll by itself, but in a column.
const innerColumn = `<style>html, body { height: 100%; overflow: hidden; margin: 0 } main { overflow: auto; height: 100vh }</style>
	<main id=m><h1>Inbox</h1><div style="height:5000px"></div><p>End</p></main>`

// What scrolls is what a person would scroll, and the answer says what did and where it stands.
var scrolling = []fault{
	{"page_that_scrolls_in_a_column", func(f *trial) {
		f.load(innerColumn)
		down := f.scroll(protocol.Scroll{Direction: "down"})
		f.is("m.scrollTop > 100 && scrollY === 0", "true")
		if down.Y < 100 || down.AtEnd {
			f.t.Errorf("the answer says %+v", down)
		}
		f.tells(down.Notes, "scrolled main")
	}},
	{"end_of_a_page_that_scrolls_in_a_column", func(f *trial) {
		f.load(innerColumn)
		bottom := f.scroll(protocol.Scroll{To: "bottom"})
		f.is("m.scrollTop + m.clientHeight >= m.scrollHeight - 1", "true")
		if !bottom.AtEnd || bottom.Y < 1000 {
			f.t.Errorf("the answer says %+v", bottom)
		}
		// A second time nothing moves, and the answer says so.
		f.tells(f.scroll(protocol.Scroll{To: "bottom"}).Notes, "nothing moved")
		f.load("<p>short")
		short := f.scroll(protocol.Scroll{Direction: "down"})
		if !short.AtEnd {
			f.t.Errorf("of a short page the answer says %+v", short)
		}
		f.tells(short.Notes, "nothing moved")
	}},
	{"sidebar_beside_the_column", func(f *trial) {
		f.load(`<div style="display:flex"><nav id=side style="height:300px;overflow:auto;width:150px"><a href="#x">First</a><div style="height:900px"></div><a href="#y">Last</a></nav>
			<main><button>Main</button><div style="height:4000px"></div></main></div>`)
		f.scroll(protocol.Scroll{MaybeTarget: protocol.MaybeTarget(f.ref("link", "First")), Direction: "down", Pixels: 200})
		f.is("[side.scrollTop, scrollY]", "[200,0]")
		bottom := f.scroll(protocol.Scroll{MaybeTarget: protocol.MaybeTarget(css("#side")), To: "bottom"})
		f.is("[side.scrollTop > 500, scrollY]", "[true,0]")
		if !bottom.AtEnd {
			f.t.Errorf("the answer says %+v", bottom)
		}
		f.scroll(protocol.Scroll{Direction: "down", Pixels: 100})
		f.is("scrollY", "100")
		f.scroll(protocol.Scroll{MaybeTarget: protocol.MaybeTarget(f.ref("link", "First")), To: "element"})
		f.is("side.querySelector('a').getBoundingClientRect().top >= side.getBoundingClientRect().top", "true")
	}},
	{"list_that_grows_when_it_is_scrolled", func(f *trial) {
		f.load(`<div id=feed style="height:300px;overflow:auto"><p>item 0</p><div style="height:600px"></div><i id=tail>…</i></div><script>
			n = 0;
			new IntersectionObserver(es => { if (es[0].isIntersecting && n < 2) { n++; tail.insertAdjacentHTML('beforebegin', '<div style="height:500px">more ' + n + '</div>') } }, {root: feed}).observe(tail)</script>`)
		grown := f.scroll(protocol.Scroll{MaybeTarget: protocol.MaybeTarget(css("#feed")), To: "bottom"})
		f.until("n > 0", "true")
		if grown.AtEnd || !grown.Grew {
			f.t.Errorf("the list grew, and the answer says that it is at its end: %+v", grown)
		}
	}},
}
