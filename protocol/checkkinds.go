package protocol

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kindOf is a decoded value's JSON type; a number without a fraction is an integer.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		if value == math.Trunc(value) {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "unknown"
}

func (s *schema) checkObject(members map[string]any) *fault {
	var missing []string
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			missing = append(missing, quoted(name))
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		return faultf("missing property %s", missing[0])
	default:
		return faultf("missing properties %s", strings.Join(missing, ", "))
	}
	for _, p := range s.Properties {
		if value, ok := members[p.name]; ok {
			if f := p.of.check(value); f != nil {
				return f.in(p.name)
			}
		}
	}
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.checkOthers(members)
}

// checkOthers checks the members that the schema does not name.
func (s *schema) checkOthers(members map[string]any) *fault {
	var others []string
	for name := range members {
		if !s.Properties.has(name) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	if s.AdditionalProperties.of == nil {
		for i, name := range others {
			others[i] = quoted(name)
		}
		return faultf("additional properties %s not allowed", strings.Join(others, ", "))
	}
	for _, name := range others {
		if f := s.AdditionalProperties.of.check(members[name]); f != nil {
			return f.in(name)
		}
	}
	return nil
}

func (s *schema) checkArray(items []any) *fault {
	switch n := len(items); {
	case s.MinItems != nil && n < *s.MinItems:
		return faultf("minItems: got %d, want %d", n, *s.MinItems)
	case s.MaxItems != nil && n > *s.MaxItems:
		return faultf("maxItems: got %d, want %d", n, *s.MaxItems)
	}
	if s.Items == nil {
		return nil
	}
	for i, item := range items {
		if f := s.Items.check(item); f != nil {
			return f.in(strconv.Itoa(i))
		}
	}
	return nil
}

func (s *schema) checkString(text string) *fault {
	if s.MinLength != nil || s.MaxLength != nil {
		switch n := utf8.RuneCountInString(text); {
		case s.MinLength != nil && n < *s.MinLength:
			return faultf("minLength: got %d, want %d", n, *s.MinLength)
		case s.MaxLength != nil && n > *s.MaxLength:
			return faultf("maxLength: got %d, want %d", n, *s.MaxLength)
		}
	}
	if s.Pattern.Regexp != nil && !s.Pattern.MatchString(text) {
		return faultf("%s does not match pattern %s", quoted(text), quoted(s.Pattern.String()))
	}
	return nil
}

func (s *schema) checkNumber(number float64) *fault {
	switch {
	case s.Minimum != nil && number < *s.Minimum:
		return faultf("minimum: got %s, want %s", decimal(number), decimal(*s.Minimum))
	case s.Maximum != nil && number > *s.Maximum:
		return faultf("maximum: got %s, want %s", decimal(number), decimal(*s.Maximum))
	}
	return nil
}

// combine checks what the schema makes of other schemas.
func (s *schema) combine(value any) *fault {
	for _, each := range s.AllOf {
		if f := each.check(value); f != nil {
			return f
		}
	}
	if s.AnyOf != nil && count(s.AnyOf, value) == 0 {
		return faultf("none of the ways in which this may be given fits")
	}
	if s.OneOf != nil {
		if n := count(s.OneOf, value); n != 1 {
			return faultf("exactly one of the ways in which this may be given must fit, not %d", n)
		}
	}
	if s.Not != nil && s.Not.check(value) == nil {
		return faultf("this must not be given so")
	}
	return nil
}

// count is how many of the schemas a value fits.
func count(schemas []*schema, value any) int {
	n := 0
	for _, s := range schemas {
		if s.check(value) == nil {
			n++
		}
	}
	return n
}

// oneOf names the values of an enum.
func oneOf(values []any) string {
	if len(values) == 1 {
		return display(values[0])
	}
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = display(value)
	}
	return "one of " + strings.Join(names, ", ")
}

// display writes a string between quotation marks, and any other single value as it is.
func display(value any) string {
	switch value := value.(type) {
	case string:
		return quoted(value)
	case float64:
		return decimal(value)
	case bool:
		return strconv.FormatBool(value)
	}
	return "null"
}

// quotedMax is how much of a text an error shows, in bytes: the rest says no more, and it may be megabytes.
const quotedMax = 64

func quoted(text string) string {
	if len(text) > quotedMax {
		cut := quotedMax
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	shown := strconv.Quote(text)
	return "'" + strings.ReplaceAll(shown[1:len(shown)-1], `\"`, `"`) + "'"
}

func decimal(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
