package e2e

import (
	"slices"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A tab that a page opens is told of, belongs to who caused it, and can be read like any other.
var newTabs = []fault{
	{"opened_by_a_click", func(f *trial) {
		other := f.html("other", "<h1>Other</h1>")
		url := f.load(`<a target=_blank href="` + other + `?link">Link</a> <a target=_blank rel=noopener href="` + other + `?noopener">No opener</a>
			<button onclick="window.open('` + other + `?script')">Script</button> <button onclick="window.open('` + other + `?window', '', 'width=300,height=200')">Window</button>
			<form target=_blank action="` + other + `"><input type=hidden name=form><button>Form</button></form>`)
		for name, role := range map[string]string{"Link": "link", "No opener": "link", "Script": "button", "Window": "button", "Form": "button"} {
			clicked := f.press(f.ref(role, name))
			opened := clicked.TabOpened
			if opened == nil || !strings.HasPrefix(opened.URL, other) || opened.TabID == f.page.TabID || opened.Owner != "agent" {
				f.t.Errorf("%s: the click tells of the tab %+v", name, opened)
				continue
			}
			if clicked.URL != "" {
				f.t.Errorf("%s: the click says that its own tab went to %s", name, clicked.URL)
			}
			if heading := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: protocol.Page{TabID: opened.TabID}}).Snapshot; !strings.Contains(heading, "Other") {
				f.t.Errorf("%s: the new tab shows\n%s", name, heading)
			}
			do[protocol.CloseTabResult](f.agent, protocol.CloseTab{TabID: opened.TabID})
		}
		f.is("location.href", `"`+url+`"`)
	}},
	{"links_to_other_programs", func(f *trial) {
		f.load(`<a href="mailto:ada@page.test?subject=Hi" onclick="hits.push('mail')">Mail</a> <a href="tel:+123"><b>Call</b></a>
			<a href="acme-app://open/7">App</a> <a href="#here" onclick="hits.push('here')">Here</a> <a href="javascript:hits.push('script')">Script</a>
			<a onclick="hits.push('none')" style="cursor:pointer">None</a><script>hits = []</script>`)
		for name, address := range map[string]string{"Mail": "mailto:ada@page.test?subject=Hi", "Call": "tel:+123", "App": "acme-app://open/7"} {
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: f.ref("link", name)}, address, "another program")
		}
		for _, name := range []string{"Here", "Script", "None"} {
			f.press(f.ref("link", name))
		}
		f.until("hits.join()", `"here,script,none"`)
	}},
	{"opened_empty_and_written_into", func(f *trial) {
		f.load(`<button onclick="const w = window.open(''); w.document.write('<title>made</title><h1>Results</h1><button>Go</button>'); w.document.close()">Write</button>
			<button onclick="window.open(window.URL.createObjectURL(new Blob(['<title>made</title><h1>Results</h1><button>Go</button>'], {type: 'text/html'})))">Blob</button>
			<button onclick="const w = window.open('about:blank'); setTimeout(() => { w.document.body.innerHTML = '<h1>Results</h1><button>Go</button>' }, 300)">Late</button>`)
		for _, name := range []string{"Write", "Blob", "Late"} {
			clicked := f.press(f.ref("button", name))
			if clicked.TabOpened == nil {
				f.t.Errorf("%s: the click tells of no tab: %+v", name, clicked)
				continue
			}
			opened := protocol.Page{TabID: clicked.TabOpened.TabID}
			if !slices.ContainsFunc(do[protocol.ListTabsResult](f.agent, protocol.ListTabs{}).Tabs, func(tab protocol.TabInfo) bool { return tab.TabID == opened.TabID }) {
				f.t.Errorf("%s: the list does not have the new tab %d", name, opened.TabID)
			}
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: opened, Text: "Results"})
			do[protocol.ClickResult](f.agent, protocol.Click{Page: opened, Target: f.target(opened, "button", "Go")})
			do[protocol.CloseTabResult](f.agent, protocol.CloseTab(opened))
		}
	}},
	{"opener_that_closes", func(f *trial) {
		results := f.html("results", `<h1>Results</h1><script>hits = 0</script><button onclick="hits++">Go</button>`)
		f.load(`<a target=_blank href="` + results + `">Search</a>`)
		clicked := f.press(f.ref("link", "Search"))
		if clicked.TabOpened == nil {
			f.t.Fatalf("the click tells of no tab: %+v", clicked)
		}
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab(f.page))
		f.fails(protocol.CodeTabNotFound, protocol.Snapshot{Page: f.page})
		// Without a tab it is the one that is left, and never one of the user's.
		if read := f.extract(protocol.Page{}); read.URL != results {
			f.t.Errorf("without a tab the agent reads %s", read.URL)
		}
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab{TabID: clicked.TabOpened.TabID})
		f.fails(protocol.CodeSessionNotFound, protocol.Extract{})
	}},
	{"tab_that_closes_itself", func(f *trial) {
		small := f.html("small", `<button onclick="window.opener.postMessage('signed in', '*'); window.close()">Sign in</button>`)
		f.load(`<script>said = []; onmessage = e => said.push(e.data)</script><button onclick="window.open('` + small + `', '', 'width=300,height=200')">Log in</button>`)
		clicked := f.press(f.ref("button", "Log in"))
		if clicked.TabOpened == nil {
			f.t.Fatalf("the click tells of no tab: %+v", clicked)
		}
		opened := protocol.Page{TabID: clicked.TabOpened.TabID}
		// Its opener is still there for it, and it may go in mid-click.
		if _, err := f.try(within(f.t), protocol.Click{Page: opened, Target: f.target(opened, "button", "Sign in")}); err != nil {
			f.failed(protocol.CodeTabNotFound, protocol.Click{}, err)
		}
		f.until("said", `["signed in"]`)
		f.lists(`button "Log in"`, 1)
	}},
}
