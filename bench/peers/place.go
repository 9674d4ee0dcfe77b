package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// markName is the environment variable by which all processes of a tool are known, those too that it put into the
// background.
const markName = "DRAWBRIDGE_BENCH_PEER"

// place is where one run of a tool lives: a home and a temporary folder of its own, and a mark on its processes.
type place struct {
	dir, mark string
	extra     []string
	// browser is the Chromium's program file, whose processes are not the tool's own.
	browser string
}

func newPlace(browser string, extra ...string) (*place, error) {
	// Short: a Chromium that is told to use it as its temporary folder puts a socket deep inside.
	dir, err := os.MkdirTemp("", "dbp")
	if err != nil {
		return nil, err
	}
	return &place{dir: dir, mark: rand.Text(), extra: extra, browser: browser}, nil
}

// env is this process's environment with the place's own homes in it.
func (p *place) env() []string {
	return append(os.Environ(), append([]string{
		markName + "=" + p.mark, "HOME=" + p.dir, "TMPDIR=" + p.dir, "XDG_CONFIG_HOME=" + p.dir, "XDG_CACHE_HOME=" + p.dir,
		"XDG_DATA_HOME=" + p.dir, "XDG_RUNTIME_DIR=" + p.dir, "DRAWBRIDGE_CHROMIUM=" + p.browser,
	}, p.extra...)...)
}

// processes are those with the place's mark, and whatever else runs on its folder.
func (p *place) processes() ([]*process.Process, error) {
	all, err := process.Processes()
	if err != nil {
		return nil, err
	}
	var own []*process.Process
	for _, it := range all {
		if int(it.Pid) == os.Getpid() {
			continue
		}
		env, _ := it.Environ() // another user's cannot be read, and is not ours
		command, _ := it.Cmdline()
		if strings.Contains(strings.Join(env, "\n"), markName+"="+p.mark) || strings.Contains(command, p.dir) {
			own = append(own, it)
		}
	}
	return own, nil
}

// memory is what the tool's own processes hold, in bytes: each its share of what it shares with others where the system
// tells that, else all that is resident. The browser's processes do not count.
func (p *place) memory() (uint64, error) {
	own, err := p.processes()
	if err != nil {
		return 0, err
	}
	var sum uint64
	for _, it := range own {
		program, err := it.Exe()
		if err != nil || program == p.browser || strings.HasPrefix(filepath.Base(program), "chrome_crashpad") {
			continue
		}
		if maps, err := it.MemoryMaps(true); err == nil && maps != nil && len(*maps) > 0 && (*maps)[0].Pss > 0 {
			sum += (*maps)[0].Pss << 10
			continue
		}
		info, err := it.MemoryInfo()
		if err != nil {
			return 0, fmt.Errorf("read the memory of process %d: %w", it.Pid, err)
		}
		sum += info.RSS
	}
	return sum, nil
}

// clear ends what still runs and removes the folder.
func (p *place) clear() error {
	const passes = 100
	for range passes {
		own, err := p.processes()
		if err != nil {
			return err
		}
		if len(own) == 0 {
			break
		}
		for _, it := range own {
			_ = it.Kill() // it may have ended meanwhile
		}
		<-time.After(20 * time.Millisecond)
	}
	var err error
	for range passes {
		// A process that was killed may still be writing.
		if err = os.RemoveAll(p.dir); err == nil {
			return nil
		}
		<-time.After(20 * time.Millisecond)
	}
	return errors.Join(fmt.Errorf("clear %s", p.dir), err)
}
