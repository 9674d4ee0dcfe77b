package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// RPC is the codec and driver of the rpc dialect: JSON-RPC 2.0, version
// protocol.RPCVersion. Its zero value is ready, and any number of links may
// share it.
type RPC struct{}

var _ hub.Driver = RPC{}

// Dialect returns "rpc".
func (RPC) Dialect() string { return string(NameRPC) }

// NewID makes the request's number, in decimal.
func (RPC) NewID(n uint64) string { return strconv.FormatUint(n, 10) }

// Caps is what a browser of this dialect knows: it does not say so itself.
func (RPC) Caps() []string {
	var caps []string
	for _, t := range protocol.RPCActions() {
		caps = append(caps, string(t))
	}
	return caps
}

// Encode writes a frame that the server sends: an RPCRequest, an Ack as
// auth_ok, a Reject as auth_error, a Pong. For every other one the error is an
// *protocol.Error of code unsupported.
func (RPC) Encode(f protocol.Frame, _ hub.Caps) ([]byte, error) {
	switch f := f.(type) {
	case protocol.RPCRequest:
		return encodeRequest(f)
	case protocol.Ack:
		return json.Marshal(struct {
			Type      string `json:"type"`
			Version   int    `json:"version"`
			Name      string `json:"name,omitempty"`
			ServerKey string `json:"serverKey,omitempty"` // only to whoever sent a nonce
			Proof     string `json:"proof,omitempty"`
		}{"auth_ok", protocol.RPCVersion, f.BrowserName, f.ServerKey, f.Proof})
	case protocol.Reject:
		return json.Marshal(struct {
			Type  string `json:"type"`
			Error string `json:"error"`
		}{"auth_error", f.Error.Message})
	case protocol.Pong:
		return []byte(`{"type":"pong"}`), nil
	}
	return nil, protocol.Errorf(protocol.CodeUnsupported, "the rpc dialect has no %T", f)
}

func encodeRequest(r protocol.RPCRequest) ([]byte, error) {
	id, err := strconv.ParseUint(r.ID, 10, 53)
	if err != nil {
		return nil, fmt.Errorf("id %q: expected a number", r.ID)
	}
	params, err := json.Marshal(r.Params)
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", r.Method, err)
	}
	if err := protocol.CheckRPCParams(r.Method, params); err != nil {
		return nil, protocol.Errorf(protocol.CodeInvalidAction, "%v", err)
	}
	return json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      uint64          `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}{"2.0", id, r.Method, params})
}

// Decode validates and reads a frame that a browser sent after auth.
func (RPC) Decode(raw []byte) (protocol.Frame, error) {
	f, err := protocol.DecodeRPC(raw)
	var answer *protocol.RPCAnswerError
	switch {
	case errors.Is(err, protocol.ErrUnaddressed):
		return nil, fmt.Errorf("%w: %w", err, hub.ErrIgnored)
	case errors.As(err, &answer):
		return nil, &hub.InvalidFrameError{ID: answer.ID, Err: answer.Err}
	case err != nil:
		return nil, &hub.InvalidFrameError{Err: err}
	}
	a, ok := f.(protocol.RPCAnswer)
	if !ok {
		return f, nil
	}
	r := protocol.Response{ID: strconv.FormatInt(a.ID, 10), Result: a.Result}
	if a.Error != nil {
		r.Error = bridgeError(*a.Error)
	}
	return r, nil
}

// Result is not for this dialect, whose results carry no action: Drive reads them.
func (RPC) Result(a protocol.Action, _ json.RawMessage) (protocol.Result, error) {
	return nil, fmt.Errorf("%s: a result of the rpc dialect is read by its method", protocol.TypeOf(a))
}

// Auth validates and reads a first frame that Sniff called rpc. An error means
// protocol.CloseUnauthorized.
func (RPC) Auth(first []byte) (protocol.RPCAuth, error) { return protocol.DecodeRPCAuth(first) }

// bridgeError gives an rpc error its twin. A Drawbridge extension puts the
// error that it is the nearest code of into data.
func bridgeError(e protocol.RPCError) *protocol.Error {
	if own, ok := protocol.ReadErrorData(e.Data); ok {
		if own.Message == "" {
			own.Message = e.Message
		}
		return own.Complete()
	}
	info, ok := e.Code.Info()
	if !ok {
		info = protocol.RPCCodeInfo{Code: e.Code, Name: "an unknown error", Twin: protocol.CodeInternal}
	}
	twin := protocol.Errorf(info.Twin, "%s (%s, %d)", e.Message, info.Name, e.Code)
	switch e.Code {
	case protocol.RPCPageRefNotFound:
		twin.Message += ": take a new snapshot, then try again"
	case protocol.RPCOperationFailed:
		twin.Retryable = protocol.RetryAfterRefresh
		return twin.WithOutcome(protocol.Unknown)
	case protocol.RPCPageOperationFailed, protocol.RPCInternalError:
		return twin.WithOutcome(protocol.Unknown)
	}
	if !ok {
		return twin.WithOutcome(protocol.Unknown)
	}
	return twin
}
