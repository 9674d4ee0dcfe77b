package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// deltas is a page of an agent's in which things change.
type deltas struct {
	*agent
	page protocol.Page
}

func newDeltas(t *testing.T, body string) *deltas {
	t.Helper()
	r := sharedRig(t)
	a := r.newAgent(t)
	return &deltas{agent: a, page: a.open(r.site.html(t, "page", body))}
}

// read takes a snapshot, after which only changes are news, and returns the refs in it.
func (d *deltas) read() map[string]protocol.Ref {
	d.t.Helper()
	return do[protocol.SnapshotResult](d.agent, protocol.Snapshot{Page: d.page, Interactive: true}).Refs
}

// click clicks what a selector names, and returns what that changed.
func (d *deltas) click(selector string) protocol.Changed {
	d.t.Helper()
	return do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: css(selector)}).Changed
}

// use clicks an element that a result has told of: its uid must do, without another look.
func (d *deltas) use(elements []protocol.Element, role, name string) protocol.Changed {
	d.t.Helper()
	i := slices.IndexFunc(elements, func(e protocol.Element) bool { return e.Role == role && e.Name == name })
	if i < 0 {
		d.t.Fatalf("no %s %q among %s", role, name, listed(elements))
	}
	return do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: protocol.Target{UID: elements[i].UID}}).Changed
}

// listed writes elements without their uids.
func listed(elements []protocol.Element) string {
	said := make([]string, 0, len(elements))
	for _, e := range elements {
		words := fmt.Sprintf("%s %q", e.Role, e.Name)
		if e.Value != "" {
			words += fmt.Sprintf(" = %q", e.Value)
		}
		said = append(said, strings.TrimSpace(words+" "+strings.Join(e.States, " ")))
	}
	return strings.Join(said, ", ")
}

func (d *deltas) expect(what string, changed protocol.Changed, appeared, altered string, gone ...string) {
	d.t.Helper()
	if got := listed(changed.Appeared); got != appeared {
		d.t.Errorf("%s: appeared is %s, expected %s", what, got, appeared)
	}
	if got := listed(changed.Altered); got != altered {
		d.t.Errorf("%s: altered is %s, expected %s", what, got, altered)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(gone)), slices.Sorted(slices.Values(changed.Gone))); diff != "" {
		d.t.Errorf("%s: gone (-want +got):\n%s", what, diff)
	}
	if changed.Partial {
		d.t.Errorf("%s: the delta is said to be a part", what)
	}
}

// refs are the uids of the elements of these names.
func uidsOf(refs map[string]protocol.Ref, names ...string) []string {
	var out []string
	for uid, ref := range refs {
		if slices.Contains(names, ref.Name) {
			out = append(out, uid)
		}
	}
	return out
}

func TestMenuThatOpensIsTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<style>.menu { display: none } .menu.open { display: block }</style>
		<button id=b aria-expanded=false onclick="m.classList.toggle('open'); b.setAttribute('aria-expanded', m.classList.contains('open'))">File</button>
		<ul id=m class=menu role=menu><li role=menuitem tabindex=-1 onclick="hits.push('new')">New</li><li role=menuitem tabindex=-1 onclick="hits.push('open')">Open…</li></ul>
		<script>hits = []</script>`)
	d.read()
	opened := d.click("#b")
	d.expect("opening", opened, `menuitem "New", menuitem "Open…"`, `button "File" expanded`)
	d.use(opened.Appeared, "menuitem", "Open…")
	if hits := d.value(d.page, "hits"); hits != `["open"]` {
		t.Errorf("the page saw %s", hits)
	}
	closed := d.click("#b")
	d.expect("closing", closed, "", `button "File" collapsed`, opened.Appeared[0].UID, opened.Appeared[1].UID)
	again := d.click("#b")
	if diff := cmp.Diff(opened.Appeared, again.Appeared); diff != "" {
		t.Errorf("the same menu items have other refs when they come back:\n%s", diff)
	}
}

func TestMenuThatAStyleAloneOpensIsTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<style>nav div { display: none } nav:hover div { display: block }</style>
		<p id=away>Away</p><nav><button id=b>Products</button><div><a href="#x">Pens</a> <a href="#y">Ink</a></div></nav>`)
	d.read()
	hovered := do[protocol.HoverResult](d.agent, protocol.Hover{Page: d.page, Target: css("#b")}).Changed
	d.expect("hovering", hovered, `link "Pens", link "Ink"`, "")
	left := do[protocol.HoverResult](d.agent, protocol.Hover{Page: d.page, Target: css("#away")}).Changed
	d.expect("leaving", left, "", "", hovered.Appeared[0].UID, hovered.Appeared[1].UID)
}

func TestDialogThatAppearsIsTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=b onclick="make()">Delete</button><output id=o></output><script>
		function make() {
			const it = document.createElement('dialog');
			it.setAttribute('aria-label', 'Delete 3 files?');
			it.innerHTML = '<p>This cannot be undone.</p><button>Cancel</button><button>Delete all</button>';
			document.body.append(it);
			for (const b of it.querySelectorAll('button')) b.onclick = () => { o.textContent = b.textContent; it.remove(); };
			it.showModal();
		}</script>`)
	d.read()
	opened := d.click("#b")
	d.expect("opening", opened, `dialog "Delete 3 files?" = "This cannot be undone.", button "Cancel", button "Delete all"`, "")
	if opened.Focus == nil || opened.Focus.Name != "Cancel" {
		t.Errorf("the focus is told as %+v", opened.Focus)
	}
	closed := d.use(opened.Appeared, "button", "Delete all")
	d.expect("closing", closed, `status "" = "Delete all"`, "", opened.Appeared[0].UID, opened.Appeared[1].UID, opened.Appeared[2].UID)
	if said := d.value(d.page, "o.textContent"); said != `"Delete all"` {
		t.Errorf("the page says %s", said)
	}
}

func TestRowsThatComeAndGoAreTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=add onclick="add('Row ' + ++n)">Add</button><ul id=l></ul><script>
		n = 0; function add(name) {
			const li = document.createElement('li');
			li.innerHTML = '<label><input type=checkbox> ' + name + '</label> <button>Remove</button>';
			li.querySelector('button').onclick = () => li.remove();
			l.append(li);
		} add('Milk'); add('Bread')</script>`)
	refs := d.read()
	added := d.click("#add")
	d.expect("adding", added, `checkbox "Row 1", button "Remove"`, "")
	removed := do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: css("li:first-child button")}).Changed
	if len(removed.Gone) != 2 || !slices.Contains(removed.Gone, uidsOf(refs, "Milk")[0]) {
		t.Errorf("gone are %v, expected the checkbox Milk and its button", removed.Gone)
	}
	d.expect("removing", removed, "", "", removed.Gone...)
	d.use(added.Appeared, "button", "Remove")
	if left := d.value(d.page, "l.innerText.replace(/\\s+/g, ' ').trim()"); left != `"Bread Remove"` {
		t.Errorf("the page has %s left", left)
	}
}

func TestTabPanelThatSwitchesIsTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<div role=tablist><button role=tab aria-selected=true id=t1 onclick="show(1)">General</button><button role=tab aria-selected=false id=t2 onclick="show(2)">Privacy</button></div>
		<div role=tabpanel id=p1><input aria-label="Display name" value="Ada"></div>
		<div role=tabpanel id=p2 hidden><label><input type=checkbox> Share usage</label></div><script>
		function show(n) { for (const i of [1, 2]) {
			document.getElementById('p' + i).hidden = i !== n; document.getElementById('t' + i).setAttribute('aria-selected', i === n); } }</script>`)
	refs := d.read()
	switched := d.click("#t2")
	d.expect("switching", switched, `checkbox "Share usage"`, `tab "General", tab "Privacy" selected`, uidsOf(refs, "Display name")...)
	d.use(switched.Appeared, "checkbox", "Share usage")
	if checked := d.value(d.page, "document.querySelector('#p2 input').checked"); checked != "true" {
		t.Errorf("the box that appeared was clicked and is %s", checked)
	}
}

func TestWhatComesLaterStandsInTheNextResult(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=b onclick="setTimeout(toast, 2000)">Save</button><button id=other>Other</button><script>
		function toast() {
			document.title = 'Saved';
			history.pushState(null, '', '?saved');
			const it = document.createElement('div');
			it.setAttribute('role', 'status');
			it.innerHTML = 'Saved <button onclick="undone = true; this.parentNode.remove()">Undo</button>';
			document.body.append(it);
		}</script>`)
	d.read()
	d.expect("at once", d.click("#b"), "", "")
	later := do[protocol.WaitForResult](d.agent, protocol.WaitFor{Page: d.page, Text: "Saved"}).Changed
	d.expect("later", later, `status "" = "Saved", button "Undo"`, "")
	if later.Title != "Saved" || !strings.HasSuffix(later.URL, "?saved") {
		t.Errorf("the result has the title %q and the address %q", later.Title, later.URL)
	}
	next := d.click("#other")
	d.expect("once told", next, "", "")
	if next.URL != "" || next.Title != "" {
		t.Errorf("the address %q and the title %q are told twice", next.URL, next.Title)
	}
	d.use(later.Appeared, "button", "Undo")
	if undone := d.value(d.page, "undone"); undone != "true" {
		t.Errorf("undone is %s", undone)
	}
}

func TestWhatOnlyLooksTellsWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	f.load(`<button id=b>Save</button>`)
	f.outline()
	// Whose address ends like the title is not told of it: Chrome says so of pages without a title.
	do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, What: "title"})
	looks := map[string]func() protocol.Changed{
		"get": func() protocol.Changed {
			return do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, What: "title"}).Changed
		},
		"find": func() protocol.Changed {
			return do[protocol.FindResult](f.agent, protocol.Find{Page: f.page, Name: "Save"}).Changed
		},
		"screenshot": func() protocol.Changed {
			return do[protocol.ScreenshotResult](f.agent, protocol.Screenshot{Page: f.page}).Changed
		},
		"pdf": func() protocol.Changed { return do[protocol.PDFResult](f.agent, protocol.PDF{Page: f.page}).Changed },
		"console": func() protocol.Changed {
			return do[protocol.ConsoleResult](f.agent, protocol.Console{Page: f.page, Op: "list"}).Changed
		},
		"network": func() protocol.Changed {
			return do[protocol.NetworkResult](f.agent, protocol.Network{Page: f.page, Op: "list"}).Changed
		},
	}
	d := &deltas{agent: f.agent, page: f.page}
	for name, look := range looks {
		f.run(`document.body.insertAdjacentHTML('beforeend', '<button>From before ` + name + `</button>'); document.title = '` + name + `'`)
		changed := look()
		d.expect(name, changed, `button "From before `+name+`"`, "")
		if changed.Title != name {
			t.Errorf("%s: the title is told as %q", name, changed.Title)
		}
		again := look()
		d.expect(name+" once more", again, "", "")
		if again.Title != "" {
			t.Errorf("%s: the title is told twice", name)
		}
	}
	// What the look itself tells is no news beside it.
	f.run(`document.body.insertAdjacentHTML('beforeend', '<button>Found</button>')`)
	found := do[protocol.FindResult](f.agent, protocol.Find{Page: f.page, Name: "Found"})
	d.expect("find of what is new", found.Changed, "", "")
	d.use(found.Elements, "button", "Found")
}

func TestListThatIsDrawnAnewIsNoNews(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=same onclick="render()">Refresh</button><button id=more onclick="items.push('Eggs'); render()">More</button><ul id=l></ul><script>
		hits = []; items = ['Milk', 'Bread', 'Salt'];
		function render() { l.innerHTML = items.map(it => '<li><span>' + it + '</span> <button onclick="hits.push(\'' + it + '\')">Buy ' + it + '</button></li>').join(''); }
		render()</script>`)
	refs := d.read()
	again := d.click("#same")
	d.expect("drawing the same", again, "", "")
	if len(again.Renewed) != 3 {
		t.Fatalf("renewed are %+v, expected the three buttons", again.Renewed)
	}
	bread := uidsOf(refs, "Buy Bread")[0]
	i := slices.IndexFunc(again.Renewed, func(r protocol.Renewal) bool { return r.Was == bread })
	if i < 0 {
		t.Fatalf("nothing is said of %s in %+v", bread, again.Renewed)
	}
	do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: protocol.Target{UID: again.Renewed[i].Now}})
	d.fails(protocol.CodeElementStale, protocol.Click{Page: d.page, Target: protocol.Target{UID: bread}})
	if hits := d.value(d.page, "hits"); hits != `["Bread"]` {
		t.Errorf("the page saw %s", hits)
	}
	more := d.click("#more")
	d.expect("drawing one more", more, `listitem "" = "Eggs", button "Buy Eggs"`, "")
}

func TestWhatScriptsPutIntoFieldsIsTold(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=all onclick="for (const it of document.querySelectorAll('input')) it.checked = true; total.value = '30 €'; go.disabled = false">All</button>
		<label><input type=checkbox> A</label><label><input type=checkbox> B</label><input id=total aria-label=Total readonly><button id=go disabled>Pay</button>`)
	d.read()
	d.expect("choosing all", d.click("#all"), "", `checkbox "A" checked, checkbox "B" checked, textbox "Total" = "30 €" readonly, button "Pay"`)
}

func TestARenamedElementMayBeUsedWhereThatWasMeant(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=b onclick="c.textContent = 'Cart (1)'">Add</button><button id=c onclick="opened = 1">Cart (0)</button>`)
	cart := protocol.Target{UID: uidsOf(d.read(), "Cart (0)")[0]}
	d.expect("adding", d.click("#b"), "", `button "Cart (1)"`)
	do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: cart})
	if opened := d.value(d.page, "opened"); opened != "1" {
		t.Errorf("opened is %s", opened)
	}
}

func TestChangesInShadowTreesAndFramesAreTold(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	inner := strings.Replace(r.site.html(t, "inner", `<button id=i onclick="parent.postMessage('go', '*')">Inner</button><script>
		addEventListener('message', () => document.body.insertAdjacentHTML('beforeend', '<button>In the frame</button>'))</script>`), "page.test", "frame.test", 1)
	d := newDeltas(t, fmt.Sprintf(`<x-open></x-open><x-closed></x-closed><iframe id=f width=300 height=100 src="%s" onload="loaded = true"></iframe><button id=b onclick="for (const it of roots) it.innerHTML += '<button>' + it.mode + '</button>'; f.contentWindow.postMessage('go', '*')">Go</button><script>
		roots = ['open', 'closed'].map(mode => { const root = document.querySelector('x-' + mode).attachShadow({mode}); root.innerHTML = '<p>x</p>'; return root; })</script>`, inner))
	if _, err := d.try(within(t), protocol.WaitFor{Page: d.page, Text: "Inner"}); err != nil {
		t.Fatal(err)
	}
	if refs := d.read(); len(uidsOf(refs, "Inner")) != 1 {
		t.Fatalf("the snapshot has %+v", refs)
	}
	changed := d.click("#b")
	var names []string
	for _, e := range changed.Appeared {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"In the frame", "closed", "open"}, names); diff != "" {
		t.Errorf("appeared (-want +got):\n%s", diff)
	}
}

func TestADeltaIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=b onclick="document.body.insertAdjacentHTML('beforeend', Array.from({length: 300}, (_, i) => '<button>B' + i + '</button>').join(''))">Go</button>`)
	d.read()
	changed := d.click("#b")
	if n := len(changed.Appeared); n == 0 || n > 60 || !changed.Partial {
		t.Errorf("%d of 300 buttons are told, partial is %t", n, changed.Partial)
	}
	if next := d.click("body"); len(next.Appeared) > 0 || next.Partial {
		t.Errorf("what was left out is told the next time: %s", listed(next.Appeared))
	}
}

func TestWhatAPageSaysAnewIsToldWithItsWords(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<button id=b>Count</button><p role=status id=live>0 live</p><p id=plain></p><script>
let n = 0;
b.onclick = () => { n++; live.textContent = n + ' live'; plain.textContent = n + ' plain'; live.title = 'at ' + n; };</script>`)
	d.read()
	d.expect("the first press", d.click("#b"), `status "at 1" = "1 live", paragraph "" = "1 plain"`, "")
	d.expect("the second press", d.click("#b"), "", `status "at 2" = "2 live", paragraph "" = "2 plain"`)
}
