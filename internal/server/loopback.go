package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
)

// checkLoopback refuses an address that other machines could reach.
func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address %q: %w; expected host:port like %s", addr, err, DefaultAddr)
	}
	if ip, err := netip.ParseAddr(host); strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("refused to listen on %s: the server speaks without encryption and so listens on this machine only; use 127.0.0.1, [::1] or localhost", addr)
}

// listen opens the listener and looks again at what came of the name: a hosts file can say anything of localhost.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("listen on %s: another program has that port; stop it, or give another address with DRAWBRIDGE_ADDR: %w", addr, err)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		return nil, errors.Join(checkLoopback(tcp.String()), l.Close())
	}
	return l, nil
}

// knownHosts are the Host headers that are ours. A page whose name an attacker points at 127.0.0.1 sends its own name.
func knownHosts(host, port string, more []string) map[string]bool {
	hosts := map[string]bool{}
	for _, name := range []string{host, "127.0.0.1", "::1", "localhost"} {
		hosts[strings.ToLower(net.JoinHostPort(name, port))] = true
		if port == "80" { // browsers leave it out
			hosts[strings.TrimSuffix(strings.ToLower(net.JoinHostPort(name, port)), ":80")] = true
		}
	}
	for _, name := range more {
		hosts[strings.ToLower(name)] = true
	}
	return hosts
}

// knownOrigins are the origins that a browser's connection may come from.
func knownOrigins(more []string) map[string]bool {
	origins := map[string]bool{"chrome-extension://" + ExtensionID: true}
	for _, origin := range more {
		origins[strings.ToLower(strings.TrimSuffix(origin, "/"))] = true
	}
	return origins
}
