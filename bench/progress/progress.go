package main

import (
	"fmt"
	"io"
	"os"
)

// progress is one line that says what is going on, written over and over.
type progress struct {
	out io.Writer
	// terminal is true where a line can be written over; elsewhere nothing is said.
	terminal bool
}

func newProgress(f *os.File) *progress {
	info, err := f.Stat()
	return &progress{out: f, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p *progress) say(what string) {
	if p.terminal {
		_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", what)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.terminal {
		_, _ = fmt.Fprint(p.out, "\r\x1b[K")
	}
}
