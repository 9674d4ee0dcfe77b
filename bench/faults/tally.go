package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is one line of go test -json.
type event struct {
	Action, Test, Output string
}

// tally counts the faults, and keeps what the failed and skipped ones said.
type tally struct {
	passed, failed, skipped int
	// broken is true when the run as a whole failed, be it by what stands outside of the tests.
	broken bool
	said   map[string]string
}

// leaf is how many parts the name of a fault's own test has: TestFault/kind/fault.
const leaf = 3

// read counts the events as they come and writes a line to out for each fault that did not pass.
func (c *tally) read(in io.Reader, out io.Writer) error {
	c.said = map[string]string{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			c.take(line, out)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the tests' events: %w", err)
		}
	}
}

func (c *tally) take(line []byte, out io.Writer) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		c.said[""] += string(line) // a build that fails says so in plain words
		return
	}
	name := strings.Split(e.Test, "/")
	own := len(name) == leaf
	switch e.Action {
	case "output", "build-output":
		c.said[e.Test] += e.Output
	case "pass":
		if own {
			c.passed++
		}
	case "skip":
		if own {
			c.skipped++
			_, _ = fmt.Fprintf(out, "skipped  %s\n%s", e.Test, c.told(e.Test))
		}
	case "fail":
		c.broken = true
		if own {
			c.failed++
		}
		if own || e.Test == "" {
			_, _ = fmt.Fprintf(out, "failed   %s\n%s", e.Test, c.told(e.Test))
		}
	}
}

// told is what a test said, without the lines that only tell of its course.
func (c *tally) told(test string) string {
	var kept strings.Builder
	for line := range strings.Lines(c.said[test]) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "=== ") || strings.HasPrefix(trimmed, "--- ") || trimmed == "FAIL" {
			continue
		}
		kept.WriteString(line)
	}
	return kept.String()
}

func (c *tally) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.passed, c.failed, c.skipped)
}
