package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// things answers a few actions, each with something of its own.
func things(_ context.Context, call Call) (Reply, error) {
	switch a := call.Action.(type) {
	case protocol.OpenTab:
		return Reply{Result: protocol.OpenTabResult{OK: true, TabID: 41, URL: a.URL, Title: "T"}}, nil
	case protocol.Snapshot:
		return Reply{Result: protocol.SnapshotResult{Snapshot: "- button \"Save\" [ref=e1]", URL: "https://a.test/", Elements: 1}}, nil
	case protocol.Click:
		return Reply{Result: protocol.ClickResult{OK: true, Changed: protocol.Changed{Title: "Done"}}, Events: []protocol.Event{protocol.GlobalStop{Sessions: 1}}}, nil
	case protocol.Screenshot:
		return Reply{Result: protocol.ScreenshotResult{Data: base64.StdEncoding.EncodeToString([]byte("picture")), MimeType: "image/png", Width: 10, Height: 20}}, nil
	}
	return Reply{}, protocol.Errorf(protocol.CodeElementStale, "gone")
}

func TestStructuredContentStandsBesideTheText(t *testing.T) {
	plain, both := connect(t, &desk{answer: things}, nil), connect(t, &desk{answer: things}, &Options{Structured: true})
	for name, c := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		"a result with an event": {map[string]any{"action": "click", "ref": "e7"}, `{"result":{"ok":true,"title":"Done"},"events":[{"type":"global_stop","sessions":1}]}`},
		"a tab and a look at it": {map[string]any{"action": "open_tab", "url": "https://a.test/"}, `{"result":{"ok":true,"tabId":41,"url":"https://a.test/","title":"T"},"page":{"snapshot":"- button \"Save\" [ref=e1]","url":"https://a.test/","elements":1}}`},
		"an error":               {map[string]any{"action": "hover", "ref": "e7"}, `{"error":{"code":"element_stale","message":"gone"}}`},
	} {
		result := called(t, both, c.arguments)
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(object(t, c.want), pruned(object(t, string(raw)), object(t, c.want))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		without := called(t, plain, c.arguments)
		if without.StructuredContent != nil {
			t.Errorf("%s: unasked, it comes twice: %v", name, without.StructuredContent)
		}
		if len(result.Content) != 1 || result.IsError != without.IsError {
			t.Errorf("%s: beside it stand %d contents, error %v", name, len(result.Content), result.IsError)
		}
	}
	// A file's bytes come once.
	picture := called(t, both, map[string]any{"action": "screenshot"})
	raw, err := json.Marshal(picture.StructuredContent)
	if err != nil || !strings.Contains(string(raw), `"width":10`) || strings.Contains(string(raw), base64.StdEncoding.EncodeToString([]byte("picture"))) || len(picture.Content) != 2 {
		t.Errorf("a screenshot is %s beside %d contents (%v)", raw, len(picture.Content), err)
	}
}

func called(t *testing.T, s *mcp.ClientSession, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: toolName, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func object(t *testing.T, raw string) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(raw), &all); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return all
}

// pruned leaves of the objects in got the members that want has: the others are the protocol's to add. At the top none may be added.
func pruned(got, want map[string]any) map[string]any {
	for name, value := range got {
		inner, ok := value.(map[string]any)
		wanted, both := want[name].(map[string]any)
		if !ok || !both {
			continue
		}
		for member := range inner {
			if _, ok := wanted[member]; !ok {
				delete(inner, member)
			}
		}
	}
	return got
}
