package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open takes dir and lets go of it at the end of the test.
func open(t *testing.T, dir string, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(dir, &Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func mint(t *testing.T, s *Store, want NewToken) (string, Token) {
	t.Helper()
	secret, token, err := s.Mint(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	return secret, token
}

func TestTokenResolvesUntilRevokedAndOverRestart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	secret, token := mint(t, s, NewToken{User: "ann", Name: "laptop", Scopes: []Scope{ScopeAgent, ScopeAdmin}})
	if !strings.HasPrefix(secret, "db_agent_") || len(secret) != len("db_agent_")+52 {
		t.Errorf("token has the wrong shape: %d characters", len(secret))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, dir, nil)
	got, err := s.Resolve(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{User: "ann", Scopes: []Scope{ScopeAgent, ScopeAdmin}, TokenID: token.ID}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Has(ScopeBrowser) || !got.Has(ScopeAdmin) {
		t.Errorf("scopes are mixed up: %v", got.Scopes)
	}
	for _, wrong := range []string{"", "db_agent_", secret + "x", strings.ToUpper(secret), token.ID, token.Hash} {
		if _, err := s.Resolve(t.Context(), wrong); !errors.Is(err, ErrNotFound) {
			t.Errorf("resolve of a wrong token gave %v, expected ErrNotFound", err)
		}
	}
	if err := s.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resolve(t.Context(), secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("a revoked token gave %v, expected ErrNotFound", err)
	}
	if err := s.Revoke(t.Context(), "nosuch"); !errors.Is(err, ErrNotFound) {
		t.Errorf("revoking nothing gave %v, expected ErrNotFound", err)
	}
}

func TestMintRefusesWhatWouldBeUseless(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	for name, want := range map[string]NewToken{
		"no user":       {Scopes: []Scope{ScopeAgent}},
		"no scope":      {User: "ann"},
		"unknown scope": {User: "ann", Scopes: []Scope{"root"}},
	} {
		if _, _, err := s.Mint(t.Context(), want); err == nil {
			t.Errorf("%s: made a token", name)
		}
	}
}

func TestNoSecretAndNoOpenModeOnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, nil)
	agent, _ := mint(t, s, NewToken{User: "ann", Scopes: []Scope{ScopeAgent}})
	code, _, err := s.NewPairing(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	spent, _, err := s.NewPairing(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	device, _, err := s.Redeem(t.Context(), spent, "b1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.EnsureCredential(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteServerInfo(ServerInfo{Addr: "127.0.0.1:1", PID: 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.Audit(t.Context(), AuditEntry{Kind: protocol.AuditIntent}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if readableByOthers(info) {
			t.Errorf("%s has mode %#o", path, info.Mode().Perm())
		}
		if d.IsDir() {
			return nil
		}
		seen[d.Name()] = true
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, secret := range []string{agent, device, code, plainCode(code)} {
			if strings.Contains(string(raw), secret) {
				t.Errorf("%s holds a secret in clear", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lock", "tokens.json", "pairings.json", "cli.token", "server.json"} {
		if !seen[name] {
			t.Errorf("%s is missing; there are %v", name, seen)
		}
	}
}

func TestSecondOpenerIsToldWhoHasIt(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	if err := s.WriteServerInfo(ServerInfo{Addr: "127.0.0.1:4711", PID: 99, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, nil)
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "127.0.0.1:4711") || !strings.Contains(err.Error(), dir) {
		t.Fatalf("got %v, expected ErrInUse with the directory and the holder's address", err)
	}
	if err := s.RemoveServerInfo(); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadServerInfo(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read after remove gave %v, expected fs.ErrNotExist", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir, nil)
}

func TestDamagedFileStopsTheStartAndIsKept(t *testing.T) {
	for name, content := range map[string]string{
		"tokens.json":   `{"format":1,"entries":{"ab`,
		"pairings.json": `[]`,
		"rules.json":    `{"format":2,"entries":{}}`,
		"names.json":    `{"format":1,"entries":{"00":{"user":"eve","browserId":"b","name":"x"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			open(t, dir, nil).Close()
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time shows that the first let go of the lock
				_, err := Open(dir, nil)
				if err == nil || !strings.Contains(err.Error(), path) {
					t.Fatalf("got %v, expected an error naming %s", err, path)
				}
			}
			if raw, err := os.ReadFile(path); err != nil || string(raw) != content {
				t.Errorf("the damaged file was touched: %q, %v", raw, err)
			}
		})
	}
	for what, entry := range map[string]string{
		"wrong type": `{"format":1,"entries":{"ab":7}}`,
		"no hash":    `{"format":1,"entries":{"ab":{"id":"ab","user":"ann"}}}`,
		"tail":       `{"format":1,"entries":{}} {}`,
	} {
		t.Run("tokens "+what, func(t *testing.T) {
			dir := t.TempDir()
			open(t, dir, nil).Close()
			if err := os.WriteFile(filepath.Join(dir, "tokens.json"), []byte(entry), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "tokens.json") {
				t.Errorf("got %v, expected an error naming tokens.json", err)
			}
		})
	}
}

func TestSharedDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "0700") {
		t.Errorf("got %v, expected a refusal that says 0700", err)
	}
	file := filepath.Join(dir, "thesis.txt")
	if _, err := Open(file, nil); err == nil {
		t.Error("opened a file as a directory")
	}
}

func TestCredentialIsKeptAndReplacedWhenLeaked(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	first, err := s.EnsureCredential(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.EnsureCredential(t.Context(), "ann")
	if err != nil || again != first {
		t.Fatalf("the credential changed without need (%v)", err)
	}
	if got, err := ReadCredential(dir); err != nil || got != first {
		t.Fatalf("the file holds another credential (%v)", err)
	}
	if err := os.Chmod(filepath.Join(dir, credentialFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCredential(dir); err == nil || strings.Contains(err.Error(), first) {
		t.Errorf("got %v, expected a refusal without the token in it", err)
	}
	second, err := s.EnsureCredential(t.Context(), "ann")
	if err != nil || second == first {
		t.Fatalf("a leaked credential was kept (%v)", err)
	}
	if _, err := s.Resolve(t.Context(), first); !errors.Is(err, ErrNotFound) {
		t.Errorf("the leaked credential still works: %v", err)
	}
	if got, err := ReadCredential(dir); err != nil || got != second {
		t.Errorf("the new credential cannot be read: %v", err)
	}
}

func TestRulesOverRestart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	if got, err := s.Rules(t.Context()); err != nil || len(got.Blocklist) != 0 {
		t.Fatalf("fresh rules: %v, %v", got, err)
	}
	want := Rules{Blocklist: []string{"bank.test"}}
	if err := s.SetRules(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	s.Close()
	got, err := open(t, dir, nil).Rules(t.Context())
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("got %v, %v, expected %v", got, err, want)
	}
}

func TestConcurrentWritersLoseNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	var wg sync.WaitGroup
	var failed atomic.Int32
	for i := range 30 {
		wg.Go(func() {
			if _, _, err := s.Mint(context.Background(), NewToken{User: "ann", Name: fmt.Sprint(i), Scopes: []Scope{ScopeAgent}}); err != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	s.Close()
	tokens, err := open(t, dir, nil).Tokens(t.Context())
	if err != nil || failed.Load() != 0 || len(tokens) != 30 {
		t.Errorf("%d tokens, %d failed, %v; expected 30", len(tokens), failed.Load(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestDefaultDir(t *testing.T) {
	t.Setenv("DRAWBRIDGE_DATA_DIR", "")
	t.Setenv("XDG_DATA_HOME", "/data")
	if got, err := DefaultDir(); err != nil || got != "/data/drawbridge" {
		t.Errorf("got %s, %v", got, err)
	}
	t.Setenv("XDG_DATA_HOME", "relative")
	t.Setenv("HOME", "/home/ann")
	if got, err := DefaultDir(); err != nil || got != "/home/ann/.local/share/drawbridge" {
		t.Errorf("got %s, %v", got, err)
	}
	t.Setenv("DRAWBRIDGE_DATA_DIR", "/elsewhere")
	if got, err := DefaultDir(); err != nil || got != "/elsewhere" {
		t.Errorf("got %s, %v", got, err)
	}
}
