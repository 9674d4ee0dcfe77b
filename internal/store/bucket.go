package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
)

// Bucket is a named set of JSON values under keys, the part of a key-value store that this package lives on.
//
// All methods may be called concurrently. A method that changes something returns only when the change is durable.
// Keys hold only letters, digits, '-' and '_', so that any key-value store takes them.
type Bucket interface {
	// Get returns the value under key, or [ErrNotFound]. The caller must not change it.
	Get(ctx context.Context, key string) (json.RawMessage, error)
	// All returns a copy of the whole bucket.
	All(ctx context.Context) (map[string]json.RawMessage, error)
	// Put sets the value under key.
	Put(ctx context.Context, key string, value json.RawMessage) error
	// Take removes key and returns what was there, or [ErrNotFound]. Of several callers exactly one gets the value.
	Take(ctx context.Context, key string) (json.RawMessage, error)
}

// bucketFormat is the version of the file's own layout: {"format":1,"entries":{key:value}}.
const bucketFormat = 1

type bucketFile struct {
	Format  int                        `json:"format"`
	Entries map[string]json.RawMessage `json:"entries"`
}

// fileBucket is a Bucket in one JSON file, all of it in memory.
type fileBucket struct {
	// fixed at creation
	path string

	// writing serialises the writers; it is held over the disk, so that files are replaced in the order of the changes
	writing sync.Mutex

	mu      sync.RWMutex               // never held over the disk: readers do not wait for a sync
	entries map[string]json.RawMessage // replaced as a whole, never changed in place
}

var _ Bucket = (*fileBucket)(nil)

func openFileBucket(path string) (*fileBucket, error) {
	b := &fileBucket{path: path, entries: map[string]json.RawMessage{}}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read stored data: %w", err)
	}
	var file bucketFile
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, damaged(path, err)
	}
	if decoder.More() {
		return nil, damaged(path, errors.New("there is more after its end"))
	}
	if file.Format != bucketFormat {
		return nil, damaged(path, fmt.Errorf("format %d, this version reads format %d", file.Format, bucketFormat))
	}
	maps.Copy(b.entries, file.Entries)
	return b, nil
}

// damaged words the refusal to work with a file: to start over an unreadable list would lose it for good at the next write.
func damaged(path string, err error) error {
	return fmt.Errorf("stored file %s cannot be used: %w; put a good copy back, or move it away to start without what it held", path, err)
}

func (b *fileBucket) Get(_ context.Context, key string) (json.RawMessage, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	value, ok := b.entries[key]
	if !ok {
		return nil, ErrNotFound
	}
	return value, nil
}

func (b *fileBucket) All(context.Context) (map[string]json.RawMessage, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return maps.Clone(b.entries), nil
}

func (b *fileBucket) Put(_ context.Context, key string, value json.RawMessage) error {
	b.writing.Lock()
	defer b.writing.Unlock()
	return b.replace(func(m map[string]json.RawMessage) { m[key] = slices.Clone(value) })
}

func (b *fileBucket) Take(ctx context.Context, key string) (json.RawMessage, error) {
	b.writing.Lock()
	defer b.writing.Unlock()
	value, err := b.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := b.replace(func(m map[string]json.RawMessage) { delete(m, key) }); err != nil {
		return nil, err
	}
	return value, nil
}

// replace writes a changed copy to the disk and only then shows it to readers. The caller holds writing.
func (b *fileBucket) replace(change func(map[string]json.RawMessage)) error {
	b.mu.RLock()
	next := maps.Clone(b.entries)
	b.mu.RUnlock()
	change(next)
	raw, err := json.MarshalIndent(bucketFile{Format: bucketFormat, Entries: next}, "", " ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", b.path, err)
	}
	if err := writeFile(b.path, append(raw, '\n')); err != nil {
		return err
	}
	b.mu.Lock()
	b.entries = next
	b.mu.Unlock()
	return nil
}
