/** find: the elements that match, over all frames, each with a ref that every other action takes. */

import type {Element} from '../../protocol.gen';
import type {Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {guard} from '../guard';
import {pageworld} from '../pageworld';
import {sessions} from '../sessions';
import {tabs} from '../tab';

/** How many elements are told when the call does not say. */
const defaultLimit = 20;

/** How long the walk of one frame may take, in milliseconds. */
const budgetMs = 5_000;

/** Find tells of matching elements: no tree, no text, only refs. */
export const find: Handler<'find'> = async (action, call) => {
  const {role = null, name = null, text = null, limit = defaultLimit} = action;
  if (role === null && name === null && text === null) {
    throw new ActionError(
      'invalid_action',
      'find was not told what to look for; give at least one of role, name, text',
    );
  }
  const tab = await tabs.get(call.tabId, call.signal);
  const elements: Element[] = [];
  let total = 0;
  const notes: string[] = [];
  for (const frame of tab.frames.all()) {
    // What may not be seen must not be found either.
    if (!guard.frameAllowed(frame.url)) continue;
    const asked = {
      mark: sessions.uidMark(tab.tabId),
      budgetMs,
      call: call.id,
      role,
      name,
      text,
      limit: Math.max(0, limit - elements.length),
      quiet: false,
    };
    const part = await pageworld.call(tab, frame.id, 'find', asked, call.signal).catch((thrown: unknown) => {
      if (isGone(frame, tab.frames.get(frame.id)) && frame.parentId !== undefined) return undefined;
      throw thrown;
    });
    if (!part) continue;
    await sessions.setUidMark(tab.tabId, part.next);
    elements.push(...part.elements);
    total += part.total;
    if (part.cut) notes.push(`${shown(frame)} is large: time ran out before its end, so there may be more`);
  }
  notes.push(...tab.takeNotes());
  return {elements, total, ...(notes.length > 0 ? {notes} : {})};
};

function isGone(asked: Frame, now: Frame | undefined): boolean {
  return now?.loaderId !== asked.loaderId || now.unreachableUrl !== undefined;
}

function shown({parentId, url}: Frame): string {
  return parentId === undefined ? 'the page' : `the frame ${url.slice(0, 200)}`;
}
