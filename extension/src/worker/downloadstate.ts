/** What Chrome says of a download, in the protocol's words. Pure. */

import type {DownloadInfo} from '../protocol.gen';

/** Item is as much of Chrome's record of a download as is looked at. */
export type Item = Pick<
  chrome.downloads.DownloadItem,
  | 'id'
  | 'url'
  | 'finalUrl'
  | 'referrer'
  | 'filename'
  | 'state'
  | 'danger'
  | 'error'
  | 'paused'
  | 'bytesReceived'
  | 'totalBytes'
>;

/** Dangers that are none, or are still being looked into. */
const harmless = new Set<string>([
  'safe',
  'accepted',
  'allowlistedByPolicy',
  'asyncScanning',
  'asyncLocalPasswordScanning',
  'deepScannedSafe',
  'deepScannedOpenedDangerous',
]);

/** Dangers that the browser lets nobody keep. */
const forbidden = new Set<string>([
  'blockedPasswordProtected',
  'passwordProtected',
  'blockedTooLarge',
  'blockedScanFailed',
  'sensitiveContentBlock',
]);

/** Errors by which a download was kept from being saved, and did not merely break off. */
const refused = new Set<string>(['FILE_BLOCKED', 'FILE_SECURITY_CHECK_FAILED', 'FILE_VIRUS_INFECTED']);

/**
 * StateOf is how far a download is. One that goes on without a file name is `waiting`: the user is asked where to
 * save it. For a moment every download is like that: ask again before that is told.
 */
export function stateOf({state, danger, error, filename}: Item): DownloadInfo['state'] {
  if (state === 'complete') return 'complete';
  if (forbidden.has(danger)) return 'blocked';
  if (state === 'interrupted') return error !== undefined && refused.has(error) ? 'blocked' : 'interrupted';
  if (!harmless.has(danger)) return 'dangerous';
  return filename === '' ? 'waiting' : 'in_progress';
}

/**
 * IsHeldBack tells of a file that is here whole and not saved: what came unencrypted, and is no plain text, waits until
 * the user says in the browser that they want to keep it. For a moment every such file is like that: ask again.
 */
export function isHeldBack(item: Item): boolean {
  const {paused, bytesReceived, totalBytes, url, finalUrl, referrer} = item;
  if (stateOf(item) !== 'in_progress' || paused || bytesReceived === 0 || bytesReceived !== totalBytes) return false;
  return [url, finalUrl, referrer].some(isUnencrypted);
}

function isUnencrypted(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:') return false;
  return !/^(.*\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(url.hostname);
}

/** NameOf is the file's name without its folder; before that is decided what its address suggests. */
export function nameOf({filename, finalUrl, url}: Item): string {
  const file = filename.split(/[\\/]/).at(-1);
  if (file !== undefined && file !== '') return file;
  const address = URL.parse(finalUrl || url);
  const part = address?.protocol.startsWith('http') ? address.pathname.split('/').at(-1) : '';
  return part === undefined || part === '' ? 'download' : decoded(part);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
