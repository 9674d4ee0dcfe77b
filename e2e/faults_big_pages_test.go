package e2e

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// model connects a model to the rig's server, as an agent of its own.
func (f *trial) model() model {
	f.t.Helper()
	cmd := exec.Command(drawbridge(f.t), "mcp", "--data-dir", f.rig.server.dataDir)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(within(f.t), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = session.Close() })
	return model{t: f.t, session: session}
}

// rows is a script that fills the page with so many rows of a text, a link and a button.
func rows(n int) string {
	return fmt.Sprintf(`<main id=m></main><script>m.innerHTML = Array.from({length: %d}, (_, i) => '<div id=r' + i + '><span>row ' + i + '</span> <a href="/' + i + '">link ' + i + '</a> <button onclick="document.title = ' + i + '">button ' + i + '</button></div>').join('')</script>`, n)
}

var moreWord = regexp.MustCompile(`more=(\S+)`)

// Large pages come in pieces, and cost what is asked for.
var bigPages = []fault{
	{"table_of_two_thousand_rows", func(f *trial) {
		m := f.model()
		url := f.html("table", `<table id=t></table><script>t.innerHTML = '<tr><th>No<th>Name</tr>' + Array.from({length: 2000}, (_, i) => '<tr><td>' + i + '<td><a href="/x/' + i + '">Link number ' + i + '</a></tr>').join('')</script>`)
		opened := m.text(map[string]any{"action": "open_tab", "url": url})
		if n := render.Tokens(opened); n > 2*render.DefaultTokens {
			f.t.Errorf("opening the page gives %d tokens", n)
		}
		const most = 1.5 * render.DefaultTokens
		for _, action := range []string{"snapshot", "extract"} {
			said := m.text(map[string]any{"action": action})
			if n := render.Tokens(said); n > most {
				f.t.Errorf("%s gives %d tokens", action, n)
			}
			if !moreWord.MatchString(said) {
				f.t.Errorf("%s does not say how to get the rest:\n%.300s", action, said)
			}
		}
		// All of it is to be had, each row once.
		links := map[string]int{}
		said := m.text(map[string]any{"action": "snapshot", "interactive": true})
		for range 100 {
			if !strings.Contains(said, "2000 refs") && !strings.Contains(said, "rest of") {
				f.t.Fatalf("the snapshot does not say how much there is:\n%.300s", said)
			}
			for _, link := range regexp.MustCompile(`link "(Link number \d+)"`).FindAllStringSubmatch(said, -1) {
				links[link[1]]++
			}
			more := moreWord.FindStringSubmatch(said)
			if more == nil {
				break
			}
			said = m.text(map[string]any{"action": "snapshot", "more": more[1]})
		}
		for name, n := range links {
			if n != 1 {
				f.t.Errorf("%s is told %d times", name, n)
			}
		}
		if len(links) != 2000 {
			f.t.Errorf("%d of 2000 links are told", len(links))
		}
		found := m.text(map[string]any{"action": "find", "name": "Link number 1999"})
		if !strings.Contains(found, `link "Link number 1999"`) || len(found) > 500 {
			f.t.Errorf("find gives:\n%s", found)
		}
	}},
	{"part_of_a_large_page", func(f *trial) {
		f.load(rows(10000))
		timed := func(action protocol.Action) time.Duration {
			f.t.Helper()
			shortest := time.Hour
			for range 3 {
				began := time.Now()
				if _, err := f.try(within(f.t), action); err != nil {
					f.t.Fatal(err)
				}
				shortest = min(shortest, time.Since(began))
			}
			return shortest
		}
		whole := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page})
		if whole.Elements != 20000 || !strings.Contains(whole.Snapshot, `"button 9999"`) {
			f.t.Errorf("the snapshot tells of %d elements", whole.Elements)
		}
		full := timed(protocol.Snapshot{Page: f.page})
		for _, small := range []protocol.Action{
			protocol.Snapshot{Page: f.page, Selector: "#r9000"},
			protocol.Click{Page: f.page, Target: css("#r9000 button")},
			protocol.WaitFor{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#r9000"}, State: "attached"},
		} {
			if took := timed(small); took > full/2 {
				f.t.Errorf("%s of one row takes %s, the snapshot of all rows %s", protocol.TypeOf(small), took, full)
			}
		}
		f.until("document.title", `"9000"`)
		part := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, Selector: "#r9000"})
		if len(part.Refs) != 2 || strings.Contains(part.Snapshot, "9001") {
			f.t.Errorf("the snapshot of a row says\n%s", part.Snapshot)
		}
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "row 9999"})
	}},
	{"callers_that_give_up", func(f *trial) {
		f.load(rows(8000))
		for range 5 {
			_, err := f.client.Act(within(f.t), protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.Snapshot{Page: f.page}}, TimeoutMS: 20})
			f.failed(protocol.CodeTimeout, protocol.Snapshot{}, err)
		}
		// Nothing that nobody waits for is in its way.
		f.press(css("#r3 button"))
		f.until("document.title", `"3"`)
	}},
	{"cut_within_a_line_and_a_character", func(f *trial) {
		f.load(`<main>` + strings.Repeat("<button>👩‍👩‍👧‍👦 Familie 漢字</button><p>😀😀😀 words</p>", 200) + `</main>`)
		whole := f.outline()
		for limit := 256; limit < 330; limit++ {
			piece := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, MaxBytes: limit})
			if !utf8.ValidString(piece.Snapshot) || strings.Contains(piece.Snapshot, "\uFFFD") || !strings.HasPrefix(whole, piece.Snapshot+"\n") {
				f.t.Fatalf("%d bytes cut a line:\n%s", limit, piece.Snapshot)
			}
			if piece.Elements != 200 || piece.Next == "" || len(piece.Refs) != strings.Count(piece.Snapshot, "[ref=") {
				f.t.Fatalf("%d bytes tell of %d elements, %d refs, next %q", limit, piece.Elements, len(piece.Refs), piece.Next)
			}
		}
		head := render.Result(protocol.Snapshot{Page: f.page}, do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page, MaxBytes: 300})).Head
		if !strings.Contains(head, "200 refs, ") || !strings.Contains(head, " shown") {
			f.t.Errorf("a reader is told %q", head)
		}
	}},
}
