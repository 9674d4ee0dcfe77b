/**
 * The agent window: a normal window of the browser that never has the focus. Its active tab is a cover page of
 * ours and the agents' tabs stand inactive beside it, because input to an inactive tab is the one kind that
 * raises no window (measured). This class is the truth about which tabs are the agents'; Chrome's events flow
 * back to it, and its store keeps it over the death of the worker and the reload of the extension.
 */

import {ActionError} from './errors';
import {FocusKeeper} from './focus';
import {perRun} from './run';
import {type Store, isRecord} from './storage';

interface Known {
  windowId: number;
  coverTabId: number;
  tabIds: Set<number>;
}

const key = 'agentWindow';
const coverPage = 'cover.html';
// Wide enough for the desktop layout of most sites, small enough for a laptop's screen.
const size = {width: 1280, height: 900};
// The window opens a little aside of the one in use, so that it is seen and hides little.
const aside = 80;
const restoringMs = 60_000;

/** AgentWindow makes, finds and closes the one agent window, and knows the tabs in it that are the agents'. */
export class AgentWindow {
  #known: Known | undefined;
  // The tab that the window shows; undefined while unknown.
  #active: number | undefined;
  #loaded: Promise<void> | undefined;
  // Everything that makes, fills or closes the window runs one after the other.
  #last: Promise<unknown> = Promise.resolve();
  // Until when, on the clock of performance.now(), windows of before the browser's restart come back.
  #restoring = 0;
  // Tabs of our own under way: they take no focus.
  #making = 0;
  readonly #store: Store;
  readonly #focus = new FocusKeeper();

  /** @param store survives the worker and the extension's reload, not the browser. */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Listen registers Chrome's listeners; call it synchronously while the worker starts. */
  listen(): void {
    this.#focus.listen();
    chrome.tabs.onCreated.addListener((tab) => {
      // Chrome names the active tab as the opener, which is the cover.
      if (this.#making === 0 && this.#isOurs(tab.openerTabId)) this.#raised(tab.windowId);
    });
    chrome.webNavigation.onCreatedNavigationTarget.addListener(({sourceTabId}) => {
      if (this.#isOurs(sourceTabId)) this.#raised(this.#known?.windowId);
    });
    chrome.tabs.onRemoved.addListener((tabId) => void this.#removed(tabId));
    chrome.tabs.onDetached.addListener((tabId) => void this.#movedAway(tabId));
    chrome.tabs.onReplaced.addListener((added, removed) => void this.#replaced(added, removed));
    chrome.windows.onRemoved.addListener((windowId) => void this.#windowGone(windowId));
    chrome.tabs.onActivated.addListener(({tabId, windowId}) => {
      if (windowId === this.#known?.windowId) this.#active = tabId;
    });
    // After a restart of the browser a restored window shows its cover again, sooner or later than we start.
    void this.#load().then(async () => {
      if (this.#restoring === 0) return;
      for (const tab of await chrome.tabs.query({url: coverUrl()})) void this.#stray(tab);
    });
    chrome.tabs.onUpdated.addListener((tabId, change, tab) => {
      if (change.url === coverUrl() || (change.status === 'complete' && tab.url === coverUrl())) void this.#stray(tab);
    });
  }

  /** Owns tells whether a tab is an agent's: it was opened for one and still stands in the agent window. */
  async owns(tabId: number): Promise<boolean> {
    await this.#load();
    return this.#known?.tabIds.has(tabId) ?? false;
  }

  /** TabIds are the agents' tabs. */
  async tabIds(): Promise<number[]> {
    await this.#load();
    return [...(this.#known?.tabIds ?? [])];
  }

  /** IsCover tells whether a tab is the cover page of the agent window. */
  async isCover(tabId: number): Promise<boolean> {
    await this.#load();
    return this.#known?.coverTabId === tabId;
  }

  /** IsWindow tells whether a window is the agent window. */
  async isWindow(windowId: number): Promise<boolean> {
    await this.#load();
    return this.#known?.windowId === windowId;
  }

  /**
   * Open makes a tab for an agent, inactive, in the agent window, which is made first when there is none. Calls
   * at the same time make one window.
   *
   * @param url what the tab begins with; best empty, so that it can be attached before anything happens in it.
   * @throws {@link ActionError} `internal` when the browser makes no window.
   */
  open(url = 'about:blank'): Promise<number> {
    return this.#serial(async () => {
      for (let again = false; ; again = true) {
        const known = await this.#ensure();
        try {
          const tab = await this.#create({windowId: known.windowId, url, active: false});
          if (tab.id === undefined)
            throw new ActionError('internal', 'the browser made a tab without an id; try again');
          await this.#add(known, tab.id);
          return tab.id;
        } catch (thrown) {
          // The user may close the window between the two calls: then it is made again, once.
          if (again || !(await this.#isGone(known))) throw thrown;
        }
      }
    });
  }

  /** Take brings a tab that an agent's tab opened into the agent window, inactive. It never throws: the tab may be gone. */
  take(tabId: number): Promise<void> {
    return this.#serial(async () => {
      const tab = await chrome.tabs.get(tabId).catch(() => undefined);
      if (!tab) return;
      const known = await this.#ensure();
      if (known.tabIds.has(tabId)) return;
      try {
        if (tab.windowId !== known.windowId) await chrome.tabs.move(tabId, {windowId: known.windowId, index: -1});
        await this.#add(known, tabId);
        await this.#showCover(known);
      } catch {
        known.tabIds.delete(tabId);
        await this.#save();
      }
    });
  }

  /**
   * Cover shows the cover page again if the window shows one of the agents' tabs, so that input raises nothing.
   * While the user is in the window it is left as it is: input steals no focus from a window that has it.
   */
  async cover(tabId: number): Promise<void> {
    await this.#load();
    const known = this.#known;
    if (!known?.tabIds.has(tabId)) return;
    // Without knowing better, look: the user may have switched before this worker was there.
    this.#active ??= await activeTab(known.windowId);
    if (this.#active === known.coverTabId) return;
    await this.#serial(async () => {
      const window = await chrome.windows.get(known.windowId).catch(() => undefined);
      if (!window || window.focused) return;
      await this.#showCover(await this.#ensure());
    });
  }

  /** Release leaves a tab to the user, where it stands. */
  async release(tabId: number): Promise<void> {
    await this.#movedAway(tabId);
    await chrome.tabs.update(tabId, {autoDiscardable: true}).catch(() => undefined);
  }

  /** Show raises the agent window with a tab in front: only when the user asked to see it. */
  async show(tabId: number): Promise<void> {
    const tab = await chrome.tabs.update(tabId, {active: true});
    if (tab) await chrome.windows.update(tab.windowId, {focused: true});
  }

  /** Raised is told that a dialog of an agent's tab has made Chrome raise the agent window (beforeunload does). */
  raised(tabId: number): void {
    if (this.#isOurs(tabId)) this.#raised(this.#known?.windowId);
  }

  #isOurs(tabId: number | undefined): boolean {
    return tabId !== undefined && (this.#known?.coverTabId === tabId || this.#known?.tabIds.has(tabId) === true);
  }

  /** Raised gives the user's focus back. It must not wait for anything: each millisecond may cost a keystroke. */
  #raised(raised: number | undefined): void {
    const ours = this.#known?.windowId;
    if (raised !== undefined) this.#focus.disturbed((windowId) => windowId === ours || windowId === raised, raised);
  }

  /** Load brings back what an earlier worker knew, as far as it still stands. */
  #load(): Promise<void> {
    this.#loaded ??= (async () => {
      const stored = await this.#store.get(key);
      // Nothing, not even that there is no window: this is the first worker since the browser started.
      if (stored === undefined) {
        this.#restoring = performance.now() + restoringMs;
        await this.#save();
        return;
      }
      const known = readKnown(stored);
      if (known) {
        const there = await chrome.tabs.query({windowId: known.windowId}).catch(() => []);
        const ids = new Set(there.map(({id}) => id));
        for (const id of known.tabIds) if (!ids.has(id)) known.tabIds.delete(id);
        if (there.length > 0) this.#known = known;
      }
    })();
    return this.#loaded;
  }

  /** Ensure gives the window, made or mended as far as needed. Runs in the chain only. */
  async #ensure(): Promise<Known> {
    await this.#load();
    if (this.#known && (await this.#isGone(this.#known))) this.#forget();
    this.#known ??= await this.#make();
    const known = this.#known;
    const cover = await chrome.tabs.get(known.coverTabId).catch(() => undefined);
    if (cover?.windowId !== known.windowId) {
      // Made inactive and then chosen: a tab that is made active takes the focus to its window.
      const made = await this.#create({windowId: known.windowId, url: coverUrl(), active: false, index: 0});
      known.coverTabId = made.id ?? chrome.tabs.TAB_ID_NONE;
      await chrome.tabs.update(known.coverTabId, {autoDiscardable: false});
      this.#active = undefined;
      await this.#showCover(known);
      await this.#save();
    }
    return known;
  }

  async #make(): Promise<Known> {
    const asked = {url: coverUrl(), focused: false, type: 'normal'} as const;
    // Chrome refuses bounds that are mostly off the screen, which only it knows: then it chooses.
    const window = await chrome.windows
      .create({...asked, ...(await this.#place())})
      .catch(() => chrome.windows.create({...asked, ...size}))
      .catch(() => chrome.windows.create(asked));
    const coverTabId = window?.tabs?.[0]?.id;
    if (window?.id === undefined || coverTabId === undefined) {
      throw new ActionError('internal', 'the browser made no window for the agent; try again');
    }
    this.#known = {windowId: window.id, coverTabId, tabIds: new Set()};
    this.#active = coverTabId;
    await chrome.tabs.update(coverTabId, {autoDiscardable: false});
    await this.#save();
    return this.#known;
  }

  async #create(what: chrome.tabs.CreateProperties): Promise<chrome.tabs.Tab> {
    this.#making++;
    try {
      return await chrome.tabs.create(what);
    } finally {
      this.#making--;
    }
  }

  async #place(): Promise<{width: number; height: number; left?: number; top?: number}> {
    const used = await chrome.windows.getLastFocused({windowTypes: ['normal']}).catch(() => undefined);
    if (used?.left === undefined || used.top === undefined || used.state === 'minimized') return size;
    return {...size, left: Math.max(0, used.left + aside), top: Math.max(0, used.top + aside)};
  }

  async #add(known: Known, tabId: number): Promise<void> {
    known.tabIds.add(tabId);
    await Promise.all([this.#save(), chrome.tabs.update(tabId, {autoDiscardable: false})]);
  }

  async #showCover(known: Known): Promise<void> {
    if (this.#active === known.coverTabId) return;
    await chrome.tabs.update(known.coverTabId, {active: true});
    this.#active = known.coverTabId;
  }

  async #isGone(known: Known): Promise<boolean> {
    const window = await chrome.windows.get(known.windowId).catch(() => undefined);
    return window === undefined;
  }

  async #removed(tabId: number): Promise<void> {
    await this.#load();
    const known = this.#known;
    if (!known) return;
    if (known.tabIds.delete(tabId)) {
      await this.#save();
      await this.#closeIfEmpty();
    } else if (tabId === known.coverTabId && known.tabIds.size > 0) {
      await this.#serial(() => this.#mend());
    }
  }

  /** MovedAway: a tab that the user pulls out of the window is the user's from then on. */
  async #movedAway(tabId: number): Promise<void> {
    await this.#load();
    if (!this.#known?.tabIds.delete(tabId)) return;
    await this.#save();
    await this.#closeIfEmpty();
  }

  async #replaced(added: number, removed: number): Promise<void> {
    await this.#load();
    if (!this.#known?.tabIds.delete(removed)) return;
    this.#known.tabIds.add(added);
    await this.#save();
  }

  async #windowGone(windowId: number): Promise<void> {
    await this.#load();
    if (this.#known?.windowId !== windowId) return;
    this.#forget();
    await this.#save();
  }

  async #mend(): Promise<void> {
    // With its last tab the window goes as well: then there is nothing to mend.
    if (this.#known && !(await this.#isGone(this.#known))) await this.#ensure();
  }

  #closeIfEmpty(): Promise<void> {
    return this.#serial(async () => {
      const known = this.#known;
      if (!known || known.tabIds.size > 0) return;
      const [inside, windows] = await Promise.all([
        chrome.tabs.query({windowId: known.windowId}),
        chrome.windows.getAll({windowTypes: ['normal']}),
      ]);
      // The browser ends with its last window: that is not ours to decide.
      if (windows.length <= 1) return;
      this.#forget();
      await this.#save();
      // A tab that the user put there stays.
      const strangers = inside.some(({id}) => id !== known.coverTabId);
      await (strangers ? chrome.tabs.remove(known.coverTabId) : chrome.windows.remove(known.windowId)).catch(
        () => undefined,
      );
    });
  }

  /**
   * Stray handles a cover page that is not our window's. The one of a restored window makes that the agent window
   * again, if something stands beside it: what that is belongs to no agent any more. Others are closed.
   */
  async #stray(tab: chrome.tabs.Tab): Promise<void> {
    await this.#load();
    await this.#serial(async () => {
      const {id, windowId} = tab;
      if (id === undefined || id === this.#known?.coverTabId) return;
      const inside = await chrome.tabs.query({windowId}).catch(() => []);
      if (this.#known || performance.now() > this.#restoring || inside.length < 2) {
        await chrome.tabs.remove(id).catch(() => undefined);
        return;
      }
      this.#known = {windowId, coverTabId: id, tabIds: new Set()};
      this.#active = undefined;
      await this.#save();
    });
  }

  #forget(): void {
    this.#known = undefined;
    this.#active = undefined;
  }

  #save(): Promise<void> {
    const known = this.#known;
    return this.#store.set({[key]: known ? {...known, tabIds: [...known.tabIds]} : null});
  }

  #serial<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job, job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function coverUrl(): string {
  return chrome.runtime.getURL(coverPage);
}

async function activeTab(windowId: number): Promise<number | undefined> {
  const [tab] = await chrome.tabs.query({windowId, active: true}).catch(() => []);
  return tab?.id;
}

function readKnown(value: unknown): Known | undefined {
  if (!isRecord(value)) return undefined;
  const {windowId, coverTabId, tabIds} = value;
  if (typeof windowId !== 'number' || typeof coverTabId !== 'number' || !Array.isArray(tabIds)) return undefined;
  const ids = tabIds.filter((id: unknown): id is number => typeof id === 'number');
  return {windowId, coverTabId, tabIds: new Set<number>(ids)};
}

/** The browser's agent window. */
export const agentWindow = new AgentWindow(perRun);
