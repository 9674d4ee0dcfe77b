package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/drawbridge-browser/drawbridge/internal/fields"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// schemaOf is the tool's input schema as a client gets it.
func schemaOf(t *testing.T) (raw []byte, properties map[string]property) {
	t.Helper()
	raw, err := json.Marshal(definition())
	if err != nil {
		t.Fatal(err)
	}
	var tool struct {
		InputSchema struct {
			Type       string              `json:"type"`
			Properties map[string]property `json:"properties"`
		} `json:"inputSchema"`
	}
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	if tool.InputSchema.Type != "object" {
		t.Errorf("the input is a %q, want an object", tool.InputSchema.Type)
	}
	return raw, tool.InputSchema.Properties
}

func TestToolIsFlatAndSmall(t *testing.T) {
	raw, _ := schemaOf(t)
	for _, combinator := range []string{"oneOf", "anyOf", "allOf", "$ref", "$defs"} {
		if strings.Contains(string(raw), `"`+combinator+`"`) {
			t.Errorf("the definition has %s: providers refuse it at the top level", combinator)
		}
	}
	if n := o200k(t, string(raw)); n > 1500 {
		t.Errorf("the definition has %d tokens, want at most 1500", n)
	}
	if n := strings.Count(instructions, "\n"); n > 15 {
		t.Errorf("the instructions have %d lines, want at most 15", n)
	}
}

// o200k counts tokens as current models do.
func o200k(t *testing.T, text string) int {
	t.Helper()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	n, err := codec.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEveryFieldOfAnActionIsThereAndSaysItsAction(t *testing.T) {
	_, properties := schemaOf(t)
	for _, m := range protocol.Methods {
		if !slices.Contains(properties["action"].Enum, string(m.Type)) {
			t.Errorf("%s: it is not in the enum", m.Type)
		}
		action, _ := fields.Of(m.Type)
		for name := range action.Fields {
			if isHidden(m.Type, name) {
				continue
			}
			p, ok := properties[outwards(name)]
			if !ok {
				t.Errorf("%s takes %s, and the tool has no such field", m.Type, name)
				continue
			}
			if p.Type == "" || p.Items != nil && p.Items.Type == "" {
				t.Errorf("%s takes %s, and its type is not said: %+v", m.Type, name, p)
			}
			// What nearly all take says so of none.
			if name != "tabId" && name != "selector" && !strings.Contains(p.Description, string(m.Type)) {
				t.Errorf("%s takes %s, and its description does not say so: %s", m.Type, name, p.Description)
			}
		}
	}
}
