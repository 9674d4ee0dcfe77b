package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// converse is a browser's connection from its first frame to its last.
func (s *Server) converse(sock *socket) {
	link, err := s.handshake(sock)
	<-s.halfOpen
	var no *refusal
	switch {
	case errors.As(err, &no):
		s.log.Warn("a browser was not let in", "err", err)
		return
	case err != nil:
		// It went away, or said nothing: a browser that is being closed does that too.
		s.log.Debug("a connection to the browser's door ended before its hello", "err", err)
		return
	}
	s.log.Debug("a browser connected", "connection", link.ID())
	gone := s.connected(sock.tokenID, func() { link.Close(protocol.CloseUnauthorized, errRevoked) })
	defer gone()
	// The hub ends it, with the right close code, when the server drains.
	why := link.Run(context.Background())
	s.log.Debug("a browser's connection ended", "connection", link.ID(), "why", why)
}

// refusal is why a first frame begins no connection, and what the browser is told of it.
type refusal struct {
	code   int             // to close with
	reject *protocol.Error // told in the browser's dialect first; nil for none
	codec  hub.Codec       // of that dialect; nil: the bridge's
	name   string          // for the metrics
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }

func unauthorized(format string, args ...any) *refusal {
	e := protocol.Errorf(protocol.CodeUnauthorized, format, args...)
	return &refusal{code: protocol.CloseUnauthorized, reject: e, name: "unauthorized", err: e}
}

// handshake reads the hello, answers it and attaches the browser to the hub. When it fails the socket is closed.
func (s *Server) handshake(sock *socket) (*hub.Link, error) {
	sock.ws.SetReadLimit(protocol.HandshakeBytes)
	first, err := s.firstFrame(sock)
	if err != nil {
		return nil, err
	}
	link, err := s.admit(sock, first)
	if err == nil {
		s.metrics.handshakes.WithLabelValues("ok").Inc()
		return link, nil
	}
	var no *refusal
	if !errors.As(err, &no) {
		s.log.Error("a browser could not be let in for a fault of the server", "err", err)
		no = &refusal{code: closeInternal, name: "fault", err: errors.New("the server has a fault: look at its log")}
	}
	s.metrics.handshakes.WithLabelValues(no.name).Inc()
	ctx, cancel := context.WithTimeout(context.Background(), protocol.HandshakeTimeout)
	defer cancel()
	if no.reject != nil {
		// A version that we do not speak may lack our extras: the reject has what every version has.
		if no.codec == nil {
			no.codec = dialect.Bridge{}
		}
		frame, err := no.codec.Encode(protocol.Reject{RequiredMinProtocolVersion: protocol.MinVersion, Error: *no.reject}, nil)
		if err == nil {
			err = sock.Write(ctx, frame)
		}
		if err != nil {
			no = &refusal{code: no.code, err: fmt.Errorf("%w (and it could not be told so: %v)", no.err, err)}
		}
	}
	_ = sock.Close(no.code, closeText(no)) // the browser is not let in, whether or not it hears of it
	return nil, no
}

// closeInternal is WebSocket's 1011.
const closeInternal = 1011

// firstFrame waits for the hello, no longer than the handshake may take and the server lives.
func (s *Server) firstFrame(sock *socket) ([]byte, error) {
	read := make(chan struct{})
	ended := make(chan error, 1) // says why we closed the socket; nil when we did not
	go func() {
		timer := time.NewTimer(protocol.HandshakeTimeout)
		defer timer.Stop()
		code, why := 0, error(nil)
		select {
		case <-read:
		case <-timer.C:
			s.metrics.handshakes.WithLabelValues("silent").Inc()
			code, why = protocol.CloseSilent, errors.New("no first frame came in time")
		case <-s.draining:
			code, why = protocol.CloseGoingAway, errors.New("the server is going away")
		}
		if why != nil {
			_ = sock.Close(code, why.Error()) // the reader below ends either way
		}
		ended <- why
	}()
	// Not bounded by a context: that would drop the socket without the close code.
	first, err := sock.Read(context.Background())
	close(read)
	if why := <-ended; why != nil {
		return nil, why
	}
	if err != nil {
		s.metrics.handshakes.WithLabelValues("lost").Inc()
		// The peer has gone, or the library has closed after an oversized or binary frame: then this does nothing.
		_ = sock.Close(protocol.CloseUnauthorized, "expected a hello")
		return nil, fmt.Errorf("read the first frame: %w", err)
	}
	return first, nil
}

// admit checks the hello and attaches the browser. A *refusal is the browser's fault, any other error ours.
func (s *Server) admit(sock *socket, first []byte) (*hub.Link, error) {
	name, err := dialect.Sniff(first)
	if err != nil {
		return nil, &refusal{code: protocol.CloseUnauthorized, name: "no_hello", err: err}
	}
	if name == dialect.NameRPC {
		return s.admitRPC(sock, first)
	}
	codec := dialect.Bridge{}
	if v, ok := versionOf(first); ok && (v < protocol.MinVersion || v > protocol.Version) {
		e := protocol.Errorf(protocol.CodeProtocolMismatch, "this server speaks protocol versions %d to %d and the extension version %d: update the older of the two",
			protocol.MinVersion, protocol.Version, v)
		return nil, &refusal{code: protocol.CloseVersion, reject: e, name: "version", err: e}
	}
	hello, err := codec.Hello(first)
	if err != nil {
		return nil, &refusal{code: protocol.CloseUnauthorized, name: "no_hello", err: err}
	}
	ctx, cancel := context.WithTimeout(context.Background(), protocol.HandshakeTimeout)
	defer cancel()
	identity, deviceToken, err := s.identify(ctx, hello)
	if err != nil {
		return nil, err
	}
	ack := protocol.Ack{
		ProtocolVersion: hello.ProtocolVersion, ServerVersion: s.opts.Version, Caps: protocol.Features(),
		BrowserName: hello.BrowserName, HeartbeatMS: protocol.Heartbeat.Milliseconds(), DeviceToken: deviceToken,
	}
	if identity, err = s.tellCopies(ctx, identity, hello, &ack); err != nil {
		return nil, err
	}
	if err := s.prove(sock, hello.BrowserID, hello.Nonce, &ack); err != nil {
		return nil, err
	}
	sock.tokenID = identity.TokenID
	peer := hub.Peer{
		BrowserID: identity.BrowserID, Seq: hello.ConnectionSeq, Name: hello.BrowserName,
		Version: hello.ClientVersion, UserAgent: hello.UserAgent, Caps: hello.Caps,
	}
	sock.ws.SetReadLimit(peer.FrameLimit())
	link, err := s.hub.Attach(identity.User, peer, sock, codec)
	if err != nil {
		return nil, attachRefusal(err)
	}
	rules := s.desk.InForce()
	ack.ConnectionID, ack.Policy, ack.BrowserName = link.ID(), &rules, link.Name()
	welcome(ctx, sock, link, codec, hub.NewCaps(hello.Caps), ack)
	return link, nil
}

// welcome sends the ack. When that fails it closes the link, which is the hub's by now and needs its Run to end.
func welcome(ctx context.Context, sock *socket, link *hub.Link, codec hub.Codec, caps hub.Caps, ack protocol.Ack) {
	frame, err := codec.Encode(ack, caps)
	if err == nil {
		err = sock.Write(ctx, frame)
	}
	if err != nil {
		link.Close(closeInternal, fmt.Errorf("send the ack: %w", err))
	}
}

// identify turns the hello's token, or its one-use code, into who this is. The identity always has a BrowserID.
func (s *Server) identify(ctx context.Context, hello protocol.Hello) (identity store.Identity, deviceToken string, err error) {
	if store.LooksLikeCode(hello.PairingToken) {
		return s.pair(ctx, hello)
	}
	identity, err = s.store.Resolve(ctx, hello.PairingToken)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return identity, "", unauthorized("this browser's token is unknown or was revoked: pair it again with the link that \"drawbridge pair\" prints")
	case err != nil:
		return identity, "", err
	case !identity.Has(store.ScopeBrowser):
		return identity, "", unauthorized("this token is not for browsers: pair this browser with the link that \"drawbridge pair\" prints")
	case identity.BrowserID == "" && hello.BrowserID == "":
		// A plain version 4 extension with a token of its own: the token stands for the browser.
		identity.BrowserID = identity.TokenID
	case identity.BrowserID == "":
		identity.BrowserID = hello.BrowserID
	case hello.BrowserID != "" && hello.BrowserID != identity.BrowserID:
		return identity, "", unauthorized("this token belongs to another browser: pair this one with the link that \"drawbridge pair\" prints")
	}
	return identity, "", nil
}

// pair spends the code of the hello.
func (s *Server) pair(ctx context.Context, hello protocol.Hello) (store.Identity, string, error) {
	switch {
	case hello.BrowserID == "":
		return store.Identity{}, "", unauthorized("a pairing code needs a browserId in the hello: update the extension")
	case !hub.NewCaps(hello.Caps).Has(protocol.CapAck):
		// It could not read its device token, and the code would be spent for nothing.
		return store.Identity{}, "", unauthorized("a pairing code needs an extension that knows %s: update the extension", protocol.CapAck)
	}
	secret, identity, err := s.store.Redeem(ctx, hello.PairingToken, hello.BrowserID, hello.BrowserName)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return identity, "", unauthorized("the pairing code is wrong, used or older than %.0f minutes: \"drawbridge pair\" prints a new one", protocol.PairingLifetime.Minutes())
	case errors.Is(err, store.ErrTooManyAttempts):
		return identity, "", unauthorized("too many wrong pairing codes were tried: wait a minute, then pair again")
	case err != nil:
		return identity, "", err
	}
	err = s.store.Audit(ctx, store.AuditEntry{
		Kind: protocol.AuditPaired, User: identity.User, TokenID: identity.TokenID, BrowserID: identity.BrowserID, Detail: hello.BrowserName,
	})
	return identity, secret, err
}

// attachRefusal gives the hub's refusals their close codes.
func attachRefusal(err error) error {
	switch {
	case errors.Is(err, hub.ErrStale):
		return &refusal{code: protocol.CloseReplaced, name: "stale", err: err}
	case errors.Is(err, hub.ErrDraining):
		return &refusal{code: protocol.CloseGoingAway, name: "draining", err: err}
	case errors.Is(err, hub.ErrTooManyBrowsers):
		e := protocol.Errorf(protocol.CodeUnauthorized, "%v", err)
		return &refusal{code: protocol.CloseUnauthorized, reject: e, name: "too_many", err: e}
	}
	return err
}

// versionOf reads the protocolVersion of a hello whose other members may be of any version's shape.
func versionOf(first []byte) (version int, ok bool) {
	var head map[string]json.RawMessage
	if json.Unmarshal(first, &head) != nil {
		return 0, false
	}
	return version, json.Unmarshal(head["protocolVersion"], &version) == nil
}

// closeText fits a refusal into a close frame, and never has the browser's own words in it.
func closeText(no *refusal) string {
	if no.reject != nil {
		return string(no.reject.Code)
	}
	text := no.err.Error()
	return text[:min(len(text), 100)]
}
