package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// binary is the program as users have it, built once for the tests that need a process of its own.
var binary struct {
	once sync.Once
	dir  string
	err  error
}

func drawbridge(t *testing.T) string {
	t.Helper()
	name := "drawbridge"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "drawbridge-e2e-bin-"); binary.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", filepath.Join(binary.dir, name), "../cmd/drawbridge")
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("build the program: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return filepath.Join(binary.dir, name)
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
