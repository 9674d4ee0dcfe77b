package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLargeAnswer reads a snapshot of 5,000 refs as it comes over the wire.
func BenchmarkLargeAnswer(b *testing.B) {
	refs := map[string]Ref{}
	var text strings.Builder
	for i := range 5000 {
		uid := fmt.Sprintf("e%d", i)
		refs[uid] = Ref{Ref: uid, Role: "button", Name: fmt.Sprintf("Button number %d", i)}
		fmt.Fprintf(&text, "- button \"Button number %d\" [ref=%s]\n", i, uid)
	}
	result, err := json.Marshal(SnapshotResult{Snapshot: text.String(), Refs: refs})
	if err != nil {
		b.Fatal(err)
	}
	raw, err := EncodeFrame(Response{ID: "a", Result: result})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := DecodeFrame(raw)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := DecodeResult("snapshot", f.(Response).Result); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSmallAnswer reads a click's answer.
func BenchmarkSmallAnswer(b *testing.B) {
	raw := []byte(`{"type":"response","id":"123e4567-e89b-42d3-a456-426614174000","result":{"ok":true,"url":"https://example.test/"}}`)
	b.ReportAllocs()
	for b.Loop() {
		f, err := DecodeFrame(raw)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := DecodeResult("click", f.(Response).Result); err != nil {
			b.Fatal(err)
		}
	}
}
