package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestGeneratedFilesAreFresh(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command("node", "gen-validator.mjs", dir)
	cmd.Dir = filepath.Join(root, "extension")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gen-validator.mjs (needs node and npm ci in extension/): %v\n%s", err, out)
	}
	for _, name := range []string{"validator.gen.js", "validator.gen.d.ts"} {
		if files["extension/src/"+name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run make gen", name)
		}
	}
}

type definitions map[string]any

func load(t *testing.T, name string) definitions {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "schema", name))
	if err != nil {
		t.Fatal(err)
	}
	var d definitions
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSchemaIsCompatibleWithTheFrozenOne(t *testing.T) {
	for _, fault := range incompatible(load(t, "v4.json"), load(t, "protocol.json")) {
		t.Errorf("%s: raise protocol.Version, freeze the new schema, and keep speaking the old one", fault)
	}
}

func TestIncompatibleChangesAreFound(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(defs map[string]any)
	}{
		{"a definition gone", "Click is gone", func(d map[string]any) { delete(d, "Click") }},
		{"a field gone", "Click.uid is gone", func(d map[string]any) { delete(field(d, "Click", "properties"), "uid") }},
		{"a type changed", "Click.count", func(d map[string]any) { field(d, "Click", "properties", "count")["type"] = "string" }},
		{"a limit tightened", "Click.count", func(d map[string]any) { field(d, "Click", "properties", "count")["maximum"] = 2.0 }},
		{"a limit added", "Click.button", func(d map[string]any) { field(d, "Click", "properties", "button")["maxLength"] = 2.0 }},
		{"an enum value gone", "Click.button", func(d map[string]any) { field(d, "Click", "properties", "button")["enum"] = []any{"left"} }},
		{"a field required", "Click", func(d map[string]any) { field(d, "Click")["required"] = []any{"type", "tabId"} }},
		{"a rule gone", "Click", func(d map[string]any) { delete(field(d, "Click"), "allOf") }},
		{"a tag changed", "Click.type", func(d map[string]any) { field(d, "Click", "properties", "type")["const"] = "tap" }},
		{"a variant gone", "Action", func(d map[string]any) { list := field(d, "Action"); list["oneOf"] = list["oneOf"].([]any)[1:] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			bent := load(t, "v4.json")
			c.change(field(bent, "$defs"))
			faults := incompatible(load(t, "v4.json"), bent)
			if len(faults) == 0 || !strings.Contains(strings.Join(faults, "\n"), c.want) {
				t.Errorf("found %q, want one that names %s", faults, c.want)
			}
		})
	}
	grown := load(t, "v4.json")
	field(grown, "$defs", "Click", "properties")["force"] = map[string]any{"type": "boolean"}
	field(grown, "$defs")["Tap"] = map[string]any{"type": "object"}
	if faults := incompatible(load(t, "v4.json"), grown); len(faults) > 0 {
		t.Errorf("additions are no fault: %q", faults)
	}
}

func field(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		m = m[p].(map[string]any)
	}
	return m
}
