package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

func newExtensionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "extension [DIR]",
		Short:   "Write the unpacked extension, and say how to load it into your browser",
		Example: "  drawbridge extension\n  drawbridge extension ./drawbridge-extension",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.extensionDir(args)
			if err != nil {
				return err
			}
			if err := writeExtension(dir); err != nil {
				return err
			}
			id, err := chromium.ExtensionID(dir)
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(map[string]string{"dir": dir, "id": id})
			}
			return a.say("The extension is in %s\n\n%s", dir, loadSteps(dir))
		},
	}
}

// extensionDir is where the unpacked extension lies: the argument, or a folder of the data
// directory, which stays in its place for as long as the browser loads it from there.
func (a *app) extensionDir(args []string) (string, error) {
	if len(args) == 1 {
		return filepath.Abs(args[0])
	}
	data, err := a.dataDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(data, "extension"), nil
}

// loadSteps are the three steps by which a person loads the extension.
func loadSteps(dir string) string {
	return "Load it into your Chrome, Edge, Brave or Chromium:\n" +
		"  1. Open chrome://extensions and switch on \"Developer mode\" (top right).\n" +
		"  2. Press \"Load unpacked\" and choose " + dir + "\n" +
		"  3. Click the Drawbridge icon and paste the link of: drawbridge pair"
}

// errForeignDir says that a folder holds something else than our extension.
var errForeignDir = errors.New("it holds other files than the Drawbridge extension: name an empty or a new folder")

// writeExtension writes the built extension to dir, over an older one of ours, and takes away
// what that one had and this one has not. A folder of anything else is left alone.
func writeExtension(dir string) error {
	built, err := builtExtension()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("write the extension: %w", err)
	}
	if err := checkOurs(dir, built); err != nil {
		return fmt.Errorf("write the extension to %s: %w", dir, err)
	}
	if err := removeStale(dir, built); err != nil {
		return fmt.Errorf("remove what an older extension left in %s: %w", dir, err)
	}
	return chromium.Unpack(dir, built, nil)
}

// checkOurs refuses a folder with files in it that is not an extension of our id.
func checkOurs(dir string, built fs.FS) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	ours, err := manifestKey(built)
	if err != nil {
		return err
	}
	if there, err := manifestKey(os.DirFS(dir)); err != nil || there != ours {
		return errForeignDir
	}
	return nil
}

// removeStale takes away the files of an older extension that the new one does not have.
func removeStale(dir string, built fs.FS) error {
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if _, err := fs.Stat(built, path); errors.Is(err, fs.ErrNotExist) {
			return os.Remove(filepath.Join(dir, filepath.FromSlash(path)))
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
