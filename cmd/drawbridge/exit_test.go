package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestEveryErrorHasOneExitCode(t *testing.T) {
	seen := map[protocol.ErrorCode]int{}
	for _, e := range exits {
		for _, k := range e.kinds {
			seen[k]++
		}
	}
	for _, info := range protocol.ErrorCodes {
		if seen[info.Code] != 1 {
			t.Errorf("%s has %d exit codes, want 1", info.Code, seen[info.Code])
		}
	}
	if len(seen) != len(protocol.ErrorCodes) {
		t.Errorf("the table has %d kinds of error, protocol %d", len(seen), len(protocol.ErrorCodes))
	}
}

func TestMissingFlagIsAnErrorOfUsage(t *testing.T) {
	for name, require := range map[string]func(*cobra.Command) error{
		"a required flag": func(c *cobra.Command) error { return c.MarkFlagRequired("one") },
		"one of a group":  func(c *cobra.Command) error { c.MarkFlagsOneRequired("one", "other"); return nil },
	} {
		var said bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &said, stderr: &said, env: func(string) string { return "" }, args: []string{"demand"}}
		root := newRootCommand(a)
		demand := &cobra.Command{Use: "demand", RunE: func(*cobra.Command, []string) error {
			t.Errorf("%s: it ran without", name)
			return nil
		}}
		demand.Flags().Bool("one", false, "")
		demand.Flags().Bool("other", false, "")
		if err := require(demand); err != nil {
			t.Fatal(err)
		}
		root.AddCommand(demand)
		root.SetArgs(a.args)
		err := root.ExecuteContext(t.Context())
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		if code := a.report(t.Context(), err); code != exitUsage || !strings.Contains(said.String(), "Next: drawbridge help") {
			t.Errorf("%s: exit code %d, want %d; it says %q", name, code, exitUsage, said.String())
		}
	}
}

func TestRefsInEachForm(t *testing.T) {
	for word, want := range map[string]string{"@e2": "e2", "e2": "e2", "ref=e2": "e2", "@ref=e2": "e2", " e2 ": "e2"} {
		members := map[string]any{}
		putTarget(members, word)
		if members["uid"] != want || members["selector"] != nil {
			t.Errorf("%q is %v, want the ref %s", word, members, want)
		}
	}
	for _, word := range []string{"#e2", "e2 > a", "button", "e", "@e2x", ".e2"} {
		members := map[string]any{}
		putTarget(members, word)
		if members["selector"] != word || members["uid"] != nil {
			t.Errorf("%q is %v, want it as a selector", word, members)
		}
	}
}

func TestAddressesAsPeopleTypeThem(t *testing.T) {
	for typed, want := range map[string]string{
		"https://a.test/x": "https://a.test/x",
		"a.test/x?u=b:c":   "https://a.test/x?u=b:c",
		"localhost:3000":   "http://localhost:3000",
		"127.0.0.1:80/a":   "http://127.0.0.1:80/a",
		"[::1]:80":         "http://[::1]:80",
		"about:blank":      "about:blank",
		"javascript:alert": "javascript:alert",
	} {
		members := map[string]any{}
		if err := address(nil, []string{typed}, members); err != nil || members["url"] != want {
			t.Errorf("%q is %v (%v), want %s", typed, members["url"], err, want)
		}
	}
}
