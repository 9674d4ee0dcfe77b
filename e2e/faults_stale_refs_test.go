package e2e

import (
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A ref stands for one element of one document, for as long as it lives there and means what was told.
var staleRefs = []fault{
	{"old_ref_after_navigation", func(f *trial) {
		second := f.html("second", `<button id=d onclick="document.title='HIT'">Delete</button>`)
		moved := f.rig.site.redirect(f.t, "moved", second)
		first := f.html("first", fmt.Sprintf(`<button id=d>Delete</button><a href="%[1]s">Go</a>
			<form action="%[1]s"><button>Send</button></form><a href="%[2]s">Old address</a>
			<button onclick="setTimeout(() => location = '%[1]s', 40)">Soon</button>`, second, moved))
		f.show(first)
		for way, leave := range map[string]func(){
			"a link":     func() { f.press(f.ref("link", "Go")) },
			"a form":     func() { f.press(f.ref("button", "Send")) },
			"a redirect": func() { f.press(f.ref("link", "Old address")) },
			"a timer":    func() { f.press(f.ref("button", "Soon")) },
			"the user":   func() { f.run("void (location = '" + second + "')") },
		} {
			f.goTo(first)
			old := f.ref("button", "Delete")
			leave()
			f.until("document.title", `"second"`)
			refusal := f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: old})
			if !strings.Contains(refusal.Message, second) {
				f.t.Errorf("after %s the refusal does not say where the tab is now: %s", way, refusal.Message)
			}
			f.is("document.title", `"second"`)
		}
	}},
	{"same_element_same_ref", func(f *trial) {
		f.load(`<script>n = 0</script><button onclick="n++">Deploy</button>
			<button onclick="m.hidden=!m.hidden">Menu</button><ul id=m hidden><li><button>X</button></ul>`)
		first := f.ref("button", "Deploy")
		f.press(f.ref("button", "Menu"))
		if again := f.ref("button", "Deploy"); again != first {
			f.t.Errorf("the same button was %s and is %s", first.UID, again.UID)
		}
		f.ref("button", "X")
		f.press(first)
		f.until("n", "1")
	}},
	{"rerendered_element", func(f *trial) {
		f.load(`<div id=r></div><script>
			n = 0; renders = 0;
			const render = () => { renders++; r.innerHTML = '<button onclick="n++">Send</button>'; };
			render(); setInterval(render, 200)</script>`)
		old := f.ref("button", "Send")
		f.until("new Promise(done => { const from = renders; const look = setInterval(() => { if (renders > from) { clearInterval(look); done(true); } }, 10); })", "true")
		f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: old})
		f.is("n", "0")
		// By selector it is found anew; whatever comes of it, the answer is true.
		_, err := f.try(within(f.t), protocol.Click{Page: f.page, Target: css("#r button")})
		if hit := f.says("n") == "1"; hit != (err == nil) {
			f.t.Errorf("the page saw the click: %t; the answer was: %v", hit, err)
		}
	}},
	{"refs_after_going_back", func(f *trial) {
		second := f.html("second", `<button>B</button>`)
		first := f.html("first", fmt.Sprintf(`<script>n = 0</script><a href="%s">To B</a><button onclick="n++">Count</button>`, second))
		f.show(first)
		old := f.ref("button", "Count")
		f.press(f.ref("link", "To B"))
		f.until("document.title", `"second"`)
		do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "back"})
		f.press(f.ref("button", "Count"))
		f.until("n", "1")
		// The old ref either means the same button of the restored document, or says that it is stale.
		want := "1"
		if _, err := f.try(within(f.t), protocol.Click{Page: f.page, Target: old}); err == nil {
			want = "2"
		}
		f.until("n", want)
		f.press(f.ref("link", "To B"))
		f.until("document.title", `"second"`)
	}},
	{"ref_of_another_frames_node", func(f *trial) {
		pay := `<button onclick="parent.postMessage('%[1]s pay', '*')">Pay</button><button onclick="parent.postMessage('%[1]s cancel', '*')">Cancel</button>`
		inner := strings.Replace(f.html("inner", fmt.Sprintf(pay, "inner")), "page.test", "frame.test", 1)
		third := strings.Replace(f.html("third", fmt.Sprintf(pay, "third")), "page.test", "third.test", 1)
		f.load(fmt.Sprintf(`<script>hits = []; loads = 0; addEventListener('message', e => hits.push(e.data))</script>
			<button onclick="hits.push('top pay')">Pay</button><button onclick="hits.push('top cancel')">Cancel</button>
			<iframe onload="loads++" width=300 height=100 src="%s"></iframe>`, inner))
		f.until("loads", "1")
		var pays []protocol.Target
		for _, e := range f.extract(f.page).Elements {
			if e.Role == "button" && e.Name == "Pay" {
				pays = append(pays, protocol.Target{UID: e.UID})
			}
		}
		if len(pays) != 2 {
			f.t.Fatalf("the page tells of %d buttons Pay, expected the top one and the frame's", len(pays))
		}
		f.press(pays[1])
		f.until("hits", `["inner pay"]`)
		f.run(fmt.Sprintf("void (document.querySelector('iframe').src = '%s')", third))
		f.until("loads", "2")
		f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: pays[1]})
		f.press(pays[0])
		f.until("hits", `["inner pay","top pay"]`)
	}},
	{"snapshot_while_the_page_goes_away", func(f *trial) {
		rows := `<main></main><script>n = 0; document.querySelector('main').innerHTML = Array.from({length: 4000}, (_, i) => '<button onclick="n++">%s ' + i + '</button>').join('')</script>`
		second := f.html("second", fmt.Sprintf(rows, "B"))
		first := f.html("first", fmt.Sprintf(rows, "A"))
		f.show(first)
		old := f.ref("button", "A 3")
		f.run("void setTimeout(() => location = '" + second + "', 30)")
		result, err := f.try(within(f.t), protocol.Snapshot{Page: f.page, Interactive: true})
		if tree, ok := result.(protocol.SnapshotResult); err == nil && ok {
			for _, ref := range tree.Refs {
				if strings.HasPrefix(ref.Name, "A") != (tree.URL == first) {
					f.t.Fatalf("the snapshot of %s tells of %q", tree.URL, ref.Name)
				}
			}
		}
		f.until("document.title + ' ' + document.readyState", `"second complete"`)
		f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: old})
		f.is("n", "0")
		f.press(f.ref("button", "B 3"))
		f.until("n", "1")
	}},
}
