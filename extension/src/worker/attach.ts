/** Attaching chrome.debugger to a tab, and what keeps it from being attached, in words that help. */

import {command} from './cdp';
import {ActionError, messageOf} from './errors';
import {foreignError, foreignFrames, isForeign, removeForeignFrames, removedNote} from './foreign';

/** Attachment is how an attach went. */
export interface Attachment {
  /** If true, the attachment was already there: an earlier worker of ours made it. */
  adopted: boolean;
  /** What was done on the way, for the next result. */
  notes: string[];
}

// An extension that puts its frame back at once is cleaned up after this often, then the error names it.
const tries = 6;

/**
 * Attach attaches to a tab or takes over our own attachment to it.
 *
 * @param agentOwned if true, frames of other extensions that are in the way are removed; in a user's tab they are left alone.
 * @throws ActionError `tab_not_found`; `invalid_action` for pages where Chrome lets no extension act or where a
 *   switch is off; `foreign_extension` when another extension keeps us out.
 */
export async function attach(tabId: number, agentOwned: boolean): Promise<Attachment> {
  const tab = await wake(tabId);
  const refused = unattachable(tab.url ?? '');
  if (refused) throw refused;
  const notes: string[] = [];
  for (let n = 0; ; n++) {
    // Attaching comes first: it is what tells whether a frame is in the way, and it works while a dialog is open.
    const thrown = await chrome.debugger.attach({tabId}, '1.3').then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    if (thrown === undefined) return {adopted: false, notes};
    if (/already attached/i.test(thrown)) return adopt(tabId, notes);
    if (!isForeign(thrown)) throw await explain(thrown, tabId, tab);
    if (!agentOwned || n === tries) throw foreignError(tabId, await foreignFrames(tabId), agentOwned);
    notes.push(...(await removeForeignFrames(tabId)).map(removedNote));
  }
}

/** Unattachable is the error for an address where Chrome lets no extension act; undefined for all others. */
export function unattachable(address: string): ActionError | undefined {
  const url = URL.parse(address);
  if (!url) return undefined; // a tab that is still being opened has none
  const scheme = url.protocol.slice(0, -1);
  const where =
    scheme === 'chrome' || scheme === 'devtools' || scheme === 'chrome-search' || scheme === 'chrome-untrusted'
      ? "one of the browser's own pages"
      : scheme === 'view-source'
        ? 'the source view of a page'
        : scheme === 'chrome-extension'
          ? 'a page of an extension'
          : isWebStore(url)
            ? 'the Chrome Web Store'
            : undefined;
  if (where === undefined) return undefined;
  return new ActionError(
    'invalid_action',
    `the tab shows ${where} (${scheme}:), where Chrome lets no extension act; navigate it to an http or https address`,
  );
}

function isWebStore(url: URL): boolean {
  if (url.hostname === 'chromewebstore.google.com') return true;
  return url.hostname === 'chrome.google.com' && url.pathname.startsWith('/webstore');
}

/** Wake gives the tab, loaded: to a discarded one a debugger attaches, and then nothing ever answers. */
async function wake(tabId: number): Promise<chrome.tabs.Tab> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!tab) throw await notFound(tabId);
  if (!tab.discarded) return tab;
  await new Promise<void>((resolve) => {
    const updated = (id: number, change: {discarded?: boolean; status?: string}): void => {
      if (id !== tabId || (change.discarded !== false && change.status !== 'complete')) return;
      chrome.tabs.onUpdated.removeListener(updated);
      resolve();
    };
    chrome.tabs.onUpdated.addListener(updated);
    void chrome.tabs.reload(tabId).catch(() => {
      updated(tabId, {status: 'complete'});
    });
  });
  return chrome.tabs.get(tabId);
}

/** Adopt takes over an attachment that an earlier worker of ours made: a probe tells it from a stranger's. */
async function adopt(tabId: number, notes: string[]): Promise<Attachment> {
  // The browser process answers this one, so that neither a dialog nor a busy page can hold it up.
  const ours = await command(tabId, undefined, 'Target.getTargetInfo', undefined).then(
    () => true,
    () => false,
  );
  if (ours) return {adopted: true, notes};
  throw new ActionError(
    'foreign_extension',
    'another program debugs this tab and shares it with nobody; the user must end that, or use a tab of your own (open_tab)',
  );
}

async function notFound(tabId: number): Promise<ActionError> {
  const allowed = await chrome.extension.isAllowedIncognitoAccess();
  const hint = allowed
    ? ''
    : '; a tab in an incognito window can be reached only with "Allow in Incognito" switched on for Drawbridge in chrome://extensions';
  return new ActionError('tab_not_found', `there is no tab ${tabId.toString()}; list the tabs again${hint}`);
}

async function explain(thrown: string, tabId: number, tab: chrome.tabs.Tab): Promise<ActionError> {
  if (/no tab with/i.test(thrown)) return notFound(tabId);
  const isFile = (tab.url ?? '').startsWith('file:') || thrown.includes('file:');
  if (isFile && !(await chrome.extension.isAllowedFileSchemeAccess())) return fileSwitch();
  return new ActionError(
    'invalid_action',
    `Chrome does not let an extension act on this page (${thrown}); navigate the tab to an http or https address`,
  );
}

/** FileSwitch is the error for a file: address while Chrome keeps us from files. */
export function fileSwitch(): ActionError {
  return new ActionError(
    'invalid_action',
    'local files can be reached only with "Allow access to file URLs" switched on for Drawbridge in chrome://extensions; ask the user to do so',
  );
}
