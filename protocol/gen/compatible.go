package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
)

// incompatible lists where a peer of the old schema and one of the new would misunderstand each
// other. New definitions, new variants, new enum values and new optional fields are no fault.
func incompatible(old, current map[string]any) []string {
	was, is := object(old["$defs"]), object(current["$defs"])
	var faults []string
	for name := range was {
		if _, ok := is[name]; !ok {
			faults = append(faults, name+" is gone")
			continue
		}
		faults = append(faults, compareDefinition(name, object(was[name]), object(is[name]))...)
	}
	faults = append(faults, compareUnion("Frame", old, current)...)
	sort.Strings(faults)
	return faults
}

func compareDefinition(name string, was, is map[string]any) []string {
	var faults []string
	if !sameSet(was["required"], is["required"]) {
		faults = append(faults, name+": the required fields changed")
	}
	if !reflect.DeepEqual(was["allOf"], is["allOf"]) {
		faults = append(faults, name+": the rules between its fields changed")
	}
	faults = append(faults, compareUnion(name, was, is)...)
	properties := object(is["properties"])
	for key, p := range object(was["properties"]) {
		path := name + "." + key
		now, ok := properties[key]
		if !ok {
			faults = append(faults, path+" is gone")
			continue
		}
		faults = append(faults, compareValue(path, object(p), object(now))...)
	}
	return faults
}

func compareUnion(name string, was, is map[string]any) []string {
	var faults []string
	now, _ := is["oneOf"].([]any)
	before, _ := was["oneOf"].([]any)
	for _, variant := range before {
		if !slices.ContainsFunc(now, func(v any) bool { return reflect.DeepEqual(v, variant) }) {
			faults = append(faults, fmt.Sprintf("%s: the variant %v is gone", name, object(variant)["$ref"]))
		}
	}
	return faults
}

// compareValue holds everything but descriptions to be part of the meaning; an enum may grow.
func compareValue(path string, was, is map[string]any) []string {
	var faults []string
	for keyword := range keywords(was, is) {
		switch keyword {
		case "description":
		case "enum":
			for _, v := range array(was["enum"]) {
				if !slices.Contains(array(is["enum"]), v) {
					faults = append(faults, fmt.Sprintf("%s: the value %v is gone", path, v))
				}
			}
			if was["enum"] == nil {
				faults = append(faults, path+": became an enumeration")
			}
		case "items":
			faults = append(faults, compareValue(path+"[]", object(was["items"]), object(is["items"]))...)
		default:
			if !reflect.DeepEqual(was[keyword], is[keyword]) {
				faults = append(faults, fmt.Sprintf("%s: %s was %v and is %v", path, keyword, was[keyword], is[keyword]))
			}
		}
	}
	return faults
}

func keywords(a, b map[string]any) map[string]any {
	both := maps.Clone(a)
	if both == nil {
		both = map[string]any{}
	}
	maps.Copy(both, b)
	return both
}

func array(v any) []any {
	l, _ := v.([]any)
	return l
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func sameSet(a, b any) bool {
	x, y := array(a), array(b)
	return len(x) == len(y) && !slices.ContainsFunc(x, func(v any) bool { return !slices.Contains(y, v) })
}
