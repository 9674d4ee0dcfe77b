package chromium

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Options say how to start a browser. The zero value starts a visible one with a temporary profile and no extension.
type Options struct {
	// Binary is the program; the zero value means what Find returns.
	Binary Binary
	// Headless is true for a browser without a window.
	Headless bool
	// ProfileDir is the profile to use and keep. Empty means a temporary one, removed when the browser ends.
	ProfileDir string
	// Extension are the files of the extension to load: a copy of them is written to a folder of this launch. Nil
	// means ExtensionDir, or none.
	Extension fs.FS
	// ExtensionConfig is written as config.json into that copy.
	ExtensionConfig []byte
	// ExtensionDir is an unpacked extension to load from where it lies, when Extension is nil.
	ExtensionDir string
	// OtherExtensions are folders of further unpacked extensions.
	OtherExtensions []string
	// Display is the X display to open on, such as ":7"; empty means this process's own.
	Display string
	// URL is the first page; empty means about:blank.
	URL string
	// ExtraArgs are further command line switches.
	ExtraArgs []string
	// RecordDir is where the launch is recorded, so that a later start can clear up after a killed process. Empty
	// means a folder in the user's cache.
	RecordDir string
	// Scratch are folders of the caller that are of use only while this browser runs: removed with it, also by a
	// later start when this process is killed.
	Scratch []string
}

// ErrNoDisplay says that a visible browser was asked for where there is no display.
var ErrNoDisplay = errors.New("there is no display to open a window on: set DISPLAY, or ask for a headless browser")

// Browser is one running browser that this process started.
type Browser struct {
	// fixed at creation
	pipe        *pipe
	cmd         *exec.Cmd
	record      *record
	extensionID string
	output      *tail
	exited      chan struct{} // closed when the main process has ended
	done        chan struct{} // closed when nothing of it is left

	once     sync.Once
	clearErr error // set before done is closed
}

// Launch sweeps what earlier launches left, starts a browser and waits until it answers and its extension is loaded.
// ctx bounds the start only: Stop ends the browser, and the end of this process does too.
func Launch(ctx context.Context, opts Options) (*Browser, error) {
	if opts.Binary.Path == "" {
		binary, err := Find()
		if err != nil {
			return nil, err
		}
		opts.Binary = binary
	}
	if !opts.Headless && runtime.GOOS == "linux" && opts.Display == "" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil, ErrNoDisplay
	}
	if opts.RecordDir == "" {
		opts.RecordDir = defaultRecordDir()
	}
	if _, err := Sweep(opts.RecordDir); err != nil {
		return nil, err
	}
	workDir, err := os.MkdirTemp(tempRoot(), workPrefix)
	if err != nil {
		return nil, fmt.Errorf("make the browser's folder: %w", err)
	}
	rec, err := newRecord(opts.RecordDir, workDir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(workDir))
	}
	b := &Browser{record: rec, output: &tail{}, exited: make(chan struct{}), done: make(chan struct{})}
	if err := b.start(ctx, opts); err != nil {
		if b.cmd == nil || b.cmd.Process == nil {
			close(b.exited)
		}
		return nil, errors.Join(err, b.finish())
	}
	go func() { // the owner of a browser that ends by itself: closed by the user, or crashed
		<-b.exited
		_ = b.finish()
	}()
	return b, nil
}

func defaultRecordDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "drawbridge", "launches")
}

func (b *Browser) start(ctx context.Context, opts Options) error {
	b.record.ProfileDir = opts.ProfileDir
	b.record.Scratch = opts.Scratch
	if opts.ProfileDir == "" {
		b.record.ProfileDir = filepath.Join(b.record.WorkDir, "profile")
		if err := prepareProfile(b.record.ProfileDir); err != nil {
			return err
		}
	}
	if err := b.record.save(); err != nil {
		return err
	}
	extensions, err := b.prepareExtensions(opts)
	if err != nil {
		return err
	}
	if err := b.spawn(opts, arguments(opts, b.record.ProfileDir, extensions)); err != nil {
		return err
	}
	if err := b.ready(ctx, opts, extensions); err != nil {
		if said := strings.TrimSpace(b.output.String()); said != "" {
			return fmt.Errorf("start %s: %w\nthe browser's last words:\n%s", opts.Binary.Path, err, said)
		}
		return fmt.Errorf("start %s: %w", opts.Binary.Path, err)
	}
	return nil
}

// prepareProfile switches the developer mode on: without it chrome.runtime.reload() leaves an unpacked extension
// disabled.
func prepareProfile(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o700); err != nil {
		return fmt.Errorf("make the browser's profile: %w", err)
	}
	preferences := []byte(`{"extensions":{"ui":{"developer_mode":true}},"credentials_enable_service":false,"profile":{"password_manager_leak_detection":false}}`)
	if err := os.WriteFile(filepath.Join(dir, "Default", "Preferences"), preferences, 0o600); err != nil {
		return fmt.Errorf("make the browser's profile: %w", err)
	}
	return nil
}

// prepareExtensions returns the folders to load, ours first.
func (b *Browser) prepareExtensions(opts Options) ([]string, error) {
	dir := opts.ExtensionDir
	if opts.Extension != nil {
		dir = filepath.Join(b.record.WorkDir, "extension")
		if err := Unpack(dir, opts.Extension, opts.ExtensionConfig); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		return opts.OtherExtensions, nil
	}
	id, err := ExtensionID(dir)
	if err != nil {
		return nil, err
	}
	b.extensionID = id
	return append([]string{dir}, opts.OtherExtensions...), nil
}

// arguments are what a plain start needs to be quiet. None of the test drivers' switches is among them
// (--enable-automation, no throttling of hidden tabs): pages and tabs behave as in the user's own browser.
func arguments(opts Options, profile string, extensions []string) []string {
	args := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		"--no-first-run", "--no-default-browser-check", "--disable-search-engine-choice-screen",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-quic", "--disable-breakpad", "--disable-crash-reporter", "--noerrdialogs", "--hide-crash-restore-bubble",
		"--disable-features=PreloadTopChromeWebUI", // a hidden page of the browser's own that is told of each tab, at a fifth of the work
		"--password-store=basic", "--use-mock-keychain",
		"--silent-debugger-extension-api", // no debugging bar in a browser that is the agent's anyway: it shifts the page
	}
	if opts.Headless {
		args = append(args, "--headless=new", "--disable-gpu", "--mute-audio")
	}
	if superuser() {
		args = append(args, "--no-sandbox", "--test-type") // no sandbox as root; the second hides the warning bar
	}
	if len(extensions) > 0 {
		if opts.Binary.Branded {
			args = append(args, "--enable-unsafe-extension-debugging")
		} else {
			args = append(args, "--load-extension="+strings.Join(extensions, ","))
		}
	}
	args = append(args, opts.ExtraArgs...)
	if opts.URL == "" {
		return append(args, "about:blank")
	}
	return append(args, opts.URL)
}

func (b *Browser) spawn(opts Options, args []string) error {
	commandsR, commandsW, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make the debugging pipe: %w", err)
	}
	answersR, answersW, err := os.Pipe()
	if err != nil {
		_, _ = commandsR.Close(), commandsW.Close()
		return fmt.Errorf("make the debugging pipe: %w", err)
	}
	cmd := exec.Command(opts.Binary.Path, args...)
	cmd.Stdout, cmd.Stderr = b.output, b.output
	cmd.WaitDelay = 2 * time.Second // a stray child may hold the output open
	cmd.Env = os.Environ()
	if opts.Display != "" {
		cmd.Env = append(cmd.Env, "DISPLAY="+opts.Display)
	}
	// What the browser leaves in its temporary folder when it is killed goes with the work folder.
	temp := filepath.Join(b.record.WorkDir, "tmp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return fmt.Errorf("make the browser's temporary folder: %w", err)
	}
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	ownGroup(cmd)
	if err := passPipe(cmd, commandsR, answersW); err != nil {
		return err
	}
	b.cmd = cmd
	started := make(chan error, 1)
	go func() {
		// The thread stays ours until the browser ends: Linux ends the browser with the thread that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(b.exited)
		}
	}()
	err = <-started
	_, _ = commandsR.Close(), answersW.Close()
	if err != nil {
		_, _ = commandsW.Close(), answersR.Close()
		return fmt.Errorf("start %s: %w", opts.Binary.Path, err)
	}
	b.pipe = newPipe(answersR, commandsW)
	b.record.PID = int32(cmd.Process.Pid)
	if b.record.StartedMs, err = startedMs(b.record.PID); err != nil {
		return fmt.Errorf("start %s: it ended at once", opts.Binary.Path)
	}
	return b.record.save()
}

// tempRoot is where work folders are made. The browser makes sockets below, whose paths may have about a hundred bytes,
// and dies where that is exceeded: a temporary folder of the user's that lies too deep is not used.
func tempRoot() string {
	const deepest = 35
	if root := os.TempDir(); len(root) <= deepest || runtime.GOOS == "windows" {
		return root
	}
	return "/tmp"
}

// ready waits for the first answer and for the extensions.
func (b *Browser) ready(ctx context.Context, opts Options, extensions []string) error {
	if err := b.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return err
	}
	if opts.Binary.Branded {
		for _, dir := range extensions {
			if err := b.Call(ctx, "Extensions.loadUnpacked", map[string]any{"path": dir}, nil); err != nil {
				return err
			}
		}
	}
	if b.extensionID == "" {
		return nil
	}
	_, err := b.Worker(ctx)
	return err
}

// ExtensionID is the id of the extension of ours that was loaded, or "".
func (b *Browser) ExtensionID() string { return b.extensionID }

// PID is the browser's main process.
func (b *Browser) PID() int { return b.cmd.Process.Pid }

// WorkDir is the folder of this launch: gone when the browser is.
func (b *Browser) WorkDir() string { return b.record.WorkDir }

// Done is closed when the browser has ended, by Stop or by itself, and nothing of it is left.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Stop ends the browser: politely where the profile is to be kept, for at most three seconds of ctx, then by killing
// its process group; it then removes what the launch made. It may be called twice. Its error names what could not
// be removed.
func (b *Browser) Stop(ctx context.Context) error {
	if !strings.HasPrefix(b.record.ProfileDir, b.record.WorkDir) {
		polite, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		if b.Call(polite, "Browser.close", nil, nil) == nil {
			select {
			case <-b.exited:
			case <-polite.Done():
			}
		}
	}
	return b.finish()
}

// finish ends the processes, closes the pipe and clears the folders, once.
func (b *Browser) finish() error {
	b.once.Do(func() {
		defer close(b.done)
		if b.cmd != nil && b.cmd.Process != nil {
			select {
			case <-b.exited: // killing the group of a pid that was reaped could hit a stranger's
			default:
				killGroup(b.record.PID)
			}
		}
		<-b.exited
		if b.pipe != nil {
			b.pipe.close()
		}
		b.clearErr = b.record.clear()
	})
	<-b.done
	return b.clearErr
}

// tail keeps the end of what the browser prints, for the error when it does not start.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const limit = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - limit; over > 0 {
		t.kept = t.kept[over:]
	}
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
