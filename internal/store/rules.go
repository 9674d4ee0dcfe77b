package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// Rules is what the operator of the server decided for all its users.
type Rules struct {
	// Blocklist holds the domains on which no agent may act, in any spelling that policy understands.
	Blocklist []string `json:"blocklist"`
}

// rulesKey is the one entry of the bucket; one a user may come beside it.
const rulesKey = "server"

// Rules returns the stored rules; none stored means an empty blocklist.
func (s *Store) Rules(ctx context.Context) (Rules, error) {
	rules := Rules{Blocklist: []string{}}
	raw, err := s.rules.Get(ctx, rulesKey)
	if errors.Is(err, ErrNotFound) {
		return rules, nil
	}
	if err != nil {
		return rules, err
	}
	if err := json.Unmarshal(raw, &rules); err != nil {
		return rules, damaged(filepath.Join(s.dir, "rules.json"), err)
	}
	return rules, nil
}

// SetRules replaces the stored rules.
func (s *Store) SetRules(ctx context.Context, rules Rules) error {
	if rules.Blocklist == nil {
		rules.Blocklist = []string{}
	}
	raw, err := json.Marshal(rules)
	if err != nil {
		return fmt.Errorf("encode rules: %w", err)
	}
	return s.rules.Put(ctx, rulesKey, raw)
}
