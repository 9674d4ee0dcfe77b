package store

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// clock is a time that the test moves.
type clock struct{ atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(1_800_000_000, 0).Add(time.Duration(c.Load())) }
func (c *clock) advance(d time.Duration) { c.Add(int64(d)) }

func newPairing(t *testing.T, s *Store, user, name string) string {
	t.Helper()
	code, _, err := s.NewPairing(t.Context(), user, name)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestPairingCodeGivesOneDeviceToken(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	code := newPairing(t, s, "ann", "")
	if !regexp.MustCompile(`^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$`).MatchString(code) || !LooksLikeCode(code) {
		t.Fatalf("the code has the wrong shape: %s", code)
	}
	typed := " " + strings.ToLower(strings.ReplaceAll(code, "0", "o")) // as a person types it
	secret, identity, err := s.Redeem(t.Context(), typed, "b1", "Ann's Chrome")
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{User: "ann", Scopes: []Scope{ScopeBrowser}, TokenID: identity.TokenID, BrowserID: "b1"}
	got, err := s.Resolve(t.Context(), secret)
	if err != nil || !cmp.Equal(want, got) || !cmp.Equal(want, identity) {
		t.Fatalf("resolved %+v, redeemed %+v, %v; expected %+v", got, identity, err, want)
	}
	if LooksLikeCode(secret) || LooksLikeCode("") || LooksLikeCode("ABCD-EFGH-JKMN-PQR?") {
		t.Error("something that is no code looks like one")
	}
	if _, _, err := s.Redeem(t.Context(), code, "b2", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("the code worked twice: %v", err)
	}
}

func TestPairingAgainRevokesTheBrowsersOldToken(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	first, _, err := s.Redeem(t.Context(), newPairing(t, s, "ann", ""), "b1", "x")
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := s.Redeem(t.Context(), newPairing(t, s, "ann", ""), "b2", "y")
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := s.Redeem(t.Context(), newPairing(t, s, "ann", "given"), "b1", "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resolve(t.Context(), first); !errors.Is(err, ErrNotFound) {
		t.Errorf("the old token of the browser still works: %v", err)
	}
	for _, secret := range []string{second, other} {
		if _, err := s.Resolve(t.Context(), secret); err != nil {
			t.Error(err)
		}
	}
	tokens, err := s.Tokens(t.Context())
	if err != nil || len(tokens) != 3 {
		t.Fatalf("%d tokens, %v", len(tokens), err)
	}
	named := 0
	for _, token := range tokens {
		if token.Name == "given" {
			named++
		}
	}
	if named != 1 {
		t.Error("the name given with the code was lost")
	}
}

func TestPairingCodeExpiresButNotBefore(t *testing.T) {
	var c clock
	dir := t.TempDir()
	s := open(t, dir, c.now)
	late, intime := newPairing(t, s, "ann", ""), newPairing(t, s, "ann", "")
	c.advance(protocol.PairingLifetime - time.Second)
	s.Close()
	s = open(t, dir, c.now) // a code outlives a restart
	if _, _, err := s.Redeem(t.Context(), intime, "b1", ""); err != nil {
		t.Errorf("a code of under five minutes was refused: %v", err)
	}
	c.advance(2 * time.Second)
	if _, _, err := s.Redeem(t.Context(), late, "b1", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("a code of over five minutes gave %v, expected ErrNotFound", err)
	}
	newPairing(t, s, "ann", "")
	c.advance(protocol.PairingLifetime + time.Second)
	newPairing(t, s, "ann", "")
	if all, err := s.pairings.All(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%d codes are kept, %v; expected the live one only", len(all), err)
	}
}

func TestOneOfManyRedeemersWins(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	code := newPairing(t, s, "ann", "")
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, _, err := s.Redeem(context.Background(), code, "b1", "")
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, ErrNotFound):
				lost.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 7 {
		t.Errorf("%d won and %d lost, expected 1 and 7", won.Load(), lost.Load())
	}
}

func TestWrongCodesAreLimited(t *testing.T) {
	var c clock
	s := open(t, t.TempDir(), c.now)
	code := newPairing(t, s, "ann", "")
	for range maxAttempts {
		if _, _, err := s.Redeem(t.Context(), "0000-0000-0000-0000", "b1", ""); !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Redeem(t.Context(), code, "b1", ""); !errors.Is(err, ErrTooManyAttempts) {
		t.Fatalf("got %v, expected ErrTooManyAttempts", err)
	}
	c.advance(time.Minute)
	if _, _, err := s.Redeem(t.Context(), code, "b1", ""); err != nil {
		t.Errorf("after the minute the good code gave %v", err)
	}
}

func TestABrowserIsSeen(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := Open(t.TempDir(), &Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	seen := func() (at []time.Time) {
		t.Helper()
		all, err := s.Tokens(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range all {
			at = append(at, token.Seen)
		}
		return at
	}
	_, device, err := s.Mint(t.Context(), NewToken{User: "ann", Name: "home", Scopes: []Scope{ScopeBrowser}, BrowserID: "b1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, strangers := range [][2]string{{"ann", "b2"}, {"bob", "b1"}, {"ann", ""}} {
		if err := s.SetSeen(t.Context(), strangers[0], strangers[1]); err != nil || !seen()[0].IsZero() {
			t.Errorf("%v: %v, seen at %v", strangers, err, seen())
		}
	}
	if err := s.SetSeen(t.Context(), "ann", "b1"); err != nil || !seen()[0].Equal(now) {
		t.Errorf("%v, seen at %v", err, seen())
	}
	if err := s.Revoke(t.Context(), device.ID); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	if err := s.SetSeen(t.Context(), "ann", "b1"); err != nil || seen()[0].Equal(now) {
		t.Errorf("a revoked one: %v, seen at %v", err, seen())
	}
}
