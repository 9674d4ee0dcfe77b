package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// finding is one thing that doctor looked at.
type finding struct {
	// Name is what was looked at.
	Name string `json:"name"`
	// OK is true when it is as it should be.
	OK bool `json:"ok"`
	// Optional is true for what only some commands need.
	Optional bool `json:"optional,omitempty"`
	// Detail is what was found.
	Detail string `json:"detail"`
	// Fix is the command that mends it, empty when it is fine.
	Fix string `json:"fix,omitempty"`
	// mend does what Fix says, where that needs nobody's word; nil where it does.
	mend func(context.Context) error
}

func newDoctorCommand(a *app) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is missing, and the command that mends it",
		Args:  cobra.NoArgs,
		// Wrong settings are one of its findings.
		Annotations: standsAlone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings := a.examineSettings(cmd)
			findings := append([]finding{settings}, a.examine(cmd.Context())...)
			if fix {
				if err := a.mend(cmd.Context(), findings); err != nil {
					return err
				}
				findings = append([]finding{settings}, a.examine(cmd.Context())...)
			}
			return a.diagnose(findings)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended without you: the data folder's mode, the extension's files, a server in the background")
	return cmd
}

// mend does what the findings ask for, one after the other, and says so.
func (a *app) mend(ctx context.Context, findings []finding) error {
	for _, f := range findings {
		if f.mend == nil {
			continue
		}
		if err := f.mend(ctx); err != nil {
			return fmt.Errorf("mend the %s: %w", f.Name, err)
		}
		a.note("mended  %s: %s", f.Name, f.Detail)
	}
	return nil
}

// diagnose tells the findings. With one that matters it ends with an error of which everything was said.
func (a *app) diagnose(findings []finding) error {
	healthy := true
	for _, f := range findings {
		healthy = healthy && (f.OK || f.Optional)
	}
	if a.flags.json {
		if err := a.printJSON(map[string]any{"ok": healthy, "checks": findings}); err != nil {
			return err
		}
	} else if err := a.sayFindings(findings); err != nil {
		return err
	}
	if !healthy {
		return errTold
	}
	return nil
}

func (a *app) sayFindings(findings []finding) error {
	for _, f := range findings {
		if err := a.say("%s", f.line()); err != nil {
			return err
		}
	}
	return nil
}

func (f finding) line() string {
	mark := "ok  "
	switch {
	case !f.OK && f.Optional:
		mark = "note"
	case !f.OK:
		mark = "MISS"
	}
	text := mark + "  " + f.Name + ": " + f.Detail
	if f.Fix != "" {
		text += "\n      → " + f.Fix
	}
	return text
}

func (a *app) examine(ctx context.Context) []finding {
	findings := []finding{a.examineData(), a.examineExtension(), examineChromium()}
	server, running := a.examineServer(ctx)
	findings = append(findings, server)
	if !running {
		return append(findings, finding{Name: "browser", Detail: "cannot be asked for without a server", Fix: "drawbridge up"})
	}
	return append(findings, a.examineBrowsers(ctx)...)
}

func (a *app) examineData() finding {
	f := finding{Name: "data directory", Optional: a.flags.server != ""}
	dir, err := a.dataDir()
	if err != nil {
		f.Detail, f.Fix = err.Error(), "export DRAWBRIDGE_DATA_DIR=…"
		return f
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Detail, f.Fix = dir+" is not there yet", "drawbridge up"
	case err != nil:
		f.Detail, f.Fix = err.Error(), "ls -ld "+dir
	case !info.IsDir():
		f.Detail, f.Fix = dir+" is not a directory", "export DRAWBRIDGE_DATA_DIR=…"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		f.Detail, f.Fix = fmt.Sprintf("%s can be read by others (mode %#o)", dir, info.Mode().Perm()), "chmod 700 "+dir
		f.mend = func(context.Context) error { return os.Chmod(dir, 0o700) }
	default:
		f.OK, f.Detail = true, dir
	}
	return f
}

func (a *app) examineExtension() finding {
	f := finding{Name: "extension", Optional: true, Fix: "drawbridge extension"}
	dir, err := a.extensionDir(nil)
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	built, err := builtExtension()
	if err != nil {
		f.Optional, f.Detail, f.Fix = false, err.Error(), "make"
		return f
	}
	f.mend = func(context.Context) error { return writeExtension(dir) }
	if _, err := manifestKey(os.DirFS(dir)); err != nil {
		f.Detail = "not written to " + dir + " yet"
		return f
	}
	if same, err := sameFiles(built, os.DirFS(dir)); err != nil || !same {
		f.Detail = "the one in " + dir + " is not this program's version: write it again, then press its reload button in chrome://extensions"
		return f
	}
	return finding{Name: f.Name, OK: true, Optional: true, Detail: dir}
}

func examineChromium() finding {
	binary, err := chromium.Find()
	if err != nil {
		return finding{Name: "chromium", Optional: true, Detail: "none found; only launch and demo need one", Fix: installChromium()}
	}
	return finding{Name: "chromium", OK: true, Optional: true, Detail: binary.Path}
}

func installChromium() string {
	switch runtime.GOOS {
	case "darwin":
		return "brew install --cask chromium"
	case "windows":
		return "winget install Google.Chrome"
	}
	return "apt-get install chromium, or export DRAWBRIDGE_CHROMIUM=/path/to/a/browser"
}

func (a *app) examineServer(ctx context.Context) (f finding, running bool) {
	f = finding{Name: "server"}
	if a.flags.server != "" {
		return a.examineElsewhere(ctx)
	}
	info, _, err := a.healthy(ctx)
	switch {
	case absent(err):
		f.Detail, f.Fix = "none runs on this data directory", "drawbridge up"
		f.mend = func(ctx context.Context) error {
			_, _, err := a.ensureServer(ctx, 0)
			return err
		}
	case err != nil:
		f.Detail, f.Fix = err.Error(), "drawbridge up"
	case info.Version != buildVersion():
		f.Detail = fmt.Sprintf("the one at %s is version %s, this program is %s", info.Addr, info.Version, buildVersion())
		f.Fix = fmt.Sprintf("kill %d && drawbridge up", info.PID)
		return f, true
	default:
		f.OK, f.Detail = true, fmt.Sprintf("%s, pid %d", info.Addr, info.PID)
		return f, true
	}
	return f, false
}

// examineElsewhere looks at the server that the settings name.
func (a *app) examineElsewhere(ctx context.Context) (f finding, running bool) {
	f = finding{Name: "server", Fix: "drawbridge config shows where the address and the token come from"}
	c, err := a.connect()
	var version string
	if err == nil {
		version, err = c.Health(ctx)
	}
	if err != nil {
		f.Detail = err.Error()
		return f, false
	}
	return finding{Name: f.Name, OK: true, Detail: a.flags.server + ", version " + version}, true
}

func (a *app) examineBrowsers(ctx context.Context) []finding {
	c, err := a.connect()
	var browsers []protocol.BrowserInfo
	if err == nil {
		browsers, err = c.Browsers(ctx)
	}
	if err != nil {
		return []finding{{Name: "browser", Detail: err.Error(), Fix: "drawbridge up"}}
	}
	var findings []finding
	connected := false
	for _, b := range browsers {
		f := finding{Name: "browser", OK: b.Connected && !b.Stopped && !b.Unresponsive, Optional: true, Detail: browserLine(b)}
		if !b.Connected {
			f.Fix = "start that browser; if its popup says that it is not paired: drawbridge pair"
		} else if b.Stopped {
			f.Fix = "press Resume in the extension's popup"
		} else if b.Unresponsive {
			f.Fix = "wake that machine, or close the browser and start it again"
		}
		connected = connected || f.OK
		findings = append(findings, f)
	}
	if !connected {
		findings = append(findings, finding{Name: "browser", Detail: "none is connected and ready", Fix: "drawbridge pair, or drawbridge launch"})
	}
	return findings
}

// sameFiles tells whether every file of a is in b, byte by byte.
func sameFiles(a, b fs.FS) (bool, error) {
	same := true
	err := fs.WalkDir(a, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(a, path)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(b, path)
		same = same && err == nil && bytes.Equal(want, got)
		return nil
	})
	return same, err
}
