package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestServerKeyIsMadeOnceAndPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, time.Now)
	key := s.ServerKey()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, serverKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("the key has mode %#o", mode)
	}
	if again := open(t, dir, time.Now).ServerKey(); !again.Equal(key) {
		t.Error("a second start made another key: every browser would have to be paired again")
	}
	if other := open(t, filepath.Join(t.TempDir(), "other"), time.Now).ServerKey(); other.Equal(key) {
		t.Error("two servers have one key")
	}
}

func TestKeyThatCannotBeTrustedStopsTheStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := open(t, dir, time.Now).Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, serverKeyFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string][]byte{
		"empty":         nil,
		"cut off":       good[:len(good)/2],
		"no key inside": []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
		"another block": []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, nil)
		if err == nil {
			s.Close()
			t.Errorf("%s: the start went on", what)
		} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "pair the browsers again") {
			t.Errorf("%s: the error names neither the file nor what to do: %v", what, err)
		}
	}
	if runtime.GOOS == "windows" {
		return // keeps no such bits
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(dir, nil); err == nil {
		s.Close()
		t.Error("a key that others can read was taken")
	}
}
