/** download: the bytes of a file that an agent's tab downloaded, as far as an extension can have them. */

import type {Call, Handler} from '../call';
import {base64Of} from '../../page/base64';
import {isHeldBack, nameOf, stateOf} from '../downloadstate';
import {type Begun, downloads, find} from '../downloads';
import {ActionError, abortedBy} from '../errors';
import {guard} from '../guard';
import {pageworld} from '../pageworld';
import {tabs} from '../tab';

/** How many bytes one answer brings. */
const partBytes = 4 << 20;

/** What is saved unasked is saved within this once it is here whole, on a busy machine too. */
const heldMs = 5_000;

/** What is left of the caller's time for the bytes, in milliseconds. */
const reserveMs = 5_000;

type Item = chrome.downloads.DownloadItem;

// The file that was asked for last, so that its parts are not fetched again for each.
let last: {readonly id: number; readonly blob: Blob} | undefined;

/**
 * Download waits until a download is over and gives its bytes. An extension cannot read files, so they come from
 * where the file came from, and only if they are as many as the file has; or, with `onDisk`, it tells where the file is.
 */
export const download: Handler<'download'> = async ({id, from = 0, onDisk = false}, call) => {
  const begun = await downloads.get(id);
  if (begun?.agentId !== call.agentId) {
    const yours = await downloads.of(call.agentId);
    throw new ActionError(
      'invalid_action',
      `your tabs began no download ${id}; ${yours.length === 0 ? 'they began none yet' : `they began ${yours.slice(-20).join(', ')}`}: the id stands in the result of the action that began it`,
    );
  }
  const item = await ended(id, call);
  const {filename, mime: mimeType} = item;
  const [name, state] = [nameOf(item), isHeldBack(item) ? ('waiting' as const) : stateOf(item)];
  if (state !== 'complete') {
    return {name, mimeType, size: Math.max(item.fileSize, 0), state, data: '', notes: [why(item)]};
  }
  if (onDisk) return {name, mimeType, size: item.fileSize, state, data: '', path: filename};
  const blob = last?.id === id ? last.blob : await bytesOf(item, begun, call);
  if (!blob) {
    throw new ActionError(
      'unsupported',
      `the bytes of ${JSON.stringify(name)} cannot be had through the extension; the browser saved them as ${JSON.stringify(filename)}, and who has that machine's files can read them there`,
      {outcome: 'not_sent'},
    );
  }
  const end = Math.min(from + partBytes, blob.size);
  last = end < blob.size ? {id, blob} : undefined;
  const data = base64Of(new Uint8Array(await blob.slice(from, end).arrayBuffer()));
  const again = /^https?:/.test(item.finalUrl) ? {notes: ['the bytes were fetched from the address once more']} : {};
  return {name, mimeType, size: blob.size, state, data, ...(end < blob.size ? {next: end} : {}), ...again};
};

/** Ended waits until a download goes on no more, or only the user can make it go on. */
async function ended(id: number, call: Call): Promise<Item> {
  const found = async (is: (item: Item) => boolean): Promise<Item | undefined> => {
    const item = await find(id);
    return item && !is(item) ? undefined : item;
  };
  const isOver = (item: Item): boolean => stateOf(item) !== 'in_progress';
  const left = Math.max(0, call.deadline - performance.now() - reserveMs);
  let item = await downloads.until(() => found((now) => isOver(now) || isHeldBack(now)), left, call.signal);
  if (item && !isOver(item)) item = await downloads.until(() => found(isOver), Math.min(left, heldMs), call.signal);
  if (call.signal.aborted) throw abortedBy(call.signal);
  const now = item ?? (await find(id));
  if (now) return now;
  throw new ActionError('invalid_action', `the browser no longer knows of the download ${id}: its list was cleared`);
}

function why(item: Item): string {
  if (isHeldBack(item))
    return 'the browser holds it back, since it came over an unencrypted connection: only the user can keep it, in the browser’s list of downloads';
  switch (stateOf(item)) {
    case 'waiting':
      return 'the browser asks the user where to save it; its bytes come after that';
    case 'dangerous':
      return `the browser holds it back as dangerous (${item.danger}); only the user can keep it`;
    case 'blocked':
      return `the browser does not let it be saved (${item.error ?? item.danger})`;
    case 'interrupted':
      return `it broke off (${item.error ?? 'no reason given'}); begin it again`;
    case 'in_progress':
    case 'complete':
      return `${item.bytesReceived} bytes are here so far; ask again later`;
  }
}

/** BytesOf has the bytes from where the file came from; undefined if they cannot be had, or are not as many. */
async function bytesOf(item: Item, begun: Begun, call: Call): Promise<Blob | undefined> {
  const address = item.finalUrl || item.url;
  const blob = address.startsWith('blob:') ? await pagesBlob(address, begun, call) : await fetched(address, call);
  return blob?.size === item.fileSize ? blob : undefined;
}

async function fetched(address: string, {signal}: Call): Promise<Blob | undefined> {
  if (!/^(https?|data):/.test(address)) return undefined;
  if (!address.startsWith('data:')) await guard.checkAsked(address, 'download');
  try {
    // The cache first: most of what was just loaded is there, and the server need not make it a second time.
    const response = await fetch(address, {credentials: 'include', cache: 'force-cache', signal});
    return response.ok ? await response.blob() : undefined;
  } catch {
    if (signal.aborted) throw abortedBy(signal);
    return undefined;
  }
}

/** PagesBlob reads a blob in the page that made it, for as long as the page keeps it. */
async function pagesBlob(address: string, {tabId}: Begun, {signal}: Call): Promise<Blob | undefined> {
  const origin = URL.parse(address.slice('blob:'.length))?.origin;
  const tab = await tabs.get(tabId, signal).catch(() => undefined);
  for (const frame of tab?.frames.all() ?? []) {
    if (!tab || URL.parse(frame.url)?.origin !== origin) continue;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let from = 0; ;) {
      const {data, size} = await pageworld.call(tab, frame.id, 'blob', {url: address, from, bytes: partBytes}, signal);
      if (size < 0) break;
      const bytes = Uint8Array.from(atob(data), (unit) => unit.charCodeAt(0));
      parts.push(bytes);
      from += bytes.length;
      if (from >= size || bytes.length === 0) return new Blob(parts);
    }
  }
  return undefined;
}
