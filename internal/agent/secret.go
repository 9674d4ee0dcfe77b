package agent

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/idna"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// secretName is what secrets may be called: a word that fits into a command line, an address and a model's answer.
var secretName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// maxSecrets is how many secrets a user may have: every answer is searched for each.
const maxSecrets = 200

// Secrets lists the secrets of the caller's user, without their values. It needs the scope admin.
func (d *Desk) Secrets(ctx context.Context, caller Caller) ([]protocol.SecretInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return nil, err
	}
	all, err := d.store.Secrets(ctx, caller.Identity.User)
	if err != nil {
		return nil, err
	}
	infos := []protocol.SecretInfo{}
	for _, s := range all {
		infos = append(infos, secretInfo(s))
	}
	return infos, nil
}

// SetSecret keeps a secret of the caller's user. It needs the scope admin, and returns the secret as it is kept.
func (d *Desk) SetSecret(ctx context.Context, caller Caller, name string, want protocol.SetSecretRequest) (protocol.SecretInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return protocol.SecretInfo{}, err
	}
	if !secretName().MatchString(name) {
		return protocol.SecretInfo{}, protocol.Errorf(protocol.CodeInvalidAction, "a secret's name has at most 64 letters, digits and ._- and begins with a letter or digit")
	}
	secret := store.Secret{User: caller.Identity.User, Name: name, Value: want.Value}
	for _, address := range want.Origins {
		origin, err := originOf(address)
		if err != nil {
			return protocol.SecretInfo{}, err
		}
		if !slices.Contains(secret.Origins, origin) {
			secret.Origins = append(secret.Origins, origin)
		}
	}
	known, err := d.store.Secrets(ctx, secret.User)
	if err != nil {
		return protocol.SecretInfo{}, err
	}
	if len(known) >= maxSecrets && !slices.ContainsFunc(known, func(s store.Secret) bool { return s.Name == name }) {
		return protocol.SecretInfo{}, protocol.Errorf(protocol.CodeInvalidAction, "there are %d secrets already: remove some first", len(known))
	}
	// Before it can be typed it is kept out of answers.
	if err := d.hide(ctx, secret); err != nil {
		return protocol.SecretInfo{}, err
	}
	if secret, err = d.store.SetSecret(ctx, secret); err != nil {
		return protocol.SecretInfo{}, err
	}
	d.note(ctx, secretLine(caller, secret, "set"), nil)
	return secretInfo(secret), nil
}

// RemoveSecret forgets a secret of the caller's user. It needs the scope admin. Its value stays out of answers as long as the
// server runs: pages may still show it.
func (d *Desk) RemoveSecret(ctx context.Context, caller Caller, name string) (protocol.SecretInfo, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return protocol.SecretInfo{}, err
	}
	if _, err := d.scrubber(ctx, caller.Identity.User); err != nil {
		return protocol.SecretInfo{}, err
	}
	secret, err := d.store.RemoveSecret(ctx, caller.Identity.User, name)
	if errors.Is(err, store.ErrNotFound) {
		known, err := d.store.Secrets(ctx, caller.Identity.User)
		if err != nil {
			return protocol.SecretInfo{}, err
		}
		return protocol.SecretInfo{}, unknownSecret(name, known)
	}
	if err != nil {
		return protocol.SecretInfo{}, err
	}
	d.note(ctx, secretLine(caller, secret, "removed"), nil)
	return secretInfo(secret), nil
}

func secretInfo(s store.Secret) protocol.SecretInfo {
	return protocol.SecretInfo{Name: s.Name, Origins: s.Origins, ChangedAt: s.Changed.UnixMilli()}
}

func secretLine(caller Caller, secret store.Secret, done string) store.AuditEntry {
	return store.AuditEntry{
		Kind: protocol.AuditSecret, User: caller.Identity.User, TokenID: caller.Identity.TokenID, AgentID: caller.AgentID(),
		Detail: done + " " + secret.Name,
	}
}

// originOf is the origin of an address, as browsers write it.
func originOf(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil {
		return "", protocol.Errorf(protocol.CodeInvalidAction, "%q is no origin: expected one such as https://example.com", address)
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		if host = strings.ToLower(u.Hostname()); strings.ContainsAny(host, "*%/ ") {
			return "", protocol.Errorf(protocol.CodeInvalidAction, "%q is no origin: name each host in full, such as https://example.com", address)
		}
	}
	if strings.Contains(host, ":") { // an IPv6 address
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

// withSecret is an action with the value that its secret's name stands for, bound to the secret's origins: what a browser gets.
func (d *Desk) withSecret(ctx context.Context, user string, action protocol.Action) (protocol.Action, *protocol.Error) {
	name := secretOf(action)
	if name == "" {
		return action, nil
	}
	all, err := d.store.Secrets(ctx, user)
	if err != nil {
		d.opts.Logger.Error("the secrets cannot be read", "err", err)
		return nil, protocol.Errorf(protocol.CodeInternal, "the server cannot read its secrets, so nothing was typed; tell the user to look at the server's log")
	}
	at := slices.IndexFunc(all, func(s store.Secret) bool { return s.Name == name })
	if at < 0 {
		return nil, unknownSecret(name, all)
	}
	secret := all[at]
	switch a := action.(type) {
	case protocol.Type:
		if len(a.OnlyOn) > 0 {
			return nil, notBoth()
		}
		a.Secret, a.Text, a.OnlyOn = "", &secret.Value, secret.Origins
		return a, nil
	case protocol.Fill:
		if len(a.OnlyOn) > 0 {
			return nil, notBoth()
		}
		a.Secret, a.Text, a.OnlyOn = "", &secret.Value, secret.Origins
		return a, nil
	case protocol.Navigate:
		if len(a.OnlyOn) > 0 || a.Credentials != "" {
			return nil, notBoth()
		}
		if err := d.hideCredentials(ctx, secret); err != nil {
			return nil, err
		}
		a.Secret, a.Credentials, a.OnlyOn = "", secret.Value, secret.Origins
		return a, nil
	}
	return action, nil
}

// hideCredentials keeps the parts of a secret of the form user:password out of answers: what a server is given is in no answer as
// it is stored, but in base64, and a page may greet its user with either part.
func (d *Desk) hideCredentials(ctx context.Context, secret store.Secret) *protocol.Error {
	parts := credentialParts(secret.Value)
	if parts == nil {
		return protocol.Errorf(protocol.CodeInvalidAction, "the secret %q is no user:password, which a server that asks for a log-in wants; nothing was sent, the user sets it with: drawbridge secret set %s --origin ORIGIN", secret.Name, secret.Name)
	}
	s, err := d.scrubber(ctx, secret.User)
	if err != nil {
		return protocol.Errorf(protocol.CodeInternal, "the server cannot read its secrets, so nothing was done; tell the user to look at the server's log")
	}
	for _, part := range parts {
		s.add(store.Secret{Name: secret.Name, Value: part})
	}
	return nil
}

func notBoth() *protocol.Error {
	return protocol.Errorf(protocol.CodeInvalidAction, "a secret has origins of its own: leave out onlyOn and credentials")
}

func unknownSecret(name string, known []store.Secret) *protocol.Error {
	names := "there are none"
	if len(known) > 0 {
		list := make([]string, len(known))
		for i, s := range known {
			list[i] = s.Name + " (" + strings.Join(s.Origins, ", ") + ")"
		}
		names = "known: " + strings.Join(list, "; ")
	}
	return protocol.Errorf(protocol.CodeInvalidAction, "no secret has the name %q; %s; the user makes one with: drawbridge secret set NAME --origin ORIGIN",
		clipped(name), names).
		WithHint("Use one of the names in the message, or ask the user to keep the secret under this one.")
}
