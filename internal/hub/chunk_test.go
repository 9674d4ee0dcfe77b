package hub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// pieces cuts a response to id into chunks of n bytes.
func pieces(t *testing.T, id, result string, n int) []protocol.Chunk {
	t.Helper()
	raw, err := protocol.EncodeFrame(protocol.Response{ID: id, Result: json.RawMessage(result)})
	if err != nil {
		t.Fatal(err)
	}
	var chunks []protocol.Chunk
	for text := string(raw); text != ""; {
		k := min(n, len(text))
		chunks = append(chunks, protocol.Chunk{ID: id, Seq: int64(len(chunks)), Data: text[:k], Last: k == len(text)})
		text = text[k:]
	}
	return chunks
}

func picture(bytes int) string {
	return fmt.Sprintf(`{"data":%q,"mimeType":"image/png","width":1,"height":1}`, strings.Repeat("A", bytes))
}

func TestChunkedAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: protocol.Screenshot{}})
		id := b.request().ID
		other := r.do(hub.Call{Action: evaluate(1)})
		otherID := b.request().ID
		want := picture(3 << 20)
		for i, k := range pieces(t, id, want, protocol.ChunkBytes) {
			b.send(k)
			if i == 2 { // others' answers and control frames pass between
				b.answer(otherID, number(1))
				other.result()
				b.send(protocol.Ping{})
				if _, ok := b.next().(protocol.Pong); !ok {
					t.Error("no pong between chunks")
				}
				if s := r.hub.Stats(); s.Bytes < 2*protocol.ChunkBytes {
					t.Errorf("%d bytes are charged half-way", s.Bytes)
				}
				r.check()
			}
		}
		if got := string(f.result().Raw); got != want {
			t.Errorf("the answer came out differently: %d bytes, want %d", len(got), len(want))
		}
		if s := r.hub.Stats(); s.Bytes != 0 {
			t.Errorf("%d bytes are still charged", s.Bytes)
		}
	})
}

func TestBadChunksFailTheirCallAtOnce(t *testing.T) {
	for name, spoil := range map[string]func([]protocol.Chunk) []protocol.Chunk{
		"a gap":           func(c []protocol.Chunk) []protocol.Chunk { return append(c[:1:1], c[2:]...) },
		"one twice":       func(c []protocol.Chunk) []protocol.Chunk { return append(c[:1:1], c...) },
		"not from 0":      func(c []protocol.Chunk) []protocol.Chunk { return c[1:] },
		"the wrong order": func(c []protocol.Chunk) []protocol.Chunk { c[1], c[2] = c[2], c[1]; return c },
		"ended early":     func(c []protocol.Chunk) []protocol.Chunk { c[1].Last = true; return c[:2] },
		"too large":       func(c []protocol.Chunk) []protocol.Chunk { c[0].Data = strings.Repeat("é", 200_000); return c[:1] },
		"over the schema": func(c []protocol.Chunk) []protocol.Chunk { c[0].Data = strings.Repeat("x", 300_000); return c[:1] },
		"another frame": func(c []protocol.Chunk) []protocol.Chunk {
			return []protocol.Chunk{{ID: c[0].ID, Data: `{"type":"pong"}`, Last: true}}
		},
		"another id": func(c []protocol.Chunk) []protocol.Chunk {
			return []protocol.Chunk{{ID: c[0].ID, Data: `{"type":"response","id":"x","result":{}}`, Last: true}}
		},
		"an invalid result": func(c []protocol.Chunk) []protocol.Chunk {
			return []protocol.Chunk{{ID: c[0].ID, Data: fmt.Sprintf(`{"type":"response","id":%q,"result":{}}`, c[0].ID), Last: true}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				b := r.connect(described(chrome))
				f := r.do(hub.Call{Action: protocol.Screenshot{}})
				id := b.request().ID
				for _, k := range spoil(pieces(t, id, picture(1000), 256)) {
					b.send(k)
				}
				f.fails(protocol.CodeInternal, protocol.Unknown, protocol.RetryNo)
				synctest.Wait()
				r.check()
				if s := r.hub.Stats(); s.InvalidFrames != 1 || s.InvalidAnswers != 1 || s.Bytes != 0 || s.Browsers != 1 {
					t.Errorf("invalid frames %d, answers %d, bytes %d, browsers %d", s.InvalidFrames, s.InvalidAnswers, s.Bytes, s.Browsers)
				}
			})
		})
	}
}

func TestChunksForNobodyAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: protocol.Screenshot{}})
		id := b.request().ID
		all := pieces(t, id, picture(1000), 256)
		b.send(all[0])
		f.stop()
		f.fails(protocol.CodeCancelled, protocol.Unknown, protocol.RetrySame)
		b.next() // the cancel
		for _, k := range all[1:] {
			b.send(k)
		}
		synctest.Wait()
		if s := r.hub.Stats(); s.LateAnswers != 1 || s.InvalidFrames != 0 || s.Bytes != 0 {
			t.Errorf("late %d, invalid %d, bytes %d", s.LateAnswers, s.InvalidFrames, s.Bytes)
		}
	})
}

func TestChunkedAnswerBeyondTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{UserBytes: 1 << 20})
		b := r.connect(described(chrome))
		f := r.do(hub.Call{Action: protocol.Screenshot{}})
		id := b.request().ID
		for _, k := range pieces(t, id, picture(2<<20), protocol.ChunkBytes) {
			b.send(k)
		}
		f.fails(protocol.CodeInternal, protocol.Unknown, protocol.RetryNo)
		synctest.Wait()
		if s := r.hub.Stats(); s.OverBudget != 1 || s.Bytes != 0 || s.InvalidFrames != 0 {
			t.Errorf("over budget %d, bytes %d, invalid %d", s.OverBudget, s.Bytes, s.InvalidFrames)
		}
	})
}

func TestChunkFromAPeerThatDidNotNameIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		p := described(chrome)
		p.Caps = []string{"screenshot"}
		b := r.connect(p)
		f := r.do(hub.Call{Action: protocol.Screenshot{}})
		b.send(pieces(t, b.request().ID, picture(10), 1000)[0])
		f.fails(protocol.CodeInternal, protocol.Unknown, protocol.RetryNo)
	})
}
