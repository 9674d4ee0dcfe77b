package main

import (
	"testing"

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
