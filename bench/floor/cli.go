package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// cliSession is the one that the command line acts in where nobody names another: the bench acts in it too, so that the tabs
// are common to both.
const cliSession = "cli"

// byCommand compares verbs of the command line with the same call by curl: what a whole process costs, from its start to its end.
// There are no rows where this machine has no curl.
func (b *bench) byCommand(t *tab, program string) ([]row, error) {
	curl, err := exec.LookPath("curl")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	token, err := store.ReadCredential(b.dataDir)
	if err != nil {
		return nil, err
	}
	// A token has no business on a command line, where every process of the machine can read it.
	header := filepath.Join(b.dataDir, "header")
	if err := os.WriteFile(header, []byte("Authorization: Bearer "+token+"\nContent-Type: application/json\n"+protocol.SessionHeader+": "+cliSession+"\n"), 0o600); err != nil {
		return nil, err
	}
	tabID := fmt.Sprint(t.page.TabID)
	var rows []row
	for _, verb := range []struct {
		name   string
		words  []string
		action protocol.Action
	}{
		{"get title", []string{"get", "title"}, protocol.Get{Page: t.page, What: "title"}},
		{"snapshot -i", []string{"snapshot", "-i"}, protocol.Snapshot{Page: t.page, Interactive: true}},
		{"click", []string{"click", t.ref("button Press").UID}, protocol.Click{Page: t.page, Target: t.ref("button Press")}},
	} {
		body, err := json.Marshal(protocol.ActRequest{Action: protocol.AnyAction{Action: verb.action}})
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			name: "drawbridge " + verb.name + " ÷ curl", limit: 1.3, runs: 60, sample: verb.action,
			ours:  b.command(program, append(verb.words, "--tab", tabID)...),
			floor: b.command(curl, "--silent", "--show-error", "--fail", "--header", "@"+header, "--data-binary", string(body), b.address+"/v1/act"),
		})
	}
	return rows, nil
}

// command runs a program to its end, which must be a good one.
func (b *bench) command(program string, args ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		var said bytes.Buffer
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), "DRAWBRIDGE_DATA_DIR="+b.dataDir)
		cmd.Dir, cmd.Stderr = b.dataDir, &said // where no project's settings are
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, bytes.TrimSpace(said.Bytes()))
		}
		return nil
	}
}
