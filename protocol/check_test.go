package protocol

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled compiles a schema by a library that knows the whole language.
func compiled(t *testing.T, raw []byte) (compile func(at string) *jsonschema.Schema) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return func(at string) *jsonschema.Schema {
		s, err := c.Compile("mem:schema.json#" + at)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// TestCheckAgreesWithALibrary holds what is refused by each definition of the schema against a library's verdict, on documents
// made from the definition and then bent.
func TestCheckAgreesWithALibrary(t *testing.T) {
	compile := compiled(t, Schema)
	maker := newMaker(t, rand.New(rand.NewPCG(3, 4)))
	fits, fails := 0, 0
	for name := range maker.defs {
		library, ours := compile("/$defs/"+name), branch(name)
		for range 60 {
			text := maker.bent(name)
			var doc any
			if decodeExact([]byte(text), &doc) != nil {
				continue // 1e400
			}
			fault, err := ours.check(doc), library.Validate(doc)
			if (fault == nil) != (err == nil) {
				t.Errorf("%s %.300s\n  ours:    %v\n  library: %v", name, text, fault, err)
			}
			if err == nil {
				fits++
			} else {
				fails++
			}
		}
	}
	if fits < 1000 || fails < 1000 {
		t.Errorf("corpus is lopsided: %d fit, %d do not", fits, fails)
	}
}

// TestCheckByWord holds each word of the language that we use against the library, and has its fault told.
func TestCheckByWord(t *testing.T) {
	for _, c := range []struct{ schema, value, said string }{
		{`{"type":"string"}`, `1.5`, "got number, want string"},
		{`{"type":"string"}`, `3`, "got number, want string"},
		{`{"type":"integer"}`, `1.5`, "got number, want integer"},
		{`{"type":"integer"}`, `2`, ""},
		{`{"type":"number"}`, `2`, ""},
		{`{"type":"object"}`, `[]`, "got array, want object"},
		{`{"type":"array"}`, `null`, "got null, want array"},
		{`{"type":"boolean"}`, `true`, ""},
		{`{"const":"a"}`, `"b"`, "value must be 'a'"},
		{`{"const":"a"}`, `{"a":1}`, "value must be 'a'"},
		{`{"enum":["a","b"]}`, `"c"`, "value must be one of 'a', 'b'"},
		{`{"enum":["a","b"]}`, `["a"]`, "value must be one of 'a', 'b'"},
		{`{"enum":["a"]}`, `"c"`, "value must be 'a'"},
		{`{"enum":[1,true,null]}`, `1`, ""},
		{`{"enum":[1,true,null]}`, `false`, "value must be one of 1, true, null"},
		{`{"minimum":2}`, `1.5`, "minimum: got 1.5, want 2"},
		{`{"minimum":2}`, `"x"`, ""},
		{`{"maximum":9007199254740991}`, `9007199254740992`, "maximum: got 9007199254740992, want 9007199254740991"},
		{`{"minLength":2}`, `"é"`, "minLength: got 1, want 2"},
		{`{"maxLength":2}`, `"ééé"`, "maxLength: got 3, want 2"},
		{`{"pattern":"^e[0-9]+$"}`, `"x'\"\n"`, `'x'"\n' does not match pattern '^e[0-9]+$'`},
		{`{"items":{"type":"string"}}`, `["a",1]`, "1: got number, want string"},
		{`{"minItems":1}`, `[]`, "minItems: got 0, want 1"},
		{`{"maxItems":1}`, `[1,2]`, "maxItems: got 2, want 1"},
		{`{"required":["a"]}`, `{}`, "missing property 'a'"},
		{`{"required":["a","b","c"]}`, `{"b":null}`, "missing properties 'a', 'c'"},
		{`{"properties":{"b":{"type":"string"},"a":{"type":"string"}}}`, `{"a":1,"b":2,"c":3}`, "b: got number, want string"},
		{`{"properties":{"a":{"items":{"properties":{"b":{"const":"x"}}}}}}`, `{"a":[{"b":"x"},{"b":"y"}]}`, "a.1.b: value must be 'x'"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"c":1,"b":1}`, "additional properties 'b', 'c' not allowed"},
		{`{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`, `{"a":1,"b":2}`, "b: got number, want string"},
		{`{"allOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1}`, "missing property 'b'"},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":1}`, ""},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, "none of the ways in which this may be given fits"},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":1}`, "exactly one of the ways in which this may be given must fit, not 2"},
		{`{"not":{"required":["a"]}}`, `{"a":1}`, "this must not be given so"},
		{`{"not":{"required":["a"]}}`, `{}`, ""},
		{`{"description":"x","title":"x","format":"date-time"}`, `"never"`, ""},
	} {
		s, err := readSchema([]byte(c.schema))
		if err != nil {
			t.Errorf("read %s: %v", c.schema, err)
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(c.value), &value); err != nil {
			t.Fatal(err)
		}
		said := ""
		if f := s.check(value); f != nil {
			said = f.Error()
		}
		if said != c.said {
			t.Errorf("%s by %s: said %q, expected %q", c.value, c.schema, said, c.said)
		}
		if err := compiled(t, []byte(c.schema))("").Validate(value); (err == nil) != (said == "") {
			t.Errorf("%s by %s: said %q, the library: %v", c.value, c.schema, said, err)
		}
	}
}

// TestCheckKnowsEveryWord reads the whole schema by what check heeds: a word that it would pass over is refused.
func TestCheckKnowsEveryWord(t *testing.T) {
	for name, def := range newMaker(t, nil).defs {
		branch(name) // panics
		var found map[string]any
		if err := json.Unmarshal(definition(name), &found); err != nil || !reflect.DeepEqual(found, def) {
			t.Errorf("%s was not found as it stands in the schema: %v", name, err)
		}
	}
	if found := definition("properties"); found != nil {
		t.Errorf("found %.80s", found)
	}
	settings()
	for _, unknown := range []string{`{"uniqueItems":true}`, `{"properties":{"a":{"exclusiveMinimum":1}}}`, `{"$ref":"other.json"}`, `{"pattern":"("}`, ``} {
		if s, err := readSchema([]byte(unknown)); err == nil {
			t.Errorf("read %s as %v, expected an error", unknown, s)
		}
	}
}

// TestFaultIsShort has a fault told in a line that does not grow with what is at fault.
func TestFaultIsShort(t *testing.T) {
	long := strings.Repeat("ü", 10_000)
	_, err := DecodeAction([]byte(`{"type":"click","uid":"` + long[:12] + `"}`))
	if err == nil || !strings.Contains(err.Error(), "uid: 'üüüüüü' does not match pattern") {
		t.Errorf("got %v", err)
	}
	f := branch("Ref").check(map[string]any{"ref": long, "role": "x"})
	if f == nil || len(f.Error()) > 200 {
		t.Errorf("got %.300v", f)
	}
	if got := quoted(long); !strings.HasSuffix(got, "ü…'") || len(got) > quotedMax+8 {
		t.Errorf("got %q", got)
	}
}

// TestFaultIsTheFirst has the same fault told each time, though maps have no order.
func TestFaultIsTheFirst(t *testing.T) {
	var said []string
	for range 20 {
		_, err := DecodeAction([]byte(`{"type":"mouse","kind":"x","x":"a","y":"b","button":"c"}`))
		said = append(said, err.Error())
	}
	if slices.Sort(said); said[0] != said[len(said)-1] {
		t.Errorf("said %q and %q", said[0], said[len(said)-1])
	}
}
