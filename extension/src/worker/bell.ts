/** How the user hears that an agent needs them: a badge on the button and a notification. Nothing is raised by it. */

import type {Handoff, HandoffEars} from './handoffs';
import {sessions} from './sessions';
import {tabs} from './tab';
import {agentWindow} from './window';

const prefix = 'handoff.';
const title = 'Drawbridge';
const color = '#b3261e';

// The notification is one line or two on most desktops.
const reasonMax = 240;

/** Listen registers what a click on a notification does; call it synchronously while the worker starts. */
export function listenToNotifications(): void {
  const show = (id: string): void => {
    if (!id.startsWith(prefix)) return;
    chrome.notifications.clear(id).catch(() => undefined);
    void showTab(Number(id.slice(prefix.length)));
  };
  chrome.notifications.onClicked.addListener(show);
  chrome.notifications.onButtonClicked.addListener(show);
}

/** ShowTab brings a tab to the front, because the user asked to see it. A tab that is gone is not shown. */
export async function showTab(tabId: number): Promise<void> {
  await agentWindow.show(tabId).catch(() => undefined);
}

/** Bell rings for handoffs. */
export const bell: HandoffEars = {
  asked({tabId, reason}) {
    const place = sessions.get(tabId)?.domain ?? '';
    const told: chrome.notifications.NotificationCreateOptions = {
      type: 'basic',
      iconUrl: chrome.runtime.getURL('icons/128.png'),
      title: place === '' ? 'An agent needs you' : `An agent needs you at ${place}`,
      message: reason.length > reasonMax ? `${reason.slice(0, reasonMax - 1)}…` : reason,
      buttons: [{title: 'Show the tab'}],
      requireInteraction: true,
      priority: 1,
    };
    // A desktop without notifications still has the badge and the popup.
    chrome.notifications.create(prefix + tabId.toString(), told).catch(() => undefined);
  },

  ended({tabId, end}, told) {
    chrome.notifications.clear(prefix + tabId.toString()).catch(() => undefined);
    if (told || end === undefined || end === 'done') return; // of done an event tells
    const what =
      end === 'refused'
        ? 'the user refused the handoff: do not ask again, tell them what you could not do'
        : 'the obstacle that you handed over is gone: look at the page again';
    tabs.known(tabId).note(what);
  },

  changed(waiting: readonly Handoff[]) {
    const count = waiting.length;
    const quiet = [
      chrome.action.setBadgeBackgroundColor({color}),
      chrome.action.setBadgeText({text: count === 0 ? '' : count.toString()}),
      chrome.action.setTitle({title: count === 0 ? title : `${title}: an agent needs you`}),
    ];
    for (const done of quiet) done.catch(() => undefined);
  },
};
