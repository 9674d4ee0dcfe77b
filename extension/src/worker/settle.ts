/** What an action set in motion in a tab, and when that came to rest. Told by events; nothing is polled. */

import type {Protocol} from 'devtools-protocol';
import type {Landed, Patience, Scene} from '../page/actapi';
import type {DialogInfo} from '../protocol.gen';
import type {EventName} from './cdp';
import type {OpenDialog} from './dialogs';
import {type Follow, downloads} from './downloads';
import {abortedBy} from './errors';
import {drawingIfSlow} from './frametime';
import {bodyBuffers, netlog} from './netlog';
import {type Changed, Gathered, moved} from './news';
import type {Tab} from './tab';

export type {Changed} from './news';

/**
 * How the page's own rest is waited for, in milliseconds: a frame for what it puts off, and where it goes on changing after
 * that, or what it shows is still coming up, 100 without a change.
 */
const patience = {graceMs: 0, frameMs: 40, quietMs: 100} as const;

/** How text is waited for: of what pages do with it nearly all is done at once, or long after. */
export const eager = {frameMs: 0} as const;

/** How often the page is asked at most while requests come and go: some pages ask their server all the time. */
const looksMax = 3;

/** The most that rest is waited for after an input, in milliseconds; then the result says that it still loads. */
const restCap = 1000;

/** The most that a new document is waited for, in milliseconds. */
const navigationCap = 10_000;

/** What a script started and will act upon: pictures, beacons, event streams and sockets do not count. */
const counted = new Set<Protocol.Network.ResourceType>(['XHR', 'Fetch', 'Script', 'Document']);

/** The events that may end a wait. */
const waking = [
  'Page.frameRequestedNavigation',
  'Page.frameStartedNavigating',
  'Page.frameNavigated',
  'Page.frameStoppedLoading',
  'Page.frameDetached',
  'Page.navigatedWithinDocument',
  'Page.lifecycleEvent',
  'Page.javascriptDialogOpening',
  'Network.requestWillBeSent',
  'Network.loadingFinished',
  'Network.loadingFailed',
] as const satisfies EventName[];

/** Settled is how an action came to rest. */
export interface Settled {
  /** What the page answered last; undefined when its document went away or stands still under a dialog. */
  readonly landed: Landed | undefined;
  /** If true, the patience ended first. */
  readonly stillLoading: boolean;
}

/**
 * Settling follows one action from before its input to its result. Make it before the input, call
 * {@link rest} after it, and {@link end} whatever happens.
 */
export class Settling {
  readonly #tab: Tab;
  readonly #off: (() => void)[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #requests = new Set<string>();
  // How often a request began or ended.
  #heard = 0;
  // Frames whose navigation has begun, and the loader that they had then.
  readonly #moving = new Map<string, string>();
  readonly #hasMoved = new Set<string>();
  readonly #opened: number[] = [];
  readonly #notes: string[] = [];
  readonly #downloads: Follow;
  readonly #gathered: Gathered;
  #navigated = false;
  #ended = false;

  /** @param renames whether the action is one that is meant to change something: as `Since` of the page has it. */
  constructor(tab: Tab, renames = true) {
    this.#tab = tab;
    this.#downloads = downloads.follow(tab.tabId);
    this.#gathered = new Gathered(tab, renames);
    this.#follow();
    // Behind what the caller asks the page at once: it is on its way before the input, and nobody waits for it.
    queueMicrotask(() => {
      this.#watchRequests();
    });
  }

  /** Navigated tells whether the top frame has begun to load another document since the action began. */
  get navigated(): boolean {
    return this.#navigated;
  }

  /** Left tells whether a frame has begun to load another document since the action began. */
  left(frameId: string): boolean {
    return this.#navigated || this.#hasMoved.has(frameId) || this.#tab.frames.get(frameId) === undefined;
  }

  /**
   * Rest waits until what the action set in motion is over, and gives what the page says of it.
   *
   * @param frameId where the action was done. That its document cannot be asked is taken for its going away when a
   *   navigation has begun, and thrown otherwise.
   * @param wait how it is waited otherwise than after a click: a scroll is answered by the page a frame or two later.
   */
  async rest(frameId: string, signal: AbortSignal, wait: Partial<Patience> = {}): Promise<Settled> {
    const until = performance.now() + restCap;
    let landed: Landed | undefined;
    for (let looks = 1; ; looks++) {
      const heard = this.#heard;
      if (!this.#navigating() && !this.#tab.dialog) {
        const capMs = Math.max(0, until - performance.now());
        // In a tab that nobody looks at no frame comes by itself, and a page that an input did not change is not made to draw one.
        const seen = this.#tab.agentOwned ? {frameMs: 0} : {};
        const {graceMs, ...how} = {...patience, ...seen, ...wait};
        // The page acts upon an answer some turns after it came.
        const grace = heard > 0 ? Math.max(graceMs, how.quietMs) : graceMs;
        const look = this.#gathered.landed(frameId, {...how, graceMs: Math.min(grace, capMs), capMs}, signal);
        // What the page does with its next frame it does once a second at best where nobody looks.
        const asked = this.#ask(drawingIfSlow(this.#tab, look));
        const answer = await Promise.race([asked, this.#interrupted(signal)]);
        landed = answer ?? landed;
      }
      if (this.#tab.dialog) return {landed: undefined, stillLoading: false};
      if (this.#navigating()) {
        const usable = await this.#until(() => !this.#navigating(), navigationCap, signal);
        // What it was before its document went away says nothing of the new one.
        return {landed: undefined, stillLoading: !usable && !this.#tab.dialog};
      }
      if (this.#quiet(heard, looks)) return {landed, stillLoading: landed?.restless === true};
      const left = until - performance.now();
      if (left <= 0) return {landed, stillLoading: true};
      await this.#until(() => !this.#busy() || this.#navigating(), left, signal);
    }
  }

  /**
   * Changed says what happened meanwhile, and what happened since the last result and was not told.
   *
   * @param before the top document before the action.
   * @param frame where the action was done.
   * @param settled how it came to rest; absent: a dialog stands before that.
   */
  async changed(
    before: Scene,
    frame: {readonly parentId: string | undefined},
    signal: AbortSignal,
    {landed, stillLoading}: Settled = {landed: undefined, stillLoading: false},
  ): Promise<Changed> {
    const changed: Changed = {};
    const elsewhere = await this.#gathered.others(signal);
    const after = frame.parentId === undefined ? landed : elsewhere;
    const shown = after && !this.#navigated ? after : await sceneOf(this.#tab.tabId);
    Object.assign(changed, moved(this.#tab.tabId, before, shown));
    if (this.#tab.dialog) changed.dialog = infoOf(this.#tab.dialog);
    const opened = await this.#tabOpened();
    if (opened) changed.tabOpened = opened;
    const notes = [...this.#notes, ...this.#tab.takeNotes()];
    if (notes.length > 0) changed.notes = notes;
    if (!this.#navigated) this.#gathered.tell(changed);
    if (landed) tell(changed, landed);
    if (stillLoading) changed.stillLoading = true;
    // At the very end: what becomes of it after this is an event.
    const download = await this.#downloads.begun();
    if (download) changed.download = download;
    return changed;
  }

  async #tabOpened(): Promise<Changed['tabOpened']> {
    const [tabId] = this.#opened;
    const tab = tabId === undefined ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
    if (tabId === undefined || !tab) return undefined;
    const owner = this.#tab.agentOwned ? 'agent' : 'user';
    return {tabId, url: tab.pendingUrl ?? tab.url ?? '', title: tab.title ?? '', owner};
  }

  /** Note adds a sentence to the result. */
  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  /** End stops following. It may be called again. */
  end(): void {
    this.#ended = true;
    this.#downloads.end();
    for (const off of this.#off.splice(0)) off();
    this.#wake();
  }

  #follow(): void {
    const {frames} = this.#tab;
    const on = this.#tab.on.bind(this.#tab);
    this.#off.push(
      on('Page.frameRequestedNavigation', ({frameId, disposition, url}) => {
        const here = frames.get(frameId)?.url ?? '';
        if (disposition === 'currentTab' && loads(here, url)) this.#begin(frameId);
      }),
      on('Page.frameStartedNavigating', ({frameId, navigationType}) => {
        if (navigationType !== 'sameDocument' && navigationType !== 'historySameDocument') this.#begin(frameId);
      }),
      on('Page.frameNavigated', ({frame}) => {
        this.#hasMoved.add(frame.id);
        if (frame.parentId !== undefined) return;
        // A navigation that was over before it was told of, and one out of the back/forward cache.
        this.#navigated = true;
        this.#requests.clear();
      }),
      on('Page.frameStoppedLoading', ({frameId}) => void this.#moving.delete(frameId)),
      on('Page.frameDetached', ({frameId}) => void this.#moving.delete(frameId)),
      on('Network.requestWillBeSent', ({requestId, type, frameId, loaderId}) => {
        if (type === undefined || !counted.has(type)) return;
        if (type === 'Document' && requestId === loaderId && frameId !== undefined) this.#begin(frameId);
        else {
          this.#requests.add(requestId);
          this.#heard++;
        }
      }),
      on('Network.loadingFinished', ({requestId}) => {
        this.#over(requestId);
      }),
      on('Network.loadingFailed', ({requestId, type}) => {
        this.#over(requestId);
        // A download, a 204, a stopped load: the old document stays.
        if (type !== 'Document') return;
        this.#moving.clear();
        this.#downloads.expect();
      }),
      ...waking.map((name) =>
        on(name, () => {
          this.#wake();
        }),
      ),
    );
    const opened = ({sourceTabId, tabId}: {sourceTabId: number; tabId: number}): void => {
      if (sourceTabId === this.#tab.tabId) this.#opened.push(tabId);
    };
    chrome.webNavigation.onCreatedNavigationTarget.addListener(opened);
    this.#off.push(() => {
      chrome.webNavigation.onCreatedNavigationTarget.removeListener(opened);
    });
  }

  /** Until it is asked once, a session tells nothing of its requests; asked again, it costs next to nothing. */
  #watchRequests(): void {
    const tab = this.#tab;
    const few = netlog.isOn(tab.tabId) ? bodyBuffers : {maxTotalBufferSize: 1 << 20, maxResourceBufferSize: 1 << 18};
    const sessions = new Set(tab.frames.all().map(({session}) => session));
    for (const session of sessions) void tab.send('Network.enable', few, {session}).catch(() => undefined);
  }

  #over(requestId: string): void {
    if (this.#requests.delete(requestId)) this.#heard++;
  }

  #begin(frameId: string): void {
    const frame = this.#tab.frames.get(frameId);
    if (!frame || this.#moving.has(frameId)) return;
    this.#moving.set(frameId, frame.loaderId);
    this.#hasMoved.add(frameId);
    if (frame.parentId === undefined) this.#navigated = true;
  }

  /** One more look where a request was over before the page could say what it did with the answer. */
  #quiet(heard: number, looks: number): boolean {
    return !this.#busy() && (heard === this.#heard || looks >= looksMax);
  }

  #navigating(): boolean {
    const top = this.#tab.frames.top;
    return top !== undefined && this.#isMoving(top.id);
  }

  #busy(): boolean {
    return this.#requests.size > 0 || [...this.#moving.keys()].some((id) => this.#isMoving(id));
  }

  /** A frame moves from when its navigation begins until its new document is usable. */
  #isMoving(frameId: string): boolean {
    const from = this.#moving.get(frameId);
    if (from === undefined) return false;
    const frame = this.#tab.frames.get(frameId);
    if (frame && (frame.loaderId === from || !frame.lifecycle.has('DOMContentLoaded'))) return true;
    this.#moving.delete(frameId);
    return false;
  }

  async #ask<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (this.#tab.dialog || this.#navigated) return undefined;
      throw error;
    }
  }

  /** Interrupted resolves, to nothing, once the page cannot be asked any more, or the action has ended. */
  async #interrupted(signal: AbortSignal): Promise<undefined> {
    await this.#until(() => this.#navigating(), undefined, signal);
    return undefined;
  }

  /** Until waits for a condition; false when the time is over first. A dialog ends it, since nothing else will. */
  #until(condition: () => boolean, ms: number | undefined, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', look);
        this.#waiters.delete(look);
      };
      const look = (): void => {
        if (signal.aborted) {
          finish();
          reject(abortedBy(signal));
        } else if (this.#ended || this.#tab.dialog || condition()) {
          finish();
          resolve(true);
        }
      };
      const late = (): void => {
        finish();
        resolve(false);
      };
      const timer = ms === undefined ? undefined : setTimeout(late, Math.max(ms, 0));
      this.#waiters.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  #wake(): void {
    for (const look of [...this.#waiters]) look();
  }
}

function infoOf({kind, message, defaultPrompt}: OpenDialog): DialogInfo {
  return {kind, message, ...(defaultPrompt === undefined ? {} : {default: defaultPrompt})};
}

/** Tell adds what the document says of the action's target and of the focus. */
function tell(changed: Changed, {focus, altered}: Landed): void {
  if (focus) changed.focus = focus;
  if (!altered) return;
  const known = [...(changed.appeared ?? []), ...(changed.altered ?? [])].some(({uid}) => uid === altered.uid);
  if (!known) changed.altered = [altered, ...(changed.altered ?? [])];
}

/** SceneOf is what the browser says of a tab's top document; empty when the tab is gone. */
export async function sceneOf(tabId: number): Promise<Scene> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  return {url: tab?.url ?? '', title: tab?.title ?? ''};
}

/** Loads tells whether going from one address to another loads a document, as far as the addresses tell. */
export function loads(from: string, to: string): boolean {
  if (!/^(https?|file|data|blob|about):/i.test(to)) return false;
  const [path, fragment] = to.split('#');
  return fragment === undefined || path !== from.split('#')[0];
}
