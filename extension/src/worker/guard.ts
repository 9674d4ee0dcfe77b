/**
 * The guard: no action on a blocked domain, nor at an address that is never allowed. It is asked before
 * an action (for the tab's current address, and for an address asked for), told of every commit of a
 * navigation, and asked again before a result leaves.
 */

import {blockedBy, hostOf, isLoopback, parse} from './domains';
import {ActionError} from './errors';
import type {Events} from './events';
import {events} from './events';
import {pagesOf} from './serveraddress';
import type {Sessions} from './sessions';
import {sessions} from './sessions';
import type {Settings} from './settings';
import {settings} from './settings';

/** What the guard needs of Chrome. */
export interface GuardBrowser {
  /** FileAccess tells whether the user switched "Allow access to file URLs" on. */
  fileAccess(): Promise<boolean>;
  /** Blank takes an agent's tab away from where it is, so that the page there cannot be acted on. */
  blank(tabId: number): void;
  /** Id of this extension, for the address of its switches. */
  extensionId(): string;
}

/** Verdict is why an address is refused; undefined when it is not. */
export type Verdict = {kind: 'blocked'; domain: string; own?: true} | {kind: 'forbidden'; message: string} | undefined;

/** Guard holds the rules and the addresses that pages gave their popups. */
export class Guard {
  readonly #settings: Settings;
  readonly #sessions: Sessions;
  readonly #events: Events;
  readonly #browser: GuardBrowser;
  #own: {from: readonly string[]; entries: ReadonlySet<string>} = {from: [], entries: new Set()};
  #server: ReadonlySet<string> = new Set();
  // A page that opens about:blank or a data: address still acts in its own name there.
  readonly #openers = new Map<number, string>();
  readonly #hits = new Map<number, string>();

  constructor(rules: Settings, records: Sessions, told: Events, browser: GuardBrowser) {
    this.#settings = rules;
    this.#sessions = records;
    this.#events = told;
    this.#browser = browser;
  }

  /** SetServerRules replaces the server's own blocklist; the entries are already registrable domains or hosts. */
  setServerRules(entries: readonly string[]): void {
    this.#server = new Set(entries);
  }

  /** The server's entries as they are now. */
  get serverRules(): string[] {
    return [...this.#server];
  }

  /** BlockedDomain is the blocklist entry that an address falls under, or undefined. */
  blockedDomain(address: string): string | undefined {
    return blockedBy(address, this.#ownEntries()) ?? blockedBy(address, this.#server);
  }

  /** FrameAllowed tells whether what a frame of that address shows may be part of a result. */
  frameAllowed(address: string): boolean {
    return this.blockedDomain(address) === undefined && !this.#isServer(address);
  }

  /**
   * Listable tells whether list_tabs may show a tab.
   * @param address the tab's address.
   */
  listable(tabId: number, address: string): boolean {
    return this.frameAllowed(address) && this.frameAllowed(this.#openers.get(tabId) ?? address);
  }

  /**
   * CheckAsked refuses an address that open_tab or navigate was asked for.
   * @throws ActionError domain_blocked (also told as an event) or invalid_action.
   */
  async checkAsked(address: string, action: string, tabId?: number): Promise<void> {
    this.#refuse(await this.#asked(address), action, tabId);
  }

  /**
   * CheckTab refuses an action on a tab for what it shows; a blocked domain ends the session there.
   * @param moving true for actions that leave the page without looking at it (navigate, close_tab): they are
   *   allowed on the browser's own pages.
   * @throws ActionError domain_blocked (also told as an event) or invalid_action.
   */
  checkTab(tabId: number, address: string, action: string, moving: boolean): void {
    const verdict = this.#current(tabId, address, moving);
    if (verdict?.kind === 'blocked') this.#cut(tabId);
    this.#refuse(verdict, action, tabId);
  }

  /** HitOn is the blocked domain that last ended a session on the tab, or undefined. */
  hitOn(tabId: number): string | undefined {
    return this.#hits.get(tabId);
  }

  /** OpenedBy notes that a page opened a tab. */
  openedBy(tabId: number, openerAddress: string): void {
    if (hostOf(openerAddress) !== '') this.#openers.set(tabId, openerAddress);
  }

  /** Committed is told of every main-frame commit, however it came about. */
  committed(tabId: number, address: string): void {
    const isPage = hostOf(address) !== '';
    if (isPage) this.#openers.delete(tabId);
    const verdict = this.#current(tabId, address, true);
    if (verdict?.kind === 'blocked') {
      this.#hits.set(tabId, verdict.domain);
      if (this.#sessions.owner(tabId) === undefined) return;
      this.#events.emit({type: 'domain_blocked', tabId, domain: verdict.domain, action: 'navigation'});
      this.#cut(tabId);
      return;
    }
    // A page of its own ends what was before; the empty one that we put in a blocked one's place does not.
    if (isPage) this.#hits.delete(tabId);
    this.#sessions.moved(tabId, address);
  }

  /** Recheck looks at tabs under work again, after the rules changed. */
  recheck(tabs: readonly {id: number; address: string}[]): void {
    for (const {id, address} of tabs) if (this.#sessions.owner(id) !== undefined) this.committed(id, address);
  }

  /** Closed forgets a tab that is gone. */
  closed(tabId: number): void {
    this.#openers.delete(tabId);
    this.#hits.delete(tabId);
  }

  #cut(tabId: number): void {
    // First the tab, then the session: whoever hears of the end must not find the page still there.
    if (this.#sessions.isAgentTab(tabId)) this.#browser.blank(tabId);
    this.#sessions.end(tabId, 'domain_blocked');
  }

  #refuse(verdict: Verdict, action: string, tabId: number | undefined): void {
    if (!verdict) return;
    if (verdict.kind === 'forbidden') throw new ActionError('invalid_action', verdict.message);
    this.#events.emit({
      type: 'domain_blocked',
      domain: verdict.domain,
      action,
      ...(tabId === undefined ? {} : {tabId}),
    });
    if (tabId !== undefined) this.#hits.set(tabId, verdict.domain);
    throw verdict.own ? ownServer(verdict.domain) : domainBlocked(verdict.domain);
  }

  #current(tabId: number, address: string, moving: boolean): Verdict {
    const domain = this.blockedDomain(address) ?? this.blockedDomain(this.#openers.get(tabId) ?? '');
    if (domain !== undefined) return {kind: 'blocked', domain};
    if (this.#isServer(address)) return {kind: 'blocked', domain: hostOf(address), own: true};
    // An extension's own page is nobody's to leave: the cover of the agent window is one.
    if (isOrdinary(address) || (moving && parse(address)?.protocol !== 'chrome-extension:')) return undefined;
    const message = `this tab shows ${shown(address)}, a page that extensions may not touch: navigate it to an http(s) address, or open a new tab with open_tab`;
    return {kind: 'forbidden', message};
  }

  async #asked(address: string): Promise<Verdict> {
    const url = parse(address);
    if (!url) {
      return {
        kind: 'forbidden',
        message: `"${shown(address)}" is no absolute address: give one such as https://example.com/`,
      };
    }
    const domain = this.blockedDomain(address);
    if (domain !== undefined) return {kind: 'blocked', domain};
    if (this.#isServer(address)) return {kind: 'blocked', domain: hostOf(address), own: true};
    switch (url.protocol) {
      case 'http:':
      case 'https:':
      case 'data:':
      case 'blob:':
        return undefined;
      case 'about:':
        return url.pathname === 'blank' ? undefined : never(url);
      case 'file:':
        if (!this.#settings.state.files) {
          return {
            kind: 'forbidden',
            message:
              'file: addresses are off in a browser that Drawbridge launched: serve the file over http, or use a browser of the user’s own, where they can switch on "Allow access to file URLs"',
          };
        }
        if (await this.#browser.fileAccess()) return undefined;
        return {
          kind: 'forbidden',
          message: `file: addresses need a switch that is off: the user turns on "Allow access to file URLs" at chrome://extensions/?id=${this.#browser.extensionId()}`,
        };
      default:
        return never(url);
    }
  }

  // An agent that can reach the server's own pages could pair itself, or read the console.
  #isServer(address: string): boolean {
    const url = parse(address);
    const server = pagesOf(this.#settings.state.address);
    if (!url || !server || (url.protocol !== 'http:' && url.protocol !== 'https:' && url.protocol !== 'blob:'))
      return false;
    const origin = url.protocol === 'blob:' ? parse(url.origin) : url;
    if (!origin || portOf(origin) !== portOf(server)) return false;
    const [host, own] = [hostOf(origin.href), hostOf(server.href)];
    return host === own || (isLoopback(host) && isLoopback(own)) || host === '0.0.0.0' || host === '::';
  }

  #ownEntries(): ReadonlySet<string> {
    const from = this.#settings.state.blocklist;
    if (from !== this.#own.from) this.#own = {from, entries: new Set(from)};
    return this.#own.entries;
  }
}

/** DomainBlocked is the terminal error for a blocked domain. */
export function domainBlocked(domain: string): ActionError {
  return new ActionError(
    'domain_blocked',
    `${domain} is on the blocklist of this browser: tell the user, and do not try another tab or another way`,
  );
}

function ownServer(host: string): ActionError {
  return new ActionError(
    'domain_blocked',
    `${host} is Drawbridge's own server there, whose pages no agent may touch: do without, and do not try another way`,
  );
}

function never(url: URL): Verdict {
  return {
    kind: 'forbidden',
    message: `${url.protocol} addresses are never opened for an agent: give an http or https address, or about:blank`,
  };
}

function isOrdinary(address: string): boolean {
  // A tab that was made a moment ago has no address yet.
  if (address === '') return true;
  const url = parse(address);
  if (!url) return false;
  if (url.protocol === 'about:') return url.pathname === 'blank';
  return ['http:', 'https:', 'data:', 'blob:', 'file:'].includes(url.protocol);
}

function portOf(url: URL): string {
  return url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80';
}

function shown(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}

/** The guard's own view of Chrome. */
export const chromeGuard: GuardBrowser = {
  fileAccess: () => chrome.extension.isAllowedFileSchemeAccess(),
  blank: (tabId) => {
    // A tab that is closing at this moment has nothing left to be acted on.
    chrome.tabs.update(tabId, {url: 'about:blank'}).catch(() => undefined);
  },
  extensionId: () => chrome.runtime.id,
};

/** The worker's guard. */
export const guard = new Guard(settings, sessions, events, chromeGuard);
