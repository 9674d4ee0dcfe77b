package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Connected is a browser that is connected to this server, or was to the one before it when that ended.
type Connected struct {
	User      string `json:"user"`
	BrowserID string `json:"browserId"`
	Name      string `json:"name,omitempty"`
}

// SetConnected keeps that a browser is connected. A browser that is kept so already costs nothing.
func (s *Store) SetConnected(ctx context.Context, c Connected) error {
	raw, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode a connected browser: %w", err)
	}
	if old, err := s.present.Get(ctx, c.BrowserID); err == nil && string(old) == string(raw) {
		return nil
	}
	return s.present.Put(ctx, c.BrowserID, raw)
}

// SetGone keeps that a browser is not connected any more. It is no error when it was not.
func (s *Store) SetGone(ctx context.Context, browserID string) error {
	_, err := s.present.Take(ctx, browserID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// LastConnected lists the browsers that were connected when the server before this one ended, or are now.
func (s *Store) LastConnected(ctx context.Context) ([]Connected, error) {
	all, err := s.present.All(ctx)
	if err != nil {
		return nil, err
	}
	var list []Connected
	for id, raw := range all {
		var c Connected
		if json.Unmarshal(raw, &c) == nil && c.BrowserID == id && c.User != "" { // a wait less is all that a damaged line costs
			list = append(list, c)
		}
	}
	return list, nil
}
