/** Recordings of what happens in tabs (console, network): bounded, kept over the death of the worker. */

import {sessions} from './sessions';
import type {Store} from './storage';
import {isRecord, perSession} from './storage';
import {type Tab, tabs} from './tab';

/** How long changes gather before they are stored, in milliseconds. */
const saveMs = 300;

/** Ring holds the latest entries of one tab, by a key: what comes again under its key is no second entry. */
export class Ring<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, T>();
  readonly #changed: () => void;
  #dropped = 0;

  /**
   * @param limit how many entries are kept, the oldest dropped first.
   * @param changed is called after each change.
   */
  constructor(limit: number, changed: () => void) {
    this.#limit = limit;
    this.#changed = changed;
  }

  /** How many entries had to go. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Get is the entry under a key. */
  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  /** Put adds an entry, or changes the one of that key in its place. */
  put(key: string, entry: T): void {
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#dropped++;
    }
    this.#changed();
  }

  /** Rename moves an entry to another key, to the end. */
  rename(from: string, to: string): void {
    const entry = this.#entries.get(from);
    if (entry === undefined || !this.#entries.delete(from)) return;
    this.put(to, entry);
  }

  /** All is every entry with its key, the oldest first. */
  all(): [string, T][] {
    return [...this.#entries];
  }

  /** Clear forgets all. */
  clear(): void {
    this.#entries.clear();
    this.#dropped = 0;
    this.#changed();
  }
}

/** Source is one kind of recording. */
export interface Source<T> {
  /** Names the kind, and its keys in storage. */
  readonly name: string;
  /** How many entries of a tab are kept. */
  readonly limit: number;
  /** Follow puts what happens in a tab into the ring from now on, until the function that it returns is called. */
  follow(tab: Tab, ring: Ring<T>): () => void;
  /** SwitchOn makes one CDP session of the tab tell; it may be called again. */
  switchOn(tab: Tab, session: string | undefined): Promise<unknown>;
  /** SwitchOff ends that. */
  switchOff(tab: Tab, session: string | undefined): Promise<unknown>;
  /** IsEntry checks an entry that comes out of storage. */
  isEntry(value: unknown): value is T;
}

interface Held<T> {
  readonly ring: Ring<T>;
  /** Ends the recording; undefined when it is not on. */
  end: (() => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Recordings are all tabs' recordings of one kind. */
export class Recordings<T> {
  readonly #source: Source<T>;
  readonly #store: Store;
  readonly #held = new Map<number, Held<T>>();

  constructor(source: Source<T>, store: Store = perSession) {
    this.#source = source;
    this.#store = store;
    // What one agent recorded is not the next one's to read.
    sessions.onEnded(({tabId}) => {
      this.drop(tabId);
    });
  }

  /** Load goes on with what an earlier worker recorded. Call it once, after the sessions are loaded. */
  async load(): Promise<void> {
    const prefix = `${this.#source.name}.`;
    for (const [key, value] of Object.entries(await this.#store.all())) {
      if (!key.startsWith(prefix) || !isRecord(value) || !Array.isArray(value.entries)) continue;
      const tabId = Number(key.slice(prefix.length));
      if (sessions.owner(tabId) === undefined) {
        void this.#store.remove([key]);
        continue;
      }
      const held = this.#hold(tabId);
      const entries: unknown[] = value.entries;
      for (const pair of entries) {
        const [name, entry] = listOf(pair);
        if (typeof name === 'string' && this.#source.isEntry(entry)) held.ring.put(name, entry);
      }
      // Chrome goes on telling the new worker what the old one asked to be told.
      if (value.on === true) this.#follow(tabs.known(tabId), held).catch(() => undefined);
    }
  }

  /** IsOn tells whether the tab is recorded now. */
  isOn(tabId: number): boolean {
    return this.#held.get(tabId)?.end !== undefined;
  }

  /** Ring is what was recorded of a tab; undefined when it never was. */
  ring(tabId: number): Ring<T> | undefined {
    return this.#held.get(tabId)?.ring;
  }

  /** Start begins anew, with nothing recorded. It resolves once the page tells. */
  async start(tab: Tab): Promise<void> {
    this.stop(tab);
    const held = this.#hold(tab.tabId);
    held.ring.clear();
    await this.#follow(tab, held);
  }

  /** Stop ends the recording; what was recorded stays readable. */
  stop(tab: Tab): void {
    const held = this.#held.get(tab.tabId);
    if (!held?.end) return;
    held.end();
    held.end = undefined;
    this.#save(tab.tabId, held);
    for (const session of tab.sessions()) void this.#source.switchOff(tab, session).catch(() => undefined);
  }

  /** Drop forgets a tab's recording. */
  drop(tabId: number): void {
    const held = this.#held.get(tabId);
    if (!held) return;
    this.#held.delete(tabId);
    clearTimeout(held.timer);
    held.end?.();
    void this.#store.remove([this.#key(tabId)]);
    const tab = tabs.peek(tabId);
    if (!tab?.attached || !held.end) return;
    for (const session of tab.sessions()) void this.#source.switchOff(tab, session).catch(() => undefined);
  }

  #follow(tab: Tab, held: Held<T>): Promise<void> {
    const unfollow = this.#source.follow(tab, held.ring);
    const {done, end} = tab.everywhere((session) => this.#source.switchOn(tab, session));
    held.end = () => {
      unfollow();
      end();
    };
    this.#save(tab.tabId, held);
    return done;
  }

  #hold(tabId: number): Held<T> {
    const known = this.#held.get(tabId);
    if (known) return known;
    const held: Held<T> = {
      ring: new Ring(this.#source.limit, () => {
        this.#save(tabId, held);
      }),
      end: undefined,
      timer: undefined,
    };
    this.#held.set(tabId, held);
    return held;
  }

  #save(tabId: number, held: Held<T>): void {
    held.timer ??= setTimeout(() => {
      held.timer = undefined;
      const value = {on: held.end !== undefined, entries: held.ring.all()};
      // A recording that is too large to be stored is still there while this worker lives.
      this.#store.set({[this.#key(tabId)]: value}).catch(() => undefined);
    }, saveMs);
  }

  #key(tabId: number): string {
    return `${this.#source.name}.${tabId.toString()}`;
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
