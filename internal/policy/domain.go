package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Browsers read addresses by the WHATWG URL standard, which is far more forgiving than net/url: "HTTPS:\\bank.test" and
// "http://0x7f.1/" are good addresses. This file reads hosts as a browser does, so that a spelling cannot get past the blocklist.

// DomainOf is what an address is called in messages and logs: its registrable domain, else its host, else its scheme
// with a colon; empty for what is no address.
func DomainOf(address string) string {
	if host, err := hostOf(address); err == nil && host != "" {
		return Registrable(host)
	}
	scheme, rest, ok := splitScheme(address)
	switch {
	case !ok:
		return ""
	case scheme == "about":
		return "about:" + rest
	default:
		return scheme + ":"
	}
}

// Registrable is the registrable domain of a canonical host: an IP address, a single name and a public suffix stand for themselves.
func Registrable(host string) string {
	if isIP(host) {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

// ruleDomain is the entry of the blocklist that somebody meant: a domain, *.domain, an address or an IP.
func ruleDomain(typed string) (string, bool) {
	text := strings.TrimPrefix(strings.TrimSpace(typed), "*.")
	if text == "" || strings.ContainsAny(text, " \t\r\n") {
		return "", false
	}
	if ip, err := netip.ParseAddr(text); err == nil && ip.Is6() {
		text = "[" + text + "]"
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	host, err := hostOf(text)
	if err != nil || host == "" {
		return "", false
	}
	return Registrable(host), true
}

// hostOf is the canonical host of an address: lower case, punycode, no trailing dot, no brackets. A blob belongs to the origin that
// made it. Empty and no error for addresses that have no host (about:, data:).
func hostOf(address string) (string, error) {
	host, _, err := authorityOf(address)
	return host, err
}

// authorityOf is hostOf and the port, which is empty where the scheme's own is meant and it has none.
func authorityOf(address string) (host, port string, err error) {
	scheme, rest, ok := splitScheme(address)
	if !ok {
		return "", "", errors.New("it has no scheme")
	}
	switch scheme {
	case "blob":
		return authorityOf(rest)
	case "http", "https", "ws", "wss", "ftp":
		// The slashes may be backslashes, and there may be any number of them.
		rest = strings.TrimLeft(rest, `/\`)
	default:
		if !strings.HasPrefix(rest, "//") || scheme == "file" {
			return "", "", nil
		}
		rest = rest[2:]
	}
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	port = standardPorts[scheme]
	if colon := strings.LastIndexByte(rest, ':'); colon >= 0 && strings.Trim(rest[colon+1:], "0123456789") == "" {
		if given := strings.TrimLeft(rest[colon+1:], "0"); given != "" {
			port = given
		}
	}
	host, err = canonical(rest)
	return host, port, err
}

var standardPorts = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}

// isLoopback tells whether a canonical host can only be this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	return ip.IsLoopback() || ip.IsUnspecified()
}

// splitScheme does what a URL parser does first: strip control characters and spaces around, drop tabs and newlines anywhere.
func splitScheme(address string) (scheme, rest string, ok bool) {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	scheme, rest, ok = strings.Cut(address, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" || scheme[0] < 'a' || scheme[0] > 'z' {
		return "", "", false
	}
	return scheme, rest, true
}

// canonical reads host[:port].
func canonical(hostport string) (string, error) {
	if strings.HasPrefix(hostport, "[") {
		inside, _, closed := strings.Cut(hostport[1:], "]")
		ip, err := netip.ParseAddr(inside)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", fmt.Errorf("%q is no IPv6 address", hostport)
		}
		return ip.Unmap().String(), nil
	}
	host, _, _ := strings.Cut(hostport, ":")
	host, err := url.PathUnescape(host)
	if err != nil {
		return "", fmt.Errorf("its host is badly escaped: %w", err)
	}
	if !utf8.ValidString(host) || strings.ContainsRune(host, utf8.RuneError) {
		return "", errors.New("its host is not UTF-8")
	}
	host, err = names.ToASCII(host)
	if err != nil {
		return "", fmt.Errorf("its host is no domain name: %w", err)
	}
	host = strings.TrimRight(host, ".")
	if host == "" {
		return "", errors.New("it has no host")
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || strings.ContainsRune("#%/:<>?@[\\]^|\x7f", r) }) {
		return "", fmt.Errorf("%q is no host", host)
	}
	if !endsInNumber(host) {
		return host, nil
	}
	return parseIPv4(host)
}

// names maps a host as browsers do: UTS 46, without the rules about length and characters that they do not enforce either.
var names = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(false))

func isIP(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// endsInNumber says that a host is meant as an IPv4 address: its last part is a number in some base.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, err := parseNumber(last)
	return err == nil
}

// parseIPv4 reads the spellings of inet_aton: 1 to 4 parts, each decimal, 0x hexadecimal or 0 octal, the last one filling what is left.
func parseIPv4(host string) (string, error) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", fmt.Errorf("%q is no IPv4 address", host)
	}
	var all uint64
	for i, part := range parts {
		n, err := parseNumber(part)
		if err != nil {
			return "", fmt.Errorf("%q is no IPv4 address", host)
		}
		if i < len(parts)-1 {
			if n > 255 {
				return "", fmt.Errorf("%q is no IPv4 address", host)
			}
			all |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return "", fmt.Errorf("%q is no IPv4 address", host)
		}
		all |= n
	}
	return netip.AddrFrom4([4]byte{byte(all >> 24), byte(all >> 16), byte(all >> 8), byte(all)}).String(), nil
}

func parseNumber(s string) (uint64, error) {
	lower := strings.ToLower(s)
	switch {
	case s == "":
		return 0, strconv.ErrSyntax
	case lower == "0x":
		return 0, nil
	case strings.HasPrefix(lower, "0x"):
		return strconv.ParseUint(lower[2:], 16, 64)
	case len(s) > 1 && s[0] == '0':
		return strconv.ParseUint(s[1:], 8, 64)
	default:
		return strconv.ParseUint(s, 10, 64)
	}
}
