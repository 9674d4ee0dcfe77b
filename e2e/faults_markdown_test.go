package e2e

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// parses holds the page's Markdown to what a reader of Markdown makes of it, in HTML without line ends.
func (f *trial) parses(want ...string) {
	f.t.Helper()
	markdown := f.extract(f.page).Markdown
	var html bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Convert([]byte(markdown), &html); err != nil {
		f.t.Fatal(err)
	}
	if got, want := strings.ReplaceAll(html.String(), "\n", ""), strings.Join(want, ""); got != want {
		f.t.Errorf("the Markdown\n%s\nreads as\n%s\nexpected\n%s", markdown, got, want)
	}
}

// The Markdown reads back as what the page shows.
var markdownFaults = []fault{
	{"blocks_in_cells", func(f *trial) {
		f.load(`<table><tr><th>A<div></div></th><th>B</th></tr><tr><td>x</td><td><p>one</p><p>two | three</p><ul><li>l</ul></td></tr>
			<tr><td><pre>if a {
  b | c
}</pre></td><td><code>a|b</code> <img alt="p|q" src=/i.png width=80 height=80></td></tr></table>`)
		f.writes("| A | B |", "| --- | --- |", `| x | one<br>two \| three<br>- l |`, "| `if a {`<br>`  b \\| c`<br>`}` | `a\\|b` ![p\\|q](http://page.test/i.png) |")
	}},
	{"empty_cells", func(f *trial) {
		f.load(`<table><tr><th>a<th>b<th>c</tr><tr><td><td>2<td>3</tr><tr><td>1<td><td>3</tr><tr><td>1<td>2<td></tr></table>`)
		f.writes("| a | b | c |", "| --- | --- | --- |", "|  | 2 | 3 |", "| 1 |  | 3 |", "| 1 | 2 |  |")
	}},
	{"cells_that_span", func(f *trial) {
		f.load(`<table><caption>Times</caption><thead><tr><th>a<th colspan=2>b</tr></thead><tbody><tr><td rowspan=2>x<td>1<td>2</tr><tr><td>3<td rowspan=3>4</tr><tr><td colspan=2>w</tr></tbody></table>
			<table><tr><td rowspan=0>all<td>1</tr><tr><td>2</tr></table>`)
		f.writes("Times", "", "| a | b |  |", "| --- | --- | --- |", "| x | 1 | 2 |", "|  | 3 | 4 |", "| w |  |  |", "", "|  |  |", "| --- | --- |", "| all | 1 |", "|  | 2 |")
	}},
	{"two_rows_of_headers", func(f *trial) {
		f.load(`<table><thead><tr><th rowspan=2>Year<th colspan=2>Sales</tr><tr><th>EU<th>US</tr></thead><tr><th>2024<td>1<td>2</tr></table>`)
		f.writes("| Year | Sales |  |", "| --- | --- | --- |", "|  | EU | US |", "| 2024 | 1 | 2 |")
	}},
	{"code_without_a_code_element", func(f *trial) {
		f.load("<pre class=\"language-js\"><span class=line>if (a &lt; b) {</span>\n<span class=line>  x(\"```\")</span>\n\n}</pre>" +
			"<pre><code class=\"hljs lang-go\">func main() {\n\tprintln()\n}\n</code></pre>" +
			"<figure data-lang=py><pre>if x:\n    y = 1</pre></figure>" +
			`<div class="highlight-source-rust"><table><tr><td class=gutter><pre>1
2</pre></td><td class=code><pre>fn main() {
}</pre></td></tr></table></div>`)
		f.writes("````js", "if (a < b) {", "  x(\"```\")", "", "}", "````", "", "```go", "func main() {", "\tprintln()", "}", "```", "",
			"```py", "if x:", "    y = 1", "```", "", "```rust", "fn main() {", "}", "```")
	}},
	{"code_in_boxes_that_keep_spaces", func(f *trial) {
		f.load(`<div style="white-space:pre;font-family:monospace"><div>def f():</div><div>    return 1</div></div>
			<style>.ed{font-family:Menlo,Consolas,monospace;white-space:pre}</style><div class=ed><span>a</span>
  <span>b</span></div><p>use <code>a  b</code> and <kbd>Ctrl</kbd></p>`)
		f.writes("```", "def f():", "    return 1", "```", "", "```", "a", "  b", "```", "", "use `a b` and `Ctrl`")
	}},
	{"nested_lists", func(f *trial) {
		f.load(`<ol start=9><li>A<ul><li>B<ol><li>C</ol></ul><li>D</ol><h2>next</h2><ul><li><p>p1</p><p>p2</p></li></ul><h2>tasks</h2>
			<ul><li><input type=checkbox checked> done<ul><li><label><input type=checkbox>open</label></ul></ul>`)
		f.parses(`<ol start="9"><li>A<ul><li>B<ol><li>C</li></ol></li></ul></li><li>D</li></ol><h2>next</h2><ul><li><p>p1</p><p>p2</p></li></ul><h2>tasks</h2>`,
			`<ul><li><input checked="" disabled="" type="checkbox"> done<ul><li><input disabled="" type="checkbox"> open</li></ul></li></ul>`)
	}},
	{"numbers_of_lists", func(f *trial) {
		f.load(`<ol reversed><li>three<li>two<li>one</ol><hr><ol><li value=5>five<li>six</ol><hr><ul><li>a</li></ul><ul><li>b</ul><hr><ol start=99><li>x<ul><li>y</ul><li>z<pre>c</pre></ol>`)
		f.writes("3. three", "2. two", "1. one", "", "---", "", "5. five", "6. six", "", "---", "", "- a", "", "- b", "", "---", "", "99. x", "    - y", "100. z", "", "     ```", "     c", "     ```")
	}},
	{"break_in_a_heading", func(f *trial) {
		f.load(`<h1>Big<br>news <a href=#a class=anchor aria-hidden=true>#</a></h1><h1 hidden>Big news</h1><h2><a href=/x><span>Linked</span></a></h2><div role=heading aria-level=3>Third</div><h2> </h2>`)
		f.writes("# Big news", "", "## [Linked](http://page.test/x)", "", "### Third")
	}},
	{"what_the_reader_may_unfold", func(f *trial) {
		f.load(`<details><summary>More</summary><p>body</p></details><details open><summary>Open</summary><p>told</p></details><dl><dt>Term<dt>Other<dd>Def<dd>Second<dt>Last<dd>End</dl>
			<p>so <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math> and <math><msup><mi>y</mi><mn>3</mn></msup></math> end</p>
			<math display=block><semantics><mi>z</mi><annotation encoding="application/x-tex">z_1</annotation></semantics></math>`)
		f.writes("More (collapsed)", "", "Open", "", "told", "", "**Term**", "", "**Other**", ": Def", ": Second", "", "**Last**", ": End", "", "so $x^2$ and $y^3$ end", "", "$$z_1$$")
	}},
	{"addresses", func(f *trial) {
		f.load(`<base href="http://other.test/deep/"><a href="rel?x=1&y=(2)">rel</a> <a href="#part">part</a> <a href="javascript:alert(1)">script</a> <a href="mailto:a@b.c">mail</a>
			<p><img src="p.png" alt="A plan" width=90 height=90> <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="Inline" width=90 height=90>
			<a href="/buy"><img src="/b.png" alt="Buy" width=90 height=90></a> <a href="/icon" aria-label="Settings"><svg width=9 height=9></svg></a></p>
			<picture><source srcset="/big.webp" type="image/x-none"><img data-src="/lazy.png" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="Late" width=90 height=90></picture>`)
		f.writes("[rel](http://other.test/deep/rel?x=1&y=%282%29) [part](http://other.test/deep/#part) script [mail](mailto:a@b.c)", "",
			"![A plan](http://other.test/deep/p.png) ![Inline]() [![Buy](http://other.test/b.png)](http://other.test/buy) [Settings](http://other.test/icon)", "",
			"![Late](http://other.test/lazy.png)")
	}},
	{"words_that_are_no_marks", func(f *trial) {
		f.load("<p>1. not a list</p><p># not a heading</p><p>a * b * c and snake_case_name</p><p>&lt;b&gt; &amp; [x](y)</p><p>~~kept~~</p><p>- dash</p><p>+1</p>")
		f.parses("<p>1. not a list</p>", "<p># not a heading</p>", "<p>a * b * c and snake_case_name</p>", "<p>&lt;b&gt; &amp; [x](y)</p>", "<p>~~kept~~</p>", "<p>- dash</p>", "<p>+1</p>")
	}},
}
