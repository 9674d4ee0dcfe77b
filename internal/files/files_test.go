package files

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func put(t *testing.T, s *Shelf, user string, size int) File {
	t.Helper()
	f, err := s.Put(user, "a.txt", "text/plain", make([]byte, size))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func has(s *Shelf, user string, f File) bool {
	got, err := s.Get(user, f.ID)
	return err == nil && got.ID == f.ID
}

func TestAFileEndsInItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewShelf()
		f := put(t, s, "ann", 3)
		if want := time.Now().Add(Lifetime); !f.Expires.Equal(want) {
			t.Errorf("it ends at %v, want %v", f.Expires, want)
		}
		time.Sleep(Lifetime - time.Second)
		if !has(s, "ann", f) {
			t.Error("it is gone before its time")
		}
		time.Sleep(2 * time.Second)
		if _, err := s.Get("ann", f.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("after its time: %v", err)
		}
		if len(s.of) != 0 {
			t.Errorf("the shelf still holds %v", s.of)
		}
	})
}

func TestAUserHasOnlySoMuchAndTakesNothingFromOthers(t *testing.T) {
	s := NewShelf()
	others := put(t, s, "bob", MaxFile)
	var all []File
	for range MaxFiles + 1 {
		all = append(all, put(t, s, "ann", 1))
	}
	if has(s, "ann", all[0]) || !has(s, "ann", all[1]) {
		t.Error("the oldest of too many should go, and no other")
	}
	put(t, s, "ann", MaxFile)
	put(t, s, "ann", MaxBytes-MaxFile)
	if has(s, "ann", all[MaxFiles]) {
		t.Error("small files are left beside as many bytes as a user may have")
	}
	if !has(s, "bob", others) || has(s, "ann", others) {
		t.Error("bob's file is not bob's alone")
	}
	if _, err := s.Put("ann", "a", "", make([]byte, MaxFile+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file that is too large: %v", err)
	}
}

func TestIDsAreNeverTheSame(t *testing.T) {
	s, seen := NewShelf(), map[string]bool{}
	for range 1000 {
		f := put(t, s, "ann", 0)
		if len(f.ID) < 26 || seen[f.ID] { // 26 characters of base32 are 130 bits
			t.Fatalf("the id %q", f.ID)
		}
		seen[f.ID] = true
	}
}

func TestNamesAreCleaned(t *testing.T) {
	for given, want := range map[string]string{
		"report.pdf":                      "report.pdf",
		"../../etc/passwd":                "passwd",
		`..\..\boot.ini`:                  "boot.ini",
		"a\r\nSet-Cookie: x=1.txt":        "aSet-Cookie x=1.txt",
		"\u202egnp.exe":                   "gnp.exe",
		`q"uo"te;filename=x`:              "quote;filename=x",
		"...":                             "file.pdf",
		"":                                "file.pdf",
		"/":                               "file.pdf",
		"été 2026.txt":                    "été 2026.txt",
		"\xff\xfe.bin":                    "bin",
		strings.Repeat("é", 300) + ".png": strings.Repeat("é", 98) + ".png",
	} {
		if got := CleanName(given, "application/pdf"); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestTypesAreCleaned(t *testing.T) {
	for given, want := range map[string]string{
		"text/html; charset=utf-8":   "text/html; charset=utf-8",
		"":                           anyType,
		"nothing":                    anyType,
		"text/html\r\nX-Evil: yes":   anyType,
		"text/html; a=\"b\r\nc: d\"": anyType,
	} {
		f, err := NewShelf().Put("ann", "a", given, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.MimeType != want && !strings.HasPrefix(f.MimeType, "text/html; a*=") {
			t.Errorf("the type %q became %q, want %q", given, f.MimeType, want)
		}
		if strings.ContainsAny(f.MimeType, "\r\n") {
			t.Errorf("the type %q has a line of its own", f.MimeType)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	for _, seed := range []string{"a/b", "\x00", `\`, "..", "é."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := CleanName(name, "")
		if clean == "" || len(clean) > maxName || strings.ContainsAny(clean, "/\\\r\n\x00\"") || strings.Trim(clean, ".") == "" {
			t.Errorf("%q became %q", name, clean)
		}
		if again := CleanName(clean, ""); again != clean {
			t.Errorf("%q became %q and then %q", name, clean, again)
		}
	})
}
