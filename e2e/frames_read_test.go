package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// framed is a page with frames of every kind among its own words: same-origin, cross-origin with a nested one, srcdoc.
func (f *trial) framed(words func(name string) string) string {
	f.t.Helper()
	p := func(name string) string {
		return fmt.Sprintf("<p>%s</p><input type=button value='%s'>", words(name), name)
	}
	own := f.html("own", p("own one"))
	deep := strings.Replace(f.html("deep", p("deep one")), "page.test", "deep.test", 1)
	other := strings.Replace(f.html("other", p("other one")+fmt.Sprintf(`<iframe src=%q></iframe>`, deep)+p("other two")), "page.test", "other.test", 1)
	return f.load(fmt.Sprintf(`<style>iframe { width: 500px; height: 300px }</style>
		<iframe srcdoc="%s"></iframe>%s<iframe src=%q></iframe>%s<iframe src=%q></iframe><iframe srcdoc="%s"></iframe>%s
		<ul><li>item<iframe srcdoc="<p>in an item</p>"></iframe>goes on</ul>
		<table><tr><td>cell<iframe srcdoc="<p>in a cell</p>"></iframe><td>next cell</table>
		<aside>beside<iframe srcdoc="<p>in an aside</p>"></iframe></aside>%s`,
		p("first"), p("before"), own, p("between"), other, p("second"), p("behind"), p("last")))
}

// The names of what is in that page, in the order in which a person meets it.
var inOrder = []string{"first", "before", "own one", "between", "other one", "deep one", "other two", "second", "behind", "last"}

func TestFramesAreReadInTheirPlaces(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	f.framed(func(name string) string { return name })
	f.lateRef("button", "deep one")
	read := f.extract(f.page)
	want := `first

before

own one

between

**Frame http://other.test**

other one

**Frame http://deep.test**

deep one

**End of frame**

other two

**End of frame**

second

behind

- item

in an item

  goes on

|  |  |
| --- | --- |
| cell | next cell |

in a cell

in an aside

last`
	if read.Markdown != want {
		t.Errorf("the Markdown is\n%s\nexpected\n%s", read.Markdown, want)
	}
	var names []string
	for _, e := range read.Elements {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, ", "); got != strings.Join(inOrder, ", ") {
		t.Errorf("the elements are %s", got)
	}
	at := 0
	for _, word := range append(inOrder, "item", "in an item", "goes on", "cell", "in a cell", "next cell", "beside", "in an aside") {
		if word == "item" {
			at = 0
		}
		next := strings.Index(read.Text[at:], word)
		if next < 0 {
			t.Fatalf("%q is not in its place in the text:\n%s", word, read.Text)
		}
		at += next
	}
}

func TestFramesAreReadInPieces(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	f.framed(func(name string) string {
		var long []string
		for i := range 30 {
			long = append(long, fmt.Sprintf("%s Überlänge %d.", name, i))
		}
		return strings.Join(long, "</p><p>")
	})
	f.lateRef("button", "deep one")
	whole := f.extract(f.page)
	if whole.Next != "" {
		t.Fatalf("the page does not go into one answer: next is %q", whole.Next)
	}
	marks := regexp.MustCompile(`(\n\n)?\*\*(Frame http://\w+\.test|End of frame)\*\*(\n\n)?`)
	for _, size := range []int{256, 700, 1500} {
		markdown, text, from, pieces := "", "", "", 0
		elements := map[string]int{}
		for ; pieces < 200 && (pieces == 0 || from != ""); pieces++ {
			piece := do[protocol.ExtractResult](f.agent, protocol.Extract{Page: f.page, MaxBytes: size, From: from})
			if len(piece.Markdown) > size || len(piece.Text) > size {
				t.Fatalf("a piece of at most %d has %d and %d bytes", size, len(piece.Markdown), len(piece.Text))
			}
			markdown, text, from = markdown+piece.Markdown, text+piece.Text, piece.Next
			for _, e := range piece.Elements {
				elements[e.UID]++
			}
		}
		// The line that says whose words these are stands before each piece of a frame.
		squeeze := func(s string) string { return strings.Join(strings.Fields(marks.ReplaceAllString(s, " ")), " ") }
		if squeeze(markdown) != squeeze(whole.Markdown) {
			t.Errorf("%d pieces of %d bytes are not the whole:\n%s\nexpected\n%s", pieces, size, markdown, whole.Markdown)
		}
		if text != whole.Text {
			t.Errorf("%d pieces of %d bytes are not the whole text:\n%s\nexpected\n%s", pieces, size, text, whole.Text)
		}
		if len(elements) != len(inOrder) {
			t.Errorf("the pieces of %d bytes tell of %d elements, expected %d: %v", size, len(elements), len(inOrder), elements)
		}
		for uid, n := range elements {
			if n != 1 {
				t.Errorf("%s is told %d times", uid, n)
			}
		}
	}
	f.refused(protocol.CodeInvalidAction, protocol.Extract{Page: f.page, From: "m3:100"}, "from")
	f.refused(protocol.CodeInvalidAction, protocol.Extract{Page: f.page, From: "m0:f40"}, "frames", "without")
}
