package chromium

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Unpack writes an extension's files to dir, which it makes, and config, when it is not nil, as config.json beside
// them. The files are readable by this user only: config.json carries a pairing code.
func Unpack(dir string, extension fs.FS, config []byte) error {
	if _, err := fs.Stat(extension, "manifest.json"); err != nil {
		return fmt.Errorf("unpack the extension: it has no manifest.json: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("unpack the extension: %w", err)
	}
	err := fs.WalkDir(extension, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		content, err := fs.ReadFile(extension, path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o600)
	})
	if err != nil {
		return fmt.Errorf("unpack the extension to %s: %w", dir, err)
	}
	if config == nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
		return fmt.Errorf("write the extension's configuration: %w", err)
	}
	return nil
}

// ExtensionID returns the id that Chromium gives to the unpacked extension in dir: by the manifest's key, else by
// the folder's path.
func ExtensionID(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return "", fmt.Errorf("read the extension's manifest: %w", err)
	}
	var manifest struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return "", fmt.Errorf("read the manifest of %s: %v", dir, err)
	}
	var seed []byte
	if manifest.Key == "" {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("find the extension's folder: %w", err)
		}
		seed = []byte(absolute)
	} else if seed, err = base64.StdEncoding.DecodeString(manifest.Key); err != nil {
		return "", fmt.Errorf("the manifest of %s has a key that is not base64: %v", dir, err)
	}
	sum := sha256.Sum256(seed)
	id := make([]byte, 0, 32)
	for _, b := range sum[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return string(id), nil
}
