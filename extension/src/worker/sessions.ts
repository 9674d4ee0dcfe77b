/**
 * Tab records: which tab is worked on by which agent, since when. The extension owns this truth; the
 * server only caches what it is told. A record is bookkeeping, not consent: the first action makes it.
 */

import type {EndReason} from '../protocol.gen';
import {domainOf} from './domains';
import {ActionError} from './errors';
import type {Events} from './events';
import {events} from './events';
import type {Store} from './storage';
import {perRun} from './run';
import {isRecord, local} from './storage';

/** TabRecord is one tab under work. Times are epoch milliseconds. */
export interface TabRecord {
  tabId: number;
  /** The registrable domain of the tab's address, as `domainOf` names it. */
  domain: string;
  startedAt: number;
  lastActionAt: number;
  actionCount: number;
  /** The agent that owns the tab. */
  agentId: string;
  /** True when the tab was made for an agent and stands in the agent window; false for a tab of the user's. */
  agentTab: boolean;
}

/** Why a record ends. `released`: the agent let go of the tab, which no event tells. */
export type Ending = EndReason | 'released';

/** Told after a record has gone. */
export type EndListener = (record: TabRecord, reason: Ending) => void;

/** What is kept of a tab for its whole life, with or without a session on it. */
interface TabEntry {
  /** The next number that a uid in this tab may get; it only rises. */
  uidMark: number;
  agentTab: boolean;
  record?: TabRecord;
}

/** Where sessions are kept. */
export interface SessionStores {
  /** What outlives the worker and the extension's reload, but not the browser. */
  run: Store & {readonly reloaded?: boolean};
  /** What outlives that too. */
  kept: Store;
}

const prefix = 'tab.';
const ceilingsKey = 'uids';
// Uids are set aside by so many at a time, so that the disk is written to seldom.
const ceilingStep = 100;

/** Sessions holds the tab records, persists them in order and announces their beginning and end. */
export class Sessions {
  readonly #store: SessionStores['run'];
  readonly #kept: Store;
  readonly #events: Events;
  readonly #now: () => number;
  readonly #tabs = new Map<number, TabEntry>();
  readonly #listeners = new Set<EndListener>();
  // For each tab a number above every uid in it. When the extension is loaded anew, by an update or its developer, the open
  // pages and what agents were told of them stay, and the last marks are lost: the tab's uids then go on from here. A tab of
  // another run of the browser that has the same id only begins higher than it need.
  readonly #ceilings = new Map<number, number>();

  constructor({run, kept}: SessionStores, told: Events, now: () => number = Date.now) {
    this.#store = run;
    this.#kept = kept;
    this.#events = told;
    this.#now = now;
  }

  /**
   * Load brings back what an earlier worker of this browser run knew, less the tabs that are gone.
   * Call it once, before anything else.
   * @param open the ids of the tabs that exist; records of others end with `tab_closed`.
   */
  async load(open: ReadonlySet<number>): Promise<void> {
    const [run, ceilings] = await Promise.all([this.#store.all(), this.#kept.get(ceilingsKey)]);
    for (const [key, value] of Object.entries(run)) {
      if (!key.startsWith(prefix)) continue;
      const entry = entryOf(value);
      if (entry) this.#tabs.set(Number(key.slice(prefix.length)), entry);
    }
    for (const [key, ceiling] of isRecord(ceilings) ? Object.entries(ceilings) : []) {
      const tabId = Number(key);
      if (typeof ceiling !== 'number' || !open.has(tabId)) continue;
      this.#ceilings.set(tabId, ceiling);
      const known = this.#tabs.get(tabId);
      if (known && (!this.#store.reloaded || known.uidMark >= ceiling)) continue;
      this.#entry(tabId).uidMark = ceiling;
      if (known) this.#save(tabId);
    }
    for (const tabId of [...this.#tabs.keys()]) if (!open.has(tabId)) this.closed(tabId);
  }

  /** OnEnded registers a listener for the end of sessions; it returns what takes it away again. */
  onEnded(listener: EndListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** List is a copy of all records, the most recently used first. */
  list(): TabRecord[] {
    const records: TabRecord[] = [];
    for (const {record} of this.#tabs.values()) if (record) records.push({...record});
    return records.sort((a, b) => b.lastActionAt - a.lastActionAt || b.tabId - a.tabId);
  }

  /** Get is the record of a tab, a copy; undefined when no session is on it. */
  get(tabId: number): TabRecord | undefined {
    const record = this.#tabs.get(tabId)?.record;
    return record && {...record};
  }

  /** Owner is the agent whose session is on the tab, or undefined. */
  owner(tabId: number): string | undefined {
    return this.#tabs.get(tabId)?.record?.agentId;
  }

  /** IsAgentTab tells whether the tab was made for an agent; it stays so when a session ends. */
  isAgentTab(tabId: number): boolean {
    return this.#tabs.get(tabId)?.agentTab ?? false;
  }

  /**
   * Claim gives the tab's session to the agent, making it when there is none.
   * @param address the tab's address, for the record's domain.
   * @param made.agentTab true when the tab was made for the agent (open_tab, or opened by an agent's tab).
   * @throws ActionError not_owner when another agent has the tab.
   */
  claim(tabId: number, agentId: string, address: string, made: {agentTab?: boolean} = {}): TabRecord {
    const entry = this.#entry(tabId);
    if (made.agentTab) entry.agentTab = true;
    if (entry.record && entry.record.agentId !== agentId) throw notOwner(tabId);
    if (!entry.record) {
      const now = this.#now();
      entry.record = {
        tabId,
        domain: domainOf(address),
        startedAt: now,
        lastActionAt: now,
        actionCount: 0,
        agentId,
        agentTab: entry.agentTab,
      };
      this.#events.emit({type: 'session_started', tabId, domain: entry.record.domain, startedAt: now});
    }
    this.#save(tabId);
    return {...entry.record};
  }

  /** Touch counts one action on the tab. */
  touch(tabId: number): void {
    const record = this.#tabs.get(tabId)?.record;
    if (!record) return;
    record.lastActionAt = this.#now();
    record.actionCount += 1;
    this.#save(tabId);
  }

  /** Moved notes the tab's new address. */
  moved(tabId: number, address: string): void {
    const record = this.#tabs.get(tabId)?.record;
    const domain = domainOf(address);
    if (!record || record.domain === domain) return;
    record.domain = domain;
    this.#save(tabId);
  }

  /**
   * Choose is the tab that an action without `tabId` means, among the agent's own only: the most recent
   * agent tab, else the only tab of the user's that it works on.
   * @throws ActionError session_not_found when there is none, or several (they are named).
   */
  choose(agentId: string): number {
    const own = this.list().filter((record) => record.agentId === agentId);
    const first = own.find((record) => record.agentTab) ?? own[0];
    if (!first) {
      throw new ActionError(
        'session_not_found',
        'no tabId was given and you have no session yet: call open_tab, or name a tab by its tabId (list_tabs has them)',
      );
    }
    if (first.agentTab || own.length === 1) return first.tabId;
    throw new ActionError(
      'session_not_found',
      `no tabId was given and you have sessions on several of the user's tabs: give one of ${listed(own)}`,
    );
  }

  /** Missing is the error for a tab that is not there, with those that the agent has. */
  missing(tabId: number, agentId: string): ActionError {
    const own = this.list().filter((record) => record.agentId === agentId);
    const yours = own.length === 0 ? 'you have none yet' : `yours are ${listed(own)}`;
    return new ActionError('tab_not_found', `there is no tab ${tabId} (any more): ${yours}; list_tabs has all`);
  }

  /** Check refuses a tab that another agent owns. @throws ActionError not_owner */
  check(tabId: number, agentId: string): void {
    const owner = this.owner(tabId);
    if (owner !== undefined && owner !== agentId) throw notOwner(tabId);
  }

  /** HandOver gives a tab's record to another owner. The caller knows that both are one party. */
  handOver(tabId: number, agentId: string): void {
    const record = this.#tabs.get(tabId)?.record;
    if (!record) return;
    record.agentId = agentId;
    this.#save(tabId);
  }

  /** End takes the session off a tab and announces it; nothing happens when there is none. */
  end(tabId: number, reason: Ending): void {
    const entry = this.#tabs.get(tabId);
    const record = entry?.record;
    if (!entry || !record) return;
    delete entry.record;
    // A tab that was let go of is the user's.
    if (reason === 'released') entry.agentTab = false;
    this.#save(tabId);
    if (reason !== 'released') this.#told(record, reason);
    for (const listener of this.#listeners) listener(record, reason);
  }

  #told({tabId, domain, actionCount}: TabRecord, reason: EndReason): void {
    this.#events.emit({
      type: 'session_ended',
      tabId,
      domain,
      reason,
      actionCount,
      endedAt: this.#now(),
    });
  }

  /** EndAll ends every session, or those that the filter keeps; it returns the records that ended. */
  endAll(reason: EndReason, only: (record: TabRecord) => boolean = () => true): TabRecord[] {
    const ended = this.list().filter(only);
    for (const record of ended) this.end(record.tabId, reason);
    return ended;
  }

  /** Closed forgets a tab that is gone; its session ends with `tab_closed`. */
  closed(tabId: number): void {
    if (!this.#tabs.has(tabId)) return;
    this.end(tabId, 'tab_closed');
    this.#tabs.delete(tabId);
    void this.#store.remove([prefix + tabId.toString()]);
    if (this.#ceilings.delete(tabId)) void this.#keepCeilings();
  }

  /** Replaced follows a tab whose id Chrome changed (a discarded tab that came back). */
  replaced(added: number, removed: number): void {
    const entry = this.#tabs.get(removed);
    if (!entry) return;
    this.#tabs.delete(removed);
    void this.#store.remove([prefix + removed.toString()]);
    if (entry.record) entry.record.tabId = added;
    this.#tabs.set(added, entry);
    this.#save(added);
    const ceiling = this.#ceilings.get(removed);
    if (ceiling === undefined) return;
    this.#ceilings.delete(removed);
    this.#ceilings.set(added, ceiling);
    void this.#keepCeilings();
  }

  /** UidMark is the next number that a uid in the tab may get, from 0. */
  uidMark(tabId: number): number {
    return this.#tabs.get(tabId)?.uidMark ?? 0;
  }

  /**
   * SetUidMark raises the mark and resolves when it is stored: await it before a result with new uids
   * leaves, or a worker that dies, or an extension that is updated, would give one number to two elements.
   */
  async setUidMark(tabId: number, mark: number): Promise<void> {
    const entry = this.#entry(tabId);
    if (mark <= entry.uidMark) return;
    entry.uidMark = mark;
    await Promise.all([this.#write(tabId, entry), this.#raiseCeiling(tabId, mark)]);
  }

  async #raiseCeiling(tabId: number, mark: number): Promise<void> {
    if (mark <= (this.#ceilings.get(tabId) ?? 0)) return;
    this.#ceilings.set(tabId, Math.ceil(mark / ceilingStep) * ceilingStep);
    await this.#keepCeilings();
  }

  #keepCeilings(): Promise<void> {
    return this.#kept.set({[ceilingsKey]: Object.fromEntries(this.#ceilings)});
  }

  #entry(tabId: number): TabEntry {
    const known = this.#tabs.get(tabId);
    if (known) return known;
    const entry: TabEntry = {uidMark: 0, agentTab: false};
    this.#tabs.set(tabId, entry);
    return entry;
  }

  #save(tabId: number): void {
    const entry = this.#tabs.get(tabId);
    if (entry) void this.#write(tabId, entry);
  }

  #write(tabId: number, entry: TabEntry): Promise<void> {
    return this.#store.set({[prefix + tabId.toString()]: structuredClone(entry)});
  }
}

function notOwner(tabId: number): ActionError {
  return new ActionError('not_owner', `tab ${tabId} belongs to another agent: open your own with open_tab`);
}

/** Listed names tabs by what is told of them anyway, and never by a page's words. */
function listed(records: readonly TabRecord[]): string {
  const [some, more] = [records.slice(0, 20), records.length - 20];
  const names = some.map((record) => `${record.tabId} (${record.domain})`).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}

function entryOf(value: unknown): TabEntry | undefined {
  if (!isRecord(value) || typeof value.uidMark !== 'number') return undefined;
  const entry: TabEntry = {uidMark: value.uidMark, agentTab: value.agentTab === true};
  const record = recordOf(value.record);
  if (record) entry.record = record;
  return entry;
}

function recordOf(value: unknown): TabRecord | undefined {
  if (!isRecord(value)) return undefined;
  const {tabId, domain, startedAt, lastActionAt, actionCount, agentId, agentTab} = value;
  if (typeof tabId !== 'number' || typeof domain !== 'string' || typeof agentId !== 'string') return undefined;
  if (typeof startedAt !== 'number' || typeof lastActionAt !== 'number' || typeof actionCount !== 'number')
    return undefined;
  return {tabId, domain, startedAt, lastActionAt, actionCount, agentId, agentTab: agentTab === true};
}

/** The worker's sessions. */
export const sessions = new Sessions({run: perRun, kept: local}, events);
