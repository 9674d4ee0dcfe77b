package server

import (
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// BenchmarkAct is the way from a client to a browser that answers at once, and back: what the server adds to an action.
func BenchmarkAct(b *testing.B) {
	for name, size := range map[string]int{"small": 10, "MiB": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			h := start(b, Options{})
			p, _ := h.pair(idA)
			title := strings.Repeat("x", size)
			p.answer(func(protocol.Request) (protocol.Result, *protocol.Error) {
				return protocol.OpenTabResult{OK: true, TabID: 7, URL: "https://a.test/", Title: title}, nil
			})
			for b.Loop() {
				if _, err := h.client.Do(b.Context(), protocol.OpenTab{URL: "https://a.test/"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
