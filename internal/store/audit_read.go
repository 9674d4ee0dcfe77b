package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
)

// AuditTail returns the last lines of the trail that are about a user, oldest first, at most limit. Lines that a crash cut off
// are left out.
func (s *Store) AuditTail(ctx context.Context, user string, limit int) ([]AuditEntry, error) {
	files, err := filepath.Glob(filepath.Join(s.dir, "audit-*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("find the audit trail: %w", err)
	}
	slices.Sort(files) // by month
	entries := []AuditEntry{}
	for _, path := range slices.Backward(files) {
		for line, err := range linesFromEnd(path) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, fmt.Errorf("read the audit trail: %w", err)
			}
			if len(entries) == limit {
				break
			}
			var e AuditEntry
			if json.Unmarshal(line, &e) == nil && e.User == user {
				entries = append(entries, e)
			}
		}
		if len(entries) == limit {
			break
		}
	}
	slices.Reverse(entries)
	return entries, nil
}

// block is how much of a file is read at once.
const block = 64 << 10

// linesFromEnd gives a file's lines, the last first, and reads no more of it than is asked for.
func linesFromEnd(path string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = f.Close() }() // it was only read
		end, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			yield(nil, err)
			return
		}
		var rest []byte // the end of a line whose beginning stands before end
		for end > 0 {
			size := min(end, block)
			end -= size
			part := make([]byte, size, int(size)+len(rest))
			if _, err := f.ReadAt(part, end); err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			part = append(part, rest...)
			for {
				cut := bytes.LastIndexByte(part, '\n')
				if cut < 0 {
					break
				}
				if line := part[cut+1:]; len(line) > 0 && !yield(line, nil) {
					return
				}
				part = part[:cut]
			}
			rest = part
		}
		if len(rest) > 0 {
			yield(rest, nil)
		}
	}
}

// AuditFeed is a bounded stream of what is written to the trail about one user.
type AuditFeed struct {
	// C gives the lines in order. It is closed by Close, and by the store's.
	C <-chan AuditEntry

	log  *auditLog
	user string
	c    chan AuditEntry
	lost atomic.Int64
}

// FollowAudit begins a stream of the lines that are written from now on about a user. buffer is how many may wait; what comes
// while it is full is dropped and counted. The caller must Close it.
func (s *Store) FollowAudit(user string, buffer int) *AuditFeed {
	c := make(chan AuditEntry, max(buffer, 1))
	feed := &AuditFeed{C: c, log: s.audit, user: user, c: c}
	s.audit.mu.Lock()
	defer s.audit.mu.Unlock()
	if s.audit.closed {
		close(c)
		return feed
	}
	s.audit.feeds[feed] = struct{}{}
	return feed
}

// Lost is how many lines this reader missed by being slow. They are in the trail.
func (f *AuditFeed) Lost() int64 { return f.lost.Load() }

// Close ends the stream and closes C. It may be called twice.
func (f *AuditFeed) Close() {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.log.dropFeedLocked(f)
}

func (l *auditLog) dropFeedLocked(f *AuditFeed) {
	if _, ok := l.feeds[f]; ok {
		delete(l.feeds, f)
		close(f.c)
	}
}

// offer hands a line to the reader, who is not waited for. The log's mu is held.
func (f *AuditFeed) offer(e AuditEntry) {
	if e.User != f.user {
		return
	}
	select {
	case f.c <- e:
	default:
		f.lost.Add(1)
	}
}
