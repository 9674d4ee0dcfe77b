package e2e

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// ordealDeadline is how long each action on a page that does its worst may take, and overrun how much longer its
	// answer may: what the promise says.
	ordealDeadline = 500 * time.Millisecond
	overrun        = time.Second
	// dearer is how many times as long another tab's answers may take meanwhile: the machine has other work as well.
	dearer = 10
)

// ordeal is a page that does its worst, with a quiet one beside it that belongs to the same agent.
type ordeal struct {
	*trial
	quiet protocol.Page
	slow  []time.Duration // the quiet page's answers meanwhile
}

// worst are pages that do their worst. Each has the controls of worstControls.
var worst = []struct {
	name string
	body string
	// begin sets the page off when all is open; nil: it has begun by itself.
	begin func(*ordeal)
}{
	{name: "endless timers", body: `<script>
		for (let i = 0; i < 200; i++) setInterval(() => { document.body.dataset['n' + i] = Math.random() }, 0);
		const again = () => { const until = performance.now() + 20; while (performance.now() < until); setTimeout(again, 0) }; again()</script>`},
	{name: "a document that grows for ever", body: `<div id=more></div><script>
		setInterval(() => { for (let i = 0; i < 200; i++) { const b = document.createElement('button'); b.textContent = 'more ' + i; more.append(b) } }, 10)</script>`},
	{name: "90,000 nodes", body: `<div id=many></div><script>
		const parts = []; for (let i = 0; i < 45000; i++) parts.push('<p><button>b' + i + '</button>'); many.innerHTML = parts.join('')</script>`},
	{name: "frames in frames", body: `<div id=nest></div><script>
		const fill = (doc, level) => { if (level === 0) return; for (let i = 0; i < 2; i++) { const f = doc.createElement('iframe'); doc.body.append(f);
			f.contentDocument.body.innerHTML = '<button>level ' + level + '</button>'; fill(f.contentDocument, level - 1) } };
		fill(document, 6);
		let doc = document; for (let i = 0; i < 60; i++) { const f = doc.createElement('iframe'); doc.body.append(f); doc = f.contentDocument; doc.body.append('deep ' + i) }</script>`},
	{name: "elements in elements", body: `<script>
		let at = document.body; for (let i = 0; i < 1000; i++) { const d = document.createElement('div'); at.append(d); at = d } at.append('bottom')</script>`},
	{name: "frames that come and go", body: `<script>
		setInterval(() => { const f = document.createElement('iframe'); f.srcdoc = '<p>frame'; document.body.append(f);
			if (document.querySelectorAll('iframe').length > 8) document.querySelector('iframe').remove() }, 15)</script>`},
	{name: "dialogs in a loop", body: ``, begin: func(o *ordeal) {
		o.run("setTimeout(() => { for (;;) alert('again') }, 0)")
	}},
	{name: "a question before it is left", body: `<script>addEventListener('beforeunload', e => { e.preventDefault(); e.returnValue = 'stay' })</script>`, begin: func(o *ordeal) {
		o.press(css("#go")) // without a gesture the browser asks nothing
	}},
	{name: "a process that dies", body: ``, begin: func(o *ordeal) {
		// It is answered by nobody: whom it asks is dead.
		ctx, cancel := context.WithTimeout(o.t.Context(), time.Second)
		defer cancel()
		_ = o.seen.Call(ctx, "Page.crash", nil, nil)
	}},
	{name: "a busy loop in evaluate", body: ``, begin: func(o *ordeal) {
		o.endure(protocol.Evaluate{Page: o.page, Expression: "for (;;);"})
	}},
	{name: "a busy loop in a handler", body: `<script>document.addEventListener('click', () => { for (;;); })</script>`, begin: func(o *ordeal) {
		o.endure(protocol.Click{Page: o.page, Target: css("#go")})
	}},
	{name: "a promise that never ends", body: ``, begin: func(o *ordeal) {
		o.endure(protocol.Evaluate{Page: o.page, Expression: "return new Promise(() => {})"})
	}},
	{name: "a flood of words", body: `<script>
		setInterval(() => { for (let i = 0; i < 100; i++) console.log('x'.repeat(500), {i}); document.title = 't' + Math.random() }, 0)</script>`},
	{name: "a flood of requests", body: `<script>
		setInterval(() => { for (let i = 0; i < 5; i++) fetch('/plain.html?' + Math.random()).catch(() => 0) }, 10)</script>`},
	{name: "addresses that never rest", body: `<script>let n = 0; setInterval(() => { history.replaceState(0, '', '?' + n++); location.hash = n }, 0)</script>`},
	{name: "a document that loads itself again", body: `<script>setTimeout(() => location.reload(), 60)</script>`},
	{name: "a target that never stands still", body: `<style>@keyframes go { from { left: 0 } to { left: 600px } } #go { position: absolute; animation: go 300ms linear infinite alternate }</style>`},
}

const worstControls = `<button id=go>Go</button><label>Text <input id=text></label><label>Pick <select id=pick><option>a<option>b</select></label>
	<label>File <input id=file type=file></label><div id=drag draggable=true>drag</div>`

// endured are the kinds of action, as done on each of those pages; those that leave it come last.
func endured(page protocol.Page, elsewhere string) []protocol.Action {
	return []protocol.Action{
		protocol.Get{Page: page, What: "title"},
		protocol.Snapshot{Page: page, Interactive: true},
		protocol.Extract{Page: page},
		protocol.Find{Page: page, Role: "button", Name: "Go"},
		protocol.Click{Page: page, Target: css("#go")},
		protocol.Hover{Page: page, Target: css("#go")},
		protocol.Type{Page: page, Target: css("#text"), Text: ptr("typed")},
		protocol.Fill{Page: page, Target: css("#text"), Text: ptr("filled")},
		protocol.Select{Page: page, Target: css("#pick"), Values: []string{"b"}},
		protocol.Press{Page: page, Key: "Tab"},
		protocol.Scroll{Page: page, Direction: "down"},
		protocol.Mouse{Page: page, Kind: "click", X: 300, Y: 300},
		protocol.Drag{Page: page, From: css("#drag"), To: ptr(css("#go"))},
		protocol.Upload{Page: page, Target: css("#file"), Files: []protocol.File{{Name: "a.txt", MimeType: "text/plain", Data: "YQ=="}}},
		protocol.WaitFor{Page: page, Text: "never said"},
		protocol.WaitFor{Page: page, Load: "networkidle"},
		protocol.Evaluate{Page: page, Expression: "return 1"},
		protocol.Screenshot{Page: page},
		protocol.PDF{Page: page},
		protocol.Console{Page: page, Op: "list"},
		protocol.Network{Page: page, Op: "list"},
		protocol.Dialog{Page: page, Accept: true},
		protocol.ActivateTab(page),
		protocol.ListTabs{},
		protocol.Navigate{Page: page, To: "reload"},
		protocol.Navigate{Page: page, URL: elsewhere},
		protocol.CloseTab(page),
	}
}

func TestPagesThatDoTheirWorst(t *testing.T) {
	for place, w := range worst {
		t.Run(w.name, func(t *testing.T) {
			o := &ordeal{trial: &trial{agent: sharedRig(t).newAgent(t)}}
			o.quiet = o.open("http://quiet.test/plain.html")
			usual := median(o.answers(9))
			o.load(worstControls + w.body)
			if w.begin != nil {
				w.begin(o)
			}
			for i, action := range endured(o.page, "http://elsewhere.test/plain.html") {
				// Each page gets a third of the actions, and the next another: all of them on all pages take ten minutes,
				// which WORST=all spends.
				if i%3 == place%3 || os.Getenv("WORST") == "all" {
					o.endure(action)
				}
			}
			meanwhile := median(o.slow)
			t.Logf("another tab answered in %v, alone in %v", meanwhile, usual)
			if meanwhile > dearer*usual {
				t.Errorf("that is more than %d times as long", dearer)
			}
		})
	}
}

// TestPageThatNeverGivesWayIsClosed has an agent close a tab whose script never ends: its process must not go on at work
// where nobody sees it.
func TestPageThatNeverGivesWayIsClosed(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	f.load(`<button id=go onclick="for (;;);">Go</button>`)
	before := f.rig.renderers(t)
	click := protocol.AnyAction{Action: protocol.Click{Page: f.page, Target: css("#go")}}
	if _, err := f.client.Act(within(t), protocol.ActRequest{Action: click, TimeoutMS: ordealDeadline.Milliseconds()}); !errors.Is(err, &protocol.Error{Code: protocol.CodeTimeout}) {
		t.Fatalf("the click that never ends gives %v", err)
	}
	do[protocol.CloseTabResult](f.agent, protocol.CloseTab(f.page))
	if tabs := do[protocol.ListTabsResult](f.agent, protocol.ListTabs{}).Tabs; len(tabs) > 0 {
		t.Errorf("there are still the tabs %+v", tabs)
	}
	if err := eventually(within(t), "the process of the page to end", func() (bool, error) {
		return len(f.rig.renderers(t)) < len(before), nil
	}); err != nil {
		t.Error(err)
	}
}

// renderers are the numbers of the processes in which the browser has pages.
func (r *rig) renderers(t *testing.T) []int {
	t.Helper()
	var now struct {
		ProcessInfo []struct {
			Type string
			ID   int
		}
	}
	if err := r.browser.Call(within(t), "SystemInfo.getProcessInfo", nil, &now); err != nil {
		t.Fatal(err)
	}
	var ids []int
	for _, p := range now.ProcessInfo {
		if p.Type == "renderer" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// endure has an action done that may fail, but not last, and asks the quiet page something all the while.
func (o *ordeal) endure(action protocol.Action) {
	o.t.Helper()
	ctx := within(o.t)
	began := time.Now()
	ended := make(chan error, 1)
	var took time.Duration
	go func() {
		_, err := o.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: action}, TimeoutMS: ordealDeadline.Milliseconds()})
		took = time.Since(began)
		ended <- err
	}()
	var stall time.Duration
	for {
		o.slow = append(o.slow, o.answers(1)...)
		stall = max(stall, o.browserAnswers())
		select {
		case err := <-ended:
			what := protocol.TypeOf(action)
			if took > ordealDeadline+overrun+stall {
				o.t.Errorf("%s took %v, and had %v; the browser answered its driver within %v", what, took, ordealDeadline, stall)
			}
			var refusal *protocol.Error
			if err != nil && !errors.As(err, &refusal) {
				o.t.Errorf("%s: %v", what, err)
			}
			o.t.Logf("%-12s %5d ms, %v", what, took.Milliseconds(), err)
			return
		default:
		}
	}
}

// browserAnswers is how long the browser itself takes to answer: what it is busy with, or kept from by the machine, is
// no doing of ours.
func (o *ordeal) browserAnswers() time.Duration {
	o.t.Helper()
	began := time.Now()
	if _, err := o.rig.browser.Targets(within(o.t)); err != nil {
		o.t.Fatal(err)
	}
	return time.Since(began)
}

// answers is how long the quiet page takes to answer, so many times.
func (o *ordeal) answers(times int) []time.Duration {
	o.t.Helper()
	all := make([]time.Duration, times)
	for i := range all {
		began := time.Now()
		do[protocol.GetResult](o.agent, protocol.Get{Page: o.quiet, What: "title"})
		all[i] = time.Since(began)
	}
	return all
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
