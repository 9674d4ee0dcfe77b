package e2e

import (
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// The pages of finding and reading. What is read is held to what the page has.
var kitchenQuerying = map[string]func(*trial){
	"get": func(f *trial) {
		for _, selector := range []string{"#query-btn", ".query-btn", "#querying .well>button"} {
			f.gives("text", selector, "Button")
		}
		class := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "[data-test-id=test-example]"}, What: "attribute", Name: "class"})
		f.holds("the attribute", class.Value, "example")
		f.gives("text", "[data-test-id=test-example]", "Div with data-test-id")
	},
	"contains": func(f *trial) {
		if found := f.found(protocol.Find{Role: "listitem", Text: "bananas"}); found.Total != 1 || !strings.Contains(f.got("html", "li.third"), "bananas") {
			f.t.Errorf("bananas are found %d times: %+v", found.Total, found.Elements)
		}
		saved := f.found(protocol.Find{Role: "button", Name: "save form"})
		if len(saved.Elements) != 1 {
			f.t.Fatalf("the button is found as %+v", saved.Elements)
		}
		f.run(`pressed = 0; document.querySelector('.query-button .btn').addEventListener('click', () => pressed++)`)
		f.press(protocol.Target{UID: saved.Elements[0].UID})
		f.until("pressed", "1")
	},
	"within": func(f *trial) {
		tree := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, Selector: ".query-form"})
		if len(tree.Refs) != 2 {
			f.t.Errorf("within the form the snapshot has %d refs:\n%s", len(tree.Refs), tree.Snapshot)
		}
		f.fill(f.ref("textbox", "Email"), "a@b.test")
		f.fill(f.ref("textbox", "Password"), "open sesame")
		f.until("[inputName.value, inputEmail.value, inputPassword.value].join()", `",a@b.test,open sesame"`)
	},
	"root": func(f *trial) {
		if html := f.got("html", ""); !strings.HasPrefix(html, "<html") {
			f.t.Errorf("the root is given as %.40s", html)
		}
		f.gives("text", ".query-ul", "One\nTwo\nBuckle my shoe")
	},
	"best_practices": func(f *trial) {
		f.run(`pressed = 0; main.addEventListener('click', () => pressed++)`)
		at := "[data-cy=best-practices-selecting-elements] "
		for _, selector := range []string{at + "button", at + ".btn.btn-large", at + "[name=submission]", "#main", "#main[role=button]", "[data-cy=submit]"} {
			f.press(css(selector))
		}
		f.press(f.ref("button", "Submit"))
		f.until("pressed", "7")
	},
}

// The page of going from element to element: each example by a selector, its text held to what the page finds by jQuery.
var kitchenTraversal = map[string]func(*trial){
	"by_selector": func(f *trial) {
		for _, way := range []struct{ theirs, ours string }{
			{"$('.traversal-breadcrumb').children('.active')", ".traversal-breadcrumb>.active"},
			{"$('.traversal-badge').closest('li')", "li:has(>.traversal-badge)"},
			{"$('.traversal-list>li').eq(1)", ".traversal-list>li:nth-child(2)"},
			{"$('.traversal-nav>li').filter('.active')", ".traversal-nav>li.active"},
			{"$('.traversal-pagination').find('li').find('a').eq(3)", ".traversal-pagination li:nth-child(4) a"},
			{"$('.traversal-table td').first()", ".traversal-table td"},
			{"$('.traversal-ul').find('li').first().next()", ".traversal-ul li + li"},
			{"$('.traversal-next-all .second').nextAll().last()", ".traversal-next-all .second ~ :last-child"},
			{"$('#veggies').nextUntil('#nuts').last()", "#veggies ~ :has(+ #nuts)"},
			{"$('.traversal-disabled .btn').not('[disabled]')", ".traversal-disabled .btn:not([disabled])"},
			{"$('.traversal-mark').parent()", ":has(>.traversal-mark)"},
			{"$('.traversal-cite').parents('blockquote')", "blockquote:has(.traversal-cite)"},
			{"$('.clothes-nav').find('.active').parentsUntil('.clothes-nav').first()", ".clothes-nav :has(>.active)"},
			{"$('.birds').find('.active').prev()", ".birds :has(+ .active)"},
			{"$('.fruits-list').find('.third').prevAll().last()", ".fruits-list :has(~ .third)"},
			{"$('.foods-list').find('#nuts').prevUntil('#veggies').last()", ".foods-list #veggies + *"},
			{"$('.traversal-pills .active').siblings().first()", ".traversal-pills .active ~ *"},
		} {
			wanted := f.says("(" + way.theirs + ")[0].innerText.trim()")
			f.run("seen = 0; (" + way.theirs + ")[0].addEventListener('mouseenter', () => seen++)")
			if got := strings.Trim(wanted, `"`); got != strings.ReplaceAll(strings.TrimSpace(f.got("text", way.ours)), "\n", `\n`) {
				f.t.Errorf("%s is given as %q, the page finds %q", way.ours, f.got("text", way.ours), got)
			}
			f.point(css(way.ours))
			f.until("seen", "1")
		}
	},
	"last": func(f *trial) {
		f.run(`pressed = ''; addEventListener('click', e => pressed += e.target.value ?? e.target.textContent)`)
		f.press(css(".traversal-buttons .btn:last-child"))
		f.until("pressed", `"Submit"`)
	},
	"find": func(f *trial) {
		links := f.found(protocol.Find{Role: "link", Limit: 200})
		f.is("document.querySelectorAll('.traversal-pagination li a').length", "7")
		for _, name := range []string{"«", "1", "2", "3", "4", "5", "»"} {
			n := 0
			for _, link := range links.Elements {
				if link.Name == name {
					n++
				}
			}
			if n != 1 {
				f.t.Errorf("the link %q is found %d times in %+v", name, n, links.Elements)
			}
		}
	},
	"not": func(f *trial) {
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css(".traversal-disabled [disabled]")}, "disabled")
	},
}

var kitchenAssertions = map[string]func(*trial){
	"should": func(f *trial) {
		f.gives("text", ".assertion-table tbody tr:last-child td", "Column content")
		f.gives("html", ".assertion-table tbody tr:last-child td", "<td>Column content</td>")
		markdown := f.extract(f.page).Markdown
		if !strings.Contains(markdown, "| 3 | Column content | Column content |") {
			f.t.Errorf("the table is not in the markdown:\n%s", markdown)
		}
	},
	"and": func(f *trial) {
		address := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: ".assertions-link.active"}, What: "attribute", Name: "href"})
		f.holds("the attribute", address.Value, "https://on.cypress.io")
	},
	"should_with_a_function": func(f *trial) {
		f.gives("text", ".assertions-p", "Some text from first p\n\nMore text from second p\n\nAnd even more text from third p")
		f.gives("text", ".docs-header [class*=heading-]", "Introduction")
		normal := strings.NewReplacer(" ", "", "F", "f", "B", "b")
		if first, second := f.got("text", ".two-elements .first"), f.got("text", ".two-elements .second"); normal.Replace(first) != normal.Replace(second) {
			f.t.Errorf("the two are given as %q and %q", first, second)
		}
	},
	"retries": func(f *trial) {
		// The number comes a second and a half after the page.
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, TextGone: "Random number: 🎁"})
		f.is("Number(document.getElementById('random-number').textContent) >= 1", "true")
		f.gives("text", "#random-number", strings.Trim(f.says("document.getElementById('random-number').textContent"), `"`))
	},
}

var kitchenConnectors = map[string]func(*trial){
	"each_and_its": func(f *trial) {
		for _, name := range []string{"Lara Williams", "William Grey", "Monica Pharrel", "Chai-jQuery"} {
			if found := f.found(protocol.Find{Role: "listitem", Text: name}); found.Total != 1 {
				f.t.Errorf("%s is found %d times", name, found.Total)
			}
		}
	},
	"invoke": func(f *trial) {
		f.is("getComputedStyle(document.querySelector('.connectors-div')).display", `"none"`)
		if said := f.extract(f.page).Text; strings.Contains(said, "This is a div") {
			f.t.Error("what is not shown is read")
		}
		waited := f.start(protocol.WaitFor{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: ".connectors-div"}, State: "visible"})
		// The page's own jQuery shows it while the wait is on.
		f.run("$('.connectors-div').show(300)")
		if err := <-waited; err != nil {
			f.t.Error(err)
		}
		f.gives("text", ".connectors-div", "This is a div")
	},
	"then": func(f *trial) {
		f.gives("text", ".connectors-list", "Walk the dog\nFeed the cat\nWrite JavaScript")
		if markdown := f.extract(f.page).Markdown; !strings.Contains(markdown, "Walk the dog\n") || !strings.Contains(markdown, "Feed the cat\n") {
			f.t.Errorf("the list is not in the markdown:\n%s", markdown)
		}
	},
}

var kitchenAliasing = map[string]func(*trial){
	"element": func(f *trial) {
		row := "$('.as-table tbody>tr').first().find('td').first().find('button')"
		f.press(css(".as-table tbody>tr:first-child>td:first-child button"))
		f.until(row+".text()", `"Changed"`)
		f.is(row+".hasClass('btn-success')", "true")
		f.is("$('.as-table .btn').length - $('.as-table .btn-success').length", "3")
	},
	"element_by_ref": func(f *trial) {
		// Four buttons are called Change: a ref stands for one of them, and goes on to when the others change.
		found := f.found(protocol.Find{Role: "button", Name: "Change"})
		if len(found.Elements) != 4 {
			f.t.Fatalf("found are %+v", found.Elements)
		}
		for _, which := range []int{3, 1} {
			f.press(protocol.Target{UID: found.Elements[which].UID})
		}
		f.until("$('.as-table .btn').map((i, b) => b.textContent).get().join()", `"Change,Changed,Change,Changed"`)
	},
	"route": func(f *trial) { f.comment() },
}

// comment presses a button that fetches, and waits for what comes.
func (f *trial) comment() {
	f.t.Helper()
	f.press(f.ref("button", "Get Comment"))
	do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "laudantium enim quasi"})
	f.is("document.querySelector('.network-comment').textContent", `"laudantium enim quasi"`)
}
