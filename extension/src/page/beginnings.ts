/** What a page puts off when an input comes, and when that is done: to a task of its own, a timer of no time, its next frame. */

import {nextFrame, pause} from './stability';

/**
 * How long a frame is waited for once the document has changed, in milliseconds. Where somebody looks, or Chrome draws all
 * the same, one comes every 16; the worker has Chrome draw when it takes longer.
 */
const drawnMs = 500;

/** How long frames take at most to come where they come, in milliseconds. */
const soonMs = 40;

/** How long a document that has changed may take to change again, in milliseconds: clocks of pages tick 50 times a second. */
const tickMs = 25;

// If true, no frame came when one was waited for last: nobody looks at this document, and Chrome draws it about once a second.
let frameless = false;

/**
 * Begun waits until the page has done what it had put off by now. That takes a frame's time or two; where no frames come
 * nothing is waited for unless the document has changed already: for 50 ms after an input Chrome holds a page's tasks and
 * timers back until it has drawn, so that an answer to each input would be held back as well.
 *
 * @param changedMs how long ago the document changed last, in milliseconds; undefined: the input did not change it.
 * @param frameMs how long a frame is waited for where it did not, in milliseconds; 0: nothing is waited for then.
 */
export async function begun(changedMs: number | undefined, frameMs: number): Promise<void> {
  if (changedMs !== undefined) await Promise.all([drawn(drawnMs), pause(Math.max(0, tickMs - changedMs))]);
  else if (frameMs === 0) return;
  else {
    const frame = drawn(frameMs);
    if (frameless) return;
    await frame;
  }
  await Promise.all([turn(), pause(0)]);
}

/** Drawn waits for the next frame, or so many milliseconds, and notes whether frames come. */
async function drawn(ms: number): Promise<void> {
  const asked = performance.now();
  const came = await nextFrame(ms);
  frameless = !came || performance.now() - asked > soonMs;
}

/**
 * Turn lets the page's own tasks run that wait by now, such as what it does when its menu has closed. For 50 ms after an
 * input Chrome holds them back in a tab that nobody looks at: who clicks again sooner than a person could would meet a
 * page that does not know yet what the last click did. Where nothing is held back it takes no time.
 */
export function turn(): Promise<void> {
  const {port1, port2} = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
