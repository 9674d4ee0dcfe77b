package protocol

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// schema is an object of our own JSON Schema: of the language, the words that protocol/gen writes and no others. A test reads
// every definition by it, and another holds its verdicts against a library that knows the whole language.
//
// The library did this work before, and compiled five drafts of the language each time that the program began: 5 ms of the
// 14 that a command on the command line had in all, and no way to do without as long as it is linked. The one that begins at
// once (google/jsonschema-go) does not tell where in the value a fault is, and writes the value whole into its errors: a
// secret, or megabytes of what a page sent.
type schema struct {
	Ref                  reference      `json:"$ref"`
	Type                 string         `json:"type"`
	Const                any            `json:"const"`
	Enum                 []any          `json:"enum"`
	Minimum              *float64       `json:"minimum"`
	Maximum              *float64       `json:"maximum"`
	MinLength            *int           `json:"minLength"`
	MaxLength            *int           `json:"maxLength"`
	Pattern              pattern        `json:"pattern"`
	Items                *schema        `json:"items"`
	MinItems             *int           `json:"minItems"`
	MaxItems             *int           `json:"maxItems"`
	Properties           properties     `json:"properties"`
	Required             []string       `json:"required"`
	AdditionalProperties *additional    `json:"additionalProperties"`
	AllOf                []*schema      `json:"allOf"`
	AnyOf                []*schema      `json:"anyOf"`
	OneOf                []*schema      `json:"oneOf"`
	Not                  *schema        `json:"not"`
	Description          jsontext.Value `json:"description"`   // says nothing about values, like all that follow
	Title                jsontext.Value `json:"title"`         //
	Format               jsontext.Value `json:"format"`        //
	Discriminator        jsontext.Value `json:"discriminator"` //
	Draft                jsontext.Value `json:"$schema"`       //
	ID                   jsontext.Value `json:"$id"`           //
}

// reference is the name of another definition; empty for none.
type reference string

// refTo begins a reference to another definition.
const refTo = "#/$defs/"

// UnmarshalText reads a reference, which leads nowhere but to a definition.
func (r *reference) UnmarshalText(text []byte) error {
	name, ok := strings.CutPrefix(string(text), refTo)
	if !ok {
		return fmt.Errorf("a reference to %q: expected one that begins with %s", text, refTo)
	}
	*r = reference(name)
	return nil
}

// pattern is what a string must match; the zero value is anything.
type pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a pattern.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

// property is a member and its schema.
type property struct {
	name string
	of   *schema
}

// properties are an object's members in the order in which the schema has them, which is the one in which faults are told.
type properties []property

// UnmarshalJSONFrom reads the members one by one, to keep their order.
func (p *properties) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		member := property{name: name.String(), of: &schema{}}
		if err := jsonv2.UnmarshalDecode(d, member.of); err != nil {
			return err
		}
		*p = append(*p, member)
	}
	_, err := d.ReadToken()
	return err
}

func (p properties) has(name string) bool {
	return slices.ContainsFunc(p, func(member property) bool { return member.name == name })
}

// additional is what members that are not named must be: of is nil where there may be none.
type additional struct{ of *schema }

// UnmarshalJSONFrom reads false or a schema.
func (a *additional) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == 'f' {
		_, err := d.ReadToken()
		return err
	}
	a.of = &schema{}
	return jsonv2.UnmarshalDecode(d, a.of)
}

// readSchema reads a schema; a word that check would not heed is an error.
func readSchema(raw []byte) (*schema, error) {
	if len(raw) == 0 {
		return nil, errors.New("there is no such definition")
	}
	s := &schema{}
	return s, jsonv2.Unmarshal(raw, s, jsonv2.RejectUnknownMembers(true))
}

// fault is why a value does not fit.
type fault struct {
	path []string // where it is, the innermost first
	said string   // what is wrong there
}

func faultf(format string, args ...any) *fault { return &fault{said: fmt.Sprintf(format, args...)} }

// in puts the fault into a member or an item.
func (f *fault) in(name string) *fault {
	if f != nil {
		f.path = append(f.path, name)
	}
	return f
}

// Error says in one line where what is wrong.
func (f *fault) Error() string {
	if len(f.path) == 0 {
		return f.said
	}
	path := slices.Clone(f.path)
	slices.Reverse(path)
	return strings.Join(path, ".") + ": " + f.said
}

// check holds a decoded value against the schema and returns the first fault, nil when there is none. It goes no deeper than
// the schema does where that does not refer to itself, and else no deeper than the value, which checkKeys has limited.
func (s *schema) check(value any) *fault {
	if got := kindOf(value); s.Type != "" && got != s.Type && (got != "integer" || s.Type != "number") {
		return faultf("got %s, want %s", strings.Replace(got, "integer", "number", 1), s.Type)
	}
	if s.Const != nil && value != s.Const {
		return faultf("value must be %s", display(s.Const))
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		return faultf("value must be %s", oneOf(s.Enum))
	}
	if s.Ref != "" {
		if f := branch(string(s.Ref)).check(value); f != nil {
			return f
		}
	}
	var f *fault
	switch value := value.(type) {
	case map[string]any:
		f = s.checkObject(value)
	case []any:
		f = s.checkArray(value)
	case string:
		f = s.checkString(value)
	case float64:
		f = s.checkNumber(value)
	}
	if f != nil {
		return f
	}
	return s.combine(value)
}
