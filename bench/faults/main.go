// Command faults runs the end-to-end tests of all known faults of browser tools for agents, or those of the wire, and counts them.
//
//	go run ./bench/faults                          all of them
//	go run ./bench/faults hover                    the kinds and faults that match a pattern of go test
//	go run ./bench/faults -test TestConformance    the conversations of the wire
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	test := flag.String("test", "TestFault", "the test whose `name` is test/kind/case")
	flag.Parse()
	pattern := "^" + *test + "$"
	if flag.NArg() > 0 {
		pattern += "/" + flag.Arg(0)
	}
	counted, err := run(pattern, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
	fmt.Println(counted)
	if counted.broken || counted.passed+counted.failed+counted.skipped == 0 {
		os.Exit(1)
	}
}

func run(pattern string, out io.Writer) (*tally, error) {
	tests := exec.Command("go", "test", "-json", "-count=1", "-timeout=15m", "-run", pattern, "./e2e")
	tests.Stderr = os.Stderr
	events, err := tests.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := tests.Start(); err != nil {
		return nil, fmt.Errorf("start go test: %w", err)
	}
	counted := &tally{}
	failed := counted.read(events, out)
	// That tests failed is counted; that they did not run at all shows in the count.
	if err := tests.Wait(); err != nil && !counted.broken {
		return counted, fmt.Errorf("go test: %w", err)
	}
	return counted, failed
}
