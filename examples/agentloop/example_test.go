package agentloop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/drawbridge-browser/drawbridge/bridge"
	"github.com/drawbridge-browser/drawbridge/examples/agentloop"
)

// An agent whose user has not opened the pairing link yet. What stands for the model here is a function that reads what it is told,
// as a model does.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "agentloop-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	b, err := bridge.Start(ctx, &bridge.Options{Addr: "127.0.0.1:0", DataDir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	agent, err := b.Agent("shopper")
	if err != nil {
		fmt.Println(err)
		return
	}
	model := func(_ context.Context, task string, tool bridge.Tool, turns []agentloop.Turn) (agentloop.Choice, error) {
		if len(turns) == 0 {
			input, err := json.Marshal(map[string]string{"action": "open_tab", "url": task})
			return agentloop.Choice{Tool: tool.Name, Input: input}, err
		}
		last := turns[len(turns)-1].Heard
		if last.IsError && strings.Contains(last.Text, "not_connected") {
			return agentloop.Choice{Words: "No browser is connected: please open the pairing link."}, nil
		}
		return agentloop.Choice{Words: "Done."}, nil
	}
	words, err := agentloop.Run(ctx, agent, model, "https://example.com/")
	fmt.Println(words, err)
	// Output: No browser is connected: please open the pairing link. <nil>
}
