package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Values are what the names of a conversation stand for so far.
type Values struct {
	told map[string]any // by a frame that passed, or by the player
	let  map[string]any // for names that must be filled in before any frame told them
}

// Start gives the values that a conversation begins with: what the player knows.
func (c *Conversation) Start(known map[string]any) Values {
	return Values{told: maps.Clone(known), let: c.Values}
}

// Tell says what a name stands for from now on.
func (v Values) Tell(name string, value any) { v.told[name] = value }

// more is the member that lets an object have others.
const more = "..."

// Match holds a frame against what the conversation has in its place, and learns what its new names stand for. The error says
// what differs, and where.
func (v Values) Match(want string, got []byte) error {
	var expected, actual any
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		return fmt.Errorf("the conversation's own frame: %w", err)
	}
	if err := json.Unmarshal(got, &actual); err != nil {
		return fmt.Errorf("got no JSON: %w", err)
	}
	learned := Values{told: maps.Clone(v.told)}
	if err := learned.match("", expected, actual); err != nil {
		return fmt.Errorf("%w\nexpected %s\ngot      %s", err, oneLine(want), clip(got))
	}
	maps.Copy(v.told, learned.told)
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func clip(raw []byte) string {
	const limit = 2000
	if len(raw) <= limit {
		return string(raw)
	}
	return string(raw[:limit]) + "…"
}

func (v Values) match(at string, want, got any) error {
	switch want := want.(type) {
	case string:
		return v.matchString(at, want, got)
	case map[string]any:
		return v.matchObject(at, want, got)
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Errorf("%s: expected a list of %d", at, len(want))
		}
		for i := range want {
			if err := v.match(fmt.Sprintf("%s[%d]", at, i), want[i], list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("%s: expected %v, got %v", at, want, got)
	}
	return nil
}

func (v Values) matchString(at, want string, got any) error {
	if name, ok := placeholder(want); ok {
		if known, told := v.told[name]; told && !reflect.DeepEqual(known, got) {
			return fmt.Errorf("%s: expected $%s, which is %v, got %v", at, name, known, got)
		}
		if name != "_" {
			v.told[name] = got
		}
		return nil
	}
	if full := v.expand(want); full != got {
		return fmt.Errorf("%s: expected %q, got %v", at, full, got)
	}
	return nil
}

func (v Values) matchObject(at string, want map[string]any, got any) error {
	object, ok := got.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: expected an object", at)
	}
	_, open := want[more]
	for name := range object {
		if _, expected := want[name]; !expected && !open {
			return fmt.Errorf("%s.%s: nothing of that name was expected", at, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if name == more {
			continue
		}
		member, there := object[name]
		if !there {
			return fmt.Errorf("%s.%s: it is missing", at, name)
		}
		if err := v.match(at+"."+name, want[name], member); err != nil {
			return err
		}
	}
	return nil
}

var inString = regexp.MustCompile(`\$\{([A-Za-z0-9_]+)\}`)

func placeholder(s string) (name string, ok bool) {
	name, ok = strings.CutPrefix(s, "$")
	return name, ok && !strings.HasPrefix(name, "{") && !strings.HasPrefix(name, "text:")
}

func (v Values) expand(s string) string {
	return inString.ReplaceAllStringFunc(s, func(m string) string {
		if text, ok := v.told[m[2:len(m)-1]].(string); ok {
			return text
		}
		return m
	})
}

// Fill puts values in place of a frame's names. It fails for a name whose value nobody has told.
func (v Values) Fill(frame string) (string, error) {
	var f any
	if err := json.Unmarshal([]byte(frame), &f); err != nil {
		return "", fmt.Errorf("the conversation's own frame: %w", err)
	}
	filled, err := v.fill(f)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(filled)
	return string(raw), err
}

func (v Values) fill(f any) (any, error) {
	switch f := f.(type) {
	case string:
		if n, ok := strings.CutPrefix(f, "$text:"); ok {
			length, err := strconv.Atoi(n)
			return strings.Repeat("x", length), err
		}
		name, ok := placeholder(f)
		if !ok {
			return v.expand(f), nil
		}
		value, told := v.told[name]
		if !told {
			if value, told = v.let[name]; !told {
				return nil, fmt.Errorf("$%s: nobody has told its value", name)
			}
			v.told[name] = value
		}
		return value, nil
	case map[string]any:
		out := map[string]any{}
		for name, member := range f {
			if name == more {
				continue
			}
			filled, err := v.fill(member)
			if err != nil {
				return nil, err
			}
			out[name] = filled
		}
		return out, nil
	case []any:
		out := make([]any, len(f))
		for i := range f {
			filled, err := v.fill(f[i])
			if err != nil {
				return nil, err
			}
			out[i] = filled
		}
		return out, nil
	}
	return f, nil
}

// FillText is Fill for what is no JSON: "$NAME" and "${NAME}" become a string's text.
func (v Values) FillText(text string) string {
	for name, value := range v.told {
		if s, ok := value.(string); ok {
			text = strings.ReplaceAll(text, "$"+name, s)
		}
	}
	return v.expand(text)
}
