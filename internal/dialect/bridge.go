package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Bridge is the codec of the bridge dialect, protocolVersion
// protocol.MinVersion to protocol.Version. Its zero value is ready, and any
// number of links may share it.
type Bridge struct{}

var _ hub.Codec = Bridge{}

// Dialect returns "bridge".
func (Bridge) Dialect() string { return string(NameBridge) }

// NewID makes a UUIDv4: the bridge dialect's ids are not numbered.
func (Bridge) NewID(uint64) string { return uuid.NewString() }

// Encode writes a frame that the server sends. What goes beyond plain version
// 4 is left out for a peer that did not name it in its caps, where the frame
// means the same without it; otherwise the error is an *protocol.Error of code
// unsupported that names it.
func (Bridge) Encode(f protocol.Frame, caps hub.Caps) ([]byte, error) {
	plain, err := plainer(f, caps)
	if err != nil {
		return nil, err
	}
	raw, err := protocol.EncodeFrame(plain)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", f, err)
	}
	return raw, nil
}

// Decode validates and reads a frame that a browser sent.
func (Bridge) Decode(raw []byte) (protocol.Frame, error) {
	f, err := protocol.DecodeFrame(raw)
	if err != nil {
		return nil, &hub.InvalidFrameError{ID: answeredID(raw), Err: err}
	}
	if e, ok := f.(protocol.EventFrame); ok && e.Event.Event == nil {
		return nil, fmt.Errorf("event of an unknown type: %w", hub.ErrIgnored)
	}
	return f, nil
}

// Result validates and reads the result of an action.
func (Bridge) Result(a protocol.Action, raw json.RawMessage) (protocol.Result, error) {
	return protocol.DecodeResult(protocol.TypeOf(a), raw)
}

// Hello validates and reads a first frame that Sniff called bridge. An error
// means protocol.CloseUnauthorized, as for any first frame that is no hello.
func (b Bridge) Hello(first []byte) (protocol.Hello, error) {
	f, err := b.Decode(first)
	if err != nil {
		return protocol.Hello{}, err
	}
	h, ok := f.(protocol.Hello)
	if !ok {
		return protocol.Hello{}, errors.New("the first frame is no hello")
	}
	return h, nil
}

// answeredID finds the request that a malformed response meant to answer, so
// that its caller need not wait for the timeout; "" if that cannot be told.
func answeredID(raw []byte) string {
	var head map[string]json.RawMessage
	if json.Unmarshal(raw, &head) != nil {
		return ""
	}
	var tag, id string
	if json.Unmarshal(head["type"], &tag) != nil || json.Unmarshal(head["id"], &id) != nil {
		return ""
	}
	if tag != "response" && tag != "chunk" {
		return ""
	}
	return id
}

// plainer returns f as a peer with these caps can read it.
func plainer(f protocol.Frame, caps hub.Caps) (protocol.Frame, error) {
	need := ""
	switch f := f.(type) {
	case protocol.Request:
		return plainerRequest(f, caps)
	case protocol.Ack:
		if !caps.Has(protocol.CapAck) {
			return protocol.Ack{ProtocolVersion: f.ProtocolVersion, ServerVersion: f.ServerVersion}, nil
		}
		if !caps.Has(protocol.CapProof) {
			f.ServerKey, f.Proof = "", ""
		}
		if f.BrowserID != "" && !caps.Has(protocol.CapBrowserID) {
			return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension does not know %s", protocol.CapBrowserID)
		}
		return f, nil
	case protocol.Reject:
		return plainerReject(f, caps), nil
	case protocol.Ping, protocol.Pong:
		need = protocol.CapPing
	case protocol.Cancel:
		need = protocol.CapCancel
	case protocol.Policy:
		need = protocol.CapPolicy
	default:
		return nil, fmt.Errorf("encode: the server never sends %T", f)
	}
	if !caps.Has(need) {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension does not know %s", need)
	}
	return f, nil
}

func plainerReject(f protocol.Reject, caps hub.Caps) protocol.Frame {
	if caps.Has(protocol.CapOutcome) {
		return f
	}
	code := f.Error.Code
	if info, ok := code.Info(); !ok || info.Extended {
		code = protocol.CodeUnauthorized // the nearest that plain version 4 has
	}
	f.Error = protocol.Error{Code: code, Message: f.Error.Message}
	return f
}

func plainerRequest(f protocol.Request, caps hub.Caps) (protocol.Frame, error) {
	t := protocol.TypeOf(f.Action.Action)
	if f.RecallMS > 0 && !caps.Has(protocol.CapRecall) {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension cannot tell what came of an earlier %s: look at the page, or update the extension", t).WithOutcome(protocol.Unknown)
	}
	if isBound(f.Action.Action) && !caps.Has(protocol.CapOnlyOn) {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension cannot hold a secret to its origins, so it gets none: update the extension, or ask the user to enter it")
	}
	if a, ok := f.Action.Action.(protocol.Navigate); ok && a.Credentials != "" && !caps.Has(protocol.CapCredentials) {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension cannot hold a secret to its origins when a server asks for it, so it gets none: update the extension, or ask the user to log in")
	}
	if a, ok := f.Action.Action.(protocol.Download); ok && a.OnDisk && !caps.Has(protocol.CapOnDisk) {
		a.OnDisk = false // it tells how the bytes may come, and the answer says how they did
		f.Action.Action = a
	}
	if caps.Has(protocol.CapRequestContext) {
		return f, nil
	}
	if !caps.Has(string(t)) {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser's extension does not know %s", t)
	}
	if beyond := beyondPlain(f.Action.Action); len(beyond) > 0 {
		return nil, protocol.Errorf(protocol.CodeUnsupported,
			"this browser's extension is older than %s of %s: do without, or update the extension", beyond[0], t)
	}
	return protocol.Request{ID: f.ID, Action: f.Action}, nil
}

// isBound tells whether a text may be entered on some origins only.
func isBound(a protocol.Action) bool {
	switch a := a.(type) {
	case protocol.Type:
		return len(a.OnlyOn) > 0
	case protocol.Fill:
		return len(a.OnlyOn) > 0
	}
	return false
}

// beyondPlain names the members of an action that plain version 4 lacks and
// that change what is asked for, so that they cannot just be left out. A peer
// that knows request.context is one of ours, and knows them all.
func beyondPlain(a protocol.Action) []string {
	var names []string
	add := func(used bool, name string) {
		if used {
			names = append(names, name)
		}
	}
	switch a := a.(type) {
	case protocol.Navigate:
		add(a.To != "", "to")
	case protocol.Type:
		add(a.Secret != "", "secret")
	case protocol.Extract:
		add(len(a.Parts) > 0, "parts")
		add(a.MaxBytes != 0, "maxBytes")
		add(a.From != "", "from")
	case protocol.Snapshot:
		add(a.Since != "", "since")
		add(a.MaxBytes != 0, "maxBytes")
		add(a.From != "", "from")
	}
	return slices.Clip(names)
}
