package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// ErrTooManyAttempts says that so many wrong codes were tried that none is looked at for up to a minute.
var ErrTooManyAttempts = errors.New("too many wrong pairing codes")

// maxAttempts is how many wrong codes are looked at in a minute. A code has 80 random bits, so this is against noise, not luck.
const maxAttempts = 20

// codeAlphabet is Crockford's: nothing in it looks like something else when it is read aloud or typed.
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// pairing is what is kept about a code; the code itself is not.
type pairing struct {
	User    string    `json:"user"`
	Name    string    `json:"name,omitempty"`
	Expires time.Time `json:"expires"`
}

// NewPairing makes a one-use code (four groups of four letters and digits) by which a browser becomes one of user's.
// name, when not empty, is what that browser will be called. The code is good for [protocol.PairingLifetime].
func (s *Store) NewPairing(ctx context.Context, user, name string) (code string, expires time.Time, err error) {
	if user == "" {
		return "", time.Time{}, errors.New("make a pairing code: it needs a user")
	}
	if err := s.sweepPairings(ctx); err != nil {
		return "", time.Time{}, err
	}
	bits := make([]byte, 16)
	rand.Read(bits)
	letters := make([]byte, 0, 19)
	for i, b := range bits {
		if i > 0 && i%4 == 0 {
			letters = append(letters, '-')
		}
		letters = append(letters, codeAlphabet[b%32]) // 256 is a multiple of 32: no letter is likelier
	}
	code = string(letters)
	expires = s.now().Add(protocol.PairingLifetime).UTC()
	raw, err := json.Marshal(pairing{User: user, Name: name, Expires: expires})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("encode pairing: %w", err)
	}
	if err := s.pairings.Put(ctx, pairingKey(code), raw); err != nil {
		return "", time.Time{}, err
	}
	return code, expires, nil
}

// Redeem spends a pairing code for a device token bound to browserID. name is what the browser calls itself; the name that was
// given with the code wins. Earlier device tokens of the same browser and user are revoked: a browser has one.
//
// It fails with [ErrNotFound] for a code that is unknown, spent or too old, and with [ErrTooManyAttempts].
func (s *Store) Redeem(ctx context.Context, code, browserID, name string) (string, Identity, error) {
	if browserID == "" {
		return "", Identity{}, errors.New("redeem a pairing code: the browser did not say its browserId")
	}
	if !s.attempts.allowed(s.now()) {
		return "", Identity{}, ErrTooManyAttempts
	}
	raw, err := s.pairings.Take(ctx, pairingKey(code))
	if errors.Is(err, ErrNotFound) {
		s.attempts.failed(s.now())
		return "", Identity{}, ErrNotFound
	}
	if err != nil {
		return "", Identity{}, err
	}
	var p pairing
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", Identity{}, fmt.Errorf("read pairing: %w", err)
	}
	if !s.now().Before(p.Expires) {
		return "", Identity{}, ErrNotFound
	}
	if p.Name != "" {
		name = p.Name
	}
	err = s.revokeWhere(ctx, func(t Token) bool { return t.BrowserID == browserID && t.User == p.User })
	if err != nil {
		return "", Identity{}, err
	}
	secret, token, err := s.Mint(ctx, NewToken{User: p.User, Name: name, Scopes: []Scope{ScopeBrowser}, BrowserID: browserID})
	if err != nil {
		return "", Identity{}, err
	}
	return secret, token.identity(), nil
}

// LooksLikeCode reports whether what a browser sent has the shape of a pairing code and so is not a token.
func LooksLikeCode(s string) bool {
	plain := plainCode(s)
	if len(plain) != 16 {
		return false
	}
	return strings.Trim(plain, codeAlphabet) == ""
}

// plainCode undoes what people do to a code on its way: lower case, spaces, missing dashes, O for 0, I or L for 1.
func plainCode(code string) string {
	return strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(code))
}

func pairingKey(code string) string {
	_, hash := digest("pairing code " + plainCode(code))
	return hash
}

// sweepPairings forgets the codes that are too old.
func (s *Store) sweepPairings(ctx context.Context) error {
	all, err := s.pairings.All(ctx)
	if err != nil {
		return err
	}
	for key, raw := range all {
		var p pairing
		if err := json.Unmarshal(raw, &p); err == nil && s.now().Before(p.Expires) {
			continue
		}
		if _, err := s.pairings.Take(ctx, key); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// attempts counts wrong codes, minute by minute.
type attempts struct {
	mu     sync.Mutex
	minute time.Time
	count  int
}

func (a *attempts) allowed(now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return now.Sub(a.minute) >= time.Minute || a.count < maxAttempts
}

func (a *attempts) failed(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Sub(a.minute) >= time.Minute {
		a.minute, a.count = now, 0
	}
	a.count++
}
