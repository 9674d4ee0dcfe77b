package fields

import (
	"reflect"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestFieldsAreThoseOfTheStructs(t *testing.T) {
	for _, m := range protocol.Methods {
		action, ok := Of(m.Type)
		if !ok || action.Description == "" {
			t.Errorf("%s: not there, or without a description", m.Type)
			continue
		}
		names := 0
		for _, f := range reflect.VisibleFields(m.Params) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				continue
			}
			names++
			if got, ok := action.Fields[name]; !ok || got.Kind == "" || got.Description == "" {
				t.Errorf("%s.%s: got %+v, want a kind and a description", m.Type, name, got)
			}
		}
		if names != len(action.Fields) {
			t.Errorf("%s has %d fields, its struct %d", m.Type, len(action.Fields), names)
		}
	}
}

func TestFieldsHaveTheirKinds(t *testing.T) {
	scroll, _ := Of("scroll")
	click, _ := Of("click")
	drag, _ := Of("drag")
	for name, got := range map[string]bool{
		"an enum":          len(scroll.Fields["direction"].Enum) == 4,
		"an integer":       scroll.Fields["pixels"].Kind == Integer,
		"an array's items": click.Fields["modifiers"].ItemKind == String && len(click.Fields["modifiers"].ItemEnum) == 4,
		"an object":        drag.Fields["from"].Kind == Object,
	} {
		if !got {
			t.Errorf("%s is not told", name)
		}
	}
	if _, ok := Of("fly"); ok {
		t.Error("an unknown action has fields")
	}
}
