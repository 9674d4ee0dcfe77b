/**
 * Addresses and the domains they belong to: pure, no chrome.
 *
 * How a blocklist matches (the rules of the house):
 *  - An entry becomes the registrable domain of what was typed: `https://mail.example.co.uk/x` blocks
 *    `example.co.uk` and everything below it. Suffixes under which strangers get names of their own
 *    (github.io, blogspot.com) count as public suffixes: `alice.github.io` does not block `bob.github.io`.
 *  - An entry that is itself a public suffix (`github.io`, `ru`) blocks everything below it.
 *  - IP addresses match by their canonical form (`0x7f.1` is `127.0.0.1`, `[::ffff:1.2.3.4]` is `1.2.3.4`);
 *    single names (`localhost`, `intranet`) match themselves and what is below them. `localhost` and
 *    `127.0.0.1` are two entries: a name may be resolved anywhere.
 *  - Case, trailing dots and punycode make no difference: `BÜCHER.example.` is `xn--bcher-kva.example`.
 */

import {getDomain} from 'tldts';

const suffixes = {allowPrivateDomains: true, validateHostname: false, extractHostname: false} as const;

/** Parse reads an address; undefined when it is none. */
export function parse(address: string): URL | undefined {
  return URL.parse(address) ?? undefined;
}

/**
 * HostOf is the canonical host that an address belongs to: lower case, punycode, no trailing dot, no
 * brackets; a blob belongs to the origin that made it. Empty for addresses that have no host (about:, data:).
 */
export function hostOf(address: string): string {
  const url = parse(address);
  if (!url) return '';
  if (url.protocol === 'blob:') return hostOf(url.pathname);
  return canonical(url.hostname);
}

/**
 * DomainOf is what an address is called in sessions, events and messages: its registrable domain, else its
 * host, else its scheme (`about:blank`, `data:`, `file:`).
 */
export function domainOf(address: string): string {
  const host = hostOf(address);
  if (host !== '') return registrable(host);
  const url = parse(address);
  if (!url) return '';
  return url.protocol === 'about:' ? `about:${url.pathname}` : url.protocol;
}

/**
 * Rule is the blocklist entry that what a person typed stands for (a domain, an address, `*.domain`, an IP),
 * or undefined when nothing can be made of it.
 */
export function rule(typed: string): string | undefined {
  const text = typed.trim().replace(/^\*\./, '');
  if (text === '' || /\s/.test(text)) return undefined;
  // A bare IPv6 address needs its brackets before the URL parser can read it.
  const bare = /^[0-9a-f:.]+$/i.test(text) && text.split(':').length > 2 ? `[${text}]` : text;
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`);
  const host = url ? canonical(url.hostname) : '';
  return host === '' ? undefined : registrable(host);
}

/** BlockedBy is the entry of the blocklist that an address falls under, or undefined. Entries come from {@link rule}. */
export function blockedBy(address: string, entries: ReadonlySet<string>): string | undefined {
  const host = hostOf(address);
  if (host === '') return undefined;
  if (entries.has(host)) return host;
  if (isIp(host)) return undefined;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    if (entries.has(parent)) return parent;
  }
  return undefined;
}

/** IsLoopback tells whether a canonical host can only be this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

function registrable(host: string): string {
  if (isIp(host)) return host;
  return getDomain(host, suffixes) ?? host;
}

function isIp(host: string): boolean {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
}

function canonical(hostname: string): string {
  if (hostname.startsWith('[')) return mappedIpv4(hostname.slice(1, -1));
  return hostname.toLowerCase().replace(/\.+$/, '');
}

// The URL parser writes an IPv4 address inside IPv6 as two hexadecimal groups: [::ffff:1.2.3.4] → ::ffff:102:304.
function mappedIpv4(ipv6: string): string {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(ipv6);
  if (!groups) return ipv6;
  const bytes = [groups[1] ?? '', groups[2] ?? ''].flatMap((group) => {
    const both = Number.parseInt(group, 16);
    return [both >> 8, both & 255];
  });
  return bytes.join('.');
}
