package e2e

import (
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A dialog stands outside of every queue: it is told at once, answered at once, and forgotten when it is gone.
var dialogs = []fault{
	{"click_that_opens_one_later", func(f *trial) {
		f.load(`<script>said = []</script><button onclick="setTimeout(() => said.push(confirm('save?')), 0)">Save</button><input aria-label=Name>`)
		save, name := f.ref("button", "Save"), f.ref("textbox", "Name")
		began := time.Now()
		clicked := f.press(save)
		f.within(began, "the click")
		if clicked.Dialog == nil {
			// Chrome holds a page's timers back for some time after an input: then whatever comes next tells of it.
			told(f.agent, "the dialog", func(e protocol.DialogOpened) bool { return e.TabID == f.page.TabID && e.Message == "save?" })
		} else if clicked.Dialog.Kind != "confirm" || clicked.Dialog.Message != "save?" {
			f.t.Errorf("the click tells of the dialog %+v", clicked.Dialog)
		}
		for _, action := range []protocol.Action{
			protocol.Snapshot{Page: f.page},
			protocol.Click{Page: f.page, Target: save},
			protocol.Evaluate{Page: f.page, Expression: "return 1"},
			protocol.Type{Page: f.page, Target: name, Text: ptr("x")},
			protocol.Screenshot{Page: f.page},
		} {
			began := time.Now()
			f.refused(protocol.CodeDialogOpen, action, "save?", "confirm")
			f.within(began, string(protocol.TypeOf(action)))
		}
		began = time.Now()
		f.answer(true, "")
		f.within(began, "the answer")
		f.until("said", "[true]")
	}},
	{"click_that_stands_still_in_one", func(f *trial) {
		f.load(`<script>said = []</script><button onclick="said.push(prompt('your name?', 'nobody'))">Ask</button><button onclick="said.push('next')">Next</button>`)
		began := time.Now()
		if clicked := f.press(f.ref("button", "Ask")); clicked.Dialog == nil || clicked.Dialog.Default != "nobody" {
			f.t.Fatalf("the click does not tell of the dialog: %+v", clicked)
		}
		f.within(began, "the click")
		f.answer(true, "Ada")
		f.until("said", `["Ada"]`)
		f.press(f.ref("button", "Next"))
		f.until("said", `["Ada","next"]`)
	}},
	{"wait_that_one_interrupts", func(f *trial) {
		f.load(`<script>said = 0</script><button onclick="said++">Next</button>`)
		waiting := f.start(protocol.WaitFor{Page: f.page, Text: "never said"})
		other := f.open(f.html("other", "<p>elsewhere"))
		f.run("void setTimeout(() => { alert('meanwhile'); said = 10; }, 200)")
		refusal := f.failed(protocol.CodeDialogOpen, protocol.WaitFor{}, <-waiting)
		mentions(f.t, refusal, "meanwhile")
		// Another tab is not held up.
		if title := f.value(other, "document.title"); title != `"other"` {
			f.t.Errorf("in another tab the title is %s", title)
		}
		f.answer(true, "")
		f.until("said", "10")
	}},
	{"one_after_the_other", func(f *trial) {
		f.load(`<script>said = []</script><button onclick="for (let i = 1; i <= 3; i++) said.push(confirm('row ' + i + '?'))">Delete</button>`)
		if clicked := f.press(f.ref("button", "Delete")); clicked.Dialog == nil || clicked.Dialog.Message != "row 1?" {
			f.t.Fatalf("the click does not tell of the dialog: %+v", clicked)
		}
		for i, want := range []string{"row 2?", "row 3?", ""} {
			next := f.answer(i != 1, "").Dialog
			if want == "" && next != nil || want != "" && (next == nil || next.Message != want) {
				f.t.Errorf("after answer %d the dialog is %+v, expected %q", i+1, next, want)
			}
		}
		f.until("said", "[true,false,true]")
	}},
	{"answered_for_an_expression", func(f *trial) {
		f.load(`<h1>Here</h1>`)
		result := do[protocol.EvaluateResult](f.agent, protocol.Evaluate{Page: f.page, Expression: "return [confirm('sure?'), prompt('name?'), alert('hi') ?? null]"})
		if string(result.Value) != "[false,null,null]" {
			f.t.Errorf("the expression gives %s", result.Value)
		}
		f.tells(result.Notes, "sure?")
		f.lists("Here", 1)
	}},
	{"closed_by_the_user", func(f *trial) {
		f.load(`<script>said = []</script><h1>Here</h1><button onclick="said.push(confirm('sure?'))">Ask</button>`)
		if err := f.seen.Call(within(f.t), "Page.enable", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		f.press(f.ref("button", "Ask"))
		f.refused(protocol.CodeDialogOpen, protocol.Snapshot{Page: f.page}, "sure?")
		if err := f.seen.Call(within(f.t), "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
			f.t.Fatal(err)
		}
		f.until("said", "[true]")
		f.lists("Here", 1)
		f.refused(protocol.CodeInvalidAction, protocol.Dialog{Page: f.page, Accept: true}, "no dialog is open")
	}},
	{"closed_by_leaving", func(f *trial) {
		f.load(`<h1>Here</h1><button onclick="alert('stay')">Ask</button>`)
		f.press(f.ref("button", "Ask"))
		away := f.html("away", "<h1>Away</h1>")
		began := time.Now()
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: away})
		f.within(began, "the navigation")
		f.tells(arrived.Notes, `closed the alert dialog "stay"`)
		f.lists("Away", 1)
		// And a tab with one open can be closed.
		f.page = f.open(f.html("asks", `<button onclick="alert('open')">Ask</button>`))
		f.press(f.ref("button", "Ask"))
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab(f.page))
	}},
	{"page_that_never_stops_asking", func(f *trial) {
		f.load(`<button onclick="for (;;) alert('again')">Ask</button>`)
		f.press(f.ref("button", "Ask"))
		if next := f.answer(true, "").Dialog; next == nil || next.Message != "again" {
			f.t.Errorf("after the answer the dialog is %+v", next)
		}
		began := time.Now()
		do[protocol.CloseTabResult](f.agent, protocol.CloseTab(f.page))
		f.within(began, "the end of the tab")
		if tabs := do[protocol.ListTabsResult](f.agent, protocol.ListTabs{}).Tabs; len(tabs) != 0 {
			f.t.Errorf("after the tab was closed there are %+v", tabs)
		}
		f.load("<h1>Away</h1>")
		f.lists("Away", 1)
	}},
	{"leaving_a_page_that_never_stops_asking", func(f *trial) {
		// Of the same site, so that the process which never gets round to anything would have to show it.
		away := f.html("away", "<h1>Away</h1>")
		f.load(`<button onclick="for (;;) confirm('again')">Ask</button>`)
		f.press(f.ref("button", "Ask"))
		began := time.Now()
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: away})
		f.within(began, "the navigation")
		f.tells(arrived.Notes, "without end")
		if arrived.URL != away || arrived.Title != "away" {
			f.t.Errorf("it arrived at %+v", arrived)
		}
		f.lists("Away", 1)
	}},
	{"leaving_a_page_that_asks_a_few_times", func(f *trial) {
		away := f.html("away", "<h1>Away</h1>")
		f.load(`<script>localStorage.said = ''</script><button onclick="for (let i = 0; i < 4; i++) localStorage.said += confirm('sure?')">Ask</button>`)
		f.press(f.ref("button", "Ask"))
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: away})
		if len(arrived.Notes) != 1 {
			f.t.Errorf("of the page that it left it says %q", arrived.Notes)
		}
		f.until("localStorage.said", `"falsefalsefalsefalse"`)
	}},
	{"page_that_shows_one_while_it_loads", func(f *trial) {
		loud := f.html("loud", `<script>alert('hi')</script><h1>Hi there</h1>`)
		f.load("<p>before")
		began := time.Now()
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: loud})
		f.within(began, "the navigation")
		f.tells(arrived.Notes, "hi")
		f.refused(protocol.CodeDialogOpen, protocol.Snapshot{Page: f.page}, "hi")
		f.answer(true, "")
		f.until("document.readyState", `"complete"`)
		f.lists("Hi there", 1)
		began = time.Now()
		opened := do[protocol.OpenTabResult](f.agent, protocol.OpenTab{URL: loud})
		f.within(began, "the opening")
		f.tells(opened.Notes, "hi")
		do[protocol.DialogResult](f.agent, protocol.Dialog{Page: protocol.Page{TabID: opened.TabID}, Accept: true})
	}},
	{"dialog_of_a_frame_of_another_site", func(f *trial) {
		inner := at("frame.test", f.html("inner", `<button onclick="document.title = confirm('from inside?')">Ask</button><p>inside`))
		f.load(`<iframe width=300 height=100 src="` + inner + `"></iframe><h1>Outside</h1>`)
		clicked := f.press(f.lateRef("button", "Ask"))
		if clicked.Dialog == nil || clicked.Dialog.Message != "from inside?" {
			f.t.Fatalf("the click does not tell of the dialog: %+v", clicked)
		}
		f.answer(false, "")
		f.lists("Outside", 1)
	}},
	{"unsaved_changes", func(f *trial) {
		away := f.html("away", "<h1>Away</h1>")
		form := f.html("form", `<script>onbeforeunload = e => { e.preventDefault(); return 1; }</script><input aria-label=Name>`)
		before := f.html("before", "<p>before")
		f.show(before)
		for _, way := range []struct {
			action protocol.Action
			title  string
		}{
			{protocol.Navigate{URL: away}, "away"}, {protocol.Navigate{To: "reload"}, "form"}, {protocol.Navigate{To: "back"}, "before"},
		} {
			f.goTo(before)
			f.goTo(form)
			do[protocol.TypeResult](f.agent, protocol.Type{Page: f.page, Target: f.ref("textbox", "Name"), Text: ptr("Ada")})
			move, ok := way.action.(protocol.Navigate)
			if !ok {
				f.t.Fatal("no navigation")
			}
			move.Page = f.page
			for _, accept := range []bool{false, true} {
				began := time.Now()
				f.refused(protocol.CodeDialogOpen, move, "beforeunload")
				f.within(began, "the question")
				f.answer(accept, "")
				if !accept {
					f.is("[document.title, document.querySelector('input').value]", `["form","Ada"]`)
				}
			}
			f.until("[document.title, document.querySelector('input')?.value ?? '']", `["`+way.title+`",""]`)
		}
		f.goTo(form)
		do[protocol.TypeResult](f.agent, protocol.Type{Page: f.page, Target: f.ref("textbox", "Name"), Text: ptr("Ada")})
		f.refused(protocol.CodeDialogOpen, protocol.CloseTab(f.page), "beforeunload")
		f.answer(false, "")
		f.is("document.querySelector('input').value", `"Ada"`)
		f.refused(protocol.CodeDialogOpen, protocol.CloseTab(f.page), "beforeunload")
		do[protocol.DialogResult](f.agent, protocol.Dialog{Page: f.page, Accept: true})
		f.fails(protocol.CodeTabNotFound, protocol.Snapshot{Page: f.page})
	}},
	{"unsaved_changes_and_a_link", func(f *trial) {
		away := f.html("away", "<h1>Away</h1>")
		f.load(`<script>onbeforeunload = e => { e.preventDefault(); return 1; }</script><input aria-label=Name><a href="` + away + `">Away</a>`)
		do[protocol.TypeResult](f.agent, protocol.Type{Page: f.page, Target: f.ref("textbox", "Name"), Text: ptr("Ada")})
		clicked := f.press(f.ref("link", "Away"))
		if clicked.Dialog == nil && clicked.URL != away {
			f.t.Errorf("the click says neither that the page asks nor that it was left: %+v", clicked)
		}
		if clicked.Dialog != nil {
			f.answer(true, "")
		}
		f.until("document.title", `"away"`)
	}},
}

// within fails the test when something took longer than an agent should wait for a dialog to be told.
func (f *trial) within(began time.Time, what string) {
	f.t.Helper()
	const slow = 10 * time.Second // a busy machine; what is held up by a dialog takes 30 s
	if took := time.Since(began); took > slow {
		f.t.Errorf("%s took %s", what, took)
	}
}

// answer answers the dialog that is open.
func (f *trial) answer(accept bool, text string) protocol.DialogResult {
	f.t.Helper()
	return do[protocol.DialogResult](f.agent, protocol.Dialog{Page: f.page, Accept: accept, Text: text})
}
