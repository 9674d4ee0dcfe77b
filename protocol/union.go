package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
)

// Variant is one struct of a union, with its tag.
type Variant struct {
	Tag  string
	Type reflect.Type
	// Extended is true for variants beyond plain version 4.
	Extended bool
}

// Union is the codec of an interface whose variants are told apart by the member Key. The
// variants are plain structs without a tag field: the tag lives in one table only.
type Union[I any] struct {
	// Key is the member that holds the tag.
	Key      string
	Variants []Variant
	byTag    map[string]reflect.Type
	byType   map[reflect.Type]string
}

func newUnion[I any](key string, variants []Variant) *Union[I] {
	u := &Union[I]{Key: key, Variants: variants, byTag: map[string]reflect.Type{}, byType: map[reflect.Type]string{}}
	for _, v := range variants {
		if !v.Type.Implements(reflect.TypeFor[I]()) {
			panic(fmt.Sprintf("protocol: %v is no variant of %v", v.Type, reflect.TypeFor[I]()))
		}
		u.byTag[v.Tag], u.byType[v.Type] = v.Type, v.Tag
	}
	return u
}

// Tag returns the tag of a variant, "" for nil and for what is none.
func (u *Union[I]) Tag(v I) string {
	if t := reflect.TypeOf(v); t != nil {
		return u.byType[t]
	}
	return ""
}

// Marshal writes a variant with its tag in front.
func (u *Union[I]) Marshal(v I) ([]byte, error) {
	tag := u.Tag(v)
	if tag == "" {
		return nil, fmt.Errorf("%T is no variant of %s", v, reflect.TypeFor[I]().Name())
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	head := `{"` + u.Key + `":"` + tag + `"`
	if len(b) == len("{}") {
		return []byte(head + "}"), nil
	}
	out := make([]byte, 0, len(head)+len(b))
	out = append(out, head...)
	out = append(out, ',')
	return append(out, b[1:]...), nil
}

// unmarshal decodes what check has let through. Names match to the letter, which the standard
// library's decoder does not do: it would fill tabId from "TABID", past the schema.
func (u *Union[I]) unmarshal(raw []byte) (I, error) {
	var zero I
	tag, err := tagOf(raw, u.Key)
	if err != nil {
		return zero, err
	}
	t, ok := u.byTag[tag]
	if !ok {
		return zero, fmt.Errorf("unknown %s %q", u.Key, tag)
	}
	p := reflect.New(t)
	if err := decodeExact(raw, p.Interface()); err != nil {
		return zero, fmt.Errorf("%s: %w", tag, err)
	}
	v, _ := p.Elem().Interface().(I)
	return v, nil
}

func tagOf(raw []byte, key string) (string, error) {
	head := map[string]json.RawMessage{}
	if err := decodeExact(raw, &head); err != nil {
		return "", fmt.Errorf("not a JSON object: %w", err)
	}
	var tag string
	if err := decodeExact(head[key], &tag); err != nil {
		return "", fmt.Errorf("missing %q, a string", key)
	}
	return tag, nil
}

func decodeExact(raw []byte, into any) error {
	return jsonv2.Unmarshal(raw, into, exactOptions)
}
