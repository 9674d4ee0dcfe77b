package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/bridge"
	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The way to a real browser is tested in e2e; here is what a program meets without one.

func started(ctx context.Context, t *testing.T) (b *bridge.Bridge, dir string) {
	t.Helper()
	dir = t.TempDir()
	b, err := bridge.Start(ctx, &bridge.Options{Addr: "127.0.0.1:0", DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, dir
}

func TestPairingLinkLeadsHere(t *testing.T) {
	b, _ := started(t.Context(), t)
	pairing, err := b.Pair(t.Context())
	if err != nil || !strings.HasPrefix(pairing.Link, "http://"+b.Addr()+"/pair#"+pairing.Code+".") {
		t.Errorf("the link does not lead to %s (%v)", b.Addr(), err)
	}
	browsers, err := b.Browsers(t.Context())
	if err != nil || len(browsers) != 0 {
		t.Errorf("%v, %v", browsers, err)
	}
}

func TestOneServerHasTheDirectory(t *testing.T) {
	_, dir := started(t.Context(), t)
	if b, err := bridge.Start(t.Context(), &bridge.Options{Addr: "127.0.0.1:0", DataDir: dir}); err == nil {
		t.Error("two servers have one data directory", b.Close())
	}
	if b, err := bridge.Start(t.Context(), &bridge.Options{Addr: "0.0.0.0:0", DataDir: t.TempDir()}); err == nil {
		t.Error("it listens beyond loopback", b.Close())
	}
}

func TestWaitEndsWithItsContextOrTheServer(t *testing.T) {
	b, _ := started(t.Context(), t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := b.WaitBrowser(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waited in vain, and the error is %v", err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := b.WaitBrowser(t.Context())
		ended <- err
	}()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the server has ended") {
		t.Errorf("the server ended, and the error is %v", err)
	}
}

func TestContextEndsTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b, dir := started(ctx, t)
	cancel()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	again, err := bridge.Start(t.Context(), &bridge.Options{Addr: b.Addr(), DataDir: dir})
	if err != nil {
		t.Fatalf("neither the address nor the directory is free: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestAgentsWithoutABrowser(t *testing.T) {
	b, _ := started(t.Context(), t)
	for _, name := range []string{"", "two words", strings.Repeat("x", 65)} {
		if _, err := b.Agent(name); err == nil {
			t.Errorf("%q became an agent's name", name)
		}
	}
	agent, err := b.Agent("a.b_c:1-2")
	if err != nil {
		t.Fatal(err)
	}
	var known *protocol.Error
	_, err = client.Do[protocol.OpenTabResult](t.Context(), agent.Client, protocol.OpenTab{URL: "https://example.com/"})
	if !errors.As(err, &known) || known.Code != protocol.CodeNotConnected || known.Outcome != protocol.NotSent {
		t.Errorf("%v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for said, call := range map[string]struct {
		ctx         context.Context
		tool, input string
	}{
		"not_connected":           {t.Context(), "browser", `{"action":"open_tab","url":"https://example.com/"}`},
		"there is no tool":        {t.Context(), "shell", `{}`},
		"action \"fly\" is unkno": {t.Context(), "browser", `{"action":"fly"}`},
		"no acceptable JSON":      {t.Context(), "browser", `[`},
		"has no field":            {t.Context(), "browser", `{"action":"click","url":"x"}`},
		"cancelled":               {cancelled, "browser", `{"action":"list_tabs"}`},
	} {
		if heard := agent.Call(call.ctx, call.tool, json.RawMessage(call.input)); !heard.IsError || !strings.Contains(heard.Text, said) || heard.File != nil {
			t.Errorf("%s %s: expected %q in %+v", call.tool, call.input, said, heard)
		}
	}
}

func TestToolIsWhatProvidersTake(t *testing.T) {
	tool, err := bridge.BrowserTool()
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string]json.RawMessage{}
	if err := json.Unmarshal(tool.InputSchema, &schema); err != nil || string(schema["type"]) != `"object"` || schema["oneOf"] != nil || schema["properties"] == nil {
		t.Errorf("the input's schema is no flat object: %.200s (%v)", tool.InputSchema, err)
	}
	if tool.Name != "browser" || tool.Description == "" || !strings.Contains(tool.Instructions, "One action per call") {
		t.Errorf("%+v", tool)
	}
}
