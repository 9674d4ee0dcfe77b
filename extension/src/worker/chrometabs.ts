/** Looks at Chrome's tabs. */

import {tabs} from './tab';

/** TabOr is a tab as Chrome has it, its address as its page last told; undefined when it is gone. */
export async function tabOr(tabId: number): Promise<chrome.tabs.Tab | undefined> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  // Of a new address within a document Chrome's tabs hear later than we do.
  const known = tabs.peek(tabId);
  const url = known?.attached === true ? known.frames.top?.url : undefined;
  return tab && (url === undefined ? tab : {...tab, url});
}
