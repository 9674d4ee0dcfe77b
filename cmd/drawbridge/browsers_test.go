package main

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestBrowserLine(t *testing.T) {
	for want, b := range map[string]protocol.BrowserInfo{
		`"home"  b1  connected  1 tab at work`:         {Name: "home", Connected: true, Tabs: make([]protocol.TabRecord, 1)},
		`"home"  b1  not connected`:                    {Name: "home"},
		`b1  stopped by its user: resume in its popup`: {Connected: true, Stopped: true},
		`b1  unresponsive: `:                           {Connected: true, Unresponsive: true},
		`b1  connected  2 tabs at work`:                {Connected: true, Tabs: make([]protocol.TabRecord, 2)},
	} {
		b.BrowserID = "b1"
		if got := browserLine(b); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}
