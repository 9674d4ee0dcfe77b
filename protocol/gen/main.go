// Command gen writes what is made from package protocol: the JSON Schema, the extension's
// TypeScript types and validator, and the reference page of actions. Run it by
// "go generate ./protocol".
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	// The validator is ajv's standalone code, made from the schema that was just written.
	cmd := exec.Command("node", "gen-validator.mjs")
	cmd.Dir = filepath.Join(root, "extension")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("node gen-validator.mjs in %s: %w (needs Node 20 and npm ci)", cmd.Dir, err)
	}
	return nil
}

// generate returns the generated files by their path below root.
func generate(root string) (map[string][]byte, error) {
	schema, err := buildSchema(root)
	if err != nil {
		return nil, err
	}
	text, err := schema.text()
	if err != nil {
		return nil, err
	}
	api, err := openAPI(schema)
	if err != nil {
		return nil, err
	}
	settings, err := settingsSchema(root)
	if err != nil {
		return nil, err
	}
	wire, err := wirePage(schema)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"docs/protocol.md":                wire,
		"protocol/schema/openapi.json":    api,
		"protocol/schema/protocol.json":   text,
		"protocol/schema/drawbridge.json": settings,
		"extension/src/protocol.gen.ts":   typescript(schema),
		"docs/actions.md":                 reference(schema),
	}, nil
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working directory")
		}
		dir = up
	}
}
