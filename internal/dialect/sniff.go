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

// ErrNoDialect says that a first frame is neither hello nor auth. The
// connection is closed with protocol.CloseUnauthorized.
var ErrNoDialect = errors.New(`the first frame opens no dialect: expected {"type":"hello",…} or {"type":"auth",…}`)

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
		return NameRPC, nil
	}
	return "", ErrNoDialect
}
