package main

import (
	"errors"

	"github.com/zalando/go-keyring"

	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// keyringService is the name under which the operating system's keyring shows what is ours.
const keyringService = "drawbridge"

// keyring is the operating system's, unless DRAWBRIDGE_KEYRING=off.
func (a *app) keyring() store.Keyring {
	if a.env("DRAWBRIDGE_KEYRING") == "off" {
		return nil
	}
	return osKeyring{}
}

// osKeyring keeps values in the Keychain, the Credential Manager or the Secret Service.
type osKeyring struct{}

var _ store.Keyring = osKeyring{}

func (osKeyring) Get(name string) (string, error) {
	value, err := keyring.Get(keyringService, name)
	if errors.Is(err, keyring.ErrNotFound) {
		return "", store.ErrNotFound
	}
	return value, err
}

func (osKeyring) Set(name, value string) error { return keyring.Set(keyringService, name, value) }
