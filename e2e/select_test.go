package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// listLog makes a page write down what it sees happen to its lists.
const listLog = `<script>
const log = [];
for (const type of ['input', 'change']) addEventListener(type, event => log.push(type + ' ' + event.target.id + ' ' + event.target.value), true);
</script>`

// saw is what such a page wrote down since it was last asked.
func (a *agent) saw(page protocol.Page) string {
	a.t.Helper()
	return strings.Trim(a.value(page, "log.splice(0).join(', ')"), `"`)
}

func bySelector(selector string) protocol.Target { return protocol.Target{Selector: selector} }

// choose selects and returns what the result says is selected.
func (a *agent) choose(page protocol.Page, selector string, values ...string) []string {
	a.t.Helper()
	return do[protocol.SelectResult](a, protocol.Select{Page: page, Target: bySelector(selector), Values: append([]string{}, values...)}).Selected
}

func TestSelectNative(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "native", listLog+`
		<label>Country <select id=country><option value=US>United States<option value=DE>Germany</select></label>
		<select id=tricky><option value=a>Alpha<option value=b selected>Beta<option value=Alpha>Tricky</select>
		<select id=twice><option value=1>Same<option value=2>Same<option value=3 selected>Other</select>
		<select id=group><option>none<optgroup label=Fruit disabled><option>banana</optgroup><optgroup label=Roots><option>beet<option disabled>radish</optgroup></select>
		<select id=many multiple size=4><option>A<option selected>B<option>C<option>D</select>
		<input id=text value=keep><select id=off disabled><option>X<option>Y</select>
		<select id=hidden style="display:none"><option>P<option>Q</select>
		<input id=list list=cities><datalist id=cities><option>Berlin</datalist>`))
	chosen := func(want string, got []string) {
		t.Helper()
		if strings.Join(got, "|") != want {
			t.Errorf("the result says that %q are selected, want %s", got, want)
		}
	}
	saw := func(want string) {
		t.Helper()
		if got := a.saw(page); got != want {
			t.Errorf("the page saw %q, want %q", got, want)
		}
	}
	chosen("Germany", a.choose(page, "#country", "Germany"))
	saw("input country DE, change country DE")
	chosen("United States", a.choose(page, "#country", "US"))
	saw("input country US, change country US")
	chosen("United States", a.choose(page, "label", "US"))
	saw("") // nothing changed, nothing was told
	if result := do[protocol.SelectResult](a, protocol.Select{Page: page, Target: a.target(page, "combobox", "Country"), Values: []string{"Germany"}}); len(result.Altered) != 1 || result.Altered[0].Value != "Germany" {
		t.Errorf("by ref the result tells of %+v", result.Altered)
	}
	saw("input country DE, change country DE")
	chosen("A|C", a.choose(page, "#many", "A", "C"))
	saw("input many A, change many A")
	chosen("", a.choose(page, "#many"))
	saw("input many , change many ")
	chosen("Alpha", a.choose(page, "#tricky", "a"))
	chosen("Tricky", a.choose(page, "#tricky", "Tricky"))
	chosen("beet", a.choose(page, "#group", "beet"))
	a.saw(page)

	state := "[...document.querySelectorAll('select')].map(s => s.id + [...s.selectedOptions].map(o => o.value)).join(' ') + text.value"
	before := a.value(page, state)
	for _, refused := range []struct {
		selector string
		values   []string
		code     protocol.ErrorCode
		says     string
	}{
		{"#country", []string{"Zzz"}, protocol.CodeInvalidAction, `"Germany" (value "DE")`},
		{"#country", []string{"germany"}, protocol.CodeInvalidAction, "no option"},
		{"#country", []string{"US", "DE"}, protocol.CodeInvalidAction, "one option at a time"},
		{"#tricky", []string{"Alpha"}, protocol.CodeInvalidAction, "several"},
		{"#twice", []string{"Same"}, protocol.CodeInvalidAction, "several"},
		{"#many", []string{"A", "Zzz"}, protocol.CodeInvalidAction, "no option"},
		{"#group", []string{"banana"}, protocol.CodeElementBlocked, "disabled"},
		{"#group", []string{"radish"}, protocol.CodeElementBlocked, "disabled"},
		{"#text", []string{"A"}, protocol.CodeInvalidAction, "no select"},
		{"#list", []string{"Berlin"}, protocol.CodeInvalidAction, "fill"},
		{"#off", []string{"Y"}, protocol.CodeElementBlocked, "disabled"},
		{"#hidden", []string{"Q"}, protocol.CodeElementBlocked, "not shown"},
	} {
		refusal := a.fails(refused.code, protocol.Select{Page: page, Target: bySelector(refused.selector), Values: refused.values})
		if !strings.Contains(refusal.Message, refused.says) || refusal.Outcome != protocol.NotSent {
			t.Errorf("%s %q: %s, outcome %s; want it to say %q and not_sent", refused.selector, refused.values, refusal.Message, refusal.Outcome, refused.says)
		}
	}
	saw("")
	if after := a.value(page, state); after != before {
		t.Errorf("refusals changed the page from %s to %s", before, after)
	}
}

func TestSelectSideEffects(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "effects", `
		<select id=stubborn onchange="this.value='one'"><option>one<option>two</select>
		<select id=asks onchange="document.title = confirm('sure?') ? 'yes' : 'no'"><option>one<option>two</select>
		<select id=jump onchange="location.href='/other.html'"><option>here<option>there</select>`))

	if refusal := a.fails(protocol.CodeInvalidAction, protocol.Select{Page: page, Target: bySelector("#stubborn"), Values: []string{"two"}}); refusal.Outcome != protocol.Done || !strings.Contains(refusal.Message, `did not keep "two"`) {
		t.Errorf("a list that is set back says %s, outcome %s", refusal.Message, refusal.Outcome)
	}
	asked := do[protocol.SelectResult](a, protocol.Select{Page: page, Target: bySelector("#asks"), Values: []string{"two"}})
	if asked.Dialog == nil || asked.Dialog.Message != "sure?" {
		t.Fatalf("the result does not tell of the dialog: %+v", asked)
	}
	do[protocol.DialogResult](a, protocol.Dialog{Page: page, Accept: true})
	if title := a.value(page, "document.title"); title != `"yes"` {
		t.Errorf("the page's title is %s", title)
	}
	jumped := do[protocol.SelectResult](a, protocol.Select{Page: page, Target: bySelector("#jump"), Values: []string{"there"}})
	if jumped.URL != "http://page.test/other.html" || !slices.Equal(jumped.Selected, []string{"there"}) {
		t.Errorf("the jump says %+v", jumped)
	}
}

// ariaLists is a page of lists of its own making: a combobox with a portal, one that narrows, a multiple listbox, a
// long one that holds only what it shows, and a single one.
const ariaLists = `<script>
const log = [];
addEventListener('click', event => { if (!event.isTrusted) log.push('untrusted'); }, true);
</script>
<style>[role=listbox]{border:1px solid;max-height:120px;overflow:auto;background:#fff}[aria-selected=true]{background:#9cf}[role=option]{height:20px}</style>
<label id=fl>Fruit</label>
<div id=fruit role=combobox tabindex=0 aria-labelledby=fl aria-haspopup=listbox aria-expanded=false style="width:200px;border:1px solid">Apple</div>
<input id=city role=combobox aria-label=City aria-autocomplete=list aria-expanded=false aria-controls=cities>
<ul id=cities role=listbox hidden></ul>
<div id=tags role=listbox aria-label=Tags aria-multiselectable=true tabindex=0></div>
<div id=plain role=listbox aria-label=Plain tabindex=0></div>
<div id=picky role=listbox aria-label=Picky aria-multiselectable=true tabindex=0></div>
<div id=long role=listbox aria-label=Long tabindex=0></div>
<script>
const option = (text, more = '') => '<div role=option ' + more + ' aria-selected=false>' + text + '</div>';
const fruit = document.getElementById('fruit');
fruit.onmousedown = () => {
  if (document.getElementById('portal')) return close();
  const list = document.createElement('div');
  list.id = 'portal'; list.setAttribute('role', 'listbox');
  list.style.cssText = 'position:fixed;left:300px;top:20px';
  setTimeout(() => {
    list.innerHTML = option('Apple', 'data-value=a') + option('Banana', 'data-value=b') + option('Cherry', 'aria-disabled=true');
    for (const o of list.children) o.onclick = () => { if (o.ariaDisabled) return; fruit.textContent = o.textContent; log.push('fruit ' + o.dataset.value); close(); };
  }, 150);
  document.body.append(list);
  fruit.ariaExpanded = 'true';
};
const close = () => { document.getElementById('portal')?.remove(); fruit.ariaExpanded = 'false'; };
addEventListener('keydown', event => { if (event.key === 'Escape') { close(); cities.hidden = true; } });
const city = document.getElementById('city'), cities = document.getElementById('cities');
city.oninput = () => setTimeout(() => {
  const hits = ['Berlin', 'Bern', 'Paris'].filter(c => city.value && c.toLowerCase().startsWith(city.value.toLowerCase()));
  cities.innerHTML = hits.map(c => option(c)).join('');
  cities.hidden = hits.length === 0;
  for (const o of cities.children) o.onclick = () => { city.value = o.textContent; cities.hidden = true; log.push('city ' + o.textContent); };
}, 100);
const fill = (id, texts, pick) => {
  const list = document.getElementById(id);
  list.innerHTML = texts.map(t => option(t)).join('');
  for (const o of list.children) o.onclick = event => { pick(o, [...list.children], event); log.push(id + ' ' + o.textContent); };
};
const set = (o, on) => { o.ariaSelected = String(on); };
fill('tags', ['red', 'green', 'blue'], o => set(o, o.ariaSelected !== 'true'));
fill('plain', ['one', 'two'], (o, all) => all.forEach(x => set(x, x === o)));
fill('picky', ['x', 'y', 'z'], (o, all, event) => event.ctrlKey ? set(o, o.ariaSelected !== 'true') : all.forEach(x => set(x, x === o)));
const long = document.getElementById('long');
long.style.position = 'relative';
let picked = -1;
const render = () => {
  const from = Math.floor(long.scrollTop / 20);
  long.innerHTML = '<div style="height:10000px"></div>' + Array.from({length: 8}, (_, i) => '<div role=option style="position:absolute;left:0;right:0;top:' + (from + i) * 20 + 'px" aria-selected=' + (picked === from + i) + '>Row ' + (from + i) + '</div>').join('');
};
long.onscroll = render;
long.onclick = event => { picked = Number(event.target.textContent.slice(4)); log.push('long ' + picked); render(); };
render();
</script>`

func TestSelectAria(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "aria", ariaLists))
	try := func(selector, want, seen string, values ...string) {
		t.Helper()
		if got := a.choose(page, selector, values...); strings.Join(got, "|") != want {
			t.Errorf("%s %q: the result says that %q are selected, want %s", selector, values, got, want)
		}
		if got := a.saw(page); got != seen {
			t.Errorf("%s %q: the page saw %q, want %q", selector, values, got, seen)
		}
	}
	try("#fruit", "Banana", "fruit b", "Banana")
	try("#fruit", "Apple", "fruit a", "a")
	try("#fruit", "Apple", "", "Apple")
	try("#city", "Bern", "city Bern", "Bern")
	try("#plain", "two", "plain two", "two")
	try("#plain", "two", "", "two")
	try("#tags", "red|blue", "tags red, tags blue", "red", "blue")
	try("#tags", "green", "tags green, tags red, tags blue", "green")
	try("#picky", "x|z", "picky x, picky z, picky x", "x", "z")
	try("#long", "Row 150", "long 150", "Row 150")

	for _, refused := range []struct {
		selector, value, says string
		code                  protocol.ErrorCode
	}{
		{"#fruit", "Cherry", "disabled", protocol.CodeElementBlocked},
		{"#fruit", "Durian", `"Banana"`, protocol.CodeInvalidAction},
		{"#city", "Rome", "no option", protocol.CodeInvalidAction},
		{"#plain", "three", `"one", "two"`, protocol.CodeInvalidAction},
	} {
		refusal := a.fails(refused.code, protocol.Select{Page: page, Target: bySelector(refused.selector), Values: []string{refused.value}})
		if !strings.Contains(refusal.Message, refused.says) || refusal.Outcome != protocol.NotSent {
			t.Errorf("%s %s: %s, outcome %s; want it to say %q and not_sent", refused.selector, refused.value, refusal.Message, refusal.Outcome, refused.says)
		}
	}
	if got := a.saw(page); got != "" {
		t.Errorf("refused choices reached the page: %s", got)
	}
	if left := a.value(page, "[fruit.textContent, city.value, !!document.getElementById('portal')].join()"); left != `"Apple,Bern,false"` {
		t.Errorf("refused choices left %s", left)
	}
}

func TestSelectInFramesAndShadows(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	inner := r.site.html(t, "inner", `<body style="margin:0"><div role=listbox aria-label=In><div role=option aria-selected=false onclick="this.ariaSelected='true'">Deep</div></div><select id=s onchange="document.title=this.value"><option>a<option>b</select>`)
	page := a.open(r.site.html(t, "outer", `<iframe width=300 height=200 src="`+strings.Replace(inner, "page.test", "frame.test", 1)+`"></iframe>
		<div id=host></div><script>host.attachShadow({mode:'closed'}).innerHTML='<select id=shady><option>c<option>d</select>'</script>`))
	if got := a.choose(page, "[aria-label=In]", "Deep"); !slices.Equal(got, []string{"Deep"}) {
		t.Errorf("in a frame of another site the list has %q", got)
	}
	if got := a.choose(page, "#s", "b"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("in a frame of another site the select has %q", got)
	}
	if got := a.choose(page, "#shady", "d"); !slices.Equal(got, []string{"d"}) {
		t.Errorf("in a closed shadow root the select has %q", got)
	}
}
