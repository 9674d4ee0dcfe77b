package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What a snapshot costs a model: no answer more than its budget, nothing lost over the pages, nothing told twice.
func TestSnapshotsCostAModelLittle(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	f := &trial{agent: sharedRig(t).newAgent(t)}
	m := f.model()
	for _, c := range []struct {
		name, body  string
		interactive []bool
		// pages is how many are read; 0: all.
		pages    int
		controls int
		// most is how many tokens one control may cost, over all pages.
		most float64
	}{
		{
			"table of 1,000 rows",
			`<table id=t></table><script>t.innerHTML = '<tr><th>No<th>Customer<th>Total</tr>' + Array.from({length: 1000}, (_, i) => '<tr><td><a href="/x/' + i + '">INV-' + i + '</a><td>Customer ' + i + '<td>' + i * 7 + '.50</tr>').join('')</script>`,
			[]bool{false, true},
			0, 1000, 34,
		},
		{
			"5,000 controls",
			`<main id=m></main><script>m.innerHTML = Array.from({length: 2500}, (_, i) => '<div><label>Field ' + i + ' <input></label><button>Save ' + i + '</button></div>').join('')</script>`,
			[]bool{false, true},
			3, 5000, 13,
		},
	} {
		url := f.html(strings.ReplaceAll(c.name, " ", "-"), c.body)
		m.text(map[string]any{"action": "open_tab", "url": url})
		if n, err := codec.Count(m.text(map[string]any{"action": "extract"})); err != nil || n > render.DefaultTokens {
			t.Errorf("%s: an extract has %d tokens, expected at most %d: %v", c.name, n, render.DefaultTokens, err)
		}
		for _, interactive := range c.interactive {
			refs, tokens, pages, worst := map[string]int{}, 0, 0, 0
			said := m.text(map[string]any{"action": "snapshot", "interactive": interactive})
			for ; pages < 200; pages++ {
				n, err := codec.Count(said)
				if err != nil {
					t.Fatal(err)
				}
				tokens, worst = tokens+n, max(worst, n)
				for _, line := range regexp.MustCompile(`(?m)^ *- (e\d+) \w+ "[^"]+"`).FindAllStringSubmatch(said, -1) {
					refs[line[1]]++
				}
				more := moreWord.FindStringSubmatch(said)
				if more == nil || pages+1 == c.pages {
					break
				}
				said = m.text(map[string]any{"action": "snapshot", "more": more[1]})
			}
			what := fmt.Sprintf("%s, interactive %v", c.name, interactive)
			t.Logf("%s: %d pages, at most %d tokens each, %.1f for a control", what, pages+1, worst, float64(tokens)/float64(len(refs)))
			if worst > render.DefaultTokens {
				t.Errorf("%s: a page has %d tokens, expected at most %d", what, worst, render.DefaultTokens)
			}
			if each := float64(tokens) / float64(len(refs)); each > c.most {
				t.Errorf("%s: a control costs %.1f tokens, expected at most %.0f", what, each, c.most)
			}
			if c.pages == 0 && len(refs) != c.controls {
				t.Errorf("%s: %d of %d controls are told", what, len(refs), c.controls)
			}
			for ref, n := range refs {
				if n != 1 {
					t.Errorf("%s: %s is told %d times", what, ref, n)
				}
			}
		}
	}
	f.load(`<table><tr><td><a href=/3>3</a><td>free</tr><tr><td><b>4</b> <a href=/4>open</a></tr></table>
		<label>Number <input></label><label for=c>Colour</label><select id=c><option>red</select><label>Alone</label>
		<label><input type=checkbox style="display:none"> Menu</label>`)
	plain := regexp.MustCompile(` \[ref=e\d+\]`).ReplaceAllString(f.outline(), "")
	if want := `- table
  - rowgroup
    - row
      - link "3"
      - cell "free"
    - row
      - cell "4 open"
        - link "open"
- textbox "Number"
- combobox "Colour" value="red" options="red"
- text "Alone Menu"`; plain != want {
		t.Errorf("the snapshot is\n%s\nexpected\n%s", plain, want)
	}
	since := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page})
	f.run(`document.querySelector('a').textContent = 'three'`)
	news := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, Since: since.ID}).Snapshot
	if !strings.Contains(news, `~ link "three"`) || strings.Contains(news, "cell") {
		t.Errorf("since then it says\n%s", news)
	}
}
