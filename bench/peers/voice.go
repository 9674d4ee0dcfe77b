package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is how long a tool may take to end before it is ended.
const patience = 5 * time.Second

// mcpVoice is a client of an MCP server on stdio.
type mcpVoice struct {
	session *mcp.ClientSession
	stderr  *bytes.Buffer
}

// startMCP starts a server and shakes hands with it.
func startMCP(ctx context.Context, place *place, name string, args ...string) (*mcpVoice, error) {
	cmd := exec.Command(name, args...) // ends with its stdin, by close
	cmd.Env, cmd.Dir = place.env(), place.dir
	said := &bytes.Buffer{}
	cmd.Stderr = said
	client := mcp.NewClient(&mcp.Implementation{Name: "drawbridge-bench-peers", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, nil)
	if err != nil {
		return nil, fmt.Errorf("start its MCP server: %w", err)
	}
	return &mcpVoice{session: session, stderr: said}, nil
}

func (v *mcpVoice) say(ctx context.Context, c call) (string, error) {
	answer, err := v.session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.tool, err)
	}
	var text strings.Builder
	for _, part := range answer.Content {
		if part, ok := part.(*mcp.TextContent); ok {
			text.WriteString(part.Text)
		}
	}
	if answer.IsError {
		return "", fmt.Errorf("%s: %s", c.tool, firstLines(text.String()))
	}
	return text.String(), nil
}

// definitions is the tools as clients hand them to a model: name, description and input schema of each.
func (v *mcpVoice) definitions(ctx context.Context) (string, error) {
	type definition struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		InputSchema any    `json:"input_schema"`
	}
	var all []definition
	for tool, err := range v.session.Tools(ctx, nil) {
		if err != nil {
			return "", err
		}
		all = append(all, definition{tool.Name, tool.Description, tool.InputSchema})
	}
	raw, err := json.Marshal(all)
	return string(raw), err
}

func (v *mcpVoice) close() error {
	// How a server ends is not measured; whether something of it stays is looked at afterwards.
	_ = v.session.Close()
	return nil
}

// shellVoice is a program that is run once for each step.
type shellVoice struct {
	place   *place
	program string
	before  []string
	end     func() error
}

func (v *shellVoice) say(ctx context.Context, c call) (string, error) {
	cmd := exec.CommandContext(ctx, v.program, append(v.before[:len(v.before):len(v.before)], c.argv...)...)
	cmd.Env, cmd.Dir = v.place.env(), v.place.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			out = append(out, failed.Stderr...)
		}
		return "", fmt.Errorf("%s: %w: %s", strings.Join(c.argv, " "), err, firstLines(string(out)))
	}
	return string(out), nil
}

func (v *shellVoice) definitions(context.Context) (string, error) { return "", nil }

func (v *shellVoice) close() error {
	if v.end == nil {
		return nil
	}
	return v.end()
}

// firstLines is the beginning of what a tool said, for an error.
func firstLines(text string) string {
	const long = 300
	text = strings.TrimSpace(text)
	if len(text) > long {
		text = text[:long] + "…"
	}
	return text
}
