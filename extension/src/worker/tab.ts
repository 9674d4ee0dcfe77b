/** The table of the tabs that this worker has to do with; get an attached tab here. */

import {type Loss, Tab} from './attachedtab';
import {listen} from './cdp';
import {asActionError} from './errors';
import {events} from './events';
import {watchForeignFrames} from './foreign';
import {sessions} from './sessions';
import {watchUnloads} from './unload';
import {agentWindow} from './window';

export {Tab, type Loss} from './attachedtab';

const regainMs = 5_000;

/** Tabs is the table of the tabs that this worker has to do with. */
export class Tabs {
  readonly #tabs = new Map<number, Tab>();
  readonly #losses = new Set<(tab: Tab, loss: Loss) => void>();

  /** Listen registers Chrome's listeners; call it synchronously while the worker starts. */
  listen(): void {
    listen((tabId) => this.#of(tabId));
    watchForeignFrames(
      (tabId) => agentWindow.owns(tabId),
      (tabId, id) => {
        this.#of(tabId).note(`removed a frame that the extension ${id} had put into the page`);
      },
    );
    watchUnloads((tabId) => agentWindow.owns(tabId));
    chrome.tabs.onRemoved.addListener((tabId) => {
      this.#tabs.get(tabId)?.closed();
      this.#tabs.delete(tabId);
    });
    chrome.tabs.onReplaced.addListener((_added, removed) => {
      this.#tabs.get(removed)?.closed();
      this.#tabs.delete(removed);
    });
  }

  /**
   * Get gives the tab, attached and with our whole state; an agent's tab is covered again when the user looked
   * at it, so that input raises no window.
   *
   * @throws {@link ActionError} as {@link Tab.ensure}.
   */
  async get(tabId: number, signal: AbortSignal): Promise<Tab> {
    const tab = this.#of(tabId);
    tab.agentOwned = await agentWindow.owns(tabId);
    await tab.ensure(signal);
    if (tab.agentOwned) await agentWindow.cover(tabId);
    else await tab.emulateFocus(await hidden(tabId), signal);
    return tab;
  }

  /**
   * Reach gives the tab attached, though perhaps without our state: for answering a dialog.
   *
   * @throws {@link ActionError} as {@link Tab.reach}.
   */
  async reach(tabId: number, signal: AbortSignal): Promise<Tab> {
    const tab = this.#of(tabId);
    tab.agentOwned = await agentWindow.owns(tabId);
    await tab.reach(signal);
    return tab;
  }

  /** Peek gives the tab if this worker knows it, attached or not. */
  peek(tabId: number): Tab | undefined {
    return this.#tabs.get(tabId);
  }

  /**
   * OnLoss is told of each attachment that ended, until the function that it returns is called. An agent's tab
   * is attached again at once; it is `lost` only when another extension does not let us.
   */
  onLoss(listener: (tab: Tab, loss: Loss) => void): () => void {
    this.#losses.add(listener);
    return () => void this.#losses.delete(listener);
  }

  #of(tabId: number): Tab {
    let tab = this.#tabs.get(tabId);
    if (!tab) {
      tab = new Tab(tabId, {
        lost: (lost, loss) => void this.#regain(lost, loss),
        dialog: (on, dialog, idle) => {
          if (dialog.kind === 'beforeunload') agentWindow.raised(on.tabId);
          if (!idle || sessions.owner(on.tabId) === undefined) return;
          const {kind, message} = dialog;
          events.emit({type: 'dialog_opened', tabId: on.tabId, kind, message});
        },
      });
      this.#tabs.set(tabId, tab);
    }
    return tab;
  }

  /** Regain attaches an agent's tab again at once; only what cannot be had again is told as lost. */
  async #regain(tab: Tab, loss: Loss): Promise<void> {
    if (loss === 'lost' && tab.agentOwned) {
      const thrown = await tab.ensure(AbortSignal.timeout(regainMs)).then(
        () => undefined,
        (error: unknown) => asActionError(error),
      );
      // On a page of the browser's own there is nothing to attach to; the next page can be had again.
      if (thrown?.code !== 'foreign_extension') return;
    }
    for (const listener of this.#losses) listener(tab, loss);
  }
}

/** The worker's tabs. */
export const tabs = new Tabs();

/** Hidden tells whether nobody can see the tab: it is not its window's active one, or the window is minimised. */
async function hidden(tabId: number): Promise<boolean> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!tab) return false;
  if (!tab.active) return true;
  const window = await chrome.windows.get(tab.windowId).catch(() => undefined);
  return window?.state === 'minimized';
}
