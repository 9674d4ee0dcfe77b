/**
 * Frames that other extensions put into pages (password managers, writing aids): while one is there Chrome lets
 * nobody else debug the tab. In the agent's own tabs they are removed and kept away.
 */

import {ActionError} from './errors';
import {sweep} from '../page/foreignsweep';
import {isRecord} from './storage';

const messageType = 'foreign_frames_removed';

// A page that stands still (a dialog, an endless script) runs nothing of ours either.
const patienceMs = 1_000;

/** ForeignFrames names the other extensions that have a frame in the tab; chrome.webNavigation does not tell. */
export function foreignFrames(tabId: number): Promise<string[]> {
  return run({tabId, allFrames: true}, true);
}

/**
 * RemoveForeignFrames removes them from every frame of the page, closed shadow roots included, and leaves a
 * watch behind that removes those that come later, for as long as the document lives.
 *
 * @returns the ids of the extensions whose frames were removed. It never throws: a page that cannot be scripted
 *   cannot be attached to either, and that error says more.
 */
export function removeForeignFrames(tabId: number): Promise<string[]> {
  return run({tabId, allFrames: true}, false);
}

async function run(target: chrome.scripting.InjectionTarget, look: boolean): Promise<string[]> {
  const ours = `chrome-extension://${chrome.runtime.id}/`;
  const done = chrome.scripting.executeScript({
    target,
    func: sweep,
    args: [ours, messageType, look],
    injectImmediately: true,
  });
  const late = new Promise<[]>((resolve) => {
    setTimeout(() => {
      resolve([]);
    }, patienceMs);
  });
  const results = await Promise.race([done.catch(() => []), late]);
  return [...new Set(results.flatMap(({result}) => result ?? []))];
}

/** RemovedNote tells an agent whose frame was removed. */
export function removedNote(id: string): string {
  return `removed a frame that the extension ${id} had put into the page`;
}

/**
 * ForeignError is the error for a tab that another extension's frame keeps us out of.
 *
 * @param ids the extensions, as far as they are known.
 * @param agentOwned if true, removing their frames did not help.
 */
export function foreignError(tabId: number, ids: string[], agentOwned: boolean): ActionError {
  const who = ids.length === 0 ? 'another extension' : `the extension ${ids.join(', ')}`;
  const then = agentOwned
    ? 'it puts it back each time it is removed; the user must switch that extension off for this site'
    : 'use a tab of your own (open_tab), or ask the user to switch that extension off for this site';
  return new ActionError(
    'foreign_extension',
    `${who} has a frame in tab ${tabId.toString()}, and Chrome then lets no other extension act there; ${then}`,
  );
}

/** IsForeign tells whether Chrome's words mean that another extension's frame is in the way. */
export function isForeign(words: string): boolean {
  return /different extension/i.test(words);
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
  chrome.webNavigation.onCommitted.addListener(({tabId, url, documentId}) => {
    void owns(tabId).then(async (is) => {
      if (!is || idOf(url) !== undefined) return;
      // The other documents have their watch already, and a page may have hundreds.
      for (const id of await run({tabId, documentIds: [documentId]}, false)) told(tabId, id);
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
