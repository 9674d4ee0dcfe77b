package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func connected(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := s.LastConnected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		names = append(names, c.User+" "+c.BrowserID+" "+c.Name)
	}
	slices.Sort(names)
	return names
}

// What a process kept that was killed is read by the next one: the files are taken from under it, as they lie.
func TestWhoIsConnectedOutlivesAKill(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	for _, id := range []string{"b1", "b2", "b3"} {
		if err := s.SetConnected(t.Context(), Connected{User: "ann", BrowserID: id, Name: "Browser " + id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetConnected(t.Context(), Connected{User: "bob", BrowserID: "b1", Name: "His"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetGone(t.Context(), "ann", "b2"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSeen(t.Context(), "ann", "b3"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "browsers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ann b1 Browser b1", "ann b3 Browser b3", "bob b1 His"}
	for name, left := range map[string][]byte{
		"killed between two lines": raw,
		"killed within a line":     append(slices.Clone(raw), `{"user":"ann","browserId":"b9","he`...),
	} {
		t.Run(name, func(t *testing.T) {
			after := filepath.Join(t.TempDir(), "data")
			open(t, after, nil).Close()
			if err := os.WriteFile(filepath.Join(after, "browsers.jsonl"), left, 0o600); err != nil {
				t.Fatal(err)
			}
			next := open(t, after, nil)
			if got := connected(t, next); !slices.Equal(got, want) {
				t.Errorf("connected are %q, expected %q", got, want)
			}
			if err := next.SetGone(t.Context(), "bob", "b1"); err != nil {
				t.Fatal(err)
			}
			if err := next.Close(); err != nil {
				t.Fatal(err)
			}
			if got := connected(t, open(t, after, nil)); !slices.Equal(got, want[:2]) {
				t.Errorf("after one more went %q are connected, expected %q", got, want[:2])
			}
		})
	}
}

func TestComingsAndGoingsDoNotFillTheDisk(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	if _, _, err := s.Mint(t.Context(), NewToken{User: "ann", Scopes: []Scope{ScopeBrowser}, BrowserID: "paired"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetGone(t.Context(), "ann", "paired"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * spareLines {
		c := Connected{User: "ann", BrowserID: fmt.Sprint("passing ", i)}
		if err := s.SetConnected(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if err := s.SetGone(t.Context(), c.User, c.BrowserID); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "browsers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(raw, []byte("\n")); lines > 2*spareLines {
		t.Errorf("the file has %d lines for no browser that is here, expected at most %d", lines, 2*spareLines)
	}
	tokens, err := s.Tokens(t.Context())
	if err != nil || len(tokens) != 1 || tokens[0].Seen.IsZero() {
		t.Errorf("when a paired browser was seen is lost: %+v, %v", tokens, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSeen(t.Context(), "ann", "paired"); err == nil {
		t.Error("a closed store said that it kept something")
	}
}

// BenchmarkNewcomer is what a browser costs that was never here, among so many.
func BenchmarkNewcomer(b *testing.B) {
	for _, among := range []int{100, 10_000} {
		b.Run(fmt.Sprint("among ", among), func(b *testing.B) {
			s, err := Open(b.TempDir(), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			come := func(name string, i int) {
				if err := s.SetConnected(b.Context(), Connected{User: "ann", BrowserID: fmt.Sprint(name, i), Name: "Chrome"}); err != nil {
					b.Fatal(err)
				}
			}
			for i := range among {
				come("here ", i)
			}
			for i := 0; b.Loop(); i++ {
				come("new ", i)
			}
		})
	}
}
