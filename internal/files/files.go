// Package files keeps the bytes that actions brought, in memory and for a while, for their user's agents to fetch.
package files

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"
)

// What one user may have kept. Who is over it loses the oldest first: a file is fetched soon or never.
const (
	// Lifetime is how long a file is kept.
	Lifetime = 15 * time.Minute
	// MaxFiles is how many files.
	MaxFiles = 64
	// MaxBytes is how many bytes in all.
	MaxBytes = 128 << 20
	// MaxFile is how many bytes one file may have.
	MaxFile = 64 << 20
)

var (
	// ErrTooLarge says that a file has more than MaxFile bytes.
	ErrTooLarge = errors.New("the file is larger than what is kept")
	// ErrNotFound says that the user has no such file: it is over, gave way to newer ones, never was, or is another user's.
	ErrNotFound = errors.New("no such file is kept")
)

// File is one file.
type File struct {
	// ID names it. It cannot be guessed.
	ID string
	// Name is a file's name as any system takes it, without folders; see [CleanName].
	Name string
	// MimeType is one that can be read, application/octet-stream where none was given.
	MimeType string
	// Data must not be changed.
	Data []byte
	// Expires is when it ends.
	Expires time.Time
}

// Shelf keeps files. Make one with [NewShelf]; its methods may be called concurrently.
type Shelf struct {
	mu sync.Mutex
	of map[string][]*kept // by user, oldest first; no user has an empty list
}

type kept struct {
	File
	end *time.Timer
}

// NewShelf makes an empty shelf.
func NewShelf() *Shelf { return &Shelf{of: map[string][]*kept{}} }

// Put keeps data for a user under a new id. What a browser says of name and type is cleaned first. The caller leaves data alone
// from then on. It fails with ErrTooLarge.
func (s *Shelf) Put(user, name, mimeType string, data []byte) (File, error) {
	if len(data) > MaxFile {
		return File{}, ErrTooLarge
	}
	mimeType = cleanType(mimeType)
	f := &kept{File: File{ID: rand.Text(), Name: CleanName(name, mimeType), MimeType: mimeType, Data: data, Expires: time.Now().Add(Lifetime)}}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.end = time.AfterFunc(Lifetime, func() { s.drop(user, f) })
	list := append(s.of[user], f)
	size := 0
	for _, other := range list {
		size += len(other.Data)
	}
	for size > MaxBytes || len(list) > MaxFiles {
		list[0].end.Stop()
		size -= len(list[0].Data)
		list = slices.Delete(list, 0, 1)
	}
	s.of[user] = list
	return f.File, nil
}

// Get returns a user's file, or ErrNotFound.
func (s *Shelf) Get(user, id string) (File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.of[user] {
		if f.ID == id {
			return f.File, nil
		}
	}
	return File{}, ErrNotFound
}

func (s *Shelf) drop(user string, f *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.DeleteFunc(s.of[user], func(other *kept) bool { return other == f })
	if s.of[user] = list; len(list) == 0 {
		delete(s.of, user)
	}
}
