package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Secret is a value that agents of its user may have typed by its name, on its origins only.
type Secret struct {
	// User is whose it is.
	User string `json:"user"`
	// Name is what agents call it.
	Name string `json:"name"`
	// Origins are where alone it may be typed, as browsers write them.
	Origins []string `json:"origins"`
	// Changed is when it was last set.
	Changed time.Time `json:"changed"`
	// Value is what is typed. It is kept sealed, and never marshalled.
	Value string `json:"-"`
}

// sealedSecret is a Secret as the bucket holds it.
type sealedSecret struct {
	Secret
	Sealed []byte `json:"sealed"`
}

// about is what the seal of a value vouches for: whose it is, its name and where it may go.
func (s Secret) about() []byte {
	return []byte(strings.Join(append([]string{s.User, s.Name}, s.Origins...), "\x00"))
}

func secretKey(user, name string) string {
	sum := sha256.Sum256([]byte(user + "\x00" + name))
	return hex.EncodeToString(sum[:16])
}

// SetSecret keeps a secret in place of what its user had under its name.
func (s *Store) SetSecret(ctx context.Context, secret Secret) (Secret, error) {
	secret.Changed = s.now().UTC()
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	all, err := s.secrets.All(ctx)
	if err != nil {
		return secret, err
	}
	sealed, err := s.sealer.seal([]byte(secret.Value), secret.about(), len(all) == 0)
	if err != nil {
		return secret, err
	}
	raw, err := json.Marshal(sealedSecret{secret, sealed})
	if err != nil {
		return secret, fmt.Errorf("encode a secret: %w", err)
	}
	return secret, s.secrets.Put(ctx, secretKey(secret.User, secret.Name), raw)
}

// Secrets lists a user's secrets with their values, by name.
func (s *Store) Secrets(ctx context.Context, user string) ([]Secret, error) {
	all, err := s.secrets.All(ctx)
	if err != nil {
		return nil, err
	}
	var list []Secret
	for key, raw := range all {
		secret, err := s.openSecret(key, raw)
		if err != nil {
			return nil, err
		}
		if secret.User == user {
			list = append(list, secret)
		}
	}
	slices.SortFunc(list, func(a, b Secret) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// RemoveSecret forgets a user's secret and returns what it was, or [ErrNotFound].
func (s *Store) RemoveSecret(ctx context.Context, user, name string) (Secret, error) {
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	key := secretKey(user, name)
	raw, err := s.secrets.Take(ctx, key)
	if err != nil {
		return Secret{}, err
	}
	return s.openSecret(key, raw)
}

func (s *Store) openSecret(key string, raw json.RawMessage) (Secret, error) {
	var kept sealedSecret
	if err := json.Unmarshal(raw, &kept); err != nil {
		return Secret{}, err
	}
	if secretKey(kept.User, kept.Name) != key {
		return Secret{}, errors.New("a secret stands under another's key")
	}
	value, err := s.sealer.open(kept.Sealed, kept.about())
	if err != nil {
		return Secret{}, fmt.Errorf("secret %q: %w", kept.Name, err)
	}
	kept.Value = string(value)
	return kept.Secret, nil
}
