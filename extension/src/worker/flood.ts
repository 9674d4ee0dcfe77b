/** What a page's scripts can have the browser tell without end, and no longer being told it. */

import type {Send} from './cdp';
import {isEvent} from './cdp';

/** Talk is what a page can make at will: words for its console, and requests. */
type Talk = 'console' | 'network';

/** How many events of a kind may come at once, and how many a second in the long run: the worker serves all tabs. */
const allowed = {
  console: {atOnce: 300, perSecond: 200},
  network: {atOnce: 5_000, perSecond: 500},
} as const satisfies Record<Talk, {atOnce: number; perSecond: number}>;

/** As many words of before Chrome tells again to who listens to a console: they are no flood. */
const retold = 1_000;

/** So many events are on their way when a page is told to be silent; if more come within the time, it does not hear us. */
const underWay = 3_000;
const deafMs = 2_000;

/** A new document is listened to again when the flood is so long ago, in milliseconds. */
const forgiveMs = 5_000;

const orderMs = 10_000;

/** What the flood's tab does. */
export interface FloodParts {
  send: Send;
  /** Arms again in a session what ends with Runtime. */
  rearm: (session: string | undefined) => void;
  /** Tells whether somebody records what the page does. */
  recorded: () => boolean;
  /** Keeps a sentence for the next result. */
  note: (sentence: string) => void;
  /** Ends the attachment: the page does not even hear that it should be silent. */
  letGo: () => void;
}

/** A store that each event takes one out of and that time fills again. */
interface Bucket {
  left: number;
  /** When it was last filled, on the clock of performance.now(). */
  at: number;
  /** When it last was empty. */
  emptyAt: number;
}

/**
 * Flood keeps one tab's talk from keeping the worker busy, which all other tabs share. Of a page that floods, the
 * console is no longer heard until it loads another document, and requests until an action asks for them again.
 */
export class Flood {
  readonly #parts: FloodParts;
  readonly #buckets = new Map<string, Bucket>();
  // The sessions whose console is not heard, and since when.
  readonly #silent = new Map<string | undefined, number>();

  constructor(parts: FloodParts) {
    this.#parts = parts;
  }

  /** Takes tells whether an event is one too many, which nobody else should spend time on. */
  takes(method: string, params: unknown, session: string | undefined): boolean {
    const talk = talkOf(method);
    if (talk === undefined) {
      if (isEvent('Page.frameNavigated', method, params) && params.frame.parentId === undefined) this.#forgive();
      return false;
    }
    const bucket = this.#filled(talk, session);
    bucket.left -= 1;
    if (bucket.left < 0) this.#flooded(talk, session, bucket);
    return talk === 'console' && this.#silent.has(session);
  }

  /** TellWorlds has Chrome tell of a session's worlds, of which nothing is heard while it is not listened to. */
  async tellWorlds(session: string | undefined, signal: AbortSignal): Promise<void> {
    if (!this.#silent.has(session)) return;
    const options = {session, signal};
    const {send} = this.#parts;
    // What it said until now would all be told again.
    const orders = ['Runtime.discardConsoleEntries', 'Runtime.enable', 'Runtime.disable'] as const;
    await Promise.all(orders.map((order) => send(order, undefined, options)));
  }

  /** Clear forgets all: the attachment is a new one. */
  clear(): void {
    this.#buckets.clear();
    this.#silent.clear();
  }

  #filled(talk: Talk, session: string | undefined): Bucket {
    const key = `${talk} ${session ?? ''}`;
    const now = performance.now();
    const {atOnce, perSecond} = allowed[talk];
    const most = atOnce + (talk === 'console' && this.#parts.recorded() ? retold : 0);
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = {left: most, at: now, emptyAt: -Infinity};
      this.#buckets.set(key, bucket);
    }
    // What is under way after an order to be silent may be more than there is room for otherwise.
    if (bucket.left < most) bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
    bucket.at = now;
    return bucket;
  }

  #flooded(talk: Talk, session: string | undefined, bucket: Bucket): void {
    const {send, note, letGo, recorded} = this.#parts;
    const isDeaf = bucket.at - bucket.emptyAt < deafMs;
    bucket.emptyAt = bucket.at;
    bucket.left = underWay;
    if (isDeaf) {
      note(
        'the page floods the browser with what it logs or asks for: it was let go, and is attached again when needed',
      );
      letGo();
      return;
    }
    const options = {session, timeoutMs: orderMs, pastDialog: true};
    const orders = talk === 'console' ? (['Runtime.disable', 'Log.disable'] as const) : (['Network.disable'] as const);
    for (const order of orders) void send(order, undefined, options).catch(() => undefined);
    if (talk === 'console') this.#silent.set(session, bucket.at);
    if (!recorded()) return;
    note(
      talk === 'console'
        ? 'the page logs without end: its console is recorded again from its next document on'
        : 'the page makes requests without end: they are not recorded from here on',
    );
  }

  #forgive(): void {
    for (const [session, at] of [...this.#silent]) {
      if (performance.now() - at < forgiveMs) continue;
      this.#silent.delete(session);
      const options = {session, timeoutMs: orderMs};
      void this.#parts.send('Runtime.enable', undefined, options).catch(() => undefined);
      this.#parts.rearm(session);
    }
  }
}

function talkOf(method: string): Talk | undefined {
  if (method.startsWith('Network.')) return 'network';
  if (method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded')
    return 'console';
  return undefined;
}
