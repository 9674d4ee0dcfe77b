package dialect

import (
	"encoding/json"
	"errors"
)

// Name is a dialect's name, as in protocol.BrowserInfo.
type Name string

// The dialects.
const (
	// NameBridge: tagged frames, an integer protocolVersion.
	NameBridge Name = "bridge"
	// NameRPC: JSON-RPC 2.0.
	NameRPC Name = "rpc"
)

// Why a first frame begins no connection. The connection is closed with
// protocol.CloseUnauthorized in either case.
var (
	// ErrNoDialect: the frame is neither hello nor auth.
	ErrNoDialect = errors.New(`the first frame opens no dialect: expected {"type":"hello",…} or {"type":"auth",…}`)
	// ErrRPCUnsupported: the frame is auth, and this version has no rpc dialect.
	ErrRPCUnsupported = errors.New("the rpc dialect is not supported by this version: set the extension's dialect to bridge")
)

// Sniff tells the dialect from a connection's first frame. It looks at nothing
// but the frame's type: whether the rest fits is for the dialect's own decoder.
func Sniff(first []byte) (Name, error) {
	var head map[string]json.RawMessage // a map, since struct fields would match "TYPE" too
	if err := json.Unmarshal(first, &head); err != nil {
		return "", ErrNoDialect
	}
	var tag string
	if err := json.Unmarshal(head["type"], &tag); err != nil {
		return "", ErrNoDialect
	}
	switch tag {
	case "hello":
		return NameBridge, nil
	case "auth":
		return NameRPC, ErrRPCUnsupported
	}
	return "", ErrNoDialect
}
