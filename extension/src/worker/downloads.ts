/** Which downloads the agents' tabs began, how far they are, and who was told. */

import type {DownloadInfo} from '../protocol.gen';
import {events} from './events';
import {type Item, nameOf, stateOf} from './downloadstate';
import {sessions} from './sessions';
import {isRecord, perSession} from './storage';

/** Begun is a download that a tab of an agent's began. */
export interface Begun {
  readonly id: number;
  readonly tabId: number;
  readonly agentId: string;
  /** The state that was told last; absent: nothing was. */
  told?: string;
  /** If true, a result has told of it. */
  resulted?: boolean;
}

interface Announced {
  readonly tabId: number;
  readonly url: string;
  readonly at: number;
}

/** Chrome tells of a download's item and of the tab that began it apart, the one soon after the other. */
const pairMs = 10_000;
const announcedMs = 1_000;

/** After a load that came to nothing the word of a download comes within this, or it was none. */
const expectedMs = 300;

/** Its name is decided a moment after it was announced; what is small is complete a moment after that. */
const nameMs = 1_000;
const completeMs = 150;

const key = 'downloads';
const kept = 100;

/**
 * Downloads pairs what the debugger tells of a tab (Page.downloadWillBegin) with what chrome.downloads tells of a
 * file, since neither has both. Only downloads of tabs that an agent works on are entered: the user's own are
 * none of anybody's business.
 */
export class Downloads {
  // By id; loaded once, and written back after each change.
  #begun: Promise<Map<number, Begun>> | undefined;
  #announced: Announced[] = [];
  #created: {readonly item: Item; readonly at: number}[] = [];
  // Counts what Chrome told.
  #words = 0;
  readonly #follows = new Set<Follow>();
  readonly #waiting = new Set<() => void>();

  /** Announced takes in that a tab began a download of an address. */
  async announced(tabId: number, url: string): Promise<void> {
    const item = this.#created.find((created) => isOf(created.item, url))?.item;
    if (item) {
      this.#created = this.#created.filter((created) => created.item !== item);
      await this.#enter(item, tabId);
      return;
    }
    this.#announced = [...this.#announced.filter(isFresh), {tabId, url, at: Date.now()}];
    this.#wake();
  }

  /** Created takes in Chrome's record of a new download. */
  async created(item: Item): Promise<void> {
    const announced = this.#announced.find(({url}) => isOf(item, url));
    if (announced) {
      this.#announced = this.#announced.filter((other) => other !== announced);
      await this.#enter(item, announced.tabId);
      return;
    }
    this.#created = [...this.#created.filter(isFresh), {item, at: Date.now()}];
    this.#wake();
  }

  /** Changed takes in that Chrome's record changed, and tells the agent unless an action's result will. */
  async changed(id: number): Promise<void> {
    this.#wake();
    const begun = (await this.#all()).get(id);
    if (begun && ![...this.#follows].some((follow) => follow.covers(begun))) await this.#tell(begun);
  }

  /** Get gives a download that a tab of an agent's began. */
  async get(id: number): Promise<Begun | undefined> {
    return (await this.#all()).get(id);
  }

  /** Of gives the ids of the downloads that an agent's tabs began, the oldest first. */
  async of(agentId: string): Promise<number[]> {
    return [...(await this.#all()).values()].filter((begun) => begun.agentId === agentId).map(({id}) => id);
  }

  /** Follow watches a tab for what an action begins there. End it whatever happens. */
  follow(tabId: number): Follow {
    const follow = new Follow(tabId, {
      begun: (mine) => this.#begunBy(mine),
      end: (mine) => void this.#endOf(mine),
    });
    this.#follows.add(follow);
    // What a page begins some time after an action stands in the next result.
    void this.#all().then((all) => {
      for (const begun of all.values()) if (begun.tabId === tabId && begun.resulted !== true) follow.owe(begun.id);
    });
    return follow;
  }

  /** Until looks again after each word of Chrome's until a look gives something; undefined when the time is over. */
  async until<T>(
    look: () => Promise<T | undefined> | T | undefined,
    ms: number,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const end = performance.now() + ms;
    for (;;) {
      const words = this.#words;
      const found = await look();
      // What came while it was looked up may have changed the answer.
      if (found === undefined && words !== this.#words) continue;
      const left = end - performance.now();
      if (found !== undefined || left <= 0 || signal?.aborted === true) return found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
        signal?.addEventListener('abort', wake);
      });
    }
  }

  async #begunBy(follow: Follow): Promise<DownloadInfo | undefined> {
    const all = await this.#all();
    const untold = (): Begun[] => [...all.values()].filter((begun) => begun.resulted !== true && follow.covers(begun));
    const mine = (): Begun | undefined => untold().find((begun) => !follow.owes(begun));
    const announced = (): true | undefined =>
      this.#announced.some(({tabId, at}) => tabId === follow.tabId && at >= follow.since) || undefined;
    let begun = mine();
    if (!begun && follow.expected) await this.until(() => mine() ?? announced(), expectedMs);
    if (!begun && announced()) await this.until(mine, announcedMs);
    begun ??= mine() ?? untold()[0];
    if (!begun) return undefined;
    const named = await this.until(
      async () => ifSo(await find(begun.id), (item) => stateOf(item) !== 'waiting'),
      nameMs,
    );
    const ended = async (): Promise<Item | undefined> =>
      ifSo(await find(begun.id), (item) => stateOf(item) !== 'in_progress');
    const item = named && ((await this.until(ended, completeMs)) ?? named);
    const last = item ?? (await find(begun.id));
    if (!last) return undefined;
    begun.told = stateOf(last);
    begun.resulted = true;
    await this.#save(all);
    return {id: begun.id, name: nameOf(last), state: stateOf(last)};
  }

  async #endOf(follow: Follow): Promise<void> {
    this.#follows.delete(follow);
    for (const begun of (await this.#all()).values()) if (follow.covers(begun)) await this.#tell(begun);
  }

  async #enter({id}: Item, tabId: number): Promise<void> {
    const agentId = sessions.owner(tabId);
    if (agentId === undefined) return;
    const all = await this.#all();
    const begun: Begun = {id, tabId, agentId};
    all.set(id, begun);
    for (const follow of this.#follows) if (follow.tabId === tabId) follow.take(id);
    await this.#save(all);
    this.#wake();
    if (![...this.#follows].some((follow) => follow.covers(begun))) await this.#tell(begun);
  }

  async #tell(begun: Begun): Promise<void> {
    const item = await find(begun.id);
    if (!item) return;
    const state = stateOf(item);
    // Nearly every download waits for its name at first: that the user is asked for it shows when it goes on.
    if (state === begun.told || state === 'waiting') return;
    begun.told = state;
    events.emit({type: 'download', tabId: begun.tabId, id: begun.id, name: nameOf(item), state});
    await this.#save(await this.#all());
  }

  #all(): Promise<Map<number, Begun>> {
    this.#begun ??= perSession.get(key).then((stored) => new Map(readAll(stored).map((begun) => [begun.id, begun])));
    return this.#begun;
  }

  #save(all: ReadonlyMap<number, Begun>): Promise<void> {
    return perSession.set({[key]: [...all.values()].slice(-kept)});
  }

  #wake(): void {
    this.#words++;
    for (const wake of [...this.#waiting]) wake();
  }
}

/** Follow knows the downloads that one tab began since it was made. */
export class Follow {
  readonly tabId: number;
  /** Epoch milliseconds. */
  readonly since = Date.now();
  readonly #mine = new Set<number>();
  readonly #owed = new Set<number>();
  #expected = false;
  readonly #ask: {begun: (follow: Follow) => Promise<DownloadInfo | undefined>; end: (follow: Follow) => void};

  constructor(
    tabId: number,
    ask: {begun: (follow: Follow) => Promise<DownloadInfo | undefined>; end: (follow: Follow) => void},
  ) {
    this.tabId = tabId;
    this.#ask = ask;
  }

  /** If true, a load came to nothing, as one does that becomes a download. */
  get expected(): boolean {
    return this.#expected;
  }

  /** Expect says that a load came to nothing: {@link begun} then waits for the word of a download. */
  expect(): void {
    this.#expected = true;
  }

  /**
   * Begun is a download that was in no result yet, once its name is known, or undefined: one that began since this was
   * made before one that is owed. No event tells its state any more.
   */
  begun(): Promise<DownloadInfo | undefined> {
    return this.#ask.begun(this);
  }

  /** Take notes a download as one that began since this was made. */
  take(id: number): void {
    this.#mine.add(id);
  }

  /** Owe notes a download that began before, and that no result told. */
  owe(id: number): void {
    this.#owed.add(id);
  }

  /** Covers tells whether a result of this may tell a download, so that no event has to. */
  covers({id}: Begun): boolean {
    return this.#mine.has(id) || this.#owed.has(id);
  }

  /** Owes tells whether a download began before this was made. */
  owes({id}: Begun): boolean {
    return !this.#mine.has(id) && this.#owed.has(id);
  }

  /** End stops the watch; what was not asked for is told by events. It may be called again. */
  end(): void {
    this.#ask.end(this);
  }
}

/** The worker's downloads. */
export const downloads = new Downloads();

/** Find is Chrome's record of a download. */
export async function find(id: number): Promise<chrome.downloads.DownloadItem | undefined> {
  const [item] = await chrome.downloads.search({id});
  return item;
}

function ifSo<T>(value: T | undefined, so: (value: T) => boolean): T | undefined {
  return value !== undefined && so(value) ? value : undefined;
}

function isOf({url, finalUrl}: Item, address: string): boolean {
  return url === address || finalUrl === address;
}

function isFresh({at}: {readonly at: number}): boolean {
  return at > Date.now() - pairMs;
}

function readAll(stored: unknown): Begun[] {
  return Array.isArray(stored) ? stored.filter(isBegun) : [];
}

function isBegun(value: unknown): value is Begun {
  return (
    isRecord(value) &&
    typeof value.id === 'number' &&
    typeof value.tabId === 'number' &&
    typeof value.agentId === 'string'
  );
}
