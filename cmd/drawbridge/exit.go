package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// The exit codes that are no protocol error's.
const (
	exitOK          = 0
	exitOther       = 1
	exitUsage       = 2
	exitNoServer    = 3
	exitInterrupted = 130
)

// exits is the table of exit codes: help, programs and report range over it.
var exits = []struct {
	code    int
	meaning string
	kinds   []protocol.ErrorCode
}{
	{exitOK, "done", nil},
	{exitOther, "something else went wrong: a fault of Drawbridge, a file that cannot be written", []protocol.ErrorCode{protocol.CodeInternal, protocol.CodeCancelled, protocol.CodeNameInUse}},
	{exitUsage, "the command or the action is wrong: mend it; also what a page's script threw", []protocol.ErrorCode{protocol.CodeInvalidAction}},
	{exitNoServer, "no server runs, or no such browser is connected", []protocol.ErrorCode{protocol.CodeNotConnected}},
	{4, "the element is not there, is another by now, or is covered: take a new snapshot", []protocol.ErrorCode{protocol.CodeElementNotFound, protocol.CodeElementStale, protocol.CodeElementBlocked}},
	{5, "the tab is not there, is another's, or several could be meant", []protocol.ErrorCode{protocol.CodeTabNotFound, protocol.CodeSessionNotFound, protocol.CodeNotOwner, protocol.CodeForeignExtension}},
	{6, "no answer in time", []protocol.ErrorCode{protocol.CodeTimeout}},
	{7, "refused for good: the domain is blocked, the user pressed stop, or the token may not", []protocol.ErrorCode{protocol.CodeDomainBlocked, protocol.CodeStopped, protocol.CodeUnauthorized}},
	{8, "the page could not be loaded", []protocol.ErrorCode{protocol.CodeNavigationFailed}},
	{9, "this browser's extension lacks it, or the versions do not meet", []protocol.ErrorCode{protocol.CodeUnsupported, protocol.CodeProtocolMismatch}},
	{10, "a dialog is open: answer it with drawbridge dialog", []protocol.ErrorCode{protocol.CodeDialogOpen}},
	{exitInterrupted, "you pressed Ctrl-C: the action was cancelled", nil},
}

// exitCode is the exit code of a kind of error.
func exitCode(kind protocol.ErrorCode) int {
	for _, e := range exits {
		if slices.Contains(e.kinds, kind) {
			return e.code
		}
	}
	return exitOther
}

// newExitCodesTopic is a help topic: cobra shows a command that cannot run as one.
func newExitCodesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Exit codes, by kind of error:\n\n")
	for _, e := range exits {
		kinds := make([]string, 0, len(e.kinds))
		for _, k := range e.kinds {
			kinds = append(kinds, string(k))
		}
		fmt.Fprintf(&b, "%5d  %s", e.code, e.meaning)
		if len(kinds) > 0 {
			fmt.Fprintf(&b, "\n       (%s)", strings.Join(kinds, ", "))
		}
		b.WriteString("\n")
	}
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: strings.TrimRight(b.String(), "\n")}
}

// actionError is an error of an action, with the action that it is about.
type actionError struct {
	action protocol.Action
	err    *protocol.Error
	events []protocol.Event
}

func (e *actionError) Error() string { return e.err.Error() }

func (e *actionError) Unwrap() error { return e.err }

// adviceError is an error with a next step of its own.
type adviceError struct {
	err  *protocol.Error
	next string
}

func (e *adviceError) Error() string { return e.err.Error() }

func (e *adviceError) Unwrap() error { return e.err }

// errTold is an error of which everything was said already: only the exit code is left.
var errTold = errors.New("something is missing")

// report tells the user of err, on stderr or with --json on stdout, and returns the exit code.
func (a *app) report(ctx context.Context, err error) int {
	if ctx.Err() != nil {
		a.note("cancelled")
		return exitInterrupted
	}
	if errors.Is(err, errTold) {
		return exitOther
	}
	var known *protocol.Error
	if !errors.As(err, &known) {
		known = protocol.Errorf(protocol.CodeInternal, "%v", err)
		if !a.started {
			known = protocol.Errorf(protocol.CodeInvalidAction, "%v", err)
		}
		if !a.wantsJSON() {
			a.note("%s", a.failed("error: "+err.Error()))
			if !a.started {
				a.note("Next: drawbridge help")
			}
			return exitCode(known.Code)
		}
	}
	if a.wantsJSON() {
		if err := a.printJSON(map[string]any{"error": known.Complete()}); err != nil {
			a.note("%v", err)
		}
		return exitCode(known.Code)
	}
	a.note("%s", a.failed(told(err, known)))
	return exitCode(known.Code)
}

// told is an error as a model or a person reads it.
func told(err error, known *protocol.Error) string {
	var advised *adviceError
	if errors.As(err, &advised) {
		return fmt.Sprintf("error %s: %s\nNext: %s", known.Code, known.Message, advised.next)
	}
	var acted *actionError
	if errors.As(err, &acted) {
		lines := append([]string{render.Failure(acted.action, known).String()}, render.Events(acted.events)...)
		return strings.Join(lines, "\n")
	}
	return render.Failure(nil, known).String()
}

// failed makes the first line red where colours are welcome.
func (a *app) failed(text string) string {
	if !a.colours() {
		return text
	}
	first, rest, more := strings.Cut(text, "\n")
	if more {
		rest = "\n" + rest
	}
	return "\x1b[31m" + first + "\x1b[0m" + rest
}
