package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Scope is one thing that a token may be used for.
type Scope string

// The scopes. A token has one or several; none includes another.
const (
	ScopeAgent   Scope = "agent"   // act in the browsers of the token's user
	ScopeBrowser Scope = "browser" // be a browser of the token's user
	ScopeAdmin   Scope = "admin"   // pair browsers, change rules, manage tokens
)

// Identity is who stands behind a token.
type Identity struct {
	// User is whose browsers these are.
	User string
	// Scopes is what the token may be used for.
	Scopes []Scope
	// TokenID names the token without giving it away; it may be logged.
	TokenID string
	// BrowserID is the one browser that a device token belongs to; empty for every other token.
	BrowserID string
}

// Has reports whether the identity may do what scope stands for.
func (i Identity) Has(scope Scope) bool { return slices.Contains(i.Scopes, scope) }

// Token is what is kept about a token: everything but the token itself.
type Token struct {
	// ID names it without giving it away: the first 8 bytes of its hash, in hex.
	ID string `json:"id"`
	// Hash is the SHA-256 of the whole token in hex. The token has 256 random bits, so a plain hash cannot be reversed by guessing.
	Hash string `json:"hash"`
	// User is whose browsers these are.
	User string `json:"user"`
	// Name is for people, to know which one to revoke.
	Name string `json:"name"`
	// Scopes is what it may be used for.
	Scopes []Scope `json:"scopes"`
	// BrowserID is the one browser that a device token belongs to; empty for every other token.
	BrowserID string `json:"browserId,omitempty"`
	// Created and Revoked are when it was made and when it ended; a zero Revoked means that it is good.
	Created time.Time `json:"created"`
	Revoked time.Time `json:"revoked,omitzero"`
	// Seen is when a device token's browser last came or went; zero for one that never did by this token, and for every other token.
	// It is stored only with the end of the token: until then the browser's own line has it.
	Seen time.Time `json:"seen,omitzero"`
}

// NewToken says what [Store.Mint] is to make.
type NewToken struct {
	// User is whose browsers these are; it must not be empty.
	User string
	// Name is for people.
	Name string
	// Scopes must hold at least one.
	Scopes []Scope
	// BrowserID binds a token of scope browser to one browser; empty binds it to none.
	BrowserID string
}

// secretEncoding spells random bits in characters that survive a double click and a shell.
var secretEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// Mint makes a token and returns it once: only its hash is kept. It looks like db_agent_<52 characters>, the word in the middle
// being its first scope, so that a leaked one is recognised for what it is.
func (s *Store) Mint(ctx context.Context, want NewToken) (string, Token, error) {
	if want.User == "" || len(want.Scopes) == 0 {
		return "", Token{}, errors.New("make a token: it needs a user and at least one scope")
	}
	for _, scope := range want.Scopes {
		if scope != ScopeAgent && scope != ScopeBrowser && scope != ScopeAdmin {
			return "", Token{}, fmt.Errorf("make a token: unknown scope %q, expected agent, browser or admin", scope)
		}
	}
	bits := make([]byte, 32)
	rand.Read(bits) // never fails: the runtime ends the program when the system has no randomness
	secret := "db_" + string(want.Scopes[0]) + "_" + secretEncoding.EncodeToString(bits)
	token := Token{
		User: want.User, Name: want.Name, Scopes: slices.Clone(want.Scopes), BrowserID: want.BrowserID,
		Created: s.now().UTC(),
	}
	token.ID, token.Hash = digest(secret)
	if err := s.putToken(ctx, token); err != nil {
		return "", Token{}, err
	}
	return secret, token, nil
}

// Resolve tells who stands behind a token. It fails with [ErrNotFound] for one that is unknown or revoked, and does not say which.
func (s *Store) Resolve(ctx context.Context, secret string) (Identity, error) {
	id, hash := digest(secret)
	token, err := s.token(ctx, id)
	if err != nil {
		return Identity{}, err
	}
	if subtle.ConstantTimeCompare([]byte(token.Hash), []byte(hash)) != 1 || !token.Revoked.IsZero() {
		return Identity{}, ErrNotFound
	}
	return token.identity(), nil
}

func (t Token) identity() Identity {
	return Identity{User: t.User, Scopes: t.Scopes, TokenID: t.ID, BrowserID: t.BrowserID}
}

// Tokens lists every token, the revoked ones too, oldest first.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	tokens, err := s.storedTokens(ctx)
	for i := range tokens {
		s.lookFor(&tokens[i])
	}
	return tokens, err
}

// lookFor takes in when the browser of a good device token was seen.
func (s *Store) lookFor(t *Token) {
	if t.BrowserID == "" || !t.Revoked.IsZero() {
		return
	}
	if p, ok := s.presence.get(t.User, t.BrowserID); ok && !p.Seen.Before(t.Created) {
		t.Seen = p.Seen
	}
}

func (s *Store) storedTokens(ctx context.Context) ([]Token, error) {
	all, err := s.tokens.All(ctx)
	if err != nil {
		return nil, err
	}
	tokens := make([]Token, 0, len(all))
	for key, raw := range all {
		token, err := decodeToken(key, raw)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
	}
	slices.SortFunc(tokens, func(a, b Token) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	return tokens, nil
}

// Revoke ends the token with this ID for good. It fails with [ErrNotFound] when there is none; a second time changes nothing.
func (s *Store) Revoke(ctx context.Context, id string) error {
	return s.update(ctx, id, func(t *Token) {
		if t.Revoked.IsZero() {
			s.lookFor(t)
			t.Revoked = s.now().UTC()
		}
	})
}

// update changes a token. Changes are made one after the other, so that none undoes another.
func (s *Store) update(ctx context.Context, id string, change func(*Token)) error {
	s.updating.Lock()
	defer s.updating.Unlock()
	token, err := s.token(ctx, id)
	if err != nil {
		return err
	}
	change(&token)
	return s.putToken(ctx, token)
}

// EnsureCredential sees to it that the data directory holds a working agent and admin token of user for the command line
// (cli.token, 0600), and returns it. One that is missing, revoked or readable by others is replaced, and the old one revoked.
func (s *Store) EnsureCredential(ctx context.Context, user string) (string, error) {
	if old, err := ReadCredential(s.dir); err == nil {
		identity, err := s.Resolve(ctx, old)
		if err == nil && identity.User == user && identity.Has(ScopeAgent) && identity.Has(ScopeAdmin) {
			return old, nil
		}
	}
	// Whoever removed the file, or let others read it, wants the old token dead.
	if err := s.revokeWhere(ctx, func(t Token) bool { return t.Name == credentialName }); err != nil {
		return "", err
	}
	secret, _, err := s.Mint(ctx, NewToken{User: user, Name: credentialName, Scopes: []Scope{ScopeAgent, ScopeAdmin}})
	if err != nil {
		return "", err
	}
	return secret, writeFile(filepath.Join(s.dir, credentialFile), []byte(secret+"\n"))
}

// credentialName is the name of the command line's own token in the list.
const credentialName = "command line"

func (s *Store) revokeWhere(ctx context.Context, match func(Token) bool) error {
	tokens, err := s.Tokens(ctx)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		if match(t) && t.Revoked.IsZero() {
			if err := s.Revoke(ctx, t.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) token(ctx context.Context, id string) (Token, error) {
	raw, err := s.tokens.Get(ctx, id)
	if err != nil {
		return Token{}, err
	}
	return decodeToken(id, raw)
}

func (s *Store) putToken(ctx context.Context, token Token) error {
	raw, err := json.Marshal(token)
	if err != nil {
		return fmt.Errorf("encode token %s: %w", token.ID, err)
	}
	return s.tokens.Put(ctx, token.ID, raw)
}

// checkTokens refuses a damaged list at the start, not at the first use.
func (s *Store) checkTokens(ctx context.Context) error {
	if _, err := s.storedTokens(ctx); err != nil {
		return damaged(filepath.Join(s.dir, "tokens.json"), err)
	}
	return nil
}

func decodeToken(key string, raw json.RawMessage) (Token, error) {
	var token Token
	if err := json.Unmarshal(raw, &token); err != nil {
		return Token{}, fmt.Errorf("token %s: %w", key, err)
	}
	if token.ID != key || len(token.Hash) != 2*sha256.Size || token.User == "" {
		return Token{}, fmt.Errorf("token %s: its id, hash or user is missing", key)
	}
	return token, nil
}

// digest gives the public id and the hash of a secret. The id is the hash's first 8 bytes: the list is looked up by it and the
// whole hash is then compared in constant time.
func digest(secret string) (id, hash string) {
	sum := sha256.Sum256([]byte(secret))
	hash = hex.EncodeToString(sum[:])
	return hash[:16], hash
}
