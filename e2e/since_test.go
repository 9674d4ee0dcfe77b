package e2e

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestSnapshotSince(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<main><h1>Cart</h1><ul id=l><li>Milk <button onclick="this.parentNode.remove()">Remove milk</button></li><li>Bread <button>Remove bread</button></li></ul>
		<button id=add onclick="l.insertAdjacentHTML('beforeend', '<li>Salt <button onclick=hit=1>Remove salt</button></li>'); pay.disabled = false">Add</button><button id=pay disabled>Pay</button></main>`)
	snapshot := func(since string, interactive bool) protocol.SnapshotResult {
		t.Helper()
		return do[protocol.SnapshotResult](d.agent, protocol.Snapshot{Page: d.page, Since: since, Interactive: interactive})
	}
	first := snapshot("", false)
	if first.ID == "" {
		t.Fatal("the snapshot has no id")
	}
	same := snapshot(first.ID, false)
	if same.Snapshot != "" || len(same.Refs) != 0 || len(same.Notes) != 0 {
		t.Errorf("nothing changed, and it says %q with %d refs (%q)", same.Snapshot, len(same.Refs), same.Notes)
	}
	d.click("#add")
	d.click("#l button")
	since := snapshot(first.ID, false)
	for _, line := range []string{"+ text \"Salt\"", "+ button \"Remove salt\" [ref=", "~ button \"Pay\" [ref=", "gone: " + uidsOf(first.Refs, "Remove milk")[0]} {
		if !strings.Contains(since.Snapshot, line) {
			t.Errorf("%q is missing in\n%s", line, since.Snapshot)
		}
	}
	if strings.Contains(since.Snapshot, "bread") || len(since.Refs) != 2 {
		t.Errorf("what is the same is told again, with %d refs:\n%s", len(since.Refs), since.Snapshot)
	}
	salt := uidsOf(since.Refs, "Remove salt")
	if len(salt) != 1 {
		t.Fatalf("the refs are %+v", since.Refs)
	}
	do[protocol.ClickResult](d.agent, protocol.Click{Page: d.page, Target: protocol.Target{UID: salt[0]}})
	if hit := d.value(d.page, "hit"); hit != "1" {
		t.Errorf("hit is %s", hit)
	}
	other := snapshot(first.ID, true)
	if len(other.Notes) == 0 || !strings.Contains(other.Snapshot, "Remove bread") {
		t.Errorf("with other options it is not said to be whole (%q):\n%s", other.Notes, other.Snapshot)
	}
	if lost := snapshot("s1", false); len(lost.Notes) == 0 || !strings.Contains(lost.Snapshot, "Remove bread") {
		t.Errorf("since what was never taken it is not said to be whole (%q):\n%s", lost.Notes, lost.Snapshot)
	}
}

func TestSnapshotInPiecesIsTheWhole(t *testing.T) {
	t.Parallel()
	d := newDeltas(t, `<a href="/far?x=1#y">Far</a><div style="cursor:pointer" onclick="">Only a pointer</div><span style="cursor:pointer">By its cursor</span><ul id=l></ul><script>
		l.innerHTML = Array.from({length: 60}, (_, i) => '<li><button>Button ' + i + '</button></li>').join('')</script>`)
	whole := do[protocol.SnapshotResult](d.agent, protocol.Snapshot{Page: d.page, URLs: true, Cursor: true})
	for _, want := range []string{`url="http://page.test/far?x=1#y"`, `"By its cursor" [ref=`} {
		if !strings.Contains(whole.Snapshot, want) {
			t.Errorf("%q is missing in\n%s", want, whole.Snapshot)
		}
	}
	if plain := do[protocol.SnapshotResult](d.agent, protocol.Snapshot{Page: d.page}); strings.Contains(plain.Snapshot, "url=") || strings.Contains(plain.Snapshot, `"By its cursor" [ref=`) {
		t.Errorf("addresses and what is clickable by its cursor stand in a snapshot that was not to have them:\n%s", plain.Snapshot)
	}
	var pieces []string
	refs := map[string]bool{}
	for from := ""; ; {
		piece := do[protocol.SnapshotResult](d.agent, protocol.Snapshot{Page: d.page, URLs: true, Cursor: true, MaxBytes: 512, From: from})
		if len(piece.Snapshot) > 512 {
			t.Fatalf("a piece of at most 512 bytes has %d", len(piece.Snapshot))
		}
		pieces = append(pieces, piece.Snapshot)
		for uid := range piece.Refs {
			refs[uid] = true
		}
		if from = piece.Next; from == "" {
			break
		}
	}
	if got := strings.Join(pieces, "\n"); got != whole.Snapshot || len(refs) != len(whole.Refs) {
		t.Errorf("%d pieces with %d of %d refs are\n%s\nexpected\n%s", len(pieces), len(refs), len(whole.Refs), got, whole.Snapshot)
	}
}
