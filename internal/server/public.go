package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Public says how browsers and agents on other machines reach the server. The listener of Options.Addr stays on loopback, for this
// machine.
type Public struct {
	// URL is the https address by which they know it, such as https://bridge.example: requests may name its host, and pairing links
	// begin with it.
	URL string
	// Addr is the host:port to listen on for them. Empty where a proxy on this machine passes their requests on to Options.Addr.
	Addr string
	// CertFile and KeyFile hold the certificate with its chain, and its key, in PEM. They are read once.
	CertFile, KeyFile string
	// Proxied tells that a proxy which speaks TLS to the world stands before Addr, so that Addr itself speaks without.
	Proxied bool
}

// public is a Public that was checked.
type public struct {
	origin   string       // the URL without a path
	host     string       // which requests name, lower case
	listener net.Listener // nil where a proxy uses the other one
}

// openPublic checks how others reach the server and listens for them. Nothing listens unencrypted that was not asked for in as
// many words.
func openPublic(ctx context.Context, p *Public) (*public, error) {
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("public address %q: expected one like https://bridge.example, without a path", p.URL)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":443") // browsers leave it out
	own := &public{origin: "https://" + host, host: host}
	hasCert := p.CertFile != "" || p.KeyFile != ""
	switch {
	case p.Addr == "" && (hasCert || p.Proxied):
		return nil, errors.New("a certificate, or a proxy before a listener of its own, needs a public host:port to listen on")
	case p.Addr == "":
		return own, nil
	case hasCert == p.Proxied:
		return nil, fmt.Errorf("refused to listen on %s: give a certificate and its key, or say that a proxy before it speaks TLS, not both: tokens must not cross a network in the clear", p.Addr)
	}
	var config *tls.Config
	if hasCert {
		certificate, err := tls.LoadX509KeyPair(p.CertFile, p.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read the certificate: %w", err)
		}
		// HTTP/1.1 only: an upgrade to a WebSocket is a thing of that version.
		config = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}, NextProtos: []string{"http/1.1"}}
	}
	var listening net.ListenConfig
	if own.listener, err = listening.Listen(ctx, "tcp", p.Addr); err != nil {
		return nil, fmt.Errorf("listen on the public address %s: %w", p.Addr, err)
	}
	if config != nil {
		own.listener = tls.NewListener(own.listener, config)
	}
	return own, nil
}

// known tells whether a request was made to a name of ours, at the listener where that name belongs. Only what came to the one on
// loopback may name loopback: else whoever is outside could make himself look like this machine.
func (s *Server) known(r *http.Request) bool {
	host := lowered(r.Host)
	if s.public != nil && host == s.public.host {
		return true
	}
	return s.hosts[host] && !s.fromOutside(r)
}

// fromOutside tells whether a request came to the public listener, or to the other one under the public name, by way of a proxy.
func (s *Server) fromOutside(r *http.Request) bool {
	if s.public == nil {
		return false
	}
	if lowered(r.Host) == s.public.host {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && s.public.listener != nil && local.String() != s.listener.Addr().String()
}

// inside serves only who is on this machine.
func (s *Server) inside(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.fromOutside(r) {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// pairingBase is what pairing links begin with.
func (s *Server) pairingBase() string {
	if s.public != nil {
		return s.public.origin
	}
	return s.URL()
}

// PublicAddr is the host:port that the server listens on for other machines, with the real port; empty when it does not.
func (s *Server) PublicAddr() string {
	if s.public == nil || s.public.listener == nil {
		return ""
	}
	return s.public.listener.Addr().String()
}
