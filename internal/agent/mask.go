package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// said are the members whose values the audit trail keeps as they are: what was asked for, never what was typed, run or read.
// Everything that is not named here is kept as its length alone, so that a new member cannot give a secret away.
var said = map[string]bool{
	"uid": true, "button": true, "count": true, "modifiers": true, "key": true, "direction": true, "to": true, "pixels": true,
	"from": true, "kind": true, "x": true, "y": true, "deltaX": true, "deltaY": true, "point": true, "clear": true, "submit": true,
	"focus": true, "load": true, "state": true, "ms": true, "timeoutMs": true, "parts": true, "maxBytes": true, "interactive": true,
	"compact": true, "depth": true, "urls": true, "cursor": true, "since": true, "what": true, "role": true, "limit": true, "op": true,
	"format": true, "quality": true, "fullPage": true, "paperFormat": true, "landscape": true, "accept": true, "scope": true,
	"id": true, "until": true, "requestId": true, "secret": true, "selector": true, "title": true, "color": true, "sessionId": true,
}

// singleKey is the longest key press that is kept: a name such as ArrowDown or a combination, but no letter by itself, since a
// password can be pressed key by key.
func singleKey(key string) bool { return utf8.RuneCountInString(key) == 1 }

// maskedArguments is what the audit trail keeps of an action's arguments.
func maskedArguments(action protocol.Action) map[string]any {
	raw, err := json.Marshal(action)
	if err != nil {
		return nil
	}
	var members map[string]any
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	for _, elsewhere := range []string{protocol.Actions.Key, "tabId", "url"} { // stand in the line by themselves
		delete(members, elsewhere)
	}
	for name, value := range members {
		members[name] = masked(name, value)
	}
	if len(members) == 0 {
		return nil
	}
	return members
}

func masked(name string, value any) any {
	switch v := value.(type) {
	case string:
		if name == "key" && singleKey(v) || !said[name] {
			return fmt.Sprintf("(%d characters)", utf8.RuneCountInString(v))
		}
		const limit = 200
		return strings.ToValidUTF8(v[:min(len(v), limit)], "")
	case []any:
		if !said[name] {
			return fmt.Sprintf("(%d)", len(v))
		}
	case map[string]any:
		for inner, of := range v {
			v[inner] = masked(inner, of)
		}
	}
	return value
}
