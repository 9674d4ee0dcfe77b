package chromium

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// EnvBinary is the environment variable that names the browser to use before any other is looked for.
const EnvBinary = "DRAWBRIDGE_CHROMIUM"

// ErrNotFound says that no Chromium, Chrome or Edge was found. Its text says what to install.
var ErrNotFound = errors.New("no Chromium found: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium; " +
	"Windows: winget install Google.Chrome) or set " + EnvBinary + " to the browser's program file")

// Binary is a browser program on this machine.
type Binary struct {
	// Path is the program file.
	Path string
	// Branded is true for Google Chrome and Microsoft Edge. They ignore --load-extension since version 137, so the
	// extension has to be loaded over the debugging pipe.
	Branded bool
}

// Find returns the browser to use: the one that DRAWBRIDGE_CHROMIUM names, else the first of the usual names and
// places, an unbranded Chromium before Chrome before Edge. It returns ErrNotFound when there is none, and an error
// that names the path when the variable points at something that is not a program.
func Find() (Binary, error) {
	if path := os.Getenv(EnvBinary); path != "" {
		resolved, err := exec.LookPath(path)
		if err != nil {
			return Binary{}, fmt.Errorf("%s names %q, which is not a program that can be run: %v", EnvBinary, path, err)
		}
		return Binary{Path: resolved, Branded: branded(resolved)}, nil
	}
	for _, candidate := range candidates(runtime.GOOS, os.Getenv) {
		if resolved, err := exec.LookPath(candidate); err == nil {
			return Binary{Path: resolved, Branded: branded(resolved)}, nil
		}
	}
	return Binary{}, ErrNotFound
}

// candidates lists names and paths in the order in which they are tried. Full paths come before names on Linux,
// because Debian's /usr/bin/chromium is a shell wrapper that adds flags of its own.
func candidates(goos string, getenv func(string) string) []string {
	switch goos {
	case "darwin":
		var list []string
		for _, root := range []string{"/Applications", filepath.Join(getenv("HOME"), "Applications")} {
			list = append(list,
				filepath.Join(root, "Chromium.app/Contents/MacOS/Chromium"),
				filepath.Join(root, "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"),
				filepath.Join(root, "Google Chrome.app/Contents/MacOS/Google Chrome"),
				filepath.Join(root, "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
			)
		}
		return append(list, "chromium")
	case "windows":
		var list []string
		for _, program := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
			for _, variable := range []string{"LOCALAPPDATA", "ProgramFiles", "ProgramFiles(x86)"} {
				if root := getenv(variable); root != "" {
					list = append(list, root+`\`+program)
				}
			}
		}
		return list
	default:
		return []string{
			"/usr/lib/chromium/chromium",
			"/usr/lib/chromium-browser/chromium-browser",
			"/usr/lib64/chromium-browser/chromium-browser",
			"/opt/chromium/chrome",
			"chromium", "chromium-browser",
			"/opt/google/chrome/chrome",
			"google-chrome", "google-chrome-stable", "google-chrome-beta", "chrome",
			"/opt/microsoft/msedge/msedge",
			"microsoft-edge", "microsoft-edge-stable",
		}
	}
}

// branded tells Chrome and Edge from Chromium by their path. "Chrome for Testing" keeps --load-extension.
func branded(path string) bool {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	lower := strings.ToLower(filepath.ToSlash(path))
	if strings.Contains(lower, "for testing") || strings.Contains(lower, "chromium") {
		return false
	}
	return strings.Contains(lower, "google") || strings.Contains(lower, "edge")
}
