package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/bench/site"
	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestRefsAreFoundInEveryWayOfWriting(t *testing.T) {
	// As a model and a shell are given it: what only looks like it would go on being found when ours is written otherwise.
	told := render.Result(protocol.Snapshot{}, protocol.SnapshotResult{Snapshot: "- main\n  - button \"Order\" [ref=e9] focused"}).String()
	for _, c := range []struct{ tool, text, want string }{
		{"ours", told, "e9"},
		{"playwright", `    - button "Order" [ref=f2e16] [cursor=pointer]`, "f2e16"},
		{"agent-browser", `- button "Order" [disabled, ref=e2]`, "e2"},
		{"devtools", `      uid=1_14 button "Order"`, "1_14"},
	} {
		speaks := map[string]*language{"ours": ours(new(bool)), "playwright": playwright(), "agent-browser": agentBrowser(), "devtools": devtools()}[c.tool]
		found := speaks.ref.FindStringSubmatch(c.text)
		if found == nil {
			t.Errorf("%s: nothing is found in %q", c.tool, c.text)
			continue
		}
		named := found[speaks.ref.SubexpIndex("role")] + " " + found[speaks.ref.SubexpIndex("name")]
		if ref := found[speaks.ref.SubexpIndex("ref")]; ref != c.want || named != site.Order.Send.Named() {
			t.Errorf("%s: %q is found as %s %q", c.tool, c.text, named, ref)
		}
	}
}

func TestALookThatLosesIsNotTheBest(t *testing.T) {
	us, other := &contender{name: "us", key: "us", ours: true}, &contender{name: "other", key: "other"}
	r := newReport([]*contender{us, other}, 3)
	row := rowSeen(site.Pages[0])
	for _, value := range []float64{3000, 1, 2} {
		r.add(us, row, value*100)
		r.add(other, row, value*10)
	}
	r.saw(us, row, 0.5, 1)
	r.saw(other, row, 0.9, 0.9)
	table := r.markdown()
	if want := "| **200** (50 %, then 100 %) | 20.0 (90 %) | ≤ 2,000 |"; !strings.Contains(table, want) {
		t.Errorf("the row is not %s in\n%s", want, table)
	}
	r.saw(other, row, 1, 1)
	if table := r.markdown(); !strings.Contains(table, "200 (50 %, then 100 %) | **20.0** |") || !strings.Contains(table, "*"+row+"*: another tool is better") {
		t.Errorf("the better one is not told as such in\n%s", table)
	}
}

func TestTheTableIsWrittenBetweenItsMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	for _, c := range []struct{ was, want string }{
		{"a\n" + markBegin + "old" + markEnd + "\nz\n", "a\n" + markBegin + "\n\nnew\n" + markEnd + "\nz\n"},
		{"a\n", ""},
	} {
		if err := os.WriteFile(path, []byte(c.was), 0o600); err != nil {
			t.Fatal(err)
		}
		err := writeInto(path, "new")
		got, _ := os.ReadFile(path)
		if c.want == "" && (err == nil || string(got) != c.was) {
			t.Errorf("a file without marks became %q, %v", got, err)
		}
		if c.want != "" && (err != nil || string(got) != c.want) {
			t.Errorf("%q became %q, %v", c.was, got, err)
		}
	}
}
