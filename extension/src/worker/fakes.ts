/** Stand-ins for tests of the worker's logic: only what Chrome alone could give. */

import type {Event} from '../protocol.gen';
import {Events} from './events';
import type {GuardBrowser} from './guard';
import type {Store} from './storage';

/** MemoryStore keeps what it is given as Chrome would: as JSON, keys in order of the alphabet. */
export class MemoryStore implements Store {
  readonly items = new Map<string, string>();
  /** Every write, in order. */
  readonly writes: string[] = [];

  get(key: string): Promise<unknown> {
    return Promise.resolve(this.peek(key));
  }

  all(): Promise<Record<string, unknown>> {
    return Promise.resolve(Object.fromEntries([...this.items.keys()].map((key) => [key, this.peek(key)])));
  }

  set(items: Record<string, unknown>): Promise<void> {
    for (const [key, value] of Object.entries(items)) {
      this.items.set(key, JSON.stringify(value));
      this.writes.push(key);
    }
    return Promise.resolve();
  }

  remove(keys: string[]): Promise<void> {
    for (const key of keys) this.items.delete(key);
    return Promise.resolve();
  }

  /** Peek reads a key at once. */
  peek(key: string): unknown {
    const text = this.items.get(key);
    return text === undefined ? undefined : sorted(JSON.parse(text));
  }
}

/** RecordedEvents is Events whose sink is a list. */
export function recordedEvents(): {events: Events; told: Event[]} {
  const events = new Events();
  const told: Event[] = [];
  events.to((event) => told.push(event));
  return {events, told};
}

/** FakeBrowser is what the guard sees of Chrome. */
export class FakeBrowser implements GuardBrowser {
  files = false;
  readonly blanked: number[] = [];

  fileAccess(): Promise<boolean> {
    return Promise.resolve(this.files);
  }

  blank(tabId: number): void {
    this.blanked.push(tabId);
  }

  extensionId(): string {
    return 'hlnomgpkpndcppfcepkflgdcebgidkeg';
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
