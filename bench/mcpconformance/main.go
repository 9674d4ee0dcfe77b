// Mcpconformance holds our MCP server to the official conformance suite and drives it by the official inspector, both from npm.
//
// The suite sends no token, so a door before the server adds one to each request and changes nothing else: Host and Origin come
// to the server as the suite sent them. Run it by make mcp-conformance, which builds in the fixtures that the suite expects of
// any server; they are in no other build.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// tools is where npm has put the suite and the inspector.
const tools = "bench/mcpconformance/node_modules/.bin"

// allowed is how long everything may take.
const allowed = 10 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, allowed)
	defer cancel()
	failed, err := run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcp-conformance:", err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context) (failed int, err error) {
	scratch, err := os.MkdirTemp("", "drawbridge-mcp-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	s, err := server.New(&server.Options{Addr: "127.0.0.1:0", DataDir: filepath.Join(scratch, "data"), Version: "conformance", DrainTime: time.Second})
	if err != nil {
		return 0, err
	}
	serving, end := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Run(serving) }()
	defer func() {
		end()
		err = errors.Join(err, <-done)
	}()
	token, err := store.ReadCredential(s.DataDir())
	if err != nil {
		return 0, err
	}
	before := door(s.URL(), token)
	defer before.Close()
	return judge(ctx, scratch, before.URL+"/mcp")
}

// door adds the token, and calls the server by its own name where the suite called the door by its.
func door(to, token string) *httptest.Server {
	target, err := url.Parse(to)
	if err != nil {
		panic(err) // the server's own address
	}
	// A stream that the suite leaves is no fault to tell of.
	proxy := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0)}
	before := httptest.NewServer(proxy)
	own := before.Listener.Addr().String()
	_, port, _ := strings.Cut(own, ":")
	proxy.Rewrite = func(r *httputil.ProxyRequest) {
		asked := r.In.Host
		r.SetURL(target)
		r.Out.Host = asked
		if asked == own || asked == "localhost:"+port {
			r.Out.Host = target.Host
		}
		if origin := r.In.Header.Get("Origin"); origin == "http://"+own || origin == "http://localhost:"+port {
			r.Out.Header.Del("Origin") // programs send none
		}
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}
	return before
}

// result is the suite's line on one scenario: a mark, its name, how many checks passed and how many failed.
var result = regexp.MustCompile(`(?m)^[✓✗]\s+([a-z0-9-]+): (\d+) passed, (\d+) failed`)

// scenario is what the suite says of one of its conversations.
type scenario struct {
	name, passed, failed string
}

func (s scenario) ok() bool { return s.failed == "0" && s.passed != "0" }

// suite plays all scenarios against the server at an address.
func suite(ctx context.Context, results, address string) (scenarios []scenario, said []byte, err error) {
	play := exec.CommandContext(ctx, filepath.Join(tools, "conformance"), "server", "--url", address, "--output-dir", results)
	said, ended := play.CombinedOutput()
	for _, m := range result.FindAllSubmatch(said, -1) {
		scenarios = append(scenarios, scenario{string(m[1]), string(m[2]), string(m[3])})
	}
	if len(scenarios) == 0 {
		return nil, said, fmt.Errorf("the suite gave no results: %w\n%s", errors.Join(ended, ctx.Err()), said)
	}
	return scenarios, said, nil
}

func judge(ctx context.Context, scratch, address string) (int, error) {
	reference, err := judgeReference(ctx, scratch)
	if err != nil {
		return 0, err
	}
	ours, said, err := suite(ctx, filepath.Join(scratch, "ours"), address)
	if err != nil {
		return 0, err
	}
	passed, failed := 0, 0
	tell := func(name string, ok bool, why string) {
		if ok {
			passed++
			fmt.Printf("ok    %s\n", name)
			return
		}
		failed++
		fmt.Printf("FAIL  %s %s\n", name, why)
	}
	good := 0
	for _, s := range ours {
		if s.ok() {
			good++
		}
		tell(s.name, s.ok(), fmt.Sprintf("%s passed, %s failed", s.passed, s.failed))
	}
	if failed > 0 {
		fmt.Printf("%s\n", said)
	}
	theirs := 0
	for _, s := range reference {
		if !s.ok() {
			fmt.Printf("note  the SDK's server fails %s: %s passed, %s failed\n", s.name, s.passed, s.failed)
			continue
		}
		theirs++
		at := slices.IndexFunc(ours, func(o scenario) bool { return o.name == s.name })
		if at < 0 {
			tell(s.name, false, "was not played against ours")
		}
	}
	for name, ask := range map[string]struct {
		args []string
		want string
	}{
		"inspector tools/list":              {[]string{"--method", "tools/list"}, `"name": "browser"`},
		"inspector tools/call list_tabs":    {[]string{"--method", "tools/call", "--tool-name", "browser", "--tool-arg", "action=list_tabs"}, "error not_connected"},
		"inspector tools/call wrong action": {[]string{"--method", "tools/call", "--tool-name", "browser", "--tool-arg", "action=fly"}, `action \"fly\" is unknown`},
	} {
		inspector := exec.CommandContext(ctx, filepath.Join(tools, "mcp-inspector"), append([]string{"--cli", address, "--transport", "http"}, ask.args...)...)
		said, err := inspector.CombinedOutput()
		tell(name, err == nil && bytes.Contains(said, []byte(ask.want)), fmt.Sprintf("%v %s", err, said))
	}
	fmt.Printf("scenarios of the suite passed: ours %d of %d, the server of the SDK's own (%s) %d of %d\n", good, len(ours), sdk, theirs, len(reference))
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	return failed, nil
}
