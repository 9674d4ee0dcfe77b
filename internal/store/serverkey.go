package store

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// serverKeyFile has the key by which browsers know this server again.
const serverKeyFile = "server.key"

// serverKeyBlock is what its PEM block is called.
const serverKeyBlock = "PRIVATE KEY"

// ServerKey is the server's own key, made when the data directory was first opened: ECDSA on P-256. Browsers pin it when they are
// paired, so a data directory that moves to another machine keeps its browsers, and a new one has none.
func (s *Store) ServerKey() *ecdsa.PrivateKey { return s.serverKey }

// openServerKey reads the key at path, or makes it. A key that others can read may be in others' hands: it is refused.
func openServerKey(path string) (*ecdsa.PrivateKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeServerKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the server's key: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the server's key: %w", err)
	}
	if readableByOthers(info) {
		return nil, fmt.Errorf("the server's key %s has mode %#o and so other users may have read it: remove it, start again and pair the browsers again", path, info.Mode().Perm())
	}
	block, _ := pem.Decode(raw)
	if block == nil || block.Type != serverKeyBlock {
		return nil, damagedKey(path, "it has no PEM block of a private key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, damagedKey(path, "it cannot be understood")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, damagedKey(path, "it is no key of ECDSA on P-256")
	}
	return key, nil
}

// damagedKey never quotes the file.
func damagedKey(path, why string) error {
	return fmt.Errorf("the server's key %s is damaged (%s): restore it, or remove it, start again and pair the browsers again", path, why)
}

func makeServerKey(path string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the server's key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("make the server's key: %w", err)
	}
	if err := writeFile(path, pem.EncodeToMemory(&pem.Block{Type: serverKeyBlock, Bytes: der})); err != nil {
		return nil, err
	}
	return key, nil
}
