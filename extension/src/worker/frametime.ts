/** Making a tab that nobody looks at draw as if somebody did. */

import {timeout} from './race';
import type {Tab} from './tab';

/** How long each of the two commands may take, in milliseconds. */
const limitMs = 3_000;

/** By tab: how many works it draws for now, and how that is ended. */
const drawing = new WeakMap<Tab, {works: number; readonly end: () => void}>();

/**
 * WithFrames does some work while the tab draws frame after frame. A hidden tab draws about one a second, and mouse
 * moves are told to the page with its frames: a drag of twenty moves would take twenty seconds. A tiny screencast
 * keeps it drawing.
 */
export async function withFrames<T>(tab: Tab, work: () => Promise<T>): Promise<T> {
  const cast = drawing.get(tab) ?? {works: 0, end: beginCast(tab)};
  drawing.set(tab, cast);
  cast.works++;
  try {
    return await work();
  } finally {
    if (--cast.works === 0) {
      drawing.delete(tab);
      cast.end();
    }
  }
}

/** How long something may take before the tab is made to draw, in milliseconds. */
const soonMs = 30;

/**
 * DrawingIfSlow has the tab draw while it waits for a work that is not done soon: what a page does with its frames (a
 * move of the pointer, an animation's next step) it does once a second at best where nobody looks.
 */
export async function drawingIfSlow<T>(tab: Tab, work: Promise<T>): Promise<T> {
  // The work's failure is thrown where it is waited for.
  const soon = await Promise.race([work.then(() => true), timeout(soonMs).then(() => false)]);
  return soon ? work : withFrames(tab, () => work);
}

function beginCast(tab: Tab): () => void {
  const off = tab.on('Page.screencastFrame', ({sessionId}) => {
    void tab.send('Page.screencastFrameAck', {sessionId}, {timeoutMs: limitMs}).catch(() => undefined);
  });
  const tiny = {format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16} as const;
  const began = tab.send('Page.startScreencast', tiny, {timeoutMs: limitMs}).catch(() => undefined);
  return () => {
    off();
    void began
      .then(() => tab.send('Page.stopScreencast', undefined, {timeoutMs: limitMs, pastDialog: true}))
      .catch(() => undefined);
  };
}
