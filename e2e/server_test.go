package e2e

import (
	"bufio"
	"errors"
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// upProcess starts the server as a program of its own and waits until it answers.
func upProcess(t *testing.T, addr, dataDir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(drawbridge(t), "up", "--detached", "--addr", addr, "--data-dir", dataDir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the server did not start: %v", err)
	}
	return cmd
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it ends by the kill
}

func freeAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestServerKilledAndBack(t *testing.T) {
	t.Parallel()
	dataDir, addr := filepath.Join(t.TempDir(), "data"), freeAddr(t)
	process := upProcess(t, addr, dataDir)
	defer func() { kill(t, process) }()
	r := newRig(t, rigOptions{addr: addr, dataDir: dataDir})
	r.server = &serving{addr: addr, dataDir: dataDir, log: &logBuffer{}, end: func() {}, done: make(chan error, 1)}
	r.server.done <- nil
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	name := a.target(page, "textbox", "Name")
	running := a.start(protocol.Evaluate{Page: page, Expression: "return fetch('/began-server').then(() => new Promise(() => {}))"})
	if err := r.site.await(within(t), "page.test/began-server"); err != nil {
		t.Fatal(err)
	}
	kill(t, process)
	var cut *protocol.Error
	if err := <-running; !errors.As(err, &cut) || cut.Outcome != protocol.Unknown {
		t.Errorf("the call that was cut off gives %v, expected an unknown outcome", err)
	}
	if err := (<-a.start(protocol.ListTabs{})); !errors.Is(err, &protocol.Error{Code: protocol.CodeNotConnected}) {
		t.Errorf("without a server a call gives %v", err)
	}
	process = upProcess(t, addr, dataDir)
	if err := connected(within(t), a.client, 1); err != nil {
		t.Fatal(err)
	}
	// Pairing, tab, session and uid are all still good.
	if typed := do[protocol.TypeResult](a, protocol.Type{Page: page, Target: name, Text: ptr("back")}); typed.Value == nil || *typed.Value != "back" {
		t.Errorf("the box holds %v", typed.Value)
	}
	tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs
	if len(tabs) != 1 || tabs[0].TabID != page.TabID {
		t.Errorf("the agent's tabs are %+v", tabs)
	}
}
