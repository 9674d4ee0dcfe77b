package mcpserver

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a Desk that answers by a function and keeps what it was asked for.
type desk struct {
	answer func(ctx context.Context, call Call) (Reply, error)

	mu    sync.Mutex
	calls []Call
}

func (d *desk) Act(ctx context.Context, call Call) (Reply, error) {
	d.mu.Lock()
	d.calls = append(d.calls, call)
	d.mu.Unlock()
	return d.answer(ctx, call)
}

func (d *desk) asked() []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Call(nil), d.calls...)
}

// connect joins a real MCP client to a server on d, by a pipe in memory.
func connect(t *testing.T, d Desk, opts *Options) *mcp.ClientSession {
	t.Helper()
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(d, opts).Run(ctx, serverEnd) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-done
	})
	return session
}

func browser(t *testing.T, s *mcp.ClientSession, arguments map[string]any) (text string, isError bool, rest []mcp.Content) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: toolName, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	first, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the first content is a %T, want text", result.Content[0])
	}
	return first.Text, result.IsError, result.Content[1:]
}

func TestClientSeesOneToolAndTheInstructions(t *testing.T) {
	s := connect(t, &desk{}, &Options{Version: "1.2.3"})
	if got := s.InitializeResult(); got.ServerInfo.Version != "1.2.3" || !strings.Contains(got.Instructions, "open_tab") {
		t.Errorf("got server %+v with instructions %q", got.ServerInfo, got.Instructions)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 1 || tools.Tools[0].Name != "browser" {
		t.Errorf("got tools %+v, want browser alone", tools.Tools)
	}
}

func TestActionGoesToTheDeskAndItsResultComesBack(t *testing.T) {
	d := &desk{answer: func(context.Context, Call) (Reply, error) {
		return Reply{
			Result: protocol.ClickResult{OK: true, Changed: protocol.Changed{Title: "Done"}},
			Events: []protocol.Event{protocol.GlobalStop{Sessions: 1}},
		}, nil
	}}
	text, isError, _ := browser(t, connect(t, d, nil), map[string]any{"action": "click", "ref": "e7", "browser": "home"})
	want := "ok click e7\ntitle → \"Done\"\nevent: the user pressed Stop all: only the user resumes"
	if text != want || isError {
		t.Errorf("got %q (error %v), want %q", text, isError, want)
	}
	if diff := cmp.Diff([]Call{{Action: protocol.Click{Target: protocol.Target{UID: "e7"}}, Browser: "home"}}, d.asked()); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsAreAnswersOfTheTool(t *testing.T) {
	for _, c := range []struct {
		name      string
		arguments map[string]any
		err       error
		want      string
	}{
		{"of the browser", map[string]any{"action": "click", "ref": "e7"}, protocol.Errorf(protocol.CodeElementStale, "e7 is now \"Send\""), "error element_stale: nothing was done\ne7 is now \"Send\"\nNext: "},
		{"of the input", map[string]any{"action": "click"}, nil, "error invalid_action: nothing was done\n"},
		{"of what is no protocol error", map[string]any{"action": "click", "ref": "e7"}, errors.New("boom"), "error internal: it may or may not have been done"},
		{"of a rest that is gone", map[string]any{"more": "c99"}, nil, `error invalid_action: nothing was done
nothing is kept under more "c99"`},
	} {
		d := &desk{answer: func(context.Context, Call) (Reply, error) { return Reply{}, c.err }}
		text, isError, _ := browser(t, connect(t, d, nil), c.arguments)
		if !isError || !strings.HasPrefix(text, c.want) {
			t.Errorf("error %s: got %q (isError %v), want it to begin with %q", c.name, text, isError, c.want)
		}
	}
}

func TestCancellationReachesTheDesk(t *testing.T) {
	started, ended := make(chan struct{}), make(chan error, 1)
	d := &desk{answer: func(ctx context.Context, _ Call) (Reply, error) {
		close(started)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return Reply{}, ctx.Err()
	}}
	s := connect(t, d, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: toolName, Arguments: map[string]any{"action": "wait_for", "text": "never"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v, want its own cancellation", err)
	}
	if got := <-ended; got == nil {
		t.Error("the desk's context did not end")
	}
}

func TestScreenshotIsAnImage(t *testing.T) {
	d := &desk{answer: func(context.Context, Call) (Reply, error) {
		return Reply{Result: protocol.ScreenshotResult{Data: base64.StdEncoding.EncodeToString([]byte("picture")), MimeType: "image/png", Width: 10, Height: 20}}, nil
	}}
	text, _, rest := browser(t, connect(t, d, nil), map[string]any{"action": "screenshot"})
	if text != "screenshot 10×20, 7 B" || len(rest) != 1 {
		t.Fatalf("got %q and %d further contents", text, len(rest))
	}
	image, ok := rest[0].(*mcp.ImageContent)
	if !ok || string(image.Data) != "picture" || image.MIMEType != "image/png" {
		t.Errorf("got %+v, want the picture", rest[0])
	}
}

func TestOpenTabBringsTheFirstRefs(t *testing.T) {
	d := &desk{answer: func(_ context.Context, call Call) (Reply, error) {
		switch a := call.Action.(type) {
		case protocol.OpenTab:
			return Reply{Result: protocol.OpenTabResult{OK: true, TabID: 41, URL: a.URL, Title: "T"}}, nil
		case protocol.Snapshot:
			if a.From != "" {
				return Reply{Result: protocol.SnapshotResult{Snapshot: "- link \"Last\" [ref=e9]", URL: "https://a.test/", Elements: 2}}, nil
			}
			return Reply{Result: protocol.SnapshotResult{Snapshot: "- button \"Save\" [ref=e1]", Next: "deep/inside the page"}}, nil
		}
		return Reply{}, protocol.Errorf(protocol.CodeInternal, "unexpected %T", call.Action)
	}}
	s := connect(t, d, nil)
	text, isError, _ := browser(t, s, map[string]any{"action": "open_tab", "url": "https://a.test/"})
	shape := regexp.MustCompile(`^tab 41 "T" https://a\.test/ · more=c1\n<page (\w{4})>\n- e1 button "Save"\n</page (\w{4})>$`)
	if isError || !shape.MatchString(text) {
		t.Fatalf("got %q", text)
	}
	look, ok := d.asked()[1].Action.(protocol.Snapshot)
	if !ok || !look.Interactive || look.TabID != 41 {
		t.Errorf("it looked by %+v, want an interactive snapshot of tab 41", d.asked()[1].Action)
	}
	text, _, _ = browser(t, s, map[string]any{"more": "c1"})
	if !strings.Contains(text, `- e9 link "Last"`) {
		t.Errorf("more=c1 gave %q", text)
	}
	if again, ok := d.asked()[2].Action.(protocol.Snapshot); !ok || again.From != "deep/inside the page" || again.TabID != 41 {
		t.Errorf("it went on by %+v, want the browser's own next on tab 41", d.asked()[2].Action)
	}
}

func TestOpenTabSucceedsWhereLookingFails(t *testing.T) {
	d := &desk{answer: func(_ context.Context, call Call) (Reply, error) {
		if _, ok := call.Action.(protocol.OpenTab); ok {
			return Reply{Result: protocol.OpenTabResult{OK: true, TabID: 41, URL: "https://a.test/"}}, nil
		}
		return Reply{}, protocol.Errorf(protocol.CodeUnsupported, "no snapshot here")
	}}
	text, isError, _ := browser(t, connect(t, d, nil), map[string]any{"action": "open_tab", "url": "https://a.test/"})
	if isError || text != "tab 41 https://a.test/" {
		t.Errorf("got %q (error %v)", text, isError)
	}
}

func TestLongAnswersAreCutAndGoOn(t *testing.T) {
	page := strings.Repeat("a line of the page's own words\n", 600)
	d := &desk{answer: func(_ context.Context, call Call) (Reply, error) {
		if a, ok := call.Action.(protocol.Extract); !ok || a.MaxBytes == 0 || len(a.Parts) != 2 {
			return Reply{}, protocol.Errorf(protocol.CodeInternal, "asked by %+v", call.Action)
		}
		return Reply{Result: protocol.ExtractResult{Markdown: page, URL: "https://a.test/", Title: "T"}}, nil
	}}
	s := connect(t, d, &Options{Tokens: 500})
	arguments := map[string]any{"action": "extract"}
	more := regexp.MustCompile(`more=(c\d+)`)
	var words strings.Builder
	for part := 0; ; part++ {
		text, isError, _ := browser(t, s, arguments)
		if isError || part > 30 || len(text) > 2300 {
			t.Fatalf("part %d has %d bytes: %s", part, len(text), text)
		}
		for l := range strings.Lines(text) {
			if strings.HasPrefix(l, "a line") {
				words.WriteString(l)
			}
		}
		next := more.FindStringSubmatch(text)
		if next == nil {
			break
		}
		arguments = map[string]any{"more": next[1]}
	}
	if words.String() != page {
		t.Errorf("the parts have %d bytes of the page, want %d", words.Len(), len(page))
	}
	if n := len(d.asked()); n != 1 {
		t.Errorf("the browser was asked %d times, want once: the rest was at hand", n)
	}
}

func TestServeEndsWithItsInput(t *testing.T) {
	in, feed := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), New(&desk{}, nil), in, nowhere{}) }()
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Errorf("got %v, want nil at the end of the input", err)
	}
}

// nowhere is an output that nobody reads.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }
