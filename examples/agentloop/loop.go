// Package agentloop is an agent in sixty lines: the tool's schema goes to a model, and what the model chooses is done in a browser.
package agentloop

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/bridge"
)

// Choice is what a model answers with: a tool and its input, or its last words.
type Choice struct {
	Tool  string
	Input json.RawMessage
	Words string
}

// Turn is one call and what the model is to hear of it.
type Turn struct {
	Choice Choice
	Heard  bridge.Said
}

// Model is one request to a model: the task, the tool, and all turns so far.
type Model func(ctx context.Context, task string, tool bridge.Tool, turns []Turn) (Choice, error)

// maxTurns ends an agent that goes round in circles.
const maxTurns = 50

// Run has a model work on a task until it has nothing more to do, and returns its last words.
func Run(ctx context.Context, agent *bridge.Agent, model Model, task string) (string, error) {
	tool, err := bridge.BrowserTool()
	if err != nil {
		return "", err
	}
	var turns []Turn
	for range maxTurns {
		next, err := model(ctx, task, tool, turns)
		if err != nil {
			return "", fmt.Errorf("ask the model: %w", err)
		}
		if next.Tool == "" {
			return next.Words, nil
		}
		// A failure is no reason to stop: the model reads what happened and what to do next.
		turns = append(turns, Turn{next, agent.Call(ctx, next.Tool, next.Input)})
	}
	return "", fmt.Errorf("the task is not done after %d calls", maxTurns)
}
