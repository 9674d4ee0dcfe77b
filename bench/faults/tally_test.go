package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	const events = `{"Action":"start"}
{"Action":"output","Test":"TestFault/hover/stays","Output":"=== RUN   TestFault/hover/stays\n"}
{"Action":"pass","Test":"TestFault/hover/stays"}
{"Action":"output","Test":"TestFault/hover/leaves","Output":"    x_test.go:1: the menu closed\n"}
{"Action":"output","Test":"TestFault/hover/leaves","Output":"    --- FAIL: TestFault/hover/leaves (0.1s)\n"}
{"Action":"fail","Test":"TestFault/hover/leaves"}
{"Action":"fail","Test":"TestFault/hover"}
{"Action":"output","Test":"TestFault/uploads/picker","Output":"    x_test.go:2: needs a screen\n"}
{"Action":"skip","Test":"TestFault/uploads/picker"}
{"Action":"pass","Test":"TestFault/uploads"}
{"Action":"fail","Test":"TestFault"}
{"Action":"fail"}
`
	var counted tally
	var out strings.Builder
	if err := counted.read(strings.NewReader(events), &out); err != nil {
		t.Fatal(err)
	}
	if got, want := counted.String(), "1 passed, 1 failed, 1 skipped"; got != want || !counted.broken {
		t.Errorf("counted %q, broken=%t; expected %q, broken", got, counted.broken, want)
	}
	for _, said := range []string{"the menu closed", "needs a screen", "TestFault/hover/leaves\n"} {
		if !strings.Contains(out.String(), said) {
			t.Errorf("it does not say %q:\n%s", said, &out)
		}
	}
	if strings.Contains(out.String(), "--- FAIL") || strings.Contains(out.String(), "stays") {
		t.Errorf("it says too much:\n%s", &out)
	}
}

func TestBuildThatFails(t *testing.T) {
	var counted tally
	var out strings.Builder
	events := `{"Action":"build-output","Output":"undefined: rig\n"}` + "\n" + `{"Action":"fail"}` + "\n"
	if err := counted.read(strings.NewReader(events), &out); err != nil {
		t.Fatal(err)
	}
	if !counted.broken || !strings.Contains(out.String(), "undefined: rig") {
		t.Errorf("broken=%t, and it says %q", counted.broken, &out)
	}
}
