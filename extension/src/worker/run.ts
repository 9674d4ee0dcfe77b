/**
 * What holds for one run of the browser: ids of tabs, windows and groups mean something only as long as it lasts.
 *
 * Chrome's storage.session ends with the extension as well: when that is loaded anew, by an update or its developer, the
 * tabs are all still there and whose they are would be forgotten. So what is kept here is copied to storage.local too,
 * and comes back from there if the browser is still the same. That it is, its documents show: Chrome gives each a random
 * name of its own, which neither the extension's reload changes nor the restart of a browser brings back.
 */

import {messageOf} from './errors';
import {warn} from './log';
import type {Store} from './storage';
import {local, perSession} from './storage';

/** Documents tells what is shown in the browser's tabs. */
export interface Documents {
  /** The name of the document that a tab shows; undefined when there is no such tab. */
  of(tabId: number): Promise<string | undefined>;
  /** The tabs that there are. */
  tabs(): Promise<number[]>;
}

const prefix = 'run.';
const begunKey = `${prefix}begun`;
const documentsKey = `${prefix}documents`;
// Any one of them that is still shown is proof enough; so many are kept that a few may change meanwhile.
const witnesses = 16;
// How long the copy may lack a change of what it has, in milliseconds: with each action an agent's tab counts one more, and
// a write to the disk at each took a third of a click.
const laterMs = 1_000;

/** Run is a Store that lasts as long as the browser runs, also over the reload of the extension. */
export class Run implements Store {
  readonly #session: Store;
  readonly #kept: Store;
  readonly #documents: Documents;
  readonly #changesMs: number;
  #begun: Promise<void> | undefined;
  #reloaded = false;
  // The documents of the tabs that changed last, the latest at the end.
  #shown = new Map<number, string>();
  // What the copy lacks yet; undefined: the key goes.
  readonly #late = new Map<string, unknown>();
  // The keys that the copy has or is about to.
  readonly #copied = new Set<string>();
  #copying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param session outlives the worker only.
   * @param kept outlives the browser.
   * @param changesMs how long the copy may lack a change of what it has, in milliseconds.
   */
  constructor(session: Store, kept: Store, documents: Documents, changesMs = laterMs) {
    this.#session = session;
    this.#kept = kept;
    this.#documents = documents;
    this.#changesMs = changesMs;
  }

  /** Whether what is here came back from the copy just now, in which the last moment may be missing. */
  get reloaded(): boolean {
    return this.#reloaded;
  }

  async get(key: string): Promise<unknown> {
    await this.#begin();
    return this.#session.get(key);
  }

  async all(): Promise<Record<string, unknown>> {
    await this.#begin();
    return this.#session.all();
  }

  /**
   * Set resolves when the worker may die. The copy for the extension's reload follows by itself: at once where the key is
   * new, else within a second.
   */
  async set(items: Record<string, unknown>): Promise<void> {
    await this.#begin();
    const own = structuredClone(items);
    const isNews = Object.keys(own).some((key) => !this.#copied.has(key));
    for (const [key, value] of Object.entries(own)) this.#lacks(key, value);
    this.#copy(isNews ? 0 : this.#changesMs);
    await this.#session.set(own);
  }

  async remove(keys: string[]): Promise<void> {
    await this.#begin();
    for (const key of keys) this.#lacks(key, undefined);
    this.#copy(0);
    await this.#session.remove(keys);
  }

  /** Committed is told of the document that a tab shows from now on. */
  async committed(tabId: number, documentId: string): Promise<void> {
    await this.#begin();
    this.#show(tabId, documentId);
    this.#keepShown();
  }

  /** Closed is told of a tab that is gone. */
  async closed(tabId: number): Promise<void> {
    await this.#begin();
    if (this.#shown.delete(tabId)) this.#keepShown();
  }

  #show(tabId: number, documentId: string): void {
    this.#shown.delete(tabId);
    this.#shown.set(tabId, documentId);
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= witnesses) break;
      this.#shown.delete(oldest);
    }
  }

  #keepShown(): void {
    this.#lacks(documentsKey.slice(prefix.length), [...this.#shown]);
    this.#copy(0);
  }

  #lacks(key: string, value: unknown): void {
    this.#late.set(key, value);
    if (value === undefined) this.#copied.delete(key);
    else this.#copied.add(key);
  }

  #begin(): Promise<void> {
    this.#begun ??= this.#takeUp();
    return this.#begun;
  }

  async #takeUp(): Promise<void> {
    const [begun, all] = await Promise.all([this.#session.get(begunKey), this.#kept.all()]);
    const copied = Object.entries(all).filter(([key]) => key.startsWith(prefix));
    this.#shown = shownOf(all[documentsKey]);
    for (const [key] of copied) this.#copied.add(key.slice(prefix.length));
    if (begun !== undefined) return; // by an earlier worker
    if (copied.length > 0 && (await this.#isSame())) {
      const back: Record<string, unknown> = {[begunKey]: true};
      for (const [key, value] of copied) if (key !== documentsKey) back[key.slice(prefix.length)] = value;
      await this.#session.set(back);
      this.#reloaded = true;
      return;
    }
    await this.#kept.remove(copied.map(([key]) => key));
    this.#copied.clear();
    await this.#session.set({[begunKey]: true});
    this.#shown.clear();
    // Of tabs that were open before nobody else tells.
    for (const tabId of (await this.#documents.tabs()).slice(-witnesses)) {
      const document = await this.#documents.of(tabId);
      if (document !== undefined) this.#show(tabId, document);
    }
    this.#keepShown();
  }

  async #isSame(): Promise<boolean> {
    const same = await Promise.all(
      [...this.#shown].map(async ([tab, name]) => (await this.#documents.of(tab)) === name),
    );
    return same.includes(true);
  }

  #copy(inMs: number): void {
    if (this.#copying) return;
    if (inMs > 0) {
      this.#timer ??= setTimeout(() => {
        this.#copy(0);
      }, inMs);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#copying = true;
    void this.#copyAll().catch((thrown: unknown) => {
      this.#copying = false;
      warn(`whose the tabs are would not outlive a reload of the extension: ${messageOf(thrown)}`);
    });
  }

  // One write at a time: what comes meanwhile goes with the next, however much it is.
  async #copyAll(): Promise<void> {
    while (this.#late.size > 0) {
      const late = [...this.#late].map(([key, value]): [string, unknown] => [prefix + key, value]);
      this.#late.clear();
      const gone = late.filter(([, value]) => value === undefined).map(([key]) => key);
      if (gone.length < late.length)
        await this.#kept.set(Object.fromEntries(late.filter(([, value]) => value !== undefined)));
      if (gone.length > 0) await this.#kept.remove(gone);
    }
    // Not behind a then: what comes before that would wait for the next change.
    this.#copying = false;
  }
}

function shownOf(stored: unknown): Map<number, string> {
  const pairs: unknown[] = Array.isArray(stored) ? stored : [];
  const shown = new Map<number, string>();
  for (const pair of pairs) {
    const ends: unknown[] = Array.isArray(pair) ? pair : [];
    const [tabId, name] = ends;
    if (typeof tabId === 'number' && typeof name === 'string') shown.set(tabId, name);
  }
  return shown;
}

const chromeDocuments: Documents = {
  of: async (tabId) => (await chrome.webNavigation.getFrame({tabId, frameId: 0}).catch(() => undefined))?.documentId,
  tabs: async () => (await chrome.tabs.query({})).flatMap(({id}) => id ?? []),
};

/** What must outlive the worker and the extension's reload, but not the browser: whose the tabs are. */
export const perRun = new Run(perSession, local, chromeDocuments);
