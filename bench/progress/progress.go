// Package progress tells on stderr what a benchmark is at.
package progress

import (
	"fmt"
	"io"
	"os"
)

// Line is one line that says what is going on: written over on a terminal, elsewhere a new one for each thing said.
type Line struct {
	out      io.Writer
	terminal bool
	last     string
}

// New is a line on f.
func New(f *os.File) *Line {
	info, err := f.Stat()
	return &Line{out: f, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Say shows what is being done, and beside it how far it is, which only a terminal is told.
func (l *Line) Say(what, howFar string) {
	switch {
	case l.terminal:
		_, _ = fmt.Fprintf(l.out, "\r\x1b[K%s %s", what, howFar)
	case what != l.last:
		_, _ = fmt.Fprintln(l.out, what)
	}
	l.last = what
}

// End clears the line.
func (l *Line) End() {
	if l.terminal {
		_, _ = fmt.Fprint(l.out, "\r\x1b[K")
	}
}
