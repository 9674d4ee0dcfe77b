package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// startTime is how long a server may take to start, and how long we wait for another that starts.
	startTime = 20 * time.Second
	// retryTime is between two looks at a lock or a server that another process is about to have ready.
	retryTime = 50 * time.Millisecond
	// maxLog is the size at which the log of the server in the background begins anew.
	maxLog = 1 << 20
)

// defaultIdle is how long a server in the background stays that no agent uses. Long enough for a person to read an answer and go on.
const defaultIdle = 10 * time.Minute

// ensureServer finds the server of this data directory, or starts one in the background, which ends when it was idle for so long; 0
// means never.
// Processes that do so at once end with one server: the start is under a lock, and who waited
// for it finds the other's.
func (a *app) ensureServer(ctx context.Context, idle time.Duration) (store.ServerInfo, string, error) {
	info, token, err := a.healthy(ctx)
	if err == nil || !absent(err) {
		return info, token, err
	}
	dir, err := a.dataDir()
	if err != nil {
		return info, "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return info, "", fmt.Errorf("make the data directory: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	lock := flock.New(filepath.Join(dir, "start.lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, retryTime); err != nil {
		return info, "", fmt.Errorf("wait for another drawbridge that starts a server: %w", err)
	}
	defer func() { _ = lock.Unlock() }() // the lock ends with this process in any case
	if info, token, err := a.healthy(ctx); err == nil || !absent(err) {
		return info, token, err
	}
	started, err := a.startServer(ctx, dir, idle)
	if err != nil {
		// Somebody may have typed drawbridge up at this moment: then theirs is the one.
		if info, token, found := a.awaitServer(ctx); found {
			return info, token, nil
		}
		return info, "", err
	}
	until := "It stays when this program ends"
	if idle > 0 {
		until = fmt.Sprintf("It ends when no agent has used it for %s", idle)
	}
	a.note("drawbridge: started a server at %s in the background (pid %d, log in %s). %s; stop it with: kill %d",
		started.Addr, started.PID, logPath(dir), until, started.PID)
	return a.healthy(ctx)
}

// absent tells whether an error says that no server is there to talk to.
func absent(err error) bool {
	return errors.Is(err, &protocol.Error{Code: protocol.CodeNotConnected})
}

// awaitServer looks for a server that another process is starting, for as long as a start takes.
func (a *app) awaitServer(ctx context.Context) (store.ServerInfo, string, bool) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	tick := time.NewTicker(retryTime)
	defer tick.Stop()
	for {
		if info, token, err := a.healthy(ctx); err == nil {
			return info, token, true
		}
		select {
		case <-ctx.Done():
			return store.ServerInfo{}, "", false
		case <-tick.C:
		}
	}
}

func logPath(dir string) string { return filepath.Join(dir, "server.log") }

// startServer runs this program as a server in a session of its own, and waits until it says
// that it is ready or ends.
func (a *app) startServer(ctx context.Context, dir string, idle time.Duration) (store.ServerInfo, error) {
	var info store.ServerInfo
	program, err := os.Executable()
	if err != nil {
		return info, fmt.Errorf("find this program to start a server: %w", err)
	}
	log, begin, err := openLog(dir)
	if err != nil {
		return info, err
	}
	defer func() { _ = log.Close() }() // the child has its own
	// Not CommandContext: the server outlives what ctx bounds.
	child := exec.Command(program, "up", "--detached", "--data-dir", dir, "--idle", idle.String())
	child.SysProcAttr = detached()
	child.Dir = dir // else it would keep the caller's directory from being unmounted or removed
	child.Stderr = log
	said, err := child.StdoutPipe()
	if err != nil {
		return info, fmt.Errorf("start a server: %w", err)
	}
	if err := child.Start(); err != nil {
		return info, fmt.Errorf("start a server: %w", err)
	}
	ready := make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(said).ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &info)
		}
		ready <- err
		// Takes the child's end from the system when it comes; it ends with this process at the latest.
		_ = child.Wait()
	}()
	select {
	case err := <-ready:
		if err == nil {
			return info, nil
		}
		if errors.Is(err, io.EOF) {
			err = errors.New(lastWords(dir, begin))
		}
		return info, fmt.Errorf("start a server: %w", err)
	case <-ctx.Done():
		return store.ServerInfo{}, fmt.Errorf("start a server: it was not ready in time (%w): its log is in %s", errors.Join(context.Cause(ctx), child.Process.Kill()), logPath(dir))
	}
}

// openLog opens the log of the server in the background and says where its next line begins.
func openLog(dir string) (*os.File, int64, error) {
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(logPath(dir)); err == nil && info.Size() > maxLog {
		mode |= os.O_TRUNC
	}
	log, err := os.OpenFile(logPath(dir), mode, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open the server's log: %w", err)
	}
	end, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, fmt.Errorf("open the server's log: %w", errors.Join(err, log.Close()))
	}
	return log, end, nil
}

// lastWords is what a server that did not start wrote to its log.
func lastWords(dir string, begin int64) string {
	raw, err := os.ReadFile(logPath(dir))
	if err != nil || int64(len(raw)) <= begin {
		return "it ended without a word"
	}
	return strings.TrimSpace(string(raw[begin:]))
}
