package site

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Page is one page that is looked at.
type Page struct {
	Path, Title string
	// Reading is true for a page that is read, and false for one whose controls are wanted.
	Reading bool
	// Scripted is true where scripts or frames make what is seen.
	Scripted bool
	// Marks is how many different words the page has that mark finds, each in something that a look must not lose.
	Marks int
	mark  *regexp.Regexp
}

// Seen is how many of the page's marks a text has.
func (p Page) Seen(text string) int {
	seen := map[string]bool{}
	for _, mark := range p.mark.FindAllString(text, -1) {
		seen[mark] = true
	}
	return len(seen)
}

// Pages are the six that are looked at.
var Pages = []Page{
	{Path: "/fields", Title: "form of 30 controls", Marks: 30, mark: regexp.MustCompile(`\bField \d+\b`)},
	{Path: "/table", Title: "table of 1,000 rows", Reading: true, Marks: 1000, mark: regexp.MustCompile(`\bINV-\d+\b`)},
	{Path: "/article", Title: "article", Reading: true, Marks: 40, mark: regexp.MustCompile(`\bParagraph \d+ begins\b`)},
	{Path: "/app", Title: "single-page app", Scripted: true, Marks: 54, mark: regexp.MustCompile(`\b(?:View|Item|Amount) \d+\b`)},
	{Path: "/controls/5000", Title: "5,000 controls", Marks: 5000, mark: regexp.MustCompile(`\b(?:Button|Link|Text|Box) \d+\b`)},
	{Path: "/frames", Title: "frames and shadow roots", Scripted: true, Marks: 16, mark: regexp.MustCompile(`\b(?:Frame|Shadow) \d+ (?:field|button)\b`)},
}

// named are the pages that are not made by number.
var named = map[string]func(*http.Request) string{
	"/form":    func(*http.Request) string { return formPage },
	"/press":   func(*http.Request) string { return pressPage },
	"/fields":  func(*http.Request) string { return fieldsPage() },
	"/table":   func(*http.Request) string { return tablePage() },
	"/article": func(*http.Request) string { return articlePage() },
	"/app":     func(*http.Request) string { return appPage },
	"/frames":  framesPage,
	"/frame": func(r *http.Request) string {
		n := digits(r.URL.Query().Get("n"))
		return fmt.Sprintf("<!doctype html><title>Frame</title><input aria-label='Frame %s field'><button>Frame %s button</button>", n, n)
	},
}

// digits leaves of a text what is a digit: nothing of an address is written into a page as it is.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

func fieldsPage() string {
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>Fields</title><main><h1>Application</h1><form>")
	for i := range 30 {
		switch i % 5 {
		case 0, 1:
			fmt.Fprintf(&page, "<p><label>Field %d <input name=f%d value='value %d'></label></p>", i, i, i)
		case 2:
			fmt.Fprintf(&page, "<p><label>Field %d <select name=f%d><option>One<option>Two<option>Three</select></label></p>", i, i)
		case 3:
			fmt.Fprintf(&page, "<p><label><input type=checkbox name=f%d> Field %d</label></p>", i, i)
		case 4:
			fmt.Fprintf(&page, "<p><label>Field %d <textarea name=f%d></textarea></label></p>", i, i)
		}
	}
	page.WriteString("</form></main>")
	return page.String()
}

func tablePage() string {
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>Invoices</title><main><h1>Invoices</h1><table><thead><tr>" +
		"<th>Number<th>Customer<th>Date<th>Amount<th>State</thead><tbody>")
	states := []string{"Paid", "Open", "Overdue"}
	for i := range 1000 {
		fmt.Fprintf(&page, "<tr><td><a href='#i%d'>INV-%d</a><td>Customer %d<td>2026-%02d-%02d<td>%d.%02d<td>%s</tr>",
			i, i, i*7%83, i%12+1, i%28+1, i*37%9000, i%100, states[i%3])
	}
	page.WriteString("</tbody></table></main>")
	return page.String()
}

func articlePage() string {
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>On bridges</title><nav><a href='#1'>Home</a> <a href='#2'>Archive</a></nav>" +
		"<main><article><h1>On bridges</h1>")
	for i := range 40 {
		if i%8 == 0 {
			fmt.Fprintf(&page, "<h2>Chapter %d</h2>", i/8+1)
		}
		fmt.Fprintf(&page, "<p>Paragraph %d begins with a remark on <a href='#n%d'>note %d</a>, goes on for a while about spans, "+
			"moats and the people who keep them, and comes to an end before anybody has grown tired of it. "+
			"A second sentence says <em>how</em> the chains were counted in the year %d.</p>", i, i, i, 1400+i)
	}
	page.WriteString("</article></main><footer>Printed on loopback</footer>")
	return page.String()
}

// appPage is drawn by a script: six views, and in the first 24 items, each with a field and a button.
const appPage = `<!doctype html><html lang=en><title>App</title><nav id=views></nav><main id=view></main><script>
const draw = (into, list) => into.replaceChildren(...list);
const make = (tag, set, ...inside) => { const it = Object.assign(document.createElement(tag), set); it.append(...inside); return it; };
const show = n => {
  history.pushState({}, '', location.pathname + location.search + '#view' + n);
  draw(view, [make('h1', {textContent: 'View ' + n + ' of 6'}), make('ul', {}, ...Array.from({length: 24}, (_, i) => make('li', {},
    make('div', {className: 'card'}, make('h2', {textContent: 'Title ' + i}),
      make('label', {}, 'Amount ' + i + ' ', make('input', {type: 'number', value: String(i)})),
      make('button', {textContent: 'Item ' + i})))))]);
};
draw(views, Array.from({length: 6}, (_, i) => make('button', {textContent: 'View ' + i, onclick: () => show(i)})));
show(0);
</script>`

// framesPage has three frames of its own site, one of another (127.0.0.1 and localhost are two), and four shadow roots,
// one of them closed.
func framesPage(r *http.Request) string {
	other := "http://localhost:" + digits(r.Host[strings.LastIndexByte(r.Host, ':')+1:])
	return `<!doctype html><html lang=en><title>Frames</title><main><h1>Frames</h1>
<iframe src='/frame?n=0'></iframe><iframe src='/frame?n=1'></iframe><iframe src='/frame?n=2'></iframe><iframe src='` + other + `/frame?n=3'></iframe>
<p id=roots></p></main><script>
for (let i = 0; i < 4; i++) {
  const host = document.createElement('div');
  host.attachShadow({mode: i === 3 ? 'closed' : 'open'}).innerHTML =
    '<input aria-label="Shadow ' + i + ' field"><button>Shadow ' + i + ' button</button>';
  roots.append(host);
}
</script>`
}
