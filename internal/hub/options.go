package hub

import (
	"log/slog"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Options sets a hub's limits. The zero value of each field stands for the
// default that its comment gives.
type Options struct {
	// Logger gets one line for each thing that went wrong, never a frame's
	// content. Default: discard.
	Logger *slog.Logger
	// Forwarder is asked for browsers that are not connected here. Default: none.
	Forwarder Forwarder
	// ReconnectGrace is how long a call waits for a browser that was just cut
	// off, counted from the cut. Default protocol.ReconnectGrace; negative: not at all.
	ReconnectGrace time.Duration
	// MaxQueued is how many requests may wait to be written to one browser. Default 2048.
	MaxQueued int
	// MaxInFlight is how many calls of one browser may wait for their answer. Default 4096.
	MaxInFlight int
	// MaxWaiting is how many calls of one user may wait for a browser to come back. Default 1024.
	MaxWaiting int
	// MaxBrowsers is how many browsers one user may have. Default 64.
	MaxBrowsers int
	// UserBytes is how many bytes one user may make the hub hold: requests
	// until they are answered, chunked answers until they are whole. Default 256 MiB.
	UserBytes int64
	// AgentEvents is how many events are kept for an agent until its next
	// result; older ones are dropped and counted. Default 64.
	AgentEvents int
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.ReconnectGrace == 0 {
		c.ReconnectGrace = protocol.ReconnectGrace
	}
	c.ReconnectGrace = max(c.ReconnectGrace, 0)
	for _, n := range []struct {
		field    *int
		standard int
	}{{&c.MaxQueued, 2048}, {&c.MaxInFlight, 4096}, {&c.MaxWaiting, 1024}, {&c.MaxBrowsers, 64}, {&c.AgentEvents, 64}} {
		if *n.field <= 0 {
			*n.field = n.standard
		}
	}
	if c.UserBytes <= 0 {
		c.UserBytes = 256 << 20
	}
	return c
}

const (
	// answerGrace is what the hub waits beyond the deadline that it told the
	// peer, so that the peer's own, better informed timeout error arrives first.
	answerGrace = 500 * time.Millisecond
	// probeAfter is the silence after which a link is asked for a sign of life.
	probeAfter = protocol.SilenceTimeout / 2
	// closeWait bounds how long Drain waits for closed links to end.
	closeWait = 15 * time.Second
	// writeWait and writeRate bound one write: a peer that takes longer does not read.
	writeWait = 30 * time.Second
	writeRate = 128 << 10 // bytes a second
	// rememberedIDs is how many retired calls a link remembers to tell late
	// answers from made-up ones.
	rememberedIDs = 1024
)

// writeTimeout is how long the write of a frame of n bytes may take.
func writeTimeout(n int) time.Duration {
	return writeWait + time.Duration(n)*time.Second/writeRate
}
