/**
 * What lies at a point, whether that is as good as the target, and a guard that lets input through only
 * if it really arrives there.
 */

import type {Acceptance} from './actapi';
import {composedParent, shadowOf} from './composed';
import type {Point} from './geometry';

/** What sort of elements does something by itself when it is clicked. */
const activators = 'a[href],area[href],button,input,select,textarea,summary,label,option,[role=button],[role=link]';

/** ElementAt is the innermost element at a point of the frame's viewport, through shadow roots. */
export function elementAt(point: Point): Element | null {
  let hit = document.elementFromPoint(point.x, point.y);
  while (hit) {
    const root = shadowOf(hit, hit.localName);
    const inner = root?.elementFromPoint(point.x, point.y) ?? null;
    if (!root || !inner || inner === hit || !root.contains(inner)) return hit;
    hit = inner;
  }
  return null;
}

/** FlatParent is the parent as it is painted: through slots, of closed roots too, and from a root to its host. */
export function flatParent(element: Element): Element | null {
  const parent = element.parentElement;
  const closed = parent === null || element.assignedSlot !== null ? null : shadowOf(parent, parent.localName);
  // The slot of a closed root does not show itself to what stands in it.
  const slot = closed && Array.from(closed.querySelectorAll('slot')).find((at) => at.assignedNodes().includes(element));
  return slot ?? composedParent(element);
}

/** FlatAncestors yields an element and its painted ancestors, the nearest first. */
export function* flatAncestors(element: Element): Generator<Element> {
  let at: Element | null = element;
  while (at) {
    yield at;
    at = flatParent(at);
  }
}

/**
 * Accepts tells how hitting one element counts as hitting another, or that it does not. An ancestor is a
 * miss, but for the control that the target is the inside of (an icon in a button that lets the pointer
 * through) and the host of the shadow tree that it lives in.
 */
export function accepts(hit: Element, target: Element): Acceptance | undefined {
  if (hit === target) return 'target';
  for (const at of flatAncestors(hit)) if (at === target) return 'descendant';
  if (labelled(hit) === target) return 'label';
  const root = target.getRootNode();
  if (root instanceof ShadowRoot && root.host === hit) return 'host';
  return activator(target) === hit ? 'activator' : undefined;
}

/** Labelled is the control that a click here would be handed to, unless something else in the label takes it. */
function labelled(hit: Element): Element | undefined {
  for (const at of flatAncestors(hit)) {
    if (at instanceof HTMLLabelElement) return at.control ?? undefined;
    if (at.matches(activators)) return undefined;
  }
  return undefined;
}

/** Activator is the control that an element is the inside of. */
function activator(target: Element): Element | undefined {
  for (const at of flatAncestors(target)) {
    if (at !== target && at.matches(activators)) return at instanceof HTMLLabelElement ? undefined : at;
  }
  return undefined;
}

/**
 * LayerOf is the outermost ancestor of what was hit that does not hold the target: the banner, dialog or
 * header that lies over it, as a person would name it.
 */
export function layerOf(hit: Element, target: Element): Element {
  const around = new Set(flatAncestors(target));
  let layer = hit;
  for (const at of flatAncestors(hit)) {
    if (around.has(at)) break;
    layer = at;
    if (at instanceof HTMLDialogElement || at.matches('[role=dialog],[role=alertdialog],[aria-modal=true]')) return at;
  }
  return layer;
}

/** What a guard saw. */
export interface Seen {
  /** Whether any of the input reached this frame. */
  readonly arrived: boolean;
  /** What it hit when that was not the target: the input was then cancelled before the page saw it. */
  readonly missed?: Element;
}

const guarded = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
] as const;

/** How far, in CSS pixels, a pointer event may lie from where ours was sent and still be ours. */
const tolerance = 2;

/**
 * Guard watches the one click that follows, at window and before the page. If the path of its first event
 * misses the target, because something moved in between the hit test and the input, all of its events are
 * cancelled. Release takes the listeners away and says what was seen. A click by the user elsewhere passes.
 */
export class Guard {
  readonly #target: Element;
  readonly #point: Point;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  #arrived = false;
  #presses: number;
  #finish: () => void = () => undefined;
  #missed: Element | undefined;

  /** @param presses how many times the button will be pressed and let go: 2 for a double click. */
  constructor(target: Element, point: Point, presses = 1) {
    this.#target = target;
    this.#point = point;
    this.#presses = presses;
    this.#done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    for (const type of guarded) {
      window.addEventListener(
        type,
        (event) => {
          this.#judge(event);
        },
        {capture: true, signal: this.#abort.signal},
      );
    }
  }

  /** Done waits until the last press was let go, at most so many milliseconds: a page may keep all of it from us. */
  async done(ms: number): Promise<void> {
    const timer = setTimeout(this.#finish, ms);
    await this.#done;
    clearTimeout(timer);
  }

  /** Release ends the watch; it may be called again and then says the same. */
  release(): Seen {
    this.#abort.abort();
    return this.#missed ? {arrived: this.#arrived, missed: this.#missed} : {arrived: this.#arrived};
  }

  #judge(event: MouseEvent): void {
    if (!event.isTrusted) return;
    // A click that the platform makes for a label's control carries the label's coordinates.
    if (Math.abs(event.clientX - this.#point.x) > tolerance || Math.abs(event.clientY - this.#point.y) > tolerance)
      return;
    if (!this.#arrived) {
      this.#arrived = true;
      const hit = this.#hitBy(event);
      if (hit && !accepts(hit, this.#target)) this.#missed = hit;
    }
    if (event.type === 'pointerup' && --this.#presses === 0) this.#finish();
    if (!this.#missed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** The path ends at the host of a closed root; below it the point decides. */
  #hitBy(event: MouseEvent): Element | undefined {
    const path = event.composedPath();
    const [first] = path;
    if (path.includes(this.#target)) return this.#target;
    if (!(first instanceof Element)) return undefined;
    const inner = elementAt({x: event.clientX, y: event.clientY});
    return inner !== null && [...flatAncestors(inner)].includes(first) ? inner : first;
  }
}
