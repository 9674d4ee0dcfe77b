/** The table of the tabs that this worker has to do with; get an attached tab here. */

import {type Loss, Tab} from './attachedtab';
import {listen} from './cdp';
import {events} from './events';
import {removedNote, watchForeignFrames} from './foreign';
import {forget} from './news';
import {sessions} from './sessions';
import {snapshots} from './since';
import {watchUnloads} from './unload';
import {agentWindow} from './window';

export {Tab, type Loss} from './attachedtab';

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
        this.#of(tabId).note(removedNote(id));
      },
    );
    watchUnloads((tabId) => agentWindow.owns(tabId));
    chrome.tabs.onRemoved.addListener((tabId) => {
      this.#tabs.get(tabId)?.closed();
      this.#tabs.delete(tabId);
      forget(tabId);
      snapshots.forget(tabId);
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

  /** Known gives the tab, attached or not; what is applied to it now holds from its next attachment on. */
  known(tabId: number): Tab {
    return this.#of(tabId);
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
        lost: (lost, loss) => {
          for (const listener of this.#losses) listener(lost, loss);
        },
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
