/** The user's own windows: which tab they look at, and tabs that an agent opens before their eyes. */

import {ActionError} from './errors';
import {agentWindow} from './window';

/**
 * LookedAt is the tab that the user looks at: the active one of the window last used that is not the agents'.
 *
 * @throws {@link ActionError} `tab_not_found` when the user has no window.
 */
export async function lookedAt(): Promise<number> {
  const {id} = await activeTab();
  return id;
}

/** OpenForUser makes a tab in the window that the user uses and shows it there; the focus stays where it is. */
export async function openForUser(url: string): Promise<number> {
  const {windowId} = await activeTab();
  // Made inactive and then chosen: a tab that is made active takes the focus to its window.
  const {id} = await chrome.tabs.create({windowId, url, active: false});
  if (id === undefined) throw new ActionError('internal', 'the browser made a tab without an id; try again');
  await chrome.tabs.update(id, {active: true});
  return id;
}

async function activeTab(): Promise<{id: number; windowId: number}> {
  const windows = await chrome.windows.getAll({windowTypes: ['normal'], populate: true});
  const focused = windows.toSorted((a, b) => Number(b.focused) - Number(a.focused));
  const last = await chrome.windows.getLastFocused({windowTypes: ['normal']}).catch(() => undefined);
  for (const window of focused.toSorted((a, b) => Number(b.id === last?.id) - Number(a.id === last?.id))) {
    const active = window.tabs?.find((tab) => tab.active);
    if (active?.id !== undefined && !(await agentWindow.isWindow(active.windowId)))
      return {id: active.id, windowId: active.windowId};
  }
  throw new ActionError('tab_not_found', 'the user has no window open; open a tab of your own with open_tab');
}
