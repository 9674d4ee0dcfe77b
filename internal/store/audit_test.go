package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// lines reads an audit file; every line but those in torn must be an entry.
func lines(t *testing.T, path string, torn ...string) []AuditEntry {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var entries []AuditEntry
	for scanner := bufio.NewScanner(f); scanner.Scan(); {
		if len(torn) > 0 && scanner.Text() == torn[0] {
			torn = torn[1:]
			continue
		}
		var e AuditEntry
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			t.Fatalf("line %q: %v", scanner.Text(), err)
		}
		entries = append(entries, e)
	}
	if len(torn) > 0 {
		t.Errorf("torn lines are lost: %q", torn)
	}
	return entries
}

func TestAuditRollsByMonthAndKeepsTornLine(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	dir := t.TempDir()
	november, december := filepath.Join(dir, "audit-2026-11.jsonl"), filepath.Join(dir, "audit-2026-12.jsonl")
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const torn = `{"time":"2026-11-30T1`
	if err := os.WriteFile(november, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, func() time.Time { return now })
	for i := range 2 {
		if err := s.Audit(t.Context(), AuditEntry{Kind: protocol.AuditIntent, Action: "click", TabID: 7 + int64(i)}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Second)
	}
	if got := lines(t, november, torn); len(got) != 1 || got[0].TabID != 7 || got[0].Time.Second() != 59 {
		t.Errorf("november: %+v", got)
	}
	if got := lines(t, december); len(got) != 1 || got[0].TabID != 8 {
		t.Errorf("december: %+v", got)
	}
	s.Close()
	if err := s.Audit(t.Context(), AuditEntry{}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a line after the close gave %v", err)
	}
}

func TestAuditLinesOfManyWritersStayWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir, nil)
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				if err := s.Audit(context.Background(), AuditEntry{Kind: protocol.AuditIntent, Call: fmt.Sprint(i)}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		<-time.After(2 * syncEvery) // the bubble's clock: lets the syncing goroutine go round
		seen := map[string]bool{}
		for _, e := range lines(t, filepath.Join(dir, "audit-"+time.Now().UTC().Format("2006-01")+".jsonl")) {
			seen[e.Call] = true
		}
		if len(seen) != 50 {
			t.Errorf("%d calls in the trail, expected 50", len(seen))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
