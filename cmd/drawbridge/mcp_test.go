package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// mcpProcess makes a drawbridge mcp on data, not started yet.
func mcpProcess(t *testing.T, data string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "drawbridge", "mcp")
	cmd.Env = append(os.Environ(), "DRAWBRIDGE_DATA_DIR="+data, "DRAWBRIDGE_ADDR=127.0.0.1:0")
	return cmd
}

// buffer is a writer that a process and a test may share.
type buffer struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.Write(p)
}

// String is what was written so far.
func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.String()
}

// dataDir is a data directory of the test whose server ends with it.
func dataDir(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { stopServer(t, data) })
	return data
}

// connectMCP runs drawbridge mcp under the SDK's own client.
func connectMCP(ctx context.Context, t *testing.T, data string) (*mcp.ClientSession, *buffer) {
	t.Helper()
	cmd, stderr := mcpProcess(t, data), &buffer{}
	cmd.Stderr = stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	return session, stderr
}

func callBrowser(ctx context.Context, t *testing.T, s *mcp.ClientSession, arguments map[string]any) (string, bool) {
	t.Helper()
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "browser", Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("got a %T, want text", result.Content[0])
	}
	return text.Text, result.IsError
}

func answer(t *testing.T, raw string) json.RawMessage {
	t.Helper()
	if !json.Valid([]byte(raw)) {
		t.Fatalf("%s is no JSON", raw)
	}
	return json.RawMessage(raw)
}

func TestMCPStartsAServerAndActsThroughIt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	session, stderr := connectMCP(ctx, t, data)
	if text, isError := callBrowser(ctx, t, session, map[string]any{"action": "click", "ref": "e1"}); !isError || !strings.Contains(text, "error not_connected") {
		t.Errorf("without a browser: got %q", text)
	}
	b, err := pairBrowser(ctx, data, "home", script{Answers: map[string]json.RawMessage{
		"open_tab": answer(t, `{"result":{"ok":true,"tabId":41,"url":"https://a.test/","title":"T"}}`),
		"snapshot": answer(t, `{"result":{"snapshot":"- button \"Save\" [ref=e1]","refs":{},"origin":"https://a.test","viewport":{"width":1,"height":1},"elements":1}}`),
		"click":    answer(t, `{"result":{"ok":true,"gone":["e1"]}}`),
		"session":  answer(t, `{"result":{"ok":true}}`),
	}}, filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	text, isError := callBrowser(ctx, t, session, map[string]any{"action": "open_tab", "url": "https://a.test/"})
	if isError || !strings.HasPrefix(text, `tab 41 "T" https://a.test/`) || !strings.Contains(text, `- e1 button "Save"`) {
		t.Errorf("open_tab: got %q", text)
	}
	if text, isError := callBrowser(ctx, t, session, map[string]any{"action": "click", "ref": "e1"}); isError || text != "ok click e1\n- e1 gone" {
		t.Errorf("click: got %q", text)
	}

	// A call that the client gives up is given up in the browser.
	waiting, giveUp := context.WithCancel(ctx)
	go func() {
		_ = b.await(ctx, "wait_for")
		giveUp()
	}()
	if _, err := session.CallTool(waiting, &mcp.CallToolParams{Name: "browser", Arguments: map[string]any{"action": "wait_for", "text": "never"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled call gave %v", err)
	}
	if err := b.await(ctx, "cancel"); err != nil {
		t.Error(err)
	}

	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := b.await(ctx, "session"); err != nil {
		t.Errorf("its tab was not given back: %v", err)
	}
	if said := stderr.String(); !strings.Contains(said, "started a server at 127.0.0.1:") || strings.Count(said, "\n") != 1 {
		t.Errorf("stderr has %q, want the one line about the server that stays", said)
	}
	if info, err := store.ReadServerInfo(data); err != nil || !alive(info.PID) {
		t.Errorf("the shared server is gone with its client: %v", err)
	}
}

// TestMCPThatIsKilledGivesItsTabsBack: nobody is left to say so, but the server sees it go.
func TestMCPThatIsKilledGivesItsTabsBack(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	cmd := mcpProcess(t, data)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := pairBrowser(ctx, data, "home", script{Answers: map[string]json.RawMessage{
		"open_tab": answer(t, `{"result":{"ok":true,"tabId":41,"url":"https://a.test/","title":"T"}}`),
		"snapshot": answer(t, `{"result":{"snapshot":"","refs":{},"origin":"https://a.test","viewport":{"width":1,"height":1},"elements":0}}`),
		"session":  answer(t, `{"result":{"ok":true}}`),
	}}, filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if text, isError := callBrowser(ctx, t, session, map[string]any{"action": "open_tab", "url": "https://a.test/"}); isError {
		t.Fatal(text)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = session.Close() // it tells how the process ended
	if err := b.await(ctx, "session"); err != nil {
		t.Errorf("its tab was not given back: %v", err)
	}
}

func TestMCPThatStartAtOnceEndWithOneServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	const clients = 4
	started := make(chan string, clients)
	for range clients {
		go func() {
			cmd, stderr := mcpProcess(t, data), &buffer{}
			cmd.Stderr = stderr
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
			if err == nil {
				_, err = session.ListTools(ctx, nil)
				err = errors.Join(err, session.Close())
			}
			if err != nil {
				started <- fmt.Sprintf("error: %v %s", err, stderr)
				return
			}
			started <- stderr.String()
		}()
	}
	servers := 0
	for range clients {
		said := <-started
		if strings.HasPrefix(said, "error: ") {
			t.Error(said)
		}
		servers += strings.Count(said, "started a server")
	}
	if servers != 1 {
		t.Errorf("%d servers were started, want 1", servers)
	}
	log, err := os.ReadFile(logPath(data))
	if err != nil || len(log) != 0 {
		t.Errorf("the server's log has %q (%v), want nothing: all is well", log, err)
	}
}

func TestMCPFindsAnotherServerWhenItsOwnIsGone(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	session, stderr := connectMCP(ctx, t, data)
	stopServer(t, data)
	if text, isError := callBrowser(ctx, t, session, map[string]any{"action": "list_tabs"}); !isError || !strings.Contains(text, "no browser is connected") {
		t.Errorf("after the server went: got %q, want another server's answer", text)
	}
	if n := strings.Count(stderr.String(), "started a server"); n != 2 {
		t.Errorf("%d servers were started, want a second one: %s", n, stderr)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

func TestServerOfMCPEndsOnceItsClientIsGone(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	const while = 4 * time.Second // long enough to be held in time by a client on a busy machine
	cmd, stderr := mcpProcess(t, data), &buffer{}
	cmd.Args, cmd.Stderr = append(cmd.Args, "--idle", while.String()), stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	b, err := pairBrowser(ctx, data, "home", script{Answers: map[string]json.RawMessage{"list_tabs": answer(t, `{"result":{"tabs":[]}}`)}}, filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	// The client asks nothing for longer than that, and finds the same server with the same browser.
	select {
	case <-b.done:
		t.Error("the server ended under its client")
	case <-time.After(while + time.Second):
	}
	if text, isError := callBrowser(ctx, t, session, map[string]any{"action": "list_tabs"}); isError {
		t.Errorf("after a silence: %s", text)
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	select {
	case <-b.done: // it was told that the server goes
	case <-ctx.Done():
		t.Fatal("the server stays, with nobody but a browser")
	}
	eventuallyGone(ctx, t, data)
	if said := stderr.String(); strings.Count(said, "started a server") != 1 || !strings.Contains(said, "when no agent has used it for 4s") {
		t.Errorf("stderr has %q", said)
	}
}

// handshake is what a client sends before its first call.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func TestMCPEndsWithItsInputInMidCallAndWritesNothingElse(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	data := dataDir(t)
	stop, err := startDetached(ctx, data)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	b, err := pairBrowser(ctx, data, "home", script{}, filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()

	cmd := mcpProcess(t, data)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := &buffer{}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(in, handshake+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser","arguments":{"action":"wait_for","text":"never"}}}`+"\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.await(ctx, "wait_for"); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("stdout has a line that is no JSON: %q", lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended by %v, want exit code 0; stderr: %s", err, stderr)
	}
	if err := b.await(ctx, "cancel"); err != nil {
		t.Errorf("the action under way was not cancelled: %v", err)
	}
}
