package protocol

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema is the JSON Schema 2020-12 of everything in this package, as generated. Its root is a
// Frame.
//
//go:embed schema/protocol.json
var Schema []byte

// OpenAPI is the HTTP API as an OpenAPI 3.1 document, as generated.
//
//go:embed schema/openapi.json
var OpenAPI []byte

// SettingsSchema is the JSON Schema 2020-12 of a drawbridge.json, as generated from [Settings].
//
//go:embed schema/drawbridge.json
var SettingsSchema []byte

// exactOptions: names match to the letter, and text that is no UTF-8, or half a surrogate pair,
// becomes U+FFFD as it does in a browser: pages write such text.
// Duplicate names are checkKeys' business, which has run before.
var exactOptions = jsonv2.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsonv2.MatchCaseInsensitiveNames(false))

// DecodeAction validates and reads one action. An error is an *Error of code invalid_action
// that names the field.
func DecodeAction(raw []byte) (Action, error) {
	if err := checkKeys(raw); err != nil {
		return nil, Errorf(CodeInvalidAction, "the action is not acceptable JSON: %v", err)
	}
	if err := checkUnion(Actions.Variants, "action", raw); err != nil {
		return nil, Errorf(CodeInvalidAction, "%v", err)
	}
	a, err := Actions.unmarshal(raw)
	if err != nil {
		return nil, Errorf(CodeInvalidAction, "%v", err)
	}
	return a, nil
}

// DecodeActRequest validates and reads the body of POST /v1/act. An error is an *Error of code
// invalid_action.
func DecodeActRequest(raw []byte) (ActRequest, error) {
	var r ActRequest
	if err := checkKeys(raw); err != nil {
		return r, Errorf(CodeInvalidAction, "the body is not acceptable JSON: %v", err)
	}
	var head struct {
		Action json.RawMessage `json:"action"`
	}
	if err := decodeExact(raw, &head); err != nil || head.Action == nil {
		return r, Errorf(CodeInvalidAction, `the body has no "action": expected {"action":{"type":…}}`)
	}
	if _, err := DecodeAction(head.Action); err != nil {
		return r, err
	}
	if err := checkStruct(reflect.TypeFor[ActRequest](), raw); err != nil {
		return r, Errorf(CodeInvalidAction, "%v", err)
	}
	if err := decodeExact(raw, &r); err != nil {
		return r, Errorf(CodeInvalidAction, "%v", err)
	}
	return r, nil
}

// DecodeBody validates and reads the body of a request to the HTTP API. An error is an *Error of code invalid_action.
func DecodeBody[T any](raw []byte) (T, error) {
	var body T
	if err := checkKeys(raw); err != nil {
		return body, Errorf(CodeInvalidAction, "the body is not acceptable JSON: %v", err)
	}
	if err := checkStruct(reflect.TypeFor[T](), raw); err != nil {
		return body, Errorf(CodeInvalidAction, "%v", err)
	}
	// A member that we do not know may be one that the caller counts on.
	if err := jsonv2.Unmarshal(raw, &body, exactOptions, jsonv2.RejectUnknownMembers(true)); err != nil {
		return body, Errorf(CodeInvalidAction, "%v", err)
	}
	return body, nil
}

// DecodeFrame validates and reads one frame of the bridge dialect. A Response's result stays raw,
// since only the pending call knows its action: see DecodeResult.
func DecodeFrame(raw []byte) (Frame, error) {
	if err := checkKeys(raw); err != nil {
		return nil, fmt.Errorf("not acceptable JSON: %w", err)
	}
	// A nested union first, so that its error names the field.
	var head struct {
		Type   string         `json:"type"`
		Action jsontext.Value `json:"action"`
		Event  jsontext.Value `json:"event"`
	}
	if err := decodeExact(raw, &head); err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	switch {
	case head.Type == "response":
		return decodeResponse(raw)
	case head.Type == "request" && head.Action != nil:
		if err := checkUnion(Actions.Variants, "action", head.Action); err != nil {
			return nil, err
		}
	case head.Type == "event" && head.Event != nil:
		if e, err := decodeEvent(head.Event); err != nil {
			return nil, err
		} else if e == nil {
			return EventFrame{}, nil // unknown types of event are no error
		}
	}
	if err := checkUnion(Frames.Variants, "frame", raw); err != nil {
		return nil, err
	}
	return Frames.unmarshal(raw)
}

// decodeResponse checks a response without walking its result, which may be megabytes and is
// walked once, by DecodeResult.
func decodeResponse(raw []byte) (Frame, error) {
	var members map[string]jsontext.Value
	if err := decodeExact(raw, &members); err != nil {
		return nil, fmt.Errorf("frame response: %w", err)
	}
	doc := make(map[string]any, len(members))
	for name, value := range members {
		if name == "result" {
			doc[name] = nil // any value will do
			continue
		}
		var v any
		if err := decodeExact(value, &v); err != nil {
			return nil, fmt.Errorf("frame response: %s: %w", name, err)
		}
		doc[name] = v
	}
	if err := checkDocument(reflect.TypeFor[Response](), doc); err != nil {
		return nil, fmt.Errorf("frame response: %w", err)
	}
	r := Response{Result: json.RawMessage(members["result"])}
	r.ID, _ = doc["id"].(string)
	if e, ok := members["error"]; ok {
		r.Error = &Error{}
		if err := decodeExact(e, r.Error); err != nil {
			return nil, fmt.Errorf("frame response: error: %w", err)
		}
	}
	return r, nil
}

// EncodeFrame writes one frame of the bridge dialect.
func EncodeFrame(f Frame) ([]byte, error) { return Frames.Marshal(f) }

// DecodeResult validates and reads the result of an action of type t that stood in a frame:
// DecodeFrame has checked its keys already.
func DecodeResult(t ActionType, raw []byte) (Result, error) {
	m, ok := MethodOf(t)
	if !ok {
		return nil, fmt.Errorf("unknown action %q", t)
	}
	if err := checkStruct(m.Result, raw); err != nil {
		return nil, fmt.Errorf("result of %s: %w", t, err)
	}
	return ReadResult(t, raw)
}

// ReadResult reads the result of an action of type t that comes from a server, which has
// validated it.
func ReadResult(t ActionType, raw []byte) (Result, error) {
	m, ok := MethodOf(t)
	if !ok {
		return nil, fmt.Errorf("unknown action %q", t)
	}
	p := reflect.New(m.Result)
	if err := decodeExact(raw, p.Interface()); err != nil {
		return nil, fmt.Errorf("result of %s: %w", t, err)
	}
	r, _ := p.Elem().Interface().(Result)
	return r, nil
}

func decodeEvent(raw []byte) (Event, error) {
	if err := checkKeys(raw); err != nil {
		return nil, err
	}
	tag, err := tagOf(raw, Events.Key)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	if !slices.ContainsFunc(Events.Variants, func(v Variant) bool { return v.Tag == tag }) {
		return nil, nil
	}
	if err := checkUnion(Events.Variants, "event", raw); err != nil {
		return nil, err
	}
	return Events.unmarshal(raw)
}

func checkUnion(variants []Variant, what string, raw []byte) error {
	tag, err := tagOf(raw, "type")
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	i := slices.IndexFunc(variants, func(v Variant) bool { return v.Tag == tag })
	if i < 0 {
		return fmt.Errorf("unknown %s type %q", what, tag)
	}
	if err := checkStruct(variants[i].Type, raw); err != nil {
		return fmt.Errorf("%s %s: %w", what, tag, err)
	}
	return nil
}

func checkStruct(t reflect.Type, raw []byte) error {
	var doc any
	if err := decodeExact(raw, &doc); err != nil {
		return err
	}
	return checkDocument(t, doc)
}

func checkDocument(t reflect.Type, doc any) error {
	f := branch(t.Name()).check(doc)
	if f == nil {
		return nil
	}
	// Which rule is broken says more than which of the schemas does not fit that stand for it.
	members, _ := doc.(map[string]any)
	for _, r := range Constraints[t] {
		if n := r.count(members); n > 1 || n == 0 && !r.AtMost1 {
			how := "exactly"
			if r.AtMost1 {
				how = "at most"
			}
			return fmt.Errorf("%s one of %s must be given, not %d", how, strings.Join(r.OneOf, ", "), n)
		}
	}
	return f
}

// count tells how many of the rule's members are there.
func (r Rule) count(members map[string]any) int {
	n := 0
	for _, name := range r.OneOf {
		if _, ok := members[name]; ok {
			n++
		}
	}
	return n
}
