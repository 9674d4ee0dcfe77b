/** Tabs that a page under work opens: they join the session, and the tab group, of the tab that opened them. */

import type {Events} from './events';
import type {Groups} from './groups';
import type {Guard} from './guard';
import type {Sessions} from './sessions';
import type {AgentWindow} from './window';

/** What Popups works with. */
export interface PopupParts {
  sessions: Sessions;
  groups: Groups;
  guard: Guard;
  events: Events;
  agentWindow: AgentWindow;
  /** Whether a call works on the tab now. */
  isBusy: (tabId: number) => boolean;
  /** Tells the server who owns what now: no event says whose a tab is that a page opened. */
  announce: () => void;
}

/** Popups follows webNavigation.onCreatedNavigationTarget; `openerTabId` is not set for target=_blank. */
export class Popups {
  readonly #parts: PopupParts;

  constructor(parts: PopupParts) {
    this.#parts = parts;
  }

  /** Opened is told of a tab that a page opened. */
  async opened({sourceTabId, tabId, url}: {sourceTabId: number; tabId: number; url: string}): Promise<void> {
    const {sessions, groups, guard, events, agentWindow, isBusy, announce} = this.#parts;
    const source = await chrome.tabs.get(sourceTabId).catch(() => undefined);
    if (source?.url !== undefined) guard.openedBy(tabId, source.url);
    const owner = sessions.owner(sourceTabId);
    if (owner === undefined) return;
    const agentTab = sessions.isAgentTab(sourceTabId);
    // In a tab of the user's, what opens while no action runs was opened by the user.
    if (!agentTab && !isBusy(sourceTabId)) return;
    sessions.claim(tabId, owner, url, {agentTab});
    announce();
    events.emit({type: 'tab_opened', tabId, openerTabId: sourceTabId, url});
    if (agentTab) await agentWindow.take(tabId);
    const session = groups.of(sourceTabId);
    // It may be gone by now, or stand in a window without groups.
    if (session) await groups.join(session.sessionId, tabId, false).catch(() => undefined);
    // It may have committed before it was ours; then nobody looks again.
    const opened = await chrome.tabs.get(tabId).catch(() => undefined);
    if (opened?.url) guard.committed(tabId, opened.url);
  }
}
