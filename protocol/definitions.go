package protocol

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
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

// branches holds the schema of each struct by its name, read when first needed. Each is checked by itself after its
// tag is known, so that an error names the field and not the union.
var branches sync.Map

func branch(name string) *schema {
	if s, ok := branches.Load(name); ok {
		known, _ := s.(*schema)
		return known
	}
	s, err := readSchema(definitions()[name])
	if err != nil {
		panic("protocol: embedded schema: " + name + ": " + err.Error())
	}
	branches.Store(name, s) // two that read it at once read the same
	return s
}

// settings is the schema of drawbridge.json.
var settings = sync.OnceValue(func() *schema {
	s, err := readSchema(SettingsSchema)
	if err != nil {
		panic("protocol: embedded schema of the settings: " + err.Error())
	}
	return s
})

// CheckSettings holds the members of a drawbridge.json against its schema. An error names the member and what was expected.
func CheckSettings(members map[string]any) error {
	if f := settings().check(members); f != nil {
		return f
	}
	return nil
}
