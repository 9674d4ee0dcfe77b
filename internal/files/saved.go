package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrNotSeen says that a file is not to be had from disk: it is outside the folder, no regular file, or has another size.
var ErrNotSeen = errors.New("the file is not seen here")

// ReadSaved reads up to limit bytes, from the byte from on, of a file that a browser says it saved as path with size bytes. A browser
// may say anything, so only a regular file of that size inside folder is read, and no link leads out of it. It fails with
// ErrNotSeen.
func ReadSaved(folder, path string, size, from, limit int64) ([]byte, error) {
	if folder == "" {
		return nil, fmt.Errorf("%w: there is no folder to read in", ErrNotSeen)
	}
	inside, err := within(folder, path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSeen, err)
	}
	defer func() { _ = root.Close() }()
	// Before it is opened: a pipe would hold us up.
	if info, err := root.Stat(inside); err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return nil, errors.Join(ErrNotSeen, err)
	}
	file, err := root.Open(inside)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSeen, err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || info.Size() != size {
		return nil, errors.Join(ErrNotSeen, err)
	}
	data, err := io.ReadAll(io.NewSectionReader(file, from, min(limit, max(size-from, 0))))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSeen, err)
	}
	return data, nil
}

// within is path as seen from folder, whose own name may be a link.
func within(folder, path string) (string, error) {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		if inside, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(inside) {
			return inside, nil
		}
	}
	if inside, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(inside) {
		return inside, nil
	}
	return "", fmt.Errorf("%w: it is outside %s", ErrNotSeen, folder)
}
