/**
 * Frames that other extensions put into pages (password managers, writing aids): while one is there Chrome lets
 * nobody else debug the tab. In the agent's own tabs they are removed and kept away.
 */

import {sweep} from './foreignsweep';
import {isRecord} from './storage';

const messageType = 'foreign_frames_removed';

/** ForeignFrames names the other extensions that have a frame in the tab. */
export async function foreignFrames(tabId: number): Promise<string[]> {
  const frames = await chrome.webNavigation.getAllFrames({tabId}).catch(() => null);
  const ids = (frames ?? []).map((frame) => idOf(frame.url)).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/**
 * RemoveForeignFrames removes them from every frame of the page, closed shadow roots included, and leaves a
 * watch behind that removes those that come later, for as long as the document lives.
 *
 * @returns the ids of the extensions whose frames were removed. It never throws: a page that cannot be scripted
 *   cannot be attached to either, and that error says more.
 */
export async function removeForeignFrames(tabId: number): Promise<string[]> {
  const ours = `chrome-extension://${chrome.runtime.id}/`;
  const results = await chrome.scripting
    .executeScript({
      target: {tabId, allFrames: true},
      func: sweep,
      args: [ours, messageType],
      injectImmediately: true,
    })
    .catch(() => []);
  return [...new Set(results.flatMap(({result}) => result ?? []))];
}

/**
 * WatchForeignFrames keeps them away from each new document of the tabs that `owns` says are ours. Call it
 * once, synchronously while the worker starts.
 *
 * @param told hears which extension's frame was removed from which tab after the first sweep.
 */
export function watchForeignFrames(
  owns: (tabId: number) => Promise<boolean>,
  told: (tabId: number, extensionId: string) => void,
): void {
  chrome.webNavigation.onCommitted.addListener(({tabId, url}) => {
    void owns(tabId).then(async (is) => {
      if (!is || idOf(url) !== undefined) return;
      for (const id of await removeForeignFrames(tabId)) told(tabId, id);
    });
  });
  chrome.runtime.onMessage.addListener((message: unknown, sender) => {
    if (!isRecord(message) || message.type !== messageType || sender.id !== chrome.runtime.id) return;
    const tabId = sender.tab?.id;
    if (tabId === undefined || !Array.isArray(message.ids)) return;
    for (const id of message.ids) if (typeof id === 'string') told(tabId, id);
  });
}

function idOf(url: string): string | undefined {
  const id = /^chrome-extension:\/\/([a-p]{32})\//.exec(url)?.[1];
  return id === chrome.runtime.id ? undefined : id;
}
