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

/** Run is a Store that lasts as long as the browser runs, also over the reload of the extension. */
export class Run implements Store {
  readonly #session: Store;
  readonly #kept: Store;
  readonly #documents: Documents;
  #begun: Promise<void> | undefined;
  #reloaded = false;
  // The documents of the tabs that changed last, the latest at the end.
  #shown = new Map<number, string>();
  // What the copy lacks yet; undefined: the key goes.
  readonly #late = new Map<string, unknown>();
  #copying = false;

  /**
   * @param session outlives the worker only.
   * @param kept outlives the browser.
   */
  constructor(session: Store, kept: Store, documents: Documents) {
    this.#session = session;
    this.#kept = kept;
    this.#documents = documents;
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

  /** Set resolves when the worker may die; the copy for the extension's reload follows by itself. */
  async set(items: Record<string, unknown>): Promise<void> {
    await this.#begin();
    const own = structuredClone(items);
    for (const [key, value] of Object.entries(own)) this.#late.set(key, value);
    this.#copy();
    await this.#session.set(own);
  }

  async remove(keys: string[]): Promise<void> {
    await this.#begin();
    for (const key of keys) this.#late.set(key, undefined);
    this.#copy();
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
    this.#late.set(documentsKey.slice(prefix.length), [...this.#shown]);
    this.#copy();
  }

  #begin(): Promise<void> {
    this.#begun ??= this.#takeUp();
    return this.#begun;
  }

  async #takeUp(): Promise<void> {
    const [begun, all] = await Promise.all([this.#session.get(begunKey), this.#kept.all()]);
    const copied = Object.entries(all).filter(([key]) => key.startsWith(prefix));
    this.#shown = shownOf(all[documentsKey]);
    if (begun !== undefined) return; // by an earlier worker
    if (copied.length > 0 && (await this.#isSame())) {
      const back: Record<string, unknown> = {[begunKey]: true};
      for (const [key, value] of copied) if (key !== documentsKey) back[key.slice(prefix.length)] = value;
      await this.#session.set(back);
      this.#reloaded = true;
      return;
    }
    await this.#kept.remove(copied.map(([key]) => key));
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

  #copy(): void {
    if (this.#copying) return;
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
      await this.#kept.set(Object.fromEntries(late.filter(([, value]) => value !== undefined)));
      await this.#kept.remove(late.filter(([, value]) => value === undefined).map(([key]) => key));
    }
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
