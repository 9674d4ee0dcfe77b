// Package tokens counts what a text weighs for a model.
package tokens

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var o200k = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Count is how many tokens of the vocabulary o200k a text has.
func Count(text string) (int, error) {
	codec, err := o200k()
	if err != nil {
		return 0, fmt.Errorf("the o200k vocabulary: %w", err)
	}
	return codec.Count(text)
}
