/** scroll: the container that scrolls, and where it then stands. */

import type {Handler} from '../call';
import {ActionError} from '../errors';
import {pageworld} from '../pageworld';
import {Settling, sceneOf} from '../settle';
import {tabs} from '../tab';
import {inFrames, targetOf, topFrame} from './target';

/** How long a list may take to begin to load more after it was scrolled, in milliseconds: its observers run with a frame. */
const graceMs = 40;

/** Scroll scrolls the target's container, or the page. */
export const scroll: Handler<'scroll'> = async (action, call) => {
  const {signal} = call;
  const target = targetOf(action);
  if (action.to === 'element' && !target) {
    throw new ActionError('invalid_action', 'scroll to element needs a target; give uid or selector');
  }
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab, false);
  try {
    const {direction, pixels, to} = action;
    const order = {target, direction, pixels, to};
    call.started();
    const {frame, answer} = target
      ? await inFrames(tab, ({id}) => pageworld.call(tab, id, 'scroll', order, signal), signal)
      : {frame: topFrame(tab), answer: await pageworld.call(tab, topFrame(tab).id, 'scroll', order, signal)};
    const before = frame.parentId === undefined ? answer : await sceneOf(tab.tabId);
    const settled = await settling.rest(frame.id, signal, {graceMs, frameMs: 0});
    const changed = await settling.changed(before, frame, signal, settled);
    const {moved, container} = answer;
    // Lists load more when they are scrolled: what counts is where it stands once that is there.
    const {x, y, atEnd, grew} = settled.landed?.stand ?? {...answer, grew: false};
    const notes = [
      ...(moved ? [] : [`nothing moved: ${container ?? 'the page'} cannot be scrolled further that way`]),
      ...(moved && container !== undefined ? [`scrolled ${container}`] : []),
      ...(changed.notes ?? []),
    ];
    return {...changed, ...(notes.length > 0 ? {notes} : {}), ok: true, x, y, atEnd, ...(grew ? {grew} : {})};
  } finally {
    settling.end();
  }
};
