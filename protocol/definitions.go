package protocol

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// definition is one definition of the schema as it stands there, nil for one that it lacks. It is found by the way in which
// protocol/gen writes the schema: a command that sends one action has no time to read the other two hundred.
func definition(name string) jsontext.Value {
	_, rest, ok := bytes.Cut(Schema, []byte("\n    "+strconv.Quote(name)+": {"))
	if !ok {
		return nil
	}
	raw, err := jsontext.NewDecoder(io.MultiReader(strings.NewReader("{"), bytes.NewReader(rest))).ReadValue()
	if err != nil {
		panic("protocol: embedded schema: " + name + ": " + err.Error())
	}
	return raw
}

// Definition returns the JSON Schema of one of this package's structs; nil for one that the schema lacks.
func Definition(t reflect.Type) json.RawMessage { return json.RawMessage(definition(t.Name())) }

// branches holds the schema of each struct by its name, read when first needed. Each is checked by itself after its
// tag is known, so that an error names the field and not the union.
var branches sync.Map

func branch(name string) *schema {
	if s, ok := branches.Load(name); ok {
		known, _ := s.(*schema)
		return known
	}
	s, err := readSchema(definition(name))
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
