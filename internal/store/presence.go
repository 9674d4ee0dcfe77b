package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// presence is what is kept of one browser's comings and goings.
type presence struct {
	User      string `json:"user"`
	BrowserID string `json:"browserId"`
	Name      string `json:"name,omitempty"`
	// Here is true while it is connected, and stays so when the server ends before it goes.
	Here bool `json:"here,omitempty"`
	// Seen is when it last came or went.
	Seen time.Time `json:"seen"`
}

// browserKey names a browser: two users may each have one of the same id.
type browserKey struct{ user, browserID string }

// presenceLog appends a JSON line to a file for each browser that comes or goes; of the lines of one browser the last one counts.
//
// Ten thousand browsers may come in one second: a line costs the same for the last as for the first, where a file that is replaced
// as a whole cost 40 ms for each newcomer among two thousand. A line is handed to the operating system before the method returns: it
// survives the death of this process, also kill -9. It is not synced: a power cut takes the browsers as well as the last lines, and
// what those would tell is a time to look at and a wait for who will not come. A line that cannot be read is left out for the same reason.
type presenceLog struct {
	// fixed at creation
	path string
	now  func() time.Time
	// keep says which of the browsers that are gone are worth a line when the file is written anew; called with mu held
	keep func() (map[browserKey]bool, error)

	mu       sync.Mutex // held over the write: lines go in one after the other
	file     *os.File   // nil once it is closed
	browsers map[browserKey]presence
	lines    int // that the file has
	needed   int // that it had when it was last written anew
}

// spareLines is how many lines more than twice those that it had the file may have before it is written anew.
const spareLines = 1024

func openPresence(path string, now func() time.Time, keep func() (map[browserKey]bool, error)) (*presenceLog, error) {
	l := &presenceLog{path: path, now: now, keep: keep, browsers: map[browserKey]presence{}}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read stored data: %w", err)
	}
	for line := range bytes.Lines(raw) {
		var p presence
		l.lines++
		if json.Unmarshal(line, &p) == nil && p.User != "" && p.BrowserID != "" {
			l.browsers[browserKey{p.User, p.BrowserID}] = p
		}
	}
	// A last line that was cut off would swallow the next one.
	if len(raw) > 0 && raw[len(raw)-1] != '\n' || l.lines > 2*len(l.browsers)+spareLines {
		return l, l.rewriteLocked()
	}
	l.needed = len(l.browsers)
	return l, l.reopenLocked()
}

// set changes what is kept of a browser, and stamps it.
func (l *presenceLog) set(user, browserID string, change func(*presence)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return errors.New("keep that a browser came or went: the store is closed")
	}
	key := browserKey{user, browserID}
	p := l.browsers[key]
	p.User, p.BrowserID, p.Seen = user, browserID, l.now().UTC()
	change(&p)
	line, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode that a browser came or went: %w", err)
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", l.path, err)
	}
	l.browsers[key] = p
	l.lines++
	// A file that has doubled: so each line pays for its part of the writing anew, however many there are.
	if l.lines > 2*l.needed+spareLines {
		return l.rewriteLocked()
	}
	return nil
}

func (l *presenceLog) get(user, browserID string) (presence, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.browsers[browserKey{user, browserID}]
	return p, ok
}

func (l *presenceLog) list() []presence {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]presence, 0, len(l.browsers))
	for _, p := range l.browsers {
		list = append(list, p)
	}
	return list
}

// rewriteLocked replaces the file by one line for each browser, without those that are gone and that no token names any more.
func (l *presenceLog) rewriteLocked() error {
	kept, err := l.keep()
	if err != nil {
		return err
	}
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	for key, p := range l.browsers {
		if !p.Here && !kept[key] {
			delete(l.browsers, key)
			continue
		}
		if err := encoder.Encode(p); err != nil {
			return fmt.Errorf("encode when browsers came and went: %w", err)
		}
	}
	if l.file != nil { // Windows replaces no file that is open
		if err := l.file.Close(); err != nil {
			return fmt.Errorf("close %s: %w", l.path, err)
		}
		l.file = nil
	}
	l.lines, l.needed = len(l.browsers), len(l.browsers)
	// Whatever became of the new file, the log goes on, if only in the old one.
	return errors.Join(writeFile(l.path, content.Bytes()), l.reopenLocked())
}

func (l *presenceLog) reopenLocked() error {
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open %s: %w", l.path, err)
	}
	l.file = file
	return nil
}

func (l *presenceLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return errors.Join(file.Sync(), file.Close())
}
