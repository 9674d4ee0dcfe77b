package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrUnaddressed is what DecodeRPC returns for a frame that is acceptable JSON but neither a
// control frame nor the answer to a request of ours: such a frame is ignored.
var ErrUnaddressed = errors.New("a frame without an id of ours that is no control frame")

// RPCAnswerError says that an rpc answer does not fit, and whose.
type RPCAnswerError struct {
	// ID is the request's id, in decimal.
	ID  string
	Err error
}

// Error says what does not fit.
func (e *RPCAnswerError) Error() string { return fmt.Sprintf("answer to %s: %v", e.ID, e.Err) }

// Unwrap returns what does not fit.
func (e *RPCAnswerError) Unwrap() error { return e.Err }

// RPCAnswer is the answer to an RPCRequest: exactly one of result and error.
type RPCAnswer struct {
	// The request's number.
	ID     int64
	Result json.RawMessage
	Error  *RPCError
}

func (RPCAnswer) isFrame() {}

// DecodeRPC validates and reads a frame of the rpc dialect that comes after auth: Ping, Pong or
// RPCAnswer. The answer's result stays raw: see DecodeRPCResult.
func DecodeRPC(raw []byte) (Frame, error) {
	if err := checkKeys(raw); err != nil {
		return nil, fmt.Errorf("not acceptable JSON: %w", err)
	}
	var members map[string]jsontext.Value
	if err := decodeExact(raw, &members); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	id, addressed := members["id"]
	if !addressed {
		return controlFrame(members)
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	if _, asks := members["method"]; asks || id.Kind() == 'n' {
		return nil, ErrUnaddressed // a request, or an error that nobody asked for
	}
	if err != nil || n < 1 || n > MaxSafeInteger {
		return nil, errors.New("id: expected a whole number that the server gave")
	}
	return rpcAnswer(n, members)
}

func controlFrame(members map[string]jsontext.Value) (Frame, error) {
	var tag string
	if err := decodeExact(members["type"], &tag); err != nil {
		return nil, ErrUnaddressed
	}
	switch tag {
	case "ping":
		return Ping{}, nil
	case "pong":
		return Pong{}, nil
	}
	return nil, ErrUnaddressed
}

func rpcAnswer(id int64, members map[string]jsontext.Value) (Frame, error) {
	bad := func(format string, args ...any) error {
		return &RPCAnswerError{ID: strconv.FormatInt(id, 10), Err: fmt.Errorf(format, args...)}
	}
	var version string
	if err := decodeExact(members["jsonrpc"], &version); err != nil || version != "2.0" {
		return nil, bad(`jsonrpc: expected "2.0"`)
	}
	result, succeeded := members["result"]
	failure, failed := members["error"]
	switch {
	case succeeded == failed:
		return nil, bad("expected exactly one of result and error")
	case succeeded:
		return RPCAnswer{ID: id, Result: json.RawMessage(result)}, nil
	}
	e := &RPCError{}
	if err := checkStruct(reflect.TypeFor[RPCError](), failure); err != nil {
		return nil, bad("error: %v", err)
	}
	if err := decodeExact(failure, e); err != nil {
		return nil, bad("error: %v", err)
	}
	return RPCAnswer{ID: id, Error: e}, nil
}

// DecodeRPCAuth validates and reads the first frame of an rpc connection.
func DecodeRPCAuth(raw []byte) (RPCAuth, error) {
	var a RPCAuth
	if err := checkKeys(raw); err != nil {
		return a, fmt.Errorf("not acceptable JSON: %w", err)
	}
	if err := checkStruct(reflect.TypeFor[RPCAuth](), raw); err != nil {
		return a, fmt.Errorf("auth: %w", err)
	}
	err := decodeExact(raw, &a)
	return a, err
}

// DecodeRPCResult validates and reads the result of a method that stood in a frame: a value of the
// method's Result, R.
func DecodeRPCResult[R any](method string, raw []byte) (R, error) {
	var r R
	m, ok := RPCMethodOf(method)
	if !ok || m.Result != reflect.TypeFor[R]() {
		return r, fmt.Errorf("%s gives no %T", method, r)
	}
	if err := checkStruct(m.Result, raw); err != nil {
		return r, fmt.Errorf("result of %s: %w", method, err)
	}
	if err := decodeExact(raw, &r); err != nil {
		return r, fmt.Errorf("result of %s: %w", method, err)
	}
	return r, nil
}

// CheckRPCParams validates params for a method, as the other side will.
func CheckRPCParams(method string, raw []byte) error {
	m, ok := RPCMethodOf(method)
	if !ok {
		return fmt.Errorf("unknown method %q", method)
	}
	if err := checkStruct(m.Params, raw); err != nil {
		return fmt.Errorf("params of %s: %w", method, err)
	}
	return nil
}

// Common is what every pages method gives.
func (r RPCPagesResult) Common() RPCPagesResult { return r }

// ReadErrorData reads what a Drawbridge extension puts into the data of an rpc error: the Error
// itself, whose message may be left out. ok is false for anything else.
func ReadErrorData(data json.RawMessage) (e *Error, ok bool) {
	if len(data) == 0 {
		return nil, false
	}
	var members map[string]any
	if err := decodeExact(data, &members); err != nil || members == nil {
		return nil, false
	}
	if _, said := members["message"]; !said {
		members["message"] = ""
	}
	if checkDocument(reflect.TypeFor[Error](), members) != nil {
		return nil, false
	}
	e = &Error{}
	if decodeExact(data, e) != nil {
		return nil, false
	}
	if _, known := e.Code.Info(); !known {
		return nil, false
	}
	return e, true
}
