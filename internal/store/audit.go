package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// AuditEntry is a line of the audit trail; [Store.Audit] stamps it.
type AuditEntry = protocol.AuditEntry

// syncEvery is the most that a power cut can take from the audit trail; see auditLog.
const syncEvery = time.Second

// auditLog appends JSON lines to audit-YYYY-MM.jsonl.
//
// A line is handed to the operating system before Append returns: it survives the death of this process, also kill -9. It is
// synced to the disk within a second and at the close: a power cut may take that last second. A sync a line would cost more than
// the click that it records.
type auditLog struct {
	// fixed at creation
	dir   string
	now   func() time.Time
	dirty chan struct{} // holds one signal while there are lines that are not synced
	stop  chan struct{} // closed by close
	done  chan struct{} // closed when the syncing goroutine has ended

	mu     sync.Mutex // held over the write: lines of one file go in one after the other
	file   *os.File
	month  string
	closed bool
	feeds  map[*AuditFeed]struct{}
}

func openAudit(dir string, now func() time.Time) (*auditLog, error) {
	l := &auditLog{dir: dir, now: now, dirty: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}), feeds: map[*AuditFeed]struct{}{}}
	if err := l.rollLocked(now()); err != nil {
		return nil, err
	}
	go l.syncLoop()
	return l, nil
}

// Audit appends one line to the audit trail and stamps it. When it fails nothing may be dispatched: an action without a trace is
// worse than none.
func (s *Store) Audit(_ context.Context, entry AuditEntry) error { return s.audit.append(entry) }

func (l *auditLog) append(entry AuditEntry) error {
	entry.Time = l.now().UTC()
	line, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("encode audit line: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errors.New("write audit line: the store is closed")
	}
	if err := l.rollLocked(entry.Time); err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write audit line: %w", err)
	}
	select {
	case l.dirty <- struct{}{}:
	default:
	}
	for feed := range l.feeds {
		feed.offer(entry)
	}
	return nil
}

// rollLocked opens the file of the month of t. A last line that a crash cut off is kept and ended, so that the next stands alone.
func (l *auditLog) rollLocked(t time.Time) error {
	month := t.UTC().Format("2006-01")
	if month == l.month {
		return nil
	}
	path := filepath.Join(l.dir, "audit-"+month+".jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open audit trail: %w", err)
	}
	if err := endLastLine(f); err != nil {
		return errors.Join(fmt.Errorf("open audit trail %s: %w", path, err), f.Close())
	}
	old := l.file
	l.file, l.month = f, month
	if old == nil {
		return nil
	}
	return errors.Join(old.Sync(), old.Close())
}

func endLastLine(f *os.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	_, err = f.WriteString("\n")
	return err
}

func (l *auditLog) syncLoop() {
	defer close(l.done)
	for {
		select {
		case <-l.stop:
			return
		case <-l.dirty:
		}
		timer := time.NewTimer(syncEvery)
		select {
		case <-l.stop:
			timer.Stop()
			return
		case <-timer.C:
		}
		l.mu.Lock()
		file := l.file
		l.mu.Unlock()
		// A failed sync shows again at the close; a file that was rolled away meanwhile was synced there.
		_ = file.Sync()
	}
}

func (l *auditLog) close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	for feed := range l.feeds {
		l.dropFeedLocked(feed)
	}
	l.mu.Unlock()
	close(l.stop)
	<-l.done
	return errors.Join(l.file.Sync(), l.file.Close())
}
