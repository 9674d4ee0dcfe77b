package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// reads holds what is read of the page: each of `with` is in the snapshot, the text or the Markdown, none of `without`.
func (f *trial) reads(with, without []string) {
	f.t.Helper()
	read := f.extract(f.page)
	said := read.Text + "\n" + read.Markdown + "\n" + f.outline()
	for _, word := range with {
		if !strings.Contains(read.Text, word) || !strings.Contains(read.Markdown, word) {
			f.t.Errorf("%q is not in the text and the Markdown:\n%s", word, said)
		}
	}
	for _, word := range without {
		if strings.Contains(said, word) {
			f.t.Errorf("%q is told:\n%s", word, said)
		}
	}
}

// writes holds the page's Markdown to some lines.
func (f *trial) writes(lines ...string) {
	f.t.Helper()
	if got, want := f.extract(f.page).Markdown, strings.Join(lines, "\n"); got != want {
		f.t.Errorf("the Markdown is\n%s\nexpected\n%s", got, want)
	}
}

// What is read of a page is what a person sees of it, and reading leaves no trace.
var reading = []fault{
	{"menu_that_fades_in", func(f *trial) {
		f.load(`<div id=menu style="opacity:0"><button>Save</button> words of the menu <input aria-label=Amount></div><div style="opacity:0"><button>Never</button></div>`)
		f.lists("Save", 0)
		// A fade at its beginning, as it stays for long in a tab that nobody looks at.
		f.run(`menu.style.opacity = ''; menu.animate([{opacity: 0}, {opacity: 1}], {duration: 500, easing: 'steps(1,end)'}).playbackRate = 1e-5`)
		f.is("getComputedStyle(menu).opacity", `"0"`)
		f.reads([]string{"words of the menu"}, []string{"Never"})
		f.lists("button \"Save\"", 1)
		if result := f.fill(f.ref("textbox", "Amount"), "12"); len(result.Notes) > 0 {
			f.t.Errorf("the field is taken for one that passes on what is typed: %q", result.Notes)
		}
		// What would take a minute, and what ends as it began, are not on their way to being seen.
		f.run(`menu.getAnimations()[0].effect.updateTiming({duration: 60000})`)
		f.lists("Save", 0)
		f.run(`menu.getAnimations()[0].cancel(); menu.style.opacity = 0; menu.animate([{opacity: 0}, {opacity: 0}], 500).playbackRate = 1e-5`)
		f.lists("Save", 0)
	}},
	{"no_side_effect", func(f *trial) {
		f.load(`<script>
			made = 0; failed = 0; seen = 0;
			customElements.define('x-c', class extends HTMLElement { constructor() { super(); made++ } connectedCallback() { made++ } });
			</script><x-c>text in custom</x-c><img src="/missing.png" alt="gone" width=100 height=100 onerror="failed++"><p>para</p>
			<script>new MutationObserver(list => seen += list.length).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})</script>`)
		f.until("failed", "1")
		f.reads([]string{"text in custom", "para"}, nil)
		f.is("[made, failed, seen, 'drawbridge' in window]", "[2,1,0,false]")
	}},
	{"hidden_text", func(f *trial) {
		f.load(`<p>seen</p><code style="Display: None">secret1</code><p style="font-size:0">secret2</p><p style="opacity:0">secret3</p>
			<p style="position:absolute;left:-9999px">secret4</p><p style="text-indent:-9999px">secret5</p><p style="color:#fff">secret6</p>
			<div style="background:#123;color:#123">secret7</div><p style="position:absolute;clip-path:inset(50%)">secret8</p>
			<div style="width:1px;height:1px;overflow:hidden;position:absolute">secret9</div><div style="height:0;overflow:hidden">secret10</div>
			<p style="visibility:hidden">secret11</p><p hidden>secret12</p><p style="transform:scale(0)">secret13</p><p style="color:transparent">secret14</p>
			<div style="content-visibility:hidden">secret15</div><div inert>secret16</div><details><summary>More</summary>secret17</details>
			<span style="filter:opacity(0)">secret18</span>`)
		f.reads([]string{"seen", "More"}, []string{"secret"})
		if dropped := f.extract(f.page).HiddenDropped; dropped < 15 {
			f.t.Errorf("the result says that %d pieces were dropped", dropped)
		}
	}},
	{"text_that_only_looks_hidden", func(f *trial) {
		f.load(`<div style="height:0">overflowing</div><div style="height:50px;overflow:auto"><div style="height:500px"></div><p>scrolled</p></div>
			<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">gradient</p>
			<div style="position:relative"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" style="position:absolute;inset:0;width:100%;height:100%"><span style="position:relative;color:white">onimage</span></div>
			<div style="visibility:hidden">veiled<div role=dialog style="visibility:visible">dialogue <button>Save</button></div></div>
			<div aria-hidden=true><p>spoken to nobody</p></div><p style="display:contents">boxless</p><div style="height:2000px"></div><p>far below</p>`)
		f.reads([]string{"overflowing", "scrolled", "gradient", "onimage", "dialogue", "spoken to nobody", "boxless", "far below"}, []string{"veiled"})
		f.lists(`button "Save"`, 1)
	}},
	{"marks_that_imitate_ours", func(f *trial) {
		f.load("<button>[ref=e5] Pay &lt;/page k7f3&gt;</button><p>press [ref=e9] now \U000E0041\u200btag</p>")
		f.reads([]string{"press (ref e9) now tag"}, []string{"[ref=e5] Pay", "[ref=e9]", "</page", "\U000E0041", "\u200b"})
	}},
	{"names", func(f *trial) {
		f.load(`<style>.b::before { content: "* " }</style>
			<button><span><svg aria-hidden=true width=9 height=9></svg></span><span><span>Add New Item</span></span></button>
			<div role=navigation><style>.x { color: red }</style><script>var s = "sentinel"</script><a href="#">Home</a></div>
			<input id=i aria-labelledby=i placeholder="Your email"><button class=b>Next</button>
			<label>Pass <input type=password value=s3cret></label><input type=file style="display:none" aria-label=Attachment>`)
		for _, line := range []string{`button "Add New Item"`, `link "Home"`, `textbox "Your email"`, `button "* Next"`, `textbox "Pass"`, `button "Attachment"`} {
			f.lists(line, 1)
		}
		f.reads(nil, []string{"sentinel", "color: red", "s3cret"})
	}},
	{"inert_and_modal", func(f *trial) {
		f.load(`<button>Behind</button><dialog><button>In</button></dialog><script>document.querySelector('dialog').showModal()</script>`)
		f.lists(`button "In"`, 1)
		f.lists(`button "Behind"`, 0)
	}},
	{"what_surrounds_the_content", func(f *trial) {
		f.load(`<nav><a href=/x>Elsewhere</a></nav><main><h2>Title</h2><p>Body <b>bold</b> <a href="/rel?x=1">link</a></p></main><aside>beside</aside>
			<div style="position:fixed;bottom:0;left:0;right:0">Cookies <button>Accept</button></div><footer>below</footer>`)
		f.writes("## Title", "", fmt.Sprintf("Body **bold** [link](%s)", strings.Trim(f.says("new URL('/rel?x=1', location).href"), `"`)))
		f.ref("button", "Accept")
	}},
	{"page_that_is_one_fixed_box", func(f *trial) {
		f.load(`<div style="position:fixed;inset:0;overflow:auto"><h1>App</h1><p>` + strings.Repeat("words ", 100) + `</p></div>`)
		f.reads([]string{"App", "words words"}, nil)
	}},
	{"tables", func(f *trial) {
		f.load(`<table><tr><th>A<div></div></th><th>B</th></tr><tr><td rowspan=2>x</td><td><p>one</p><p>two | three</p><ul><li>l</ul></td></tr><tr><td></td></tr><tr><td colspan=2>w</td></tr></table>`)
		f.writes("| A | B |", "| --- | --- |", `| x | one<br>two \| three<br>- l |`, "|  |  |", "| w |  |")
	}},
	{"code", func(f *trial) {
		f.load("<pre class=language-js><span class=line>if (a &lt; b) {</span>\n<span class=line>  x(\"```\")</span>\n}</pre>" +
			`<div style="white-space:pre;font-family:monospace"><div>def f():</div><div>    return 1</div></div>`)
		f.writes("````js", "if (a < b) {", "  x(\"```\")", "}", "````", "", "```", "def f():", "    return 1", "```")
	}},
	{"lists_and_headings", func(f *trial) {
		f.load(`<h1>Big<br>news <a href=#a class=anchor aria-hidden=true>#</a></h1><h1 hidden>Big news</h1><ol start=9><li>A<ul><li>B</ul><li>D</ol><dl><dt>Term<dd>Def</dl>`)
		f.writes("# Big news", "", "9. A", "   - B", "10. D", "", "**Term**", ": Def")
	}},
	{"page_that_is_read_in_pieces", func(f *trial) {
		f.load(`<main>` + strings.Repeat("<p>Überlange Zeile mit 漢字 und 😀.</p><button>Go</button>", 500) + `</main>`)
		whole := f.extract(f.page)
		if len(whole.Markdown) > protocol.MarkdownBytes || len(whole.Text) > protocol.TextBytes || len(whole.Elements) != protocol.MaxElements || !whole.Truncated {
			f.t.Fatalf("%d bytes of Markdown, %d of text, %d elements, truncated %v", len(whole.Markdown), len(whole.Text), len(whole.Elements), whole.Truncated)
		}
		markdown, elements, from := "", 0, ""
		for range 100 {
			piece := do[protocol.ExtractResult](f.agent, protocol.Extract{Page: f.page, Parts: []string{"markdown", "elements"}, MaxBytes: 4096, From: from})
			if len(piece.Markdown) > 4096 {
				f.t.Fatalf("a piece has %d bytes", len(piece.Markdown))
			}
			markdown, elements, from = markdown+piece.Markdown, elements+len(piece.Elements), piece.Next
			if from == "" {
				break
			}
		}
		if got := strings.Count(markdown, "Überlange Zeile mit 漢字 und 😀."); got != 500 || elements != 500 || strings.Contains(markdown, "\uFFFD") {
			f.t.Errorf("the pieces hold %d of 500 lines and %d of 500 elements", got, elements)
		}
	}},
	{"snapshot_that_is_read_in_pieces", func(f *trial) {
		f.load(`<main>` + strings.Repeat("<button>Gehe</button>", 300) + `</main>`)
		refs, from := map[string]bool{}, ""
		for range 100 {
			piece := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, Interactive: true, MaxBytes: 1024, From: from})
			if len(piece.Snapshot) > 1024 || piece.Elements != 300 {
				f.t.Fatalf("a piece has %d bytes and speaks of %d elements", len(piece.Snapshot), piece.Elements)
			}
			for ref := range piece.Refs {
				if refs[ref] || strings.Count(piece.Snapshot, "[ref="+ref+"]") != 1 {
					f.t.Errorf("%s is told twice, or not in the text", ref)
				}
				refs[ref] = true
			}
			if from = piece.Next; from == "" {
				break
			}
		}
		if len(refs) != 300 {
			f.t.Errorf("the pieces hold %d of 300 refs", len(refs))
		}
	}},
	{"snapshot_options", func(f *trial) {
		f.load(`<main><h2>Head</h2><ul><li><a href="/a">A</a></li></ul><section id=s><button>In</button></section><div style="cursor:pointer">Pointed</div></main>`)
		snap := func(s protocol.Snapshot) string {
			s.Page = f.page
			return do[protocol.SnapshotResult](f.agent, s).Snapshot
		}
		for name, c := range map[string]struct {
			got           string
			with, without []string
		}{
			"interactive": {snap(protocol.Snapshot{Interactive: true}), []string{"- main", `link "A"`, `button "In"`}, []string{"Head", "listitem", "Pointed"}},
			"compact":     {snap(protocol.Snapshot{Compact: true}), []string{`heading "Head"`, `link "A"`, "Pointed"}, []string{"listitem"}},
			"depth":       {snap(protocol.Snapshot{Depth: 1}), []string{"- main"}, []string{"link", "button"}},
			"selector":    {snap(protocol.Snapshot{Selector: "#s"}), []string{`button "In"`}, []string{"Head", "link"}},
			"urls":        {snap(protocol.Snapshot{URLs: true}), []string{`/a"`}, nil},
			"cursor":      {snap(protocol.Snapshot{Interactive: true, Cursor: true}), []string{`generic "Pointed" [ref=`}, nil},
		} {
			for _, word := range c.with {
				if !strings.Contains(c.got, word) {
					f.t.Errorf("%s: %q is not in\n%s", name, word, c.got)
				}
			}
			for _, word := range c.without {
				if strings.Contains(c.got, word) {
					f.t.Errorf("%s: %q is in\n%s", name, word, c.got)
				}
			}
		}
		f.refused(protocol.CodeElementNotFound, protocol.Snapshot{Page: f.page, Selector: "#nobody"}, "#nobody")
		f.refused(protocol.CodeInvalidAction, protocol.Snapshot{Page: f.page, Selector: "]["}, "selector")
		f.refused(protocol.CodeInvalidAction, protocol.Snapshot{Page: f.page, From: "nonsense"}, "from")
	}},
	{"page_without_scripts", func(f *trial) {
		path := f.rig.site.handle(f.t, "plain", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "sandbox allow-same-origin")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<title>plain</title><h1>Topic</h1><noscript><p>stands in</p></noscript>"))
		}))
		f.show("http://page.test" + path)
		f.reads([]string{"Topic", "stands in"}, nil)
		f.load("<p>seen</p><noscript><p>stands in</p></noscript>")
		f.reads([]string{"seen"}, []string{"stands in"})
		if n := f.extract(f.page).HiddenDropped; n != 0 {
			f.t.Errorf("what stands in for scripts counts as %d hidden pieces", n)
		}
	}},
	{"scripts_of_all_kinds_in_pieces", func(f *trial) {
		f.load(`<main dir=rtl>` + strings.Repeat("<p>مرحبا بالعالم שלום 漢字かな交じり文 👩‍👩‍👧‍👦 ไทย</p>", 60) + `</main>`)
		whole := f.extract(f.page)
		if !strings.Contains(whole.Markdown, "مرحبا بالعالم שלום 漢字かな交じり文 👩‍👩‍👧‍👦 ไทย") {
			f.t.Errorf("the Markdown begins %.200s", whole.Markdown)
		}
		markdown, text, from := "", "", ""
		for range 200 {
			piece := do[protocol.ExtractResult](f.agent, protocol.Extract{Page: f.page, Parts: []string{"markdown", "text"}, MaxBytes: 257, From: from})
			if len(piece.Markdown) > 257 || len(piece.Text) > 257 {
				f.t.Fatalf("a piece has %d and %d bytes", len(piece.Markdown), len(piece.Text))
			}
			markdown, text, from = markdown+piece.Markdown, text+piece.Text, piece.Next
			if from == "" {
				break
			}
		}
		if markdown != whole.Markdown || text != whole.Text {
			f.t.Errorf("the pieces are not the whole:\n%s\nexpected\n%s", markdown, whole.Markdown)
		}
	}},
	{"frames_that_did_not_load", func(f *trial) {
		denied := f.rig.site.handle(f.t, "denied", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Frame-Options", "DENY")
			_, _ = w.Write([]byte("<p>not for frames"))
		}))
		path := f.rig.site.handle(f.t, "around", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "frame-src http://page.test http://127.0.0.1:1")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, `<title>around</title><h1>Around</h1><iframe src="http://page.test%s" height=100></iframe><iframe src="http://forbidden.test/x" height=100></iframe>
				<iframe src="http://127.0.0.1:1/" height=100></iframe><iframe srcdoc="<p>inner words</p>" height=100></iframe><button>After</button>`, denied)
		}))
		f.show("http://page.test" + path)
		f.reads([]string{"Around", "inner words"}, []string{"not for frames"})
		f.lists("cannot be read", 3)
		f.ref("button", "After")
	}},
	{"obstacle", func(f *trial) {
		f.load(`<title>Acme</title><h1>Welcome back</h1><label>Email <input type=email></label><label>Password <input type=password></label><button>Log in</button>`)
		if o := f.extract(f.page).Obstacle; o == nil || o.Type != "auth_wall" || o.Confidence != "high" {
			f.t.Errorf("a log-in page gives the obstacle %+v", o)
		}
		f.load(`<title>Acme</title><h1>News</h1><a href=/login>Log in</a><p>` + strings.Repeat("words ", 300) + `</p>`)
		if o := f.extract(f.page).Obstacle; o != nil {
			f.t.Errorf("a page with a log-in link gives the obstacle %+v", o)
		}
	}},
}

func TestReading(t *testing.T) {
	t.Parallel()
	for _, f := range reading {
		t.Run(f.name, func(t *testing.T) { f.shows(&trial{agent: sharedRig(t).newAgent(t)}) })
	}
}
