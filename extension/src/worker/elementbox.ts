/** Where an element is in the tab's viewport, through frames of any process. */

import type {TargetRef} from '../page/actapi';
import {inFrames} from './actions/target';
import {ActionError} from './errors';
import {pageworld} from './pageworld';
import {type Place, toTop} from './place';
import type {Tab} from './tab';

/** Box is a rectangle in CSS pixels of the tab's viewport. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * ElementBox scrolls an element into view and tells where it then is.
 *
 * @throws {@link ActionError} `element_not_found`, `element_stale`; `element_blocked` when it has no size.
 */
export async function elementBox(tab: Tab, {uid, selector}: TargetRef, signal: AbortSignal): Promise<Box> {
  const target = {uid, selector};
  const {frame} = await inFrames(tab, ({id}) => pageworld.call(tab, id, 'scroll', {target, to: 'element'}, signal));
  const {box} = await pageworld.call(tab, frame.id, 'get', {target, what: 'box'}, signal);
  const top = box && around(await tab.frames.place(frame.id, signal), box);
  if (!top || top.width < 1 || top.height < 1) {
    throw new ActionError('element_blocked', 'the element is not shown: it has no size; choose another');
  }
  return top;
}

/** Around is the upright rectangle around what a rectangle of a frame becomes in the tab's viewport. */
export function around(place: Place, {x, y, width, height}: Box): Box {
  const corners = [
    toTop(place, {x, y}),
    toTop(place, {x: x + width, y}),
    toTop(place, {x, y: y + height}),
    toTop(place, {x: x + width, y: y + height}),
  ];
  const [left, top] = [Math.min(...corners.map((at) => at.x)), Math.min(...corners.map((at) => at.y))];
  const [right, bottom] = [Math.max(...corners.map((at) => at.x)), Math.max(...corners.map((at) => at.y))];
  return {x: left, y: top, width: right - left, height: bottom - top};
}
