package main

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/drawbridge-browser/drawbridge/extension"
)

// builtExtension is the extension inside this binary.
func builtExtension() (fs.FS, error) {
	built := extension.Files()
	if _, err := fs.Stat(built, "manifest.json"); err != nil {
		return nil, fmt.Errorf("this binary was built without the extension, run make: %w", err)
	}
	return built, nil
}

// manifestKey is the public key of the extension in files, which fixes its id.
func manifestKey(files fs.FS) (string, error) {
	raw, err := fs.ReadFile(files, "manifest.json")
	if err != nil {
		return "", err
	}
	var manifest struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return "", fmt.Errorf("read manifest.json: %w", err)
	}
	if manifest.Key == "" {
		return "", fmt.Errorf("manifest.json has no key")
	}
	return manifest.Key, nil
}
