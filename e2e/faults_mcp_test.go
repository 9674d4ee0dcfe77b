package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A model's client may give up, end or die at any moment, and read whatever comes.
var models = []fault{
	{"wait_that_was_cancelled", func(f *trial) {
		m := newModel(f.t, f.rig)
		url := f.html("page", `<p>Quiet</p><button onclick="hits++">Go</button><script>hits = 0</script>`)
		m.text(map[string]any{"action": "open_tab", "url": url})
		ctx, giveUp := context.WithTimeout(within(f.t), time.Second)
		defer giveUp()
		if err := m.try(ctx, map[string]any{"action": "wait_for", "text": "never said", "timeoutMs": 60_000}); !errors.Is(err, context.DeadlineExceeded) {
			f.t.Errorf("the call that was given up says %v", err)
		}
		began := time.Now()
		m.text(map[string]any{"action": "click", "selector": "button"})
		if took := time.Since(began); took > soon {
			f.t.Errorf("the next call took %v", took)
		}
		f.seen = f.rig.page(f.t, url)
		f.is("hits", "1")
	}},
	{"click_that_was_cancelled", func(f *trial) {
		m := newModel(f.t, f.rig)
		url := f.html("busy", `<button onmousedown="fetch('/pressed'); const t = Date.now() + 1500; while (Date.now() < t);" onclick="hits++">Go</button><script>hits = 0</script>`)
		m.text(map[string]any{"action": "open_tab", "url": url})
		f.seen = f.rig.page(f.t, url)
		// Before it has begun: the page is too busy to be asked where the button is.
		f.run("setTimeout(() => { const t = Date.now() + 1500; while (Date.now() < t); }, 0)")
		ctx, giveUp := context.WithTimeout(within(f.t), 300*time.Millisecond)
		_ = m.try(ctx, map[string]any{"action": "click", "selector": "button"})
		giveUp()
		f.is("hits", "0") // it answers when it is busy no more
		// And when it has: the button is down already.
		ctx, giveUp = context.WithCancel(within(f.t))
		ended := make(chan error, 1)
		go func() { ended <- m.try(ctx, map[string]any{"action": "click", "selector": "button"}) }()
		if err := f.rig.site.await(within(f.t), "page.test/pressed"); err != nil {
			f.t.Fatal(err)
		}
		giveUp()
		<-ended
		said := m.text(map[string]any{"action": "wait_for", "selector": "button"})
		if hits := f.says("hits"); hits != "0" && !containsFold(said, "click was given up") {
			f.t.Errorf("the page saw %s clicks, and the next answer does not tell of it: %s", hits, said)
		}
	}},
	{"input_that_ends_and_signals", func(f *trial) {
		other := newModel(f.t, f.rig)
		other.text(map[string]any{"action": "open_tab", "url": f.html("other", "<p>Other's")})
		for what, end := range map[string]func(p *mcpProcess){
			"end of input": func(p *mcpProcess) { _ = p.in.Close() },
			"SIGTERM":      func(p *mcpProcess) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
			"SIGHUP":       func(p *mcpProcess) { _ = p.cmd.Process.Signal(syscall.SIGHUP) },
		} {
			if what == "SIGHUP" && signal.Ignored(syscall.SIGHUP) {
				f.t.Log("SIGHUP was not tried: it is ignored here, as under nohup, and so it is by each program begun from here")
				continue
			}
			p := startMCP(f.t, "--data-dir", f.rig.server.dataDir)
			p.says(handshake)
			p.says(toolCall(2, map[string]any{"action": "open_tab", "url": f.html("used", "<p>Used")}))
			p.answers(2)
			began := time.Now()
			end(p)
			_, _ = io.Copy(io.Discard, p.out)
			err := p.cmd.Wait()
			took := time.Since(began)
			f.t.Logf("%s: it ended after %v", what, took)
			if err != nil || took > soon {
				f.t.Errorf("%s: after %v it ended with %v, expected the exit code 0; stderr: %s", what, took, err, &p.stderr)
			}
		}
		if said := other.text(map[string]any{"action": "extract"}); !strings.Contains(said, "Other's") {
			f.t.Errorf("the other client reads %q", said)
		}
	}},
	{"client_that_is_killed", func(f *trial) {
		// The server is the client's grandchild, by a shell that waits for it.
		fromClient, toServer, err := os.Pipe()
		if err != nil {
			f.t.Fatal(err)
		}
		client := exec.Command("sleep", "600")
		client.Stdout = toServer
		if err := client.Start(); err != nil {
			f.t.Fatal(err)
		}
		shell := exec.CommandContext(within(f.t), "sh", "-c", `"$0" mcp --data-dir "$1"; echo ended >&2`, drawbridge(f.t), f.rig.server.dataDir)
		shell.Stdin = fromClient
		var said bytes.Buffer
		shell.Stderr = &said
		if err := shell.Start(); err != nil {
			f.t.Fatal(err)
		}
		// A client of before says the first words, and goes.
		if _, err := io.WriteString(toServer, handshake); err != nil {
			f.t.Fatal(err)
		}
		_ = toServer.Close()
		_ = fromClient.Close()
		if err := client.Process.Kill(); err != nil {
			f.t.Fatal(err)
		}
		_ = client.Wait()
		if err := shell.Wait(); err != nil || said.String() != "ended\n" {
			f.t.Errorf("the server did not end with its client: %v, %s", err, &said)
		}
	}},
	{"every_line_is_the_protocol", func(f *trial) {
		for what, c := range map[string]struct {
			args, env []string
			input     string
		}{
			"usual":          {input: handshake + toolCall(2, map[string]any{"action": "list_tabs"})},
			"no such flag":   {args: []string{"--nonsense"}},
			"no such server": {args: []string{"--data-dir", "/proc/no-such-folder"}, input: handshake},
			"debugging":      {env: []string{"GODEBUG=http2debug=2", "DEBUG=1", "DRAWBRIDGE_LOG=debug"}, input: handshake + toolCall(2, map[string]any{"action": "list_tabs"})},
			"malformed":      {input: handshake + `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"browser","arguments":{"action":17}}}` + "\n" + toolCall(8, map[string]any{"action": "nothing"})},
		} {
			args := append([]string{"mcp", "--data-dir", f.rig.server.dataDir}, c.args...)
			cmd := exec.CommandContext(within(f.t), drawbridge(f.t), args...)
			cmd.Env = append(os.Environ(), c.env...)
			cmd.Stdin = strings.NewReader(c.input)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil && stderr.Len() == 0 {
				f.t.Errorf("%s: it ended with %v and without a word", what, err)
			}
			for line := range bytes.Lines(out) {
				var message struct {
					JSONRPC string `json:"jsonrpc"`
				}
				if json.Unmarshal(line, &message) != nil || message.JSONRPC != "2.0" {
					f.t.Errorf("%s: stdout has the line %q", what, line)
				}
			}
		}
	}},
	{"messages_of_any_size", func(f *trial) {
		m := newModel(f.t, f.rig)
		before, err := f.client.Browsers(within(f.t))
		if err != nil {
			f.t.Fatal(err)
		}
		url := f.html("large", `<input type=file onchange="sizes = [...this.files].map(f => f.size)"><div id=many></div><script>
			many.innerHTML = Array.from({length: 4000}, (_, i) => '<button>' + 'a long name for a button '.repeat(20) + i + '</button>').join('')</script>`)
		m.text(map[string]any{"action": "open_tab", "url": url})
		for _, size := range []int{40_000, 1_000_000, 30_000_000} {
			if said := m.text(map[string]any{"action": "evaluate", "expression": fmt.Sprintf("return 'x'.repeat(%d)", size)}); !containsFold(said, "cut:") {
				f.t.Errorf("%d bytes: it says %.200q", size, said)
			}
		}
		const size = 5 << 20
		data := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, size))
		m.text(map[string]any{"action": "upload", "selector": "input", "files": []any{map[string]any{"name": "five.bin", "mimeType": "application/octet-stream", "data": data}}})
		f.seen = f.rig.page(f.t, url)
		f.until("sizes", fmt.Sprintf("[%d]", size))
		m.text(map[string]any{"action": "snapshot"})
		m.text(map[string]any{"action": "snapshot", "maxBytes": 1 << 20})
		after, err := f.client.Browsers(within(f.t))
		if err != nil || len(after) != 1 || after[0].ConnectedAt != before[0].ConnectedAt {
			f.t.Errorf("the browser's connection was %+v and is %+v (%v)", before, after, err)
		}
	}},
}

// try has an action done and tells only how the call went.
func (m model) try(ctx context.Context, arguments map[string]any) error {
	_, err := m.session.CallTool(ctx, &mcp.CallToolParams{Name: "browser", Arguments: arguments})
	return err
}

// mcpProcess is drawbridge mcp without a client: the test writes what one would.
type mcpProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func startMCP(t *testing.T, args ...string) *mcpProcess {
	t.Helper()
	p := &mcpProcess{t: t, cmd: exec.CommandContext(within(t), drawbridge(t), append([]string{"mcp"}, args...)...)}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *mcpProcess) says(lines string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, lines); err != nil {
		p.t.Fatal(err)
	}
}

// answers reads until the answer to a request.
func (p *mcpProcess) answers(id int) {
	p.t.Helper()
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			p.t.Fatalf("it gave no answer to request %d: %v; stderr: %s", id, err, &p.stderr)
		}
		var message struct {
			ID int `json:"id"`
		}
		if json.Unmarshal(line, &message) == nil && message.ID == id {
			return
		}
	}
}

// handshake is what a client of MCP sends first.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// toolCall is a client's line that has an action done.
func toolCall(id int, arguments map[string]any) string {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": "browser", "arguments": arguments}})
	if err != nil {
		panic(err) // a mistake in a test
	}
	return string(line) + "\n"
}
