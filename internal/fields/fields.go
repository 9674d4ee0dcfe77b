// Package fields tells what each action takes, read from protocol's schema.
//
// The doors that turn other forms of input into actions (the MCP tool's flat object, the
// command line's flags) range over it, so that no field is declared twice.
package fields

import (
	"encoding/json"
	"sync"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Kind is a field's JSON type.
type Kind string

// The kinds of fields. A field that is a struct of its own is an Object.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Array   Kind = "array"
	Object  Kind = "object"
)

// Field is one member of an action. Limits are left out: protocol's decoder names the one
// that is broken.
type Field struct {
	// Kind is the field's type.
	Kind Kind
	// Enum is the values that it may have; nil means any.
	Enum []string
	// ItemKind is the type of an array's items; ItemEnum the values that they may have.
	ItemKind Kind
	ItemEnum []string
	// Description is protocol's doc comment of the field, with units and default.
	Description string
}

// Action is what one action takes.
type Action struct {
	// Description is protocol's doc comment of the action.
	Description string
	// Fields are its members by name, the tag not among them.
	Fields map[string]Field
}

// property is the part of JSON Schema that a field is read from.
type property struct {
	Type        Kind      `json:"type"`
	Enum        []string  `json:"enum"`
	Items       *property `json:"items"`
	Description string    `json:"description"`
}

// known keeps what was read, by action.
var known struct {
	mu     sync.Mutex
	byType map[protocol.ActionType]Action
}

// read reads one action's fields from its definition.
func read(m protocol.Method) Action {
	var def struct {
		Description string              `json:"description"`
		Properties  map[string]property `json:"properties"`
	}
	if err := json.Unmarshal(protocol.Definition(m.Params), &def); err != nil {
		panic("fields: protocol's embedded schema: " + err.Error())
	}
	action := Action{Description: def.Description, Fields: map[string]Field{}}
	for name, p := range def.Properties {
		if name != protocol.Actions.Key {
			action.Fields[name] = p.field()
		}
	}
	return action
}

func (p property) field() Field {
	f := Field{Kind: p.Type, Enum: p.Enum, Description: p.Description}
	if f.Kind == "" { // a reference to another struct
		f.Kind = Object
	}
	if p.Items != nil {
		f.ItemKind, f.ItemEnum = p.Items.Type, p.Items.Enum
		if f.ItemKind == "" {
			f.ItemKind = Object
		}
	}
	return f
}

// Of returns what an action takes; ok is false for a type that is not in protocol's table. It is read when first asked for.
func Of(t protocol.ActionType) (action Action, ok bool) {
	known.mu.Lock()
	defer known.mu.Unlock()
	if action, ok = known.byType[t]; ok {
		return action, true
	}
	m, ok := protocol.MethodOf(t)
	if !ok {
		return action, false
	}
	action = read(m)
	if known.byType == nil {
		known.byType = map[protocol.ActionType]Action{}
	}
	known.byType[t] = action
	return action, true
}
