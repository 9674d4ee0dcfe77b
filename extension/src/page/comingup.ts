/** Whether what a page has changed is there for a person to see, or only on its way: fading or sliding in. */

import {endsWithin} from './stability';

const painted: CheckVisibilityOptions = {opacityProperty: true, visibilityProperty: true};

/** How long a movement may go on to count as one with an end, in milliseconds. */
const movementMs = 1000;

/**
 * IsComingUp tells whether any of some elements is laid out and not seen yet: transparent, out of the window, or in a
 * movement that changes where something is or whether it shows and that comes to an end soon. Pages put such things in
 * place at once and show them some frames later.
 */
export function isComingUp(elements: Iterable<Element>): boolean {
  const roots = new Set<Node>([document]);
  for (const el of elements) {
    if (!el.isConnected) continue;
    roots.add(el.getRootNode());
    if (el.checkVisibility() && (!el.checkVisibility(painted) || isAside(el))) return true;
  }
  return [...roots].some((root) => {
    if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
    return root.getAnimations().some((it) => it.playState === 'running' && endsWithin(it, movementMs));
  });
}

/** IsAside tells of an element that lies beside or above the window, where no scrolling brings it. */
function isAside(el: Element): boolean {
  const {left, right, bottom, width, height} = el.getBoundingClientRect();
  if (width * height === 0) return false;
  return right <= 0 || left >= innerWidth || bottom + scrollY <= 0;
}
