package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const modulePath = "github.com/drawbridge-browser/drawbridge"

// schema is the whole vocabulary: one definition for each struct, and the order in which the
// other generators list them.
type schema struct {
	root  *jsonschema.Schema
	defs  jsonschema.Definitions
	order []string
}

// newReflector makes schemas of protocol's structs, with their doc comments as descriptions.
func newReflector(root string) (*jsonschema.Reflector, error) {
	r := &jsonschema.Reflector{
		Anonymous:                 true,
		AllowAdditionalProperties: true,
		Mapper:                    mapType,
	}
	// Comments are found by paths below the working directory.
	if err := r.AddGoComments(modulePath, filepath.Join(root, "protocol")); err != nil {
		return nil, fmt.Errorf("read doc comments: %w", err)
	}
	r.CommentMap = relativeComments(r.CommentMap, root)
	return r, nil
}

// settingsSchema is the schema of a drawbridge.json. Unlike a peer of another version, a settings file has no
// business with members that we do not know.
func settingsSchema(root string) ([]byte, error) {
	r, err := newReflector(root)
	if err != nil {
		return nil, err
	}
	r.AllowAdditionalProperties, r.ExpandedStruct = false, true
	s := r.Reflect(protocol.Settings{})
	s.ID, s.Title = "https://drawbridge-browser.github.io/schema/drawbridge.json", "drawbridge.json"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema of the settings: %w", err)
	}
	return append(text, '\n'), nil
}

func buildSchema(root string) (*schema, error) {
	r, err := newReflector(root)
	if err != nil {
		return nil, err
	}
	s := &schema{defs: jsonschema.Definitions{}}
	for _, v := range protocol.Actions.Variants {
		s.addVariant(r, v, protocol.Actions.Key)
	}
	for _, m := range protocol.Methods {
		s.add(r, m.Result)
	}
	for _, v := range protocol.Events.Variants {
		s.addVariant(r, v, protocol.Events.Key)
	}
	for _, v := range protocol.Frames.Variants {
		s.addVariant(r, v, protocol.Frames.Key)
	}
	s.add(r, reflect.TypeFor[protocol.Problem]())
	for _, e := range protocol.Endpoints {
		for _, t := range []reflect.Type{e.Request, e.Response} {
			if t != nil {
				s.add(r, t)
			}
		}
	}
	s.add(r, reflect.TypeFor[protocol.RPCAuth]())
	s.add(r, reflect.TypeFor[protocol.RPCError]())
	for _, m := range protocol.RPCMethods {
		s.add(r, m.Params)
		s.add(r, m.Result)
	}
	s.defs["Action"] = unionSchema("Action is one thing that a browser can be asked to do.", protocol.Actions.Key, protocol.Actions.Variants)
	s.defs["Event"] = unionSchema("Event is what a browser tells unasked.", protocol.Events.Key, protocol.Events.Variants)
	s.root = unionSchema("Frame is one text frame of the bridge dialect.", protocol.Frames.Key, protocol.Frames.Variants)
	s.root.Version, s.root.Title = jsonschema.Version, "Frame"
	s.root.ID = "https://drawbridge-browser.github.io/schema/v" + jsonschema.ID(fmt.Sprint(protocol.Version)) + "/protocol.json"
	s.root.Definitions = s.defs
	for name, d := range s.defs {
		if !slices.Contains(s.order, name) {
			s.order = append(s.order, name)
		}
		_ = d
	}
	slices.Sort(s.order)
	return s, nil
}

// relativeComments rewrites the comment map's keys from the path that was walked to the import path.
func relativeComments(m map[string]string, root string) map[string]string {
	out := make(map[string]string, len(m))
	prefix := modulePath + filepath.ToSlash(filepath.Join("/", root, "protocol"))
	for k, v := range m {
		if rest, ok := bytes.CutPrefix([]byte(k), []byte(prefix)); ok {
			k = modulePath + "/protocol" + string(rest)
		}
		out[k] = v
	}
	return out
}

func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[protocol.AnyAction]():
		return &jsonschema.Schema{Ref: "#/$defs/Action"}
	case reflect.TypeFor[protocol.AnyEvent]():
		return &jsonschema.Schema{Ref: "#/$defs/Event"}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{}
	}
	if values, ok := protocol.Enums[t]; ok {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range values {
			s.Enum = append(s.Enum, v)
		}
		return s
	}
	return nil
}

// add reflects a struct and those it refers to into the definitions, once.
func (s *schema) add(r *jsonschema.Reflector, t reflect.Type) *jsonschema.Schema {
	if d, done := s.defs[t.Name()]; done {
		return d
	}
	for name, d := range r.ReflectFromType(t).Definitions {
		if _, done := s.defs[name]; !done {
			s.defs[name] = d
		}
	}
	for rt, rules := range protocol.Constraints {
		if d, ok := s.defs[rt.Name()]; ok && d.AllOf == nil {
			for _, rule := range rules {
				d.AllOf = append(d.AllOf, ruleSchema(rule))
			}
		}
	}
	return s.defs[t.Name()]
}

func (s *schema) addVariant(r *jsonschema.Reflector, v protocol.Variant, key string) {
	d := s.add(r, v.Type)
	if d.Properties == nil {
		d.Properties = jsonschema.NewProperties()
	}
	d.Properties.Set(key, &jsonschema.Schema{Const: v.Tag})
	if err := d.Properties.MoveToFront(key); err != nil {
		panic(err) // the key was just set
	}
	d.Required = slices.Insert(d.Required, 0, key)
}

func ruleSchema(rule protocol.Rule) *jsonschema.Schema {
	out := &jsonschema.Schema{}
	var none []*jsonschema.Schema
	for _, name := range rule.OneOf {
		out.OneOf = append(out.OneOf, &jsonschema.Schema{Required: []string{name}})
		none = append(none, &jsonschema.Schema{Required: []string{name}})
	}
	if rule.AtMost1 {
		out.OneOf = append(out.OneOf, &jsonschema.Schema{Not: &jsonschema.Schema{AnyOf: none}})
	}
	return out
}

func unionSchema(what, key string, variants []protocol.Variant) *jsonschema.Schema {
	out := &jsonschema.Schema{
		Type: "object", Description: what, Required: []string{key},
		Extras: map[string]any{"discriminator": map[string]any{"propertyName": key}},
	}
	for _, v := range variants {
		out.OneOf = append(out.OneOf, &jsonschema.Schema{Ref: "#/$defs/" + v.Type.Name()})
	}
	return out
}

func (s *schema) text() ([]byte, error) {
	b, err := json.MarshalIndent(s.root, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
