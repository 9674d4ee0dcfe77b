package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/fields"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// splitPrefix stands before each action's name, as in the browser servers that people know.
const splitPrefix = "browser_"

// split is one tool of many and how its input is read.
type split struct {
	tool *mcp.Tool
	read func(json.RawMessage) (input, error)
}

// splitDefinitions are the tools in place of the one, made from the same table: one for each action, one for
// the rest of a long answer, one to choose a browser.
func splitDefinitions() []split {
	var tools []split
	for _, m := range protocol.Methods {
		action, _ := fields.Of(m.Type)
		properties := map[string]property{}
		for name, f := range action.Fields {
			if !isHidden(m.Type, name) {
				properties[outwards(name)] = splitProperty(m.Type, name, f)
			}
		}
		tools = append(tools, split{
			tool: splitTool(string(m.Type), brief(action.Description), properties),
			read: func(raw json.RawMessage) (input, error) { return decodeSplit(raw, "action", string(m.Type)) },
		})
	}
	word := map[string]property{"more": {Type: "string"}}
	return append(tools, split{
		tool: splitTool("more", "The rest of a long answer, by the word after more=.", word),
		read: func(raw json.RawMessage) (input, error) { return decodeSplit(raw, "", "") },
	})
}

func splitTool(name, description string, properties map[string]property) *mcp.Tool {
	return &mcp.Tool{
		Name: splitPrefix + name, Description: description,
		InputSchema: map[string]any{"type": "object", "properties": properties},
	}
}

// splitProperty says of a field what its name does not. What many tools have is told once, in the instructions.
func splitProperty(action protocol.ActionType, name string, f fields.Field) property {
	p := property{Type: f.Kind, Enum: f.Enum}
	if f.Kind == fields.Array {
		p.Items = &property{Type: f.ItemKind, Enum: f.ItemEnum}
	}
	if _, shared := common[name]; !shared {
		p.Description = shortened(action, name, f)
	}
	return p
}

// decodeSplit reads a split tool's input, which must not name what its tool stands for.
func decodeSplit(raw json.RawMessage, name, value string) (input, error) {
	given := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := jsonv2.Unmarshal(raw, &given); err != nil {
			return input{}, invalid("the input is no acceptable JSON object: %v", err)
		}
	}
	if _, ok := given["action"]; ok {
		return input{}, invalid("there is no field \"action\": the tool's name says what to do")
	}
	if name == "" {
		if _, ok := given["more"]; !ok || len(given) != 1 {
			return input{}, invalid("expected more, the word after more= in an answer, and nothing else")
		}
	} else {
		if _, ok := given["more"]; ok {
			return input{}, invalid("there is no field \"more\": call %smore", splitPrefix)
		}
		given[name] = jsontext.Value(`"` + value + `"`)
	}
	joined, err := jsonv2.Marshal(given)
	if err != nil {
		return input{}, invalid("the input is no acceptable JSON object: %v", err)
	}
	return decode(joined)
}

// told is what a client hears first: how to work with the tools.
func told(isSplit bool) string {
	text := strings.TrimSpace(instructions)
	if !isSplit {
		return text
	}
	return strings.NewReplacer(
		`call again with more:"c1"`, `call browser_more with more:"c1"`,
		"One action per call.", "One action per call: each is a tool, browser_ before its name. ref (e7) or selector (CSS) names the element; tabId the tab,"+
			" by default your most recent one; maxBytes how much of the page; browser which browser, by name, when several are connected.",
	).Replace(text)
}
