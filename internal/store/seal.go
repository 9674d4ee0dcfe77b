package store

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Keyring is the operating system's keeper of secrets. It may ask the user to unlock it, and takes that long then.
type Keyring interface {
	// Get returns what is kept under a name, or [ErrNotFound].
	Get(name string) (string, error)
	// Set keeps a value under a name.
	Set(name, value string) error
}

// keyFile holds the key of the sealed secrets where there is no keyring.
const keyFile = "secrets.key"

// sealer encrypts what lies in the data directory by one key: in the keyring where there is one, else in a file beside it.
type sealer struct {
	// fixed at creation
	dir     string
	keyring Keyring // nil: none is used

	mu   sync.Mutex
	aead cipher.AEAD // nil until the key was needed
}

// seal encrypts a value; about, which is not hidden, cannot be exchanged without being noticed. The first seal of all makes the key.
func (s *sealer) seal(value, about []byte, isFirst bool) ([]byte, error) {
	aead, err := s.ready(isFirst)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, value, about), nil
}

// open decrypts what seal made with the same about.
func (s *sealer) open(sealed, about []byte) ([]byte, error) {
	aead, err := s.ready(false)
	if err != nil {
		return nil, err
	}
	value, err := aead.Open(nil, nil, sealed, about)
	if err != nil {
		return nil, errors.New("it was sealed with another key, or changed since")
	}
	return value, nil
}

func (s *sealer) ready(mayMake bool) (cipher.AEAD, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aead != nil {
		return s.aead, nil
	}
	key, err := s.key(mayMake)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use the key of the secrets: %w", err)
	}
	if s.aead, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		return nil, fmt.Errorf("use the key of the secrets: %w", err)
	}
	return s.aead, nil
}

// key finds the key, in the file first: a keyring that appears later does not hide it.
func (s *sealer) key(mayMake bool) ([]byte, error) {
	path := filepath.Join(s.dir, keyFile)
	info, err := os.Stat(path)
	switch {
	case err == nil && readableByOthers(info):
		return nil, fmt.Errorf("the key %s has mode %#o and so other users may have read it: remove it and secrets.json, and set the secrets again", path, info.Mode().Perm())
	case err == nil:
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the key of the secrets: %w", err)
		}
		return decodeKey(string(raw), path)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read the key of the secrets: %w", err)
	}
	if s.keyring == nil {
		if !mayMake {
			return nil, fmt.Errorf("their key is neither in %s nor may the keyring be asked: bring the key back, or remove secrets.json and set the secrets again", path)
		}
		return s.makeKeyFile(path)
	}
	kept, err := s.keyring.Get(s.dir)
	if err == nil {
		return decodeKey(kept, "the keyring")
	}
	if !mayMake {
		return nil, fmt.Errorf("their key cannot be had from the operating system's keyring (%w): unlock it, or remove secrets.json and set the secrets again", err)
	}
	if !errors.Is(err, ErrNotFound) {
		return s.makeKeyFile(path) // there is no keyring here
	}
	key := newKey()
	if err := s.keyring.Set(s.dir, hex.EncodeToString(key)); err != nil {
		return s.makeKeyFile(path)
	}
	return key, nil
}

func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // never fails: the runtime ends the program when the system has no randomness
	return key
}

func (s *sealer) makeKeyFile(path string) ([]byte, error) {
	key := newKey()
	return key, writeFile(path, []byte(hex.EncodeToString(key)+"\n"))
}

func decodeKey(text, where string) ([]byte, error) {
	key, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("the key of the secrets in %s is none: expected 64 hexadecimal digits", where)
	}
	return key, nil
}

// checkSecrets opens every secret at the start: what cannot be opened could not be kept out of answers either.
func (s *Store) checkSecrets(ctx context.Context) error {
	all, err := s.secrets.All(ctx)
	if err != nil {
		return err
	}
	for key, raw := range all {
		if _, err := s.openSecret(key, raw); err != nil {
			return damaged(filepath.Join(s.dir, "secrets.json"), err)
		}
	}
	return nil
}
