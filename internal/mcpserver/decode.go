package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/drawbridge-browser/drawbridge/internal/fields"
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
	given := map[string]jsontext.Value{}
	// Duplicate names are refused: two readers could each take another one.
	if err := jsonv2.Unmarshal(raw, &given); err != nil {
		return input{}, invalid("the input is no acceptable JSON object: %v", err)
	}
	// Some models send null for what they leave out.
	maps.DeleteFunc(given, func(_ string, v jsontext.Value) bool { return string(v) == "null" })

	var in input
	var action string
	for name, into := range map[string]*string{"more": &in.more, "browser": &in.call.Browser, "action": &action} {
		if err := take(given, name, into); err != nil {
			return input{}, err
		}
	}
	if in.more != "" {
		return in, nil
	}
	known, ok := fields.Of(protocol.ActionType(action))
	if !ok {
		return input{}, invalid("action %q is unknown: expected one of %s", action, offeredList())
	}
	if err := renameRefs(given); err != nil {
		return input{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := known.Fields[name]; !ok {
			return input{}, invalid("%s has no field %q: it takes %s", action, name, strings.Join(takes(protocol.ActionType(action), known), ", "))
		}
	}
	given[protocol.Actions.Key] = jsontext.Value(fmt.Sprintf("%q", action))
	tagged, err := jsonv2.Marshal(given)
	if err != nil {
		return input{}, invalid("the input is no acceptable JSON object: %v", err)
	}
	in.call.Action, err = protocol.DecodeAction(tagged)
	return in, err
}

// take moves a string member out of given; a member that is not there leaves into as it is.
func take(given map[string]jsontext.Value, name string, into *string) error {
	value, ok := given[name]
	if !ok {
		return nil
	}
	delete(given, name)
	if err := jsonv2.Unmarshal(value, into); err != nil {
		return invalid("%s is %s: expected a string", name, value)
	}
	return nil
}

// renameRefs turns ref, and what people write for it, into uid, also inside a drag's ends.
func renameRefs(given map[string]jsontext.Value) error {
	for _, name := range []string{"ref", "uid"} {
		value, ok := given[name]
		if !ok {
			continue
		}
		var ref string
		if err := jsonv2.Unmarshal(value, &ref); err != nil {
			return invalid("%s is %s: expected a string such as \"e7\"", name, value)
		}
		if _, both := given["uid"]; both && name == "ref" {
			return invalid("both ref and uid are given: they are the same, give one")
		}
		delete(given, name)
		given["uid"] = jsontext.Value(fmt.Sprintf("%q", protocolRef(ref)))
	}
	for _, name := range []string{"from", "to"} {
		value, ok := given[name]
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
		given[name] = renamed
	}
	return nil
}

// protocolRef takes off what other tools put in front of a ref: @e7, ref=e7.
func protocolRef(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(ref), "@"), "ref=")
}

// takes lists an action's fields by the names that models use.
func takes(t protocol.ActionType, a fields.Action) []string {
	var names []string
	for name := range a.Fields {
		if !isHidden(t, name) {
			names = append(names, outwards(name))
		}
	}
	slices.Sort(names)
	return names
}

func offeredList() string {
	var names []string
	for _, m := range protocol.Methods {
		names = append(names, string(m.Type))
	}
	return strings.Join(names, ", ")
}

func invalid(format string, args ...any) *protocol.Error {
	return protocol.Errorf(protocol.CodeInvalidAction, format, args...)
}
