/** "Leave site?" in the agents' tabs: asked by us, before the browser would. */

import {watchUnload} from '../page/unloadwatch';

// A page that is too busy to say so is left without asking.
const patienceMs = 500;

/** WatchWorld is where all that watches documents from their start runs, unseen by pages: each world costs every frame milliseconds. */
export const watchWorld = 'drawbridge watch';

/**
 * WatchFromTheStart is the watch as a script for Page.addScriptToEvaluateOnNewDocument, not in the page's own world: at the
 * window listeners are called in the order in which they came, so that only what runs before the page's own scripts
 * stands before their listeners for certain.
 */
export const watchFromTheStart = {
  source: `(${watchUnload.toString()})(false);`,
  worldName: watchWorld,
  runImmediately: true,
};

/** WatchUnloads puts the watch into each new document, also while no debugger is attached, of the tabs that `owns` says are the agents'. */
export function watchUnloads(owns: (tabId: number) => Promise<boolean>): void {
  chrome.webNavigation.onCommitted.addListener(({tabId, documentId}) => {
    void owns(tabId).then(async (is) => {
      if (is) await run({tabId, documentIds: [documentId]}, false);
    });
  });
}

/** WantsToAsk tells whether some document in the tab would have the browser ask before it is left. */
export async function wantsToAsk(tabId: number): Promise<boolean> {
  const late = new Promise<false>((resolve) => {
    setTimeout(() => {
      resolve(false);
    }, patienceMs);
  });
  return Promise.race([run({tabId, allFrames: true}, true), late]);
}

async function run(target: chrome.scripting.InjectionTarget, ask: boolean): Promise<boolean> {
  const results = await chrome.scripting
    .executeScript({target, func: watchUnload, args: [ask], injectImmediately: true})
    .catch(() => []);
  return results.some(({result}) => result === true);
}
