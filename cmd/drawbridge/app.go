package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/config"
	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// app is what every command works with: the streams, the environment and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	args           []string // the command line, without the program's name

	flags struct {
		json    bool
		browser string
		tab     int64
		timeout time.Duration
		session string
		dataDir string
		server  string
	}
	// settings are those in force, of which flags holds the values; nil for a command that needs none.
	settings config.Settings
	// started is true when the command line was understood: an error before it is one of usage.
	started bool
	// flagless are the verbs that have no flags and nothing to run yet, with what gives them both.
	flagless map[*cobra.Command]func()
}

// dataDir is the data directory that --data-dir, the environment, the user's settings or the system's habit names.
func (a *app) dataDir() (string, error) {
	if a.flags.dataDir != "" {
		dir, err := filepath.Abs(a.flags.dataDir)
		if err != nil {
			return "", fmt.Errorf("find the data directory %s: %w", a.flags.dataDir, err)
		}
		return dir, nil
	}
	return store.DefaultDir()
}

// printJSON writes v for programs: one line of JSON.
func (a *app) printJSON(v any) error {
	return json.NewEncoder(a.stdout).Encode(v)
}

// wantsJSON tells whether errors are for programs, also where the command line itself was the
// error and so its flags were never read.
func (a *app) wantsJSON() bool {
	return a.flags.json || !a.started && slices.Contains(a.args, "--json")
}

// say writes a line for people to stdout.
func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format+"\n", args...)
	return err
}

// note writes a line for people to stderr, where it disturbs no program that reads stdout.
// That it cannot be written is nothing that anybody could be told.
func (a *app) note(format string, args ...any) {
	_, _ = fmt.Fprintf(a.stderr, format+"\n", args...)
}

// colours tells whether errors may be coloured: on a terminal, and not against NO_COLOR.
func (a *app) colours() bool {
	if a.env("NO_COLOR") != "" || a.env("TERM") == "dumb" {
		return false
	}
	file, ok := a.stderr.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
