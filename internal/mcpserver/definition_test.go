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
}

func TestInstructionsAreShortAndNameWhatThereIs(t *testing.T) {
	for _, split := range []bool{false, true} {
		text := told(split)
		if n := len(strings.Split(text, "\n")); n > 15 {
			t.Errorf("split %v: the instructions have %d lines, want at most 15", split, n)
		}
		if n := o200k(t, text); n > 600 {
			t.Errorf("split %v: the instructions have %d tokens, want at most 600", split, n)
		}
		if strings.Contains(text, "browser_ before its name") != split {
			t.Errorf("split %v: the instructions are:\n%s", split, text)
		}
	}
	// A value that the model must not see goes by name, in the two actions that write.
	for _, writes := range []string{"type", "fill"} {
		if action, _ := fields.Of(protocol.ActionType(writes)); action.Fields["secret"].Kind != fields.String || isHidden(protocol.ActionType(writes), "secret") {
			t.Errorf("%s has no secret for a model", writes)
		}
	}
	if !strings.Contains(instructions, `type or fill with secret:"NAME"`) {
		t.Errorf("the instructions do not say how a secret is typed:\n%s", instructions)
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
