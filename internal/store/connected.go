package store

import "context"

// Connected is a browser that is connected to this server, or was to the one before it when that ended.
type Connected struct {
	User      string
	BrowserID string
	Name      string
}

// SetConnected keeps that a browser came. It survives the death of this process, also kill -9, and costs no more for many browsers
// than for one.
func (s *Store) SetConnected(_ context.Context, c Connected) error {
	return s.presence.set(c.User, c.BrowserID, func(p *presence) { p.Name, p.Here = c.Name, true })
}

// SetGone keeps that a browser went, as [Store.SetConnected] keeps that it came. It is no error when it was not connected.
func (s *Store) SetGone(_ context.Context, user, browserID string) error {
	return s.presence.set(user, browserID, func(p *presence) { p.Here = false })
}

// SetSeen keeps that a browser was here until now and will be back by itself: it stays connected, if it was.
func (s *Store) SetSeen(_ context.Context, user, browserID string) error {
	return s.presence.set(user, browserID, func(*presence) {})
}

// LastConnected lists the browsers that were connected when the server before this one ended, or are now.
func (s *Store) LastConnected(context.Context) ([]Connected, error) {
	var list []Connected
	for _, p := range s.presence.list() {
		if p.Here {
			list = append(list, Connected{User: p.User, BrowserID: p.BrowserID, Name: p.Name})
		}
	}
	return list, nil
}

// pairedBrowsers are those that a good device token is for.
func (s *Store) pairedBrowsers() (map[browserKey]bool, error) {
	tokens, err := s.storedTokens(context.Background())
	if err != nil {
		return nil, err
	}
	paired := map[browserKey]bool{}
	for _, t := range tokens {
		if t.BrowserID != "" && t.Revoked.IsZero() {
			paired[browserKey{t.User, t.BrowserID}] = true
		}
	}
	return paired, nil
}
