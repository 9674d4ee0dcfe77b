// Command drawbridge lets AI agents act in a person's own browser: it is the
// server, the launcher, the MCP server on stdio and one verb per action.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run())
}

// run is main with an exit code instead of an exit, so that deferred work is
// done and tests can run it inside their own process.
func run() int {
	// The first Ctrl-C cancels what runs, which then ends in order and says so;
	// stop() gives the signal back its usual meaning, so a second one kills.
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup it stays so
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop)

	app := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, env: os.Getenv, args: os.Args[1:]}
	root := newRootCommand(app)
	if err := root.ExecuteContext(ctx); err != nil {
		return app.report(ctx, err)
	}
	return exitOK
}
