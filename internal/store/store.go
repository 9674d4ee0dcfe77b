// Package store keeps what must outlive the process: the server's key, tokens, pairing codes, rules and the audit trail.
//
// Everything lies in one data directory of mode 0700, which one process holds by a lock. Tokens, codes and rules live in
// buckets of keys and values ([Bucket]), what comes many times a second in files that are appended to; today a bucket is one JSON file that is replaced as a whole (written beside, synced,
// renamed), with a cluster it becomes a key-value bucket of NATS. A file that cannot be understood stops the start with its
// name in the error: to go on with an empty list instead would quietly revoke, or quietly allow.
package store

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// ErrInUse says that another process holds the data directory.
var ErrInUse = errors.New("data directory is in use")

// ErrNotFound says that there is nothing under the key, identifier or secret that was asked for.
var ErrNotFound = errors.New("not found")

// Options are the knobs of [Open]; nil and the zero value are fine.
type Options struct {
	// Now tells the time; nil means time.Now. A code's five minutes and the stamps of tokens and audit lines come from it.
	Now func() time.Time
	// Keyring keeps the key that secrets are sealed with; nil keeps it in a file of mode 0600 beside them.
	Keyring Keyring
}

// Store is the open data directory. Its methods may be called concurrently; [Store.Close] ends it.
type Store struct {
	// fixed at creation
	dir      string
	lock     *flock.Flock
	now      func() time.Time
	tokens   Bucket
	pairings Bucket
	rules    Bucket
	secrets  Bucket
	names    Bucket
	sealer   *sealer
	audit    *auditLog
	presence *presenceLog
	attempts attempts
	updating sync.Mutex // held over reading and writing a token back

	serverKey *ecdsa.PrivateKey
	secretsMu sync.Mutex // held over a change, so that the first one alone makes the key

	closeOnce sync.Once
	closeErr  error
}

// Open takes the data directory dir for this process, making it (0700) when it is missing.
//
// It fails with [ErrInUse] while another process has it, and with the file's name when a file in it is damaged or the
// directory can be read by other users.
func Open(dir string, opts *Options) (*Store, error) {
	s := &Store{now: time.Now}
	if opts != nil && opts.Now != nil {
		s.now = opts.Now
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolve data directory %s: %w", dir, err)
	}
	s.dir = abs
	s.sealer = &sealer{dir: abs}
	if opts != nil {
		s.sealer.keyring = opts.Keyring
	}
	if err := prepareDir(abs); err != nil {
		return nil, err
	}
	s.lock = flock.New(filepath.Join(abs, lockFile), flock.SetPermissions(0o600))
	held, err := s.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock data directory %s: %w", abs, err)
	}
	if !held {
		return nil, inUse(abs)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, s.lock.Unlock())
	}
	return s, nil
}

func (s *Store) load() (err error) {
	if s.tokens, err = openFileBucket(filepath.Join(s.dir, "tokens.json")); err != nil {
		return err
	}
	if s.pairings, err = openFileBucket(filepath.Join(s.dir, "pairings.json")); err != nil {
		return err
	}
	if s.rules, err = openFileBucket(filepath.Join(s.dir, "rules.json")); err != nil {
		return err
	}
	if s.secrets, err = openFileBucket(filepath.Join(s.dir, "secrets.json")); err != nil {
		return err
	}
	if s.names, err = openFileBucket(filepath.Join(s.dir, "names.json")); err != nil {
		return err
	}
	if _, err := s.BrowserNames(context.Background()); err != nil {
		return err
	}
	if err := s.checkSecrets(context.Background()); err != nil {
		return err
	}
	if err := s.checkTokens(context.Background()); err != nil {
		return err
	}
	if _, err := s.Rules(context.Background()); err != nil {
		return err
	}
	if s.serverKey, err = openServerKey(filepath.Join(s.dir, serverKeyFile)); err != nil {
		return err
	}
	if s.presence, err = openPresence(filepath.Join(s.dir, "browsers.jsonl"), s.now, s.pairedBrowsers); err != nil {
		return err
	}
	if s.audit, err = openAudit(s.dir, s.now); err != nil {
		return errors.Join(err, s.presence.close())
	}
	return nil
}

// Dir is the absolute path of the data directory.
func (s *Store) Dir() string { return s.dir }

// Close syncs the files that are appended to, lets go of the lock and returns their errors. It may be called twice.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.closeErr = errors.Join(s.audit.close(), s.presence.close(), s.lock.Unlock())
	})
	return s.closeErr
}

// inUse says who has the directory, as far as that process said so itself.
func inUse(dir string) error {
	who := "another drawbridge"
	if info, err := ReadServerInfo(dir); err == nil {
		who = fmt.Sprintf("another drawbridge (pid %d on %s)", info.PID, info.Addr)
	}
	return fmt.Errorf("%w: %s is held by %s; use that one, stop it, or set DRAWBRIDGE_DATA_DIR to another directory", ErrInUse, dir, who)
}

// prepareDir makes dir with mode 0700. A directory that others may read is tightened when it is empty or already ours, and
// refused otherwise: somebody may have named a shared directory by mistake.
func prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at data directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("data directory %s is not a directory", dir)
	}
	if !readableByOthers(info) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read data directory: %w", err)
	}
	ours := len(entries) == 0
	for _, e := range entries {
		ours = ours || e.Name() == lockFile
	}
	if !ours {
		return fmt.Errorf("data directory %s has mode %#o and holds files of others; it must be 0700: chmod it, or set DRAWBRIDGE_DATA_DIR to another directory", dir, info.Mode().Perm())
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("make data directory private: %w", err)
	}
	return nil
}
