package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// definitions is the schema's definitions by name, each as it stands there. They are taken apart once and read only when they
// are asked for: a command that sends one action has no time for the other two hundred.
var definitions = sync.OnceValue(func() map[string]jsontext.Value {
	var doc struct {
		Defs map[string]jsontext.Value `json:"$defs"`
	}
	if err := decodeExact(Schema, &doc); err != nil {
		panic("protocol: embedded schema: " + err.Error())
	}
	return doc.Defs
})

// Definition returns the JSON Schema of one of this package's structs, which must not be changed; nil for one that the schema lacks.
func Definition(t reflect.Type) json.RawMessage { return json.RawMessage(definitions()[t.Name()]) }

// branches holds the compiled schema of each struct by its type, made when first needed. Each is checked by itself after its
// tag is known, so that an error names the field and not the union.
var branches struct {
	mu     sync.Mutex
	byType map[reflect.Type]*jsonschema.Schema
}

func branch(t reflect.Type) *jsonschema.Schema {
	branches.mu.Lock()
	defer branches.mu.Unlock()
	if s, ok := branches.byType[t]; ok {
		return s
	}
	s := compile(t.Name())
	if branches.byType == nil {
		branches.byType = map[reflect.Type]*jsonschema.Schema{}
	}
	branches.byType[t] = s
	return s
}

// compile compiles one definition beside those that it refers to: the compiler checks every document as a whole, and the whole
// schema takes it a hundred times as long as most definitions do.
func compile(name string) *jsonschema.Schema {
	defs := map[string]any{}
	gather(name, defs)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:protocol.json", map[string]any{"$defs": defs}); err != nil {
		panic("protocol: embedded schema: " + err.Error())
	}
	return c.MustCompile("mem:protocol.json#/$defs/" + name)
}

// refTo begins a reference to another definition.
const refTo = "#/$defs/"

// gather puts a definition, and those that it refers to, into defs.
func gather(name string, defs map[string]any) {
	if _, done := defs[name]; done {
		return
	}
	raw := definitions()[name]
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic("protocol: embedded schema: " + name + ": " + err.Error())
	}
	defs[name] = doc
	for {
		_, rest, found := bytes.Cut(raw, []byte(`"`+refTo))
		if !found {
			return
		}
		other, rest, _ := bytes.Cut(rest, []byte(`"`))
		gather(string(other), defs)
		raw = rest
	}
}
