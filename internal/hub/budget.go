package hub

import "sync/atomic"

// budget counts the bytes that one user makes this process hold: queued
// requests, requests still waiting for their answer, half-told answers. It is
// shared by every link of that user, so it is the one piece of hub state that
// is neither the registry's nor a link's.
type budget struct {
	limit int64 // fixed at creation; bytes
	used  atomic.Int64
}

// reserve takes n bytes, or nothing and reports false when that would pass the limit.
func (b *budget) reserve(n int) bool {
	for {
		used := b.used.Load()
		if used+int64(n) > b.limit {
			return false
		}
		if b.used.CompareAndSwap(used, used+int64(n)) {
			return true
		}
	}
}

// release gives back n bytes. Giving back more than was taken is a fault of the caller.
func (b *budget) release(n int) {
	if b.used.Add(-int64(n)) < 0 {
		panic("hub: byte budget released twice")
	}
}
