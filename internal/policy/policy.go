// Package policy decides, from an action, the address it is about and the operator's rules alone, whether the action may be dispatched.
//
// It is the server's early answer, in front of the extension's guard, which sees what only the browser knows: the tab's current
// address, redirects, frames. Both match a blocklist in the same way (see [Rules]), and a table in testdata holds them to it.
package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Verdict is what policy says of an action.
type Verdict int

// The verdicts. Nothing of this version's rules asks the user; the desk refuses what it cannot ask about.
const (
	Allow Verdict = iota // dispatch it
	Deny                 // refuse it with the decision's error
	Ask                  // dispatch it only once the user has agreed
)

// Decision is a verdict with its reason.
type Decision struct {
	Verdict Verdict
	// Domain is what the decision was about: a registrable domain, a host, or a scheme.
	Domain string
	// Err is the agent's error when the verdict is Deny, nil otherwise.
	Err *protocol.Error
}

// Rules is a compiled blocklist. It is immutable and safe for concurrent use; nil blocks nothing.
//
// An entry becomes the registrable domain (by the public suffix list, its private part too) of what was written: the entry
// https://mail.example.co.uk/x blocks example.co.uk and all below it, alice.github.io does not block bob.github.io. An entry that is
// itself a public suffix blocks everything below it. IP addresses match in their canonical form only. Single names (localhost)
// match themselves and what is below them; localhost and 127.0.0.1 are two entries. Case, trailing dots and punycode make no difference.
type Rules struct {
	blocked map[string]struct{}
	ownPort string
}

// Compile reads the operator's rules. ownPort is the port that this server listens on: its own pages, on whatever name of this
// machine, are out of bounds for agents and no rule opens them; empty when there is no listener. It fails on an entry from which no host can be read, naming it: an entry that
// silently matches nothing would look like protection.
func Compile(rules protocol.Rules, ownPort string) (*Rules, error) {
	r := &Rules{blocked: make(map[string]struct{}, len(rules.Blocklist)), ownPort: ownPort}
	for _, entry := range rules.Blocklist {
		domain, ok := ruleDomain(entry)
		if !ok {
			return nil, fmt.Errorf("blocklist entry %q is no domain, host or IP address: write it like example.com or 192.0.2.7", entry)
		}
		r.blocked[domain] = struct{}{}
	}
	return r, nil
}

// Entries is the blocklist as it is compared: canonical, sorted, each once. It is what browsers are told.
func (r *Rules) Entries() []string {
	if r == nil {
		return []string{}
	}
	entries := slices.AppendSeq(make([]string, 0, len(r.blocked)), maps.Keys(r.blocked))
	slices.Sort(entries)
	return entries
}

// Decide judges action, which is about address: the tab's address as far as the server knows it, empty if it does not. The address
// that open_tab, navigate and session ask for is judged as well.
func Decide(action protocol.Action, address string, rules *Rules) Decision {
	if address != "" {
		if d := blocked(address, rules); d.Verdict != Allow {
			return d
		}
	}
	switch a := action.(type) {
	case protocol.OpenTab:
		return asked(a.URL, rules)
	case protocol.Navigate:
		if a.URL != "" {
			return asked(a.URL, rules)
		}
	case protocol.Session:
		if a.URL != "" {
			return asked(a.URL, rules)
		}
	}
	return Decision{Verdict: Allow, Domain: DomainOf(address)}
}

// schemes says what becomes of an address that an agent asks for. The schemes that are not here are never allowed. What file: needs
// is a switch in the browser, and data: and blob: belong to whoever opened them: those the extension judges.
var schemes = map[string]bool{"http": true, "https": true, "about": true, "data": true, "blob": true, "file": true}

// asked judges an address that an agent wants to go to.
func asked(address string, rules *Rules) Decision {
	scheme, rest, ok := splitScheme(address)
	if !ok {
		return deny("", protocol.CodeInvalidAction, "%q is not an absolute address: write it with its scheme, like https://example.com/", shorten(address))
	}
	if !schemes[scheme] || scheme == "about" && !isBlank(rest) {
		return deny(scheme+":", protocol.CodeInvalidAction, "%s: addresses are never opened; allowed are http, https and about:blank", scheme)
	}
	if scheme == "http" || scheme == "https" {
		if _, err := hostOf(address); err != nil {
			return deny("", protocol.CodeInvalidAction, "address %q: %v", shorten(address), err)
		}
	}
	return blocked(address, rules)
}

// blocked judges an address by the rules alone.
func blocked(address string, rules *Rules) Decision {
	host, port, err := authorityOf(address)
	if err != nil || host == "" {
		return Decision{Verdict: Allow, Domain: DomainOf(address)}
	}
	domain := Registrable(host)
	if rules != nil && rules.ownPort != "" && port == rules.ownPort && isLoopback(host) {
		return deny(domain, protocol.CodeDomainBlocked, "%s:%s is drawbridge itself, which agents never open; tell the user if that is what they asked for", host, port)
	}
	if rules.blocks(host) {
		return deny(domain, protocol.CodeDomainBlocked,
			"%s is on the server's blocklist; tell the user that it is blocked, and do not try another tab or another action", domain)
	}
	return Decision{Verdict: Allow, Domain: domain}
}

func (r *Rules) blocks(host string) bool {
	if r == nil {
		return false
	}
	if _, hit := r.blocked[host]; hit || isIP(host) {
		return hit
	}
	for {
		_, parent, more := strings.Cut(host, ".")
		if !more {
			return false
		}
		if _, hit := r.blocked[parent]; hit {
			return true
		}
		host = parent
	}
}

func deny(domain string, code protocol.ErrorCode, format string, args ...any) Decision {
	return Decision{Verdict: Deny, Domain: domain, Err: protocol.Errorf(code, format, args...)}
}

// isBlank reports whether what follows "about:" is blank, with or without a query or a fragment.
func isBlank(rest string) bool {
	name, _, _ := strings.Cut(rest, "#")
	name, _, _ = strings.Cut(name, "?")
	return strings.EqualFold(name, "blank")
}

// shorten keeps an address of megabytes out of a message.
func shorten(address string) string {
	const limit = 200
	if len(address) <= limit {
		return address
	}
	return strings.ToValidUTF8(address[:limit], "") + "…"
}
