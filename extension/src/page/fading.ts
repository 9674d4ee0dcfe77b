/** Fading: what cannot be seen yet because it is only on its way to being seen. */

import {flatParent} from './hittest';

/**
 * IsFading tells of an element that is transparent now (opacity 0, or something around it) whether that is the
 * beginning of a fade: an animation or transition of the opacity that runs. In a tab that nobody looks at frames are
 * rare, and a menu that was opened a second ago may still stand at its first.
 */
export function isFading(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = flatParent(at)) {
    // The outermost that is transparent decides: within it nothing shows until it does.
    const above = flatParent(at);
    if (above?.checkVisibility({opacityProperty: true}) !== false) return isFadingItself(at);
  }
  return false;
}

/** How long a fade may have to go to count, in milliseconds: what a page shows in a minute is not shown now. */
const longestFade = 3_000;

/** IsFadingItself asks the same of an element whose own opacity is 0. */
export function isFadingItself(element: Element): boolean {
  return element.getAnimations().some(({playState, effect, currentTime}) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return false;
    const left = Number(effect.getComputedTiming().endTime) - Number(currentTime);
    return Number(effect.getKeyframes().at(-1)?.opacity ?? 0) > 0.1 && left <= longestFade;
  });
}
