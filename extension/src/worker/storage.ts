/** Typed access to chrome.storage: unknown in, checked by the reader, writes in order. */

/** Store is one area of chrome.storage, as little of it as we use. */
export interface Store {
  /** Get reads one key; undefined when it is not there. */
  get(key: string): Promise<unknown>;
  /** All reads every key. */
  all(): Promise<Record<string, unknown>>;
  /** Set writes keys; writes are done in the order in which they were asked for. */
  set(items: Record<string, unknown>): Promise<void>;
  /** Remove deletes keys, in order with the writes. */
  remove(keys: string[]): Promise<void>;
}

/**
 * Area is a Store on chrome.storage. `local` outlives the browser, `session` outlives only the worker.
 * Chrome is first touched when a method is called, so that modules may be loaded outside of it.
 */
export function area(name: 'local' | 'session'): Store {
  // Chrome runs writes side by side: without a chain a later one may land before an earlier one.
  let last: Promise<unknown> = Promise.resolve();
  const after = (job: () => Promise<void>): Promise<void> => {
    const done = last.then(job, job);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    get: async (key) => (await chrome.storage[name].get(key))[key],
    all: () => chrome.storage[name].get(null),
    set: (items) => after(() => chrome.storage[name].set(items)),
    remove: (keys) => after(() => chrome.storage[name].remove(keys)),
  };
}

/** What must outlive the browser: settings, the latch, the device's identity. */
export const local: Store = area('local');

/** What must outlive the worker only: tab records, the ledger of calls. */
export const perSession: Store = area('session');

/** IsRecord narrows what came out of storage or off the wire to an object with string keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
