package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Definition is the tool as a model is told of it.
type Definition struct {
	Name, Description string
	// InputSchema is the JSON Schema of its input.
	InputSchema json.RawMessage
	// Instructions say how to work with it: they belong into a model's system prompt.
	Instructions string
}

// Describe returns the browser tool, for programs that speak to a model by themselves.
func Describe() (Definition, error) {
	d := definition()
	schema, err := json.Marshal(d.InputSchema)
	if err != nil {
		return Definition{}, fmt.Errorf("write the schema of the tool %s: %w", d.Name, err)
	}
	return Definition{Name: d.Name, Description: d.Description, InputSchema: schema, Instructions: strings.TrimSpace(instructions)}, nil
}

// Hand performs the tool calls of one agent without MCP. It may be used concurrently.
type Hand struct{ tool *tool }

// NewHand makes the hand of one agent, whose actions desk performs.
func NewHand(desk Desk, opts *Options) *Hand { return &Hand{newTool(desk, opts.filled())} }

// Call performs a call of the tool of that name. Whatever goes wrong is said to the model.
func (h *Hand) Call(ctx context.Context, name string, input json.RawMessage) Said {
	if name != toolName {
		return h.tool.failed(nil, invalid("there is no tool %q: the only one is %s", name, toolName), nil)
	}
	return h.tool.call(ctx, input, decode)
}
