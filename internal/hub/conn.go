package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Conn is one live transport to one browser, a whole text frame at a time.
//
// Read is called by one goroutine only, Write by one other; Close may be
// called by any goroutine while both are under way, once, and unblocks both
// within a bounded time. An error of Read or Write is final; one of Read that has
// a method CloseCode() int says what to close with. Write must not
// keep the slice that it is given, and Read's slice is the caller's to keep.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, frame []byte) error
	// Close tells the peer why, with a WebSocket close code of protocol, and
	// frees the transport.
	Close(code int, reason string) error
}

// Prober is implemented by a Conn that can ask the peer's transport itself for
// a sign of life, such as a WebSocket ping: the only way to tell a dead link
// from a quiet one when the peer does not know the ping frame. Probe may be
// called beside Read and Write, and returns nil once the sign has come.
type Prober interface {
	Probe(ctx context.Context) error
}

// Codec translates between protocol's frames and one dialect. It is stateless
// and may be used by many links at once.
type Codec interface {
	// Dialect names it, as in protocol.BrowserInfo.
	Dialect() string
	// NewID makes the id of the hub's n-th request.
	NewID(n uint64) string
	// Encode writes a frame for a peer with these caps, leaving out what the
	// peer did not name. It returns an *protocol.Error of code unsupported for
	// what cannot be said to that peer at all.
	Encode(f protocol.Frame, caps Caps) ([]byte, error)
	// Decode validates and reads a frame. It returns an *InvalidFrameError for
	// one that does not fit the dialect, and ErrIgnored for one that does but
	// means nothing to this version.
	Decode(frame []byte) (protocol.Frame, error)
	// Result validates and reads the result of a pending action.
	Result(action protocol.Action, raw json.RawMessage) (protocol.Result, error)
}

// ErrIgnored is what Codec.Decode returns for a frame that is well-formed but
// of no meaning to this version, such as an event of an unknown type.
var ErrIgnored = errors.New("frame of no meaning to this version")

// InvalidFrameError says that a frame does not fit its dialect.
type InvalidFrameError struct {
	// ID is the request that the frame meant to answer, "" if that cannot be told.
	ID string
	// Err says what does not fit, and never quotes the frame's content.
	Err error
}

// Error says what does not fit.
func (e *InvalidFrameError) Error() string { return fmt.Sprintf("invalid frame: %v", e.Err) }

// Unwrap returns what does not fit.
func (e *InvalidFrameError) Unwrap() error { return e.Err }

// Caps is what a peer said in its hello that it knows: action types and protocol.Features.
type Caps map[string]struct{}

// NewCaps makes a set of a hello's caps.
func NewCaps(names []string) Caps {
	caps := make(Caps, len(names))
	for _, n := range names {
		caps[n] = struct{}{}
	}
	return caps
}

// Has reports whether the peer named an action type or a feature.
func (c Caps) Has(name string) bool {
	_, ok := c[name]
	return ok
}

// Peer is what an authenticated handshake told about a browser.
type Peer struct {
	// BrowserID is the UUID of the installation, which the server bound to the token.
	BrowserID string
	// Seq is hello's connectionSeq, 0 for a peer that has none.
	Seq int64
	// Name is what the browser says of itself that its user calls it.
	Name string
	// given is the name that it was given here, which goes before Name; empty for none. The hub sets it, and all copies share it.
	given *atomic.Pointer[string]
	// Exclusive is true for a dialect in which a name belongs to one browser;
	// Instance then tells apart two browsers that claim it, "" for one that does not say.
	Exclusive bool
	Instance  string
	// Version is the extension's.
	Version string
	// UserAgent is the browser's.
	UserAgent string
	// Caps are hello's. A type of action that is missing here is answered with unsupported.
	Caps []string
}

// goesBy is the one name by which the browser is known.
func (p Peer) goesBy() string {
	if name := p.givenName(); name != "" {
		return name
	}
	return p.Name
}

func (p Peer) givenName() string {
	if p.given == nil {
		return ""
	}
	return *p.given.Load()
}

// naming holds a name that may change while the browser is connected.
func naming(name string) *atomic.Pointer[string] {
	p := &atomic.Pointer[string]{}
	p.Store(&name)
	return p
}

// FrameLimit is the largest frame, in bytes, that such a peer may send: a
// peer that knows chunk cuts its large answers.
func (p Peer) FrameLimit() int64 {
	if NewCaps(p.Caps).Has(protocol.CapChunk) {
		return protocol.FrameBytes
	}
	return protocol.AnswerBytes
}

// Forwarder carries a call to the node that holds a browser which is not
// connected here. Its implementation comes with the cluster; a hub without one
// is alone.
type Forwarder interface {
	// Forward performs the call elsewhere and returns what Do would have. It
	// returns ErrNotHeld when no other node holds such a browser, and may be
	// called concurrently.
	Forward(ctx context.Context, call Call) (Reply, error)
}

// ErrNotHeld is a Forwarder's answer when no other node holds the browser.
var ErrNotHeld = errors.New("no other node holds that browser")
