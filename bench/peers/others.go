package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

func tool(name string, args map[string]any) call { return call{tool: name, args: args} }

// playwright speaks to @playwright/mcp, whose answers leave the tree in a file: who wants it asks for it.
func playwright() *language {
	return &language{
		open:  func(url string) call { return tool("browser_navigate", map[string]any{"url": url}) },
		look:  func(bool) call { return tool("browser_snapshot", map[string]any{}) },
		click: func(ref string) call { return tool("browser_click", map[string]any{"target": ref}) },
		fill: func(ref, text string) call {
			return tool("browser_type", map[string]any{"target": ref, "text": text})
		},
		choose: func(ref, option string) call {
			return tool("browser_select_option", map[string]any{"target": ref, "values": []string{option}})
		},
		evaluate: func(body string) call { return tool("browser_evaluate", map[string]any{"function": "() => " + body}) },
		// A snapshot of one element would make it forget the refs of all others.
		effect: func(string) call { return tool("browser_find", map[string]any{"text": "Pressed"}) },
		ref:    theirRef,
	}
}

// devtools speaks to chrome-devtools-mcp, in the first page of its browser.
func devtools() *language {
	page := func(name string, args map[string]any) call {
		args["pageId"] = 1
		return tool(name, args)
	}
	return &language{
		open:  func(url string) call { return page("navigate_page", map[string]any{"type": "url", "url": url}) },
		look:  func(bool) call { return page("take_snapshot", map[string]any{}) },
		click: func(ref string) call { return page("click", map[string]any{"uid": ref}) },
		fill: func(ref, text string) call {
			return page("fill", map[string]any{"uid": ref, "value": text})
		},
		choose: func(ref, option string) call {
			return page("fill", map[string]any{"uid": ref, "value": option})
		},
		evaluate: func(body string) call { return page("evaluate_script", map[string]any{"function": "() => " + body}) },
		press:    func(ref string) call { return page("click", map[string]any{"uid": ref, "includeSnapshot": true}) },
		ref:      regexp.MustCompile(`uid=(?P<ref>\w+) (?P<role>[a-z]+) "(?P<name>[^"]*)"`),
	}
}

// agentBrowser speaks to the MCP server of agent-browser.
func agentBrowser() *language {
	own := func(name string, args map[string]any) call { return tool("agent_browser_"+name, args) }
	return &language{
		open:  func(url string) call { return own("open", map[string]any{"url": url}) },
		look:  func(reading bool) call { return own("snapshot", map[string]any{"interactive": !reading}) },
		click: func(ref string) call { return own("click", map[string]any{"selector": "@" + ref}) },
		fill: func(ref, text string) call {
			return own("fill", map[string]any{"selector": "@" + ref, "text": text})
		},
		choose: func(ref, option string) call {
			return own("select", map[string]any{"selector": "@" + ref, "values": []string{option}})
		},
		evaluate: func(body string) call { return own("eval", map[string]any{"script": body}) },
		effect:   func(selector string) call { return own("get_text", map[string]any{"selector": selector}) },
		ref:      theirRef,
	}
}

// agentBrowserByShell speaks to its command line.
func agentBrowserByShell() *language {
	line := func(argv ...string) call { return call{argv: argv} }
	return &language{
		open: func(url string) call { return line("open", url) },
		look: func(reading bool) call {
			if reading {
				return line("snapshot")
			}
			return line("snapshot", "-i")
		},
		click:    func(ref string) call { return line("click", "@"+ref) },
		fill:     func(ref, text string) call { return line("fill", "@"+ref, text) },
		choose:   func(ref, option string) call { return line("select", "@"+ref, option) },
		evaluate: func(body string) call { return line("eval", body) },
		effect:   func(selector string) call { return line("get", "text", selector) },
		ref:      theirRef,
	}
}

// version is that of one of npm's packages as it is installed.
func version(packages, name string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(packages, name, "package.json"))
	if err != nil {
		return "", fmt.Errorf("it is not installed: %w", err)
	}
	var it struct {
		Version string `json:"version"`
	}
	return it.Version, json.Unmarshal(raw, &it)
}

// agentBrowserProgram is the native program in agent-browser's package, which its installer puts into the PATH.
func agentBrowserProgram(packages string) (string, error) {
	system := map[string]string{"windows": "win32"}[runtime.GOOS]
	if system == "" {
		system = runtime.GOOS
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	path := filepath.Join(packages, "agent-browser", "bin", "agent-browser-"+system+"-"+arch)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	// As its installer does, which is not run here.
	return path, os.Chmod(path, 0o755)
}
