package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/bench/tokens"
	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// weight is how much an answer is: on the wire, and as a model reads it by default.
type weight struct {
	// wire is the bytes of the result's JSON.
	wire int
	// text and tokens are those of what a model is given, cut as it is by default.
	text, tokens int
}

// weigh has an action done once more and weighs its answer.
func (b *bench) weigh(ctx context.Context, action protocol.Action) (weight, error) {
	result, err := b.do(ctx, action)
	if err != nil {
		return weight{}, err
	}
	wire, err := json.Marshal(result)
	if err != nil {
		return weight{}, fmt.Errorf("write the result: %w", err)
	}
	answer, _, _ := render.Result(action, result).Cut(render.DefaultTokens)
	count, err := tokens.Count(answer.String())
	return weight{wire: len(wire), text: len(answer.String()), tokens: count}, err
}
