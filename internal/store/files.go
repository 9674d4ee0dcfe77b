package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The files of the data directory that other processes of the same user look at.
const (
	lockFile       = "lock"
	serverFile     = "server.json"
	credentialFile = "cli.token"
)

// DefaultDir is the data directory of this user: $DRAWBRIDGE_DATA_DIR, else $XDG_DATA_HOME/drawbridge, else the place that
// the operating system has for such data (~/.local/share/drawbridge on Linux). It is not made.
func DefaultDir() (string, error) {
	if dir := os.Getenv("DRAWBRIDGE_DATA_DIR"); dir != "" {
		return filepath.Abs(dir)
	}
	// The XDG specification says to ignore a path that is not absolute.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "drawbridge"), nil
	}
	switch runtime.GOOS {
	case "windows", "darwin":
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("find a place for the data; set DRAWBRIDGE_DATA_DIR: %w", err)
		}
		return filepath.Join(dir, "drawbridge"), nil
	default:
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find a place for the data; set DRAWBRIDGE_DATA_DIR: %w", err)
		}
		return filepath.Join(home, ".local", "share", "drawbridge"), nil
	}
}

// ServerInfo is what a running server tells the other processes of its user, in server.json.
type ServerInfo struct {
	// Addr is the host:port that it listens on, the real port even when it was started with port 0.
	Addr string `json:"addr"`
	// PID is its process id; it may be another program's by now if the server was killed.
	PID int `json:"pid"`
	// Version is the version of its binary.
	Version string `json:"version"`
}

// ReadServerInfo reads what the last server wrote into dir. That a file is there does not mean that the server still runs:
// ask its /healthz. The error is fs.ErrNotExist when no server ran here or the last one ended in order.
func ReadServerInfo(dir string) (ServerInfo, error) {
	var info ServerInfo
	raw, err := os.ReadFile(filepath.Join(dir, serverFile))
	if err != nil {
		return info, fmt.Errorf("read server information: %w", err)
	}
	if err := json.Unmarshal(raw, &info); err != nil {
		return info, fmt.Errorf("read %s: %w", filepath.Join(dir, serverFile), err)
	}
	return info, nil
}

// WriteServerInfo tells other processes of this user where the server listens. Call it after the listener is open.
func (s *Store) WriteServerInfo(info ServerInfo) error {
	raw, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("encode server information: %w", err)
	}
	return writeFile(filepath.Join(s.dir, serverFile), append(raw, '\n'))
}

// RemoveServerInfo takes server.json away, at the end of an orderly stop.
func (s *Store) RemoveServerInfo() error {
	err := os.Remove(filepath.Join(s.dir, serverFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove server information: %w", err)
	}
	return nil
}

// ReadCredential reads the token that the command line of this user works with. The error is fs.ErrNotExist when no server
// has run on dir yet; a file that other users can read is refused.
func ReadCredential(dir string) (string, error) {
	token, err := ReadToken(filepath.Join(dir, credentialFile))
	if err != nil {
		return "", fmt.Errorf("read the command line's credential: %w (a server that starts makes a new one where there is none)", err)
	}
	return token, nil
}

// ReadToken reads a file that holds a token. One that other users can read is refused.
func ReadToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if readableByOthers(info) {
		return "", fmt.Errorf("%s has mode %#o and so other users may have read it: revoke the token and remove the file", path, info.Mode().Perm())
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(raw)), nil
}

// readableByOthers reports whether the mode gives anybody but the owner any right. Windows keeps no such bits.
func readableByOthers(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// writeFile replaces path as a whole, mode 0600: after a crash there is either the old content or the new, never a part.
func writeFile(path string, content []byte) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp") // CreateTemp makes it 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	if _, err := bytes.NewReader(content).WriteTo(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename in dir durable. Windows cannot sync a directory and does not need it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
