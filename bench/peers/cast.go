package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// contender is one tool by one of its doors.
type contender struct {
	// name heads its column; key is how the pages know it.
	name, key string
	// ours is true for Drawbridge, floor for raw CDP.
	ours, floor bool
	version     string
	start       func(ctx context.Context) (*player, error)

	// player is the running tool; nil while it does not run.
	player *player
	// failed is why it was not measured, or not to the end; empty when all went well.
	failed string
}

// player is a contender that runs.
type player struct {
	hand
	place *place
	// server is ended after the hand; nil where there is none.
	server *server
}

func (p *player) stop() error {
	err := p.hand.close()
	if p.server != nil {
		err = errors.Join(err, p.server.close())
	}
	if p.place != nil {
		err = errors.Join(err, p.place.clear())
	}
	return err
}

// cast is everybody who is measured, in the order of the table's columns.
func cast(o *options) ([]*contender, error) {
	binary, err := chromium.Find()
	if err != nil {
		return nil, err
	}
	program, err := filepath.Abs(o.program)
	if err != nil {
		return nil, err
	}
	packages, err := filepath.Abs(o.packages)
	if err != nil {
		return nil, err
	}
	c := &casting{binary: binary, program: program, packages: packages}
	all := []*contender{
		{name: "raw CDP", key: "floor", floor: true, start: func(ctx context.Context) (*player, error) {
			f, err := startFloor(ctx, binary)
			return &player{hand: f}, err
		}},
		{name: "Drawbridge MCP", key: "mcp", ours: true, start: c.ours(true)},
		{name: "Drawbridge CLI", key: "cli", ours: true, start: c.ours(false)},
		{name: "agent-browser CLI", key: "agent-cli", start: c.agentBrowser(false)},
		{name: "agent-browser MCP", key: "agent-mcp", start: c.agentBrowser(true)},
		{name: "@playwright/mcp", key: "playwright", start: c.node("@playwright/mcp/cli.js", playwright,
			slices.Concat([]string{"--headless", "--isolated", "--executable-path", binary.Path}, asRoot("--no-sandbox"))...)},
		{name: "chrome-devtools-mcp", key: "devtools", start: c.node("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", devtools,
			slices.Concat([]string{"--headless", "--isolated", "--executablePath", binary.Path, "--no-usage-statistics", "--no-performance-crux"},
				asRoot("--chromeArg=--no-sandbox"))...)},
	}
	all = slices.DeleteFunc(all, func(it *contender) bool {
		return len(o.only) > 0 && !slices.ContainsFunc(o.only, func(word string) bool { return strings.Contains(it.name, word) })
	})
	for _, it := range all {
		if name, _, _ := strings.Cut(it.name, " "); !it.ours && !it.floor {
			if it.version, err = version(packages, name); err != nil {
				it.failed = err.Error()
			}
		}
	}
	return all, nil
}

// asRoot is a switch that only a superuser's browser needs.
func asRoot(flag string) []string {
	if os.Getuid() == 0 {
		return []string{flag}
	}
	return nil
}

// casting is what starting takes.
type casting struct {
	binary            chromium.Binary
	program, packages string
}

// ours starts a server with a browser of its own, and for MCP a `drawbridge mcp` beside it.
func (c *casting) ours(byMCP bool) func(context.Context) (*player, error) {
	return func(ctx context.Context) (*player, error) {
		place, err := newPlace(c.binary.Path)
		if err != nil {
			return nil, err
		}
		server, err := startServer(ctx, c.program, place)
		if err != nil {
			return nil, errors.Join(err, place.clear())
		}
		opened := new(bool)
		if !byMCP {
			voice := &shellVoice{place: place, program: c.program, before: []string{"--data-dir", data(place)}}
			return &player{hand: newSpeaker(voice, oursByShell(opened)), place: place, server: server}, nil
		}
		voice, err := startMCP(ctx, place, c.program, "mcp", "--data-dir", data(place))
		if err != nil {
			return nil, errors.Join(err, server.close(), place.clear())
		}
		return &player{hand: newSpeaker(voice, ours(opened)), place: place, server: server}, nil
	}
}

// node starts an MCP server that is a script of one of npm's packages.
func (c *casting) node(script string, speaks func() *language, args ...string) func(context.Context) (*player, error) {
	return func(ctx context.Context) (*player, error) {
		node, err := exec.LookPath("node")
		if err != nil {
			return nil, err
		}
		return c.server(ctx, nil, speaks(), node, append([]string{filepath.Join(c.packages, filepath.FromSlash(script))}, args...)...)
	}
}

// server starts an MCP server that brings its own browser up.
func (c *casting) server(ctx context.Context, extra []string, speaks *language, name string, args ...string) (*player, error) {
	place, err := newPlace(c.binary.Path, extra...)
	if err != nil {
		return nil, err
	}
	voice, err := startMCP(ctx, place, name, args...)
	if err != nil {
		return nil, errors.Join(err, place.clear())
	}
	return &player{hand: newSpeaker(voice, speaks), place: place}, nil
}

// agentBrowser starts its MCP server, or readies its command line; a daemon of its own comes up with the first step.
func (c *casting) agentBrowser(byMCP bool) func(context.Context) (*player, error) {
	return func(ctx context.Context) (*player, error) {
		program, err := agentBrowserProgram(c.packages)
		if err != nil {
			return nil, err
		}
		extra := []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + c.binary.Path}
		if arg := asRoot("--no-sandbox"); arg != nil {
			extra = append(extra, "AGENT_BROWSER_ARGS="+arg[0])
		}
		if byMCP {
			return c.server(ctx, extra, agentBrowser(), program, "mcp")
		}
		place, err := newPlace(c.binary.Path, extra...)
		if err != nil {
			return nil, err
		}
		voice := &shellVoice{place: place, program: program}
		voice.end = func() error {
			_, err := voice.say(context.Background(), call{argv: []string{"close", "--all"}})
			return err
		}
		return &player{hand: newSpeaker(voice, agentBrowserByShell()), place: place}, nil
	}
}
