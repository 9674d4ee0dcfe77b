/** Standing still: whether an element is on its way somewhere, and waiting until it is there. */

import {boxesOf, sameBoxes} from './geometry';
import {flatAncestors} from './hittest';

/** The most that a moving target is waited for, in milliseconds. */
const stableCap = 100;

/** The most that a movement with an end is waited for, in milliseconds: dialogs, menus and drawers take 150 to 500. */
const arrivalCap = 1000;

/** What changes where something is, or whether it shows; colours and shadows do not matter to a pointer. */
const placing =
  /^(transform|translate|scale|rotate|offset|opacity|visibility|display|inset|top|right|bottom|left|margin|padding|clip|(min|max)?(width|height))/i;

/**
 * Stable waits until a target that is being animated stands still. A movement that comes to an end soon (a dialog that
 * slides in, a menu that fades in) is waited for whole: until then pages take what is done to them for a part of the
 * opening, and forget it. One that goes on and on has two looks with a frame between them, and at most 100 ms by a
 * timer, as frames may never come. Without an animation on the way up it does not wait.
 */
export async function stable(target: Element): Promise<void> {
  const began = performance.now();
  for (;;) {
    const left = began + arrivalCap - performance.now();
    const arriving = movementsOf(target).filter((movement) => endsWithin(movement, left));
    if (arriving.length === 0) break;
    await Promise.race([Promise.allSettled(arriving.map(({finished}) => finished)), pause(left)]);
  }
  const until = performance.now() + stableCap;
  while (moving(target) && performance.now() < until) {
    const before = boxesOf(target);
    await nextFrame();
    await nextFrame();
    if (sameBoxes(before, boxesOf(target))) return;
  }
}

/** EndsWithin tells of a movement that has at most so long to go, in milliseconds, and changes where something is or whether it shows. */
export function endsWithin({effect, currentTime, playbackRate}: Animation, ms: number): boolean {
  if (!(effect instanceof KeyframeEffect)) return false;
  const left = (Number(effect.getComputedTiming().endTime) - Number(currentTime)) / playbackRate;
  if (!(left >= 0 && left <= ms)) return false;
  return effect.getKeyframes().some((frame) => Object.keys(frame).some((property) => placing.test(property)));
}

/** Moving tells whether an animation or a transition runs on an element or on what holds it. */
export function moving(target: Element): boolean {
  return movementsOf(target).length > 0;
}

function movementsOf(target: Element): Animation[] {
  const around = new Set<Element>(flatAncestors(target));
  const roots = new Set([...around].map((at) => at.getRootNode()));
  return [...roots].flatMap((root) => {
    if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
    return root.getAnimations().filter(({playState, effect}) => {
      if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return false;
      return effect.target !== null && around.has(effect.target);
    });
  });
}

/** Pause resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** NextFrame waits for a frame, or so many milliseconds where none comes, and tells whether one came. */
export function nextFrame(ms = 20): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
    }, ms);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
