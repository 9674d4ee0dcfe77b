package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// BrowserName is a name that a user's browser was given here, over the one that it says of itself.
type BrowserName struct {
	User      string `json:"user"`
	BrowserID string `json:"browserId"`
	Name      string `json:"name"`
}

// SetBrowserName keeps the name of a browser; an empty one takes it away, which is no error where there was none.
func (s *Store) SetBrowserName(ctx context.Context, n BrowserName) error {
	key := nameKey(n)
	if n.Name == "" {
		_, err := s.names.Take(ctx, key)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	}
	raw, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode a browser's name: %w", err)
	}
	return s.names.Put(ctx, key, raw)
}

// BrowserNames lists the names that browsers of all users were given.
func (s *Store) BrowserNames(ctx context.Context) ([]BrowserName, error) {
	all, err := s.names.All(ctx)
	if err != nil {
		return nil, err
	}
	var list []BrowserName
	for key, raw := range all {
		var n BrowserName
		err := json.Unmarshal(raw, &n)
		if err == nil && (key != nameKey(n) || n.Name == "") {
			err = errors.New("a name stands under another browser's key")
		}
		if err != nil {
			return nil, damaged(filepath.Join(s.dir, "names.json"), err)
		}
		list = append(list, n)
	}
	return list, nil
}

// nameKey is a key for any id: a browser chooses its own.
func nameKey(n BrowserName) string { return secretKey(n.User, n.BrowserID) }
