package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestSplitToolsAreTheActionsAndSmall(t *testing.T) {
	var tools []*mcp.Tool
	var names []string
	for _, d := range splitDefinitions() {
		tools = append(tools, d.tool)
		names = append(names, d.tool.Name)
	}
	for _, m := range protocol.Methods {
		if !slices.Contains(names, "browser_"+string(m.Type)) {
			t.Errorf("%s is no tool", m.Type)
		}
	}
	raw, err := json.Marshal(tools)
	if err != nil {
		t.Fatal(err)
	}
	if n := o200k(t, string(raw)); n > 3500 {
		t.Errorf("the definitions have %d tokens, want at most 3500", n)
	}
}

func TestSplitToolsDoWhatTheOneDoes(t *testing.T) {
	d := &desk{answer: func(context.Context, Call) (Reply, error) {
		return Reply{Result: protocol.ClickResult{OK: true}}, nil
	}}
	s := connect(t, d, &Options{Split: true})
	if told := s.InitializeResult().Instructions; !strings.Contains(told, "browser_more") || strings.Contains(told, `call again with more`) {
		t.Errorf("the instructions are:\n%s", told)
	}
	call := func(name string, arguments map[string]any) (string, bool) {
		t.Helper()
		result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		text, ok := result.Content[0].(*mcp.TextContent)
		if !ok {
			t.Fatalf("the content is a %T", result.Content[0])
		}
		return text.Text, result.IsError
	}
	if text, failed := call("browser_click", map[string]any{"ref": "e7", "browser": "home"}); failed || text != "ok click e7" {
		t.Errorf("a click says %q", text)
	}
	if diff := cmp.Diff([]Call{{Action: protocol.Click{Target: protocol.Target{UID: "e7"}}, Browser: "home"}}, d.asked()); diff != "" {
		t.Error(diff)
	}
	for name, arguments := range map[string]map[string]any{
		"browser_click": {"ref": "e7", "action": "hover"},
		"browser_hover": {"ref": "e7", "text": "x"},
		"browser_press": {"more": "c1"},
		"browser_more":  {"ref": "e7"},
	} {
		if text, failed := call(name, arguments); !failed || !strings.Contains(text, "invalid_action") {
			t.Errorf("%s %v says %q", name, arguments, text)
		}
	}
	if len(d.asked()) != 1 {
		t.Errorf("the desk was asked %+v", d.asked())
	}
}
