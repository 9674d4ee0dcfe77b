package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ring is a keyring in memory, locked while err is set.
type ring struct {
	kept map[string]string
	err  error
}

func (r *ring) Get(name string) (string, error) {
	if r.err != nil {
		return "", r.err
	}
	if value, ok := r.kept[name]; ok {
		return value, nil
	}
	return "", ErrNotFound
}

func (r *ring) Set(name, value string) error {
	if r.err == nil {
		r.kept[name] = value
	}
	return r.err
}

func TestSecretsAreSealedAndOutliveTheProcess(t *testing.T) {
	for name, keys := range map[string]Keyring{
		"a key file": nil, "a keyring": &ring{kept: map[string]string{}}, "no keyring to be had": &ring{err: errors.New("no bus")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(dir, &Options{Keyring: keys})
			if err != nil {
				t.Fatal(err)
			}
			for _, user := range []string{"ann", "bob"} {
				if _, err := s.SetSecret(t.Context(), Secret{User: user, Name: "pw", Origins: []string{"https://a.test"}, Value: user + "-swordfish"}); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(dir, "secrets.json"))
			if err != nil || strings.Contains(string(raw), "swordfish") {
				t.Errorf("the file holds %s (%v)", raw, err)
			}
			kept, inRing := keys.(*ring)
			inRing = inRing && kept.err == nil
			info, err := os.Stat(filepath.Join(dir, keyFile))
			if inRing != errors.Is(err, os.ErrNotExist) {
				t.Errorf("the key file: %v, a keyring had the key: %v", err, inRing)
			}
			if err == nil && readableByOthers(info) {
				t.Errorf("the key file has mode %v", info.Mode())
			}
			s, err = Open(dir, &Options{Keyring: keys})
			if err != nil {
				t.Fatal(err)
			}
			all, err := s.Secrets(t.Context(), "ann")
			if err != nil || len(all) != 1 || all[0].Value != "ann-swordfish" || all[0].Origins[0] != "https://a.test" {
				t.Errorf("got %+v, %v", all, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}

			// Whoever can write the file cannot send a value elsewhere, nor give it to another.
			for _, change := range [][2]string{{"https://a.test", "https://b.test"}, {`"name": "pw"`, `"name": "xy"`}, {`"user": "ann"`, `"user": "eve"`}} {
				if !strings.Contains(string(raw), change[0]) {
					t.Fatalf("no %s in %s", change[0], raw)
				}
				if err := os.WriteFile(filepath.Join(dir, "secrets.json"), []byte(strings.ReplaceAll(string(raw), change[0], change[1])), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := Open(dir, &Options{Keyring: keys}); err == nil || !strings.Contains(err.Error(), "secrets.json cannot be used") {
					t.Errorf("with %s it opened: %v", change[1], err)
				}
			}
		})
	}
}

func TestSecretsWhoseKeyIsGoneStopTheStart(t *testing.T) {
	dir, keys := t.TempDir(), &ring{kept: map[string]string{}}
	s, err := Open(dir, &Options{Keyring: keys})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SetSecret(t.Context(), Secret{User: "ann", Name: "pw", Value: "swordfish"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	keys.err = errors.New("locked")
	if _, err := Open(dir, &Options{Keyring: keys}); err == nil || !strings.Contains(err.Error(), "unlock it") {
		t.Errorf("it opened: %v", err)
	}
	keys.err = nil
	s = mustOpen(t, dir, keys)
	if gone, err := s.RemoveSecret(t.Context(), "ann", "pw"); err != nil || gone.Value != "swordfish" {
		t.Errorf("removed %+v, %v", gone, err)
	}
	if _, err := s.RemoveSecret(t.Context(), "ann", "pw"); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed again: %v", err)
	}
}

func mustOpen(t *testing.T, dir string, keys Keyring) *Store {
	t.Helper()
	s, err := Open(dir, &Options{Keyring: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
