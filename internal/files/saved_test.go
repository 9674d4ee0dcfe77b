package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/files"
)

// TestReadSavedStaysInItsFolder has a browser name files that are not its to name.
func TestReadSavedStaysInItsFolder(t *testing.T) {
	base := t.TempDir()
	folder, outside := filepath.Join(base, "downloads"), filepath.Join(base, "secret.txt")
	invoice := filepath.Join(folder, "2026", "invoice.pdf")
	if err := os.MkdirAll(filepath.Dir(invoice), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{invoice: "an invoice", outside: "top secret"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out.txt": outside, "up": base, "in.pdf": filepath.Join("2026", "invoice.pdf")} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(folder, filepath.Join(base, "called")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		folder, path      string
		size, from, limit int64
		want              string
	}{
		{folder, invoice, 10, 0, 100, "an invoice"},
		{folder, invoice, 10, 3, 4, "invo"},
		{folder, invoice, 10, 10, 4, ""},
		{folder, filepath.Join(folder, "in.pdf"), 10, 0, 100, "an invoice"},
		{filepath.Join(base, "called"), invoice, 10, 0, 100, "an invoice"},
		{filepath.Join(base, "called"), filepath.Join(base, "called", "in.pdf"), 10, 0, 100, "an invoice"},
	} {
		if got, err := files.ReadSaved(c.folder, c.path, c.size, c.from, c.limit); string(got) != c.want || err != nil {
			t.Errorf("%+v: got %q, %v", c, got, err)
		}
	}
	for path, size := range map[string]int64{
		outside:                          10,
		folder + "/../secret.txt":        10,
		"secret.txt":                     10,
		"":                               10,
		filepath.Join(folder, "out.txt"): 10,
		filepath.Join(folder, "up", "secret.txt"):  10,
		filepath.Join(folder, "no-such-file"):      10,
		folder:                                     4096,
		filepath.Join(folder, "2026"):              4096,
		filepath.Join(folder, "2026/./invoice.pd"): 10,
		invoice: 11,
	} {
		if got, err := files.ReadSaved(folder, path, size, 0, 100); !errors.Is(err, files.ErrNotSeen) || got != nil {
			t.Errorf("%s with %d bytes: got %q, %v", path, size, got, err)
		}
	}
	t.Chdir(folder)
	if got, err := files.ReadSaved("", "2026/invoice.pdf", 10, 0, 100); !errors.Is(err, files.ErrNotSeen) || got != nil {
		t.Errorf("no folder: got %q, %v", got, err)
	}
	if _, err := files.ReadSaved(filepath.Join(base, "none"), invoice, 10, 0, 100); !errors.Is(err, files.ErrNotSeen) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
