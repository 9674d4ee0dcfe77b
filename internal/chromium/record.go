package chromium

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/shirou/gopsutil/v4/process"
)

// workPrefix begins the name of every folder that a launch makes.
const workPrefix = "drawbridge-browser-"

// record says what one launch left on this machine. It lies beside a lock file that the launching process holds for
// as long as it lives: a record whose lock can be had belongs to a process that is gone, however it went.
type record struct {
	// PID is the browser's process, and its process group; 0 before it has started.
	PID int32 `json:"pid"`
	// StartedMs is when that process began, by the system's own clock, in epoch milliseconds: a pid that was given to
	// another program since does not match.
	StartedMs int64 `json:"startedMs"`
	// WorkDir is ours: temporary profile, unpacked extension.
	WorkDir string `json:"workDir"`
	// ProfileDir is the browser's profile; inside WorkDir when it is temporary.
	ProfileDir string `json:"profileDir"`
	// Scratch are the caller's folders that go with this launch.
	Scratch []string `json:"scratch,omitempty"`

	path string
	lock *flock.Flock
}

// newRecord makes the record and takes its lock.
func newRecord(dir, workDir string) (*record, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of launch records: %w", err)
	}
	path := filepath.Join(dir, strings.TrimPrefix(filepath.Base(workDir), workPrefix)+".json")
	r := &record{WorkDir: workDir, path: path, lock: flock.New(lockPath(path))}
	if err := r.lock.Lock(); err != nil {
		return nil, fmt.Errorf("lock the launch record %s: %w", path, err)
	}
	return r, nil
}

func lockPath(record string) string { return strings.TrimSuffix(record, ".json") + ".lock" }

func (r *record) save() error {
	raw, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write the launch record: %v", err)
	}
	// By rename, so that a sweep never reads half a record.
	temporary := r.path + ".new"
	if err := os.WriteFile(temporary, raw, 0o600); err != nil {
		return fmt.Errorf("write the launch record: %w", err)
	}
	if err := os.Rename(temporary, r.path); err != nil {
		return fmt.Errorf("write the launch record: %w", err)
	}
	return nil
}

// clear ends all processes of the launch, removes its folders and then its record.
func (r *record) clear() error {
	r.kill()
	var failed []error
	for _, dir := range append([]string{socketDir(r.ProfileDir), r.WorkDir}, r.Scratch...) {
		failed = append(failed, removeAll(dir))
	}
	if err := errors.Join(failed...); err != nil {
		// The record stays: the next sweep tries again.
		_ = r.lock.Unlock()
		return fmt.Errorf("remove what the browser left: %w", err)
	}
	_ = os.Remove(r.path)
	_ = os.Remove(r.path + ".new")
	// Removed before it is unlocked: who waits for this lock finds no record under it.
	_ = os.Remove(lockPath(r.path))
	return r.lock.Unlock()
}

// socketDir is the folder outside the profile in which a Chromium on Linux has the socket that guards it, and which it
// leaves there when it is killed. A link in the profile leads there. Empty where there is none.
func socketDir(profile string) string {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil {
		return ""
	}
	dir := filepath.Dir(socket)
	for _, prefix := range []string{"org.chromium.", ".org.chromium.", "com.google.", ".com.google.", "com.microsoft.", ".com.microsoft."} {
		if filepath.IsAbs(socket) && strings.HasPrefix(filepath.Base(dir), prefix) {
			return dir
		}
	}
	return ""
}

// kill ends the browser's process group and whatever else runs on its work folder. It kills nothing else: the pid
// counts only with its start time, and a folder only when the launch made it.
func (r *record) kill() {
	const quietPasses = 2 // a child can fork while its parent dies: look until nothing is seen twice
	deadline := time.Now().Add(5 * time.Second)
	for quiet := 0; quiet < quietPasses && time.Now().Before(deadline); {
		if r.killOnce() == 0 {
			quiet++
			continue
		}
		quiet = 0
		pause(20 * time.Millisecond)
	}
}

func (r *record) killOnce() int {
	if r.PID > 0 {
		if started, err := startedMs(r.PID); err == nil && sameStart(started, r.StartedMs) {
			killGroup(r.PID)
		}
	}
	all, err := process.Processes()
	if err != nil {
		return 0
	}
	killed := 0
	for _, p := range all {
		if int(p.Pid) == os.Getpid() {
			continue
		}
		command, err := p.Cmdline()
		if err != nil || !strings.Contains(command, r.WorkDir) {
			continue
		}
		if p.Kill() == nil {
			killed++
		}
	}
	return killed
}

// sameStart allows for the drift between the boot clock, in which Linux keeps start times, and the wall clock.
func sameStart(a, b int64) bool {
	const driftMs = 2000
	return a-b <= driftMs && b-a <= driftMs
}

func startedMs(pid int32) (int64, error) {
	p, err := process.NewProcess(pid)
	if err != nil {
		return 0, err
	}
	return p.CreateTime()
}

// Sweep ends the browsers and removes the folders that launches recorded in dir have left, where the launching
// process is gone; it touches nothing of those that still live. It returns how many it cleared. Launch sweeps by
// itself. A folder that does not exist holds no records.
func Sweep(dir string) (int, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.lock"))
	if err != nil {
		return 0, fmt.Errorf("list launch records: %v", err)
	}
	cleared := 0
	var failed []error
	for _, path := range paths {
		recordPath := strings.TrimSuffix(path, ".lock") + ".json"
		lock := flock.New(path)
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		r := &record{path: recordPath, lock: lock}
		raw, err := os.ReadFile(recordPath)
		if err != nil || json.Unmarshal(raw, r) != nil || !strings.HasPrefix(filepath.Base(r.WorkDir), workPrefix) {
			// Killed between lock and record, or not written by us: nothing that could safely be cleared by it.
			_ = os.Remove(recordPath)
			_ = os.Remove(path)
			_ = lock.Unlock()
			continue
		}
		if err := r.clear(); err != nil {
			failed = append(failed, err)
			continue
		}
		cleared++
	}
	return cleared, errors.Join(failed...)
}

// removeAll tries again for a while: a dying child of the browser may still write into its profile.
func removeAll(dir string) error {
	if dir == "" {
		return nil
	}
	var err error
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		pause(20 * time.Millisecond)
	}
	return err
}

// pause waits out a short time in which another process is dying; nothing tells us when that is over.
func pause(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	<-ctx.Done()
}
