package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// input is what one tools/call asks for: a call, or the word of an answer's rest.
type input struct {
	call Call
	more string
}

// decode reads the flat input: it puts the names that models use back into protocol's,
// refuses fields of other actions, and lets protocol's decoder check the rest. Errors
// are *protocol.Error of code invalid_action.
func decode(raw json.RawMessage) (input, error) {
	fields := map[string]jsontext.Value{}
	// Duplicate names are refused: two readers could each take another one.
	if err := jsonv2.Unmarshal(raw, &fields); err != nil {
		return input{}, invalid("the input is no acceptable JSON object: %v", err)
	}
	// Some models send null for what they leave out.
	maps.DeleteFunc(fields, func(_ string, v jsontext.Value) bool { return string(v) == "null" })

	var in input
	var action string
	for name, into := range map[string]*string{"more": &in.more, "browser": &in.call.Browser, "action": &action} {
		if err := take(fields, name, into); err != nil {
			return input{}, err
		}
	}
	if in.more != "" {
		return in, nil
	}
	known := branches()[protocol.ActionType(action)]
	if known.Properties == nil {
		return input{}, invalid("action %q is unknown: expected one of %s", action, offeredList())
	}
	if err := renameRefs(fields); err != nil {
		return input{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, ok := known.Properties[name]; !ok || name == "type" {
			return input{}, invalid("%s has no field %q: it takes %s", action, name, strings.Join(takes(known), ", "))
		}
	}
	fields["type"] = jsontext.Value(fmt.Sprintf("%q", action))
	tagged, err := jsonv2.Marshal(fields)
	if err != nil {
		return input{}, invalid("the input is no acceptable JSON object: %v", err)
	}
	in.call.Action, err = protocol.DecodeAction(tagged)
	return in, err
}

// take moves a string member out of fields; a member that is not there leaves into as it is.
func take(fields map[string]jsontext.Value, name string, into *string) error {
	value, ok := fields[name]
	if !ok {
		return nil
	}
	delete(fields, name)
	if err := jsonv2.Unmarshal(value, into); err != nil {
		return invalid("%s is %s: expected a string", name, value)
	}
	return nil
}

// renameRefs turns ref, and what people write for it, into uid, also inside a drag's ends.
func renameRefs(fields map[string]jsontext.Value) error {
	for _, name := range []string{"ref", "uid"} {
		value, ok := fields[name]
		if !ok {
			continue
		}
		var ref string
		if err := jsonv2.Unmarshal(value, &ref); err != nil {
			return invalid("%s is %s: expected a string such as \"e7\"", name, value)
		}
		if _, both := fields["uid"]; both && name == "ref" {
			return invalid("both ref and uid are given: they are the same, give one")
		}
		delete(fields, name)
		fields["uid"] = jsontext.Value(fmt.Sprintf("%q", protocolRef(ref)))
	}
	for _, name := range []string{"from", "to"} {
		value, ok := fields[name]
		if !ok || value.Kind() != '{' {
			continue
		}
		end := map[string]jsontext.Value{}
		if err := jsonv2.Unmarshal(value, &end); err != nil {
			return invalid("%s: %v", name, err)
		}
		if err := renameRefs(end); err != nil {
			return err
		}
		renamed, err := jsonv2.Marshal(end)
		if err != nil {
			return invalid("%s: %v", name, err)
		}
		fields[name] = renamed
	}
	return nil
}

// protocolRef takes off what other tools put in front of a ref: @e7, ref=e7.
func protocolRef(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(ref), "@"), "ref=")
}

// takes lists an action's fields by the names that models use.
func takes(b branch) []string {
	var names []string
	for name := range b.Properties {
		if !slices.Contains(hidden, name) {
			names = append(names, outwards(name))
		}
	}
	slices.Sort(names)
	return names
}

func offeredList() string {
	var names []string
	for _, m := range protocol.Methods {
		if !slices.Contains(notOffered, m.Type) {
			names = append(names, string(m.Type))
		}
	}
	return strings.Join(names, ", ")
}

func invalid(format string, args ...any) *protocol.Error {
	return protocol.Errorf(protocol.CodeInvalidAction, format, args...)
}
