/** The page's part of drag: where things are while something is dragged, and whether the page began a drag of its own. */

import type {TargetRef} from './actapi';
import {PageFault} from './api';
import type {ControlsApi, Spot} from './controlapi';
import {boundsOf, boxesOf, viewportBox} from './geometry';
import {flatAncestors} from './hittest';
import {aimAt, bringIntoView, resolve} from './locate';
import type {Registry} from './registry';

/** Dragging is the part of a document's page API that drag uses. */
export class Dragging implements Pick<ControlsApi, 'spot' | 'watchDrag' | 'dragBegan' | 'dragEnded'> {
  readonly #registry: Registry;
  #listening: AbortController | undefined;
  #started: Event | undefined;
  #effect = '';
  #dropped = false;
  #ended: (() => void) | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Spot tells where an element is, after it was scrolled into view if that is wanted. */
  spot({target, scroll}: Parameters<ControlsApi['spot']>[0]): Spot {
    const found = resolve(target, this.#registry);
    if (!found.ok) throw new PageFault(found.code, found.message, {step: found.step});
    const {element} = found;
    let aim = aimAt(element);
    if (!aim.ok && scroll) {
      bringIntoView(element, 'nearest');
      aim = aimAt(element);
    }
    if (aim.ok) return {point: aim.point};
    const bounds = boundsOf(boxesOf(element));
    if (!bounds) {
      const message = 'the element to drop on has no size on the screen; show it first, or choose another';
      throw new PageFault('element_blocked', message, {step: 'geometry'});
    }
    const view = viewportBox();
    const x = clamp((bounds.left + bounds.right) / 2, view.left, view.right - 1);
    const y = clamp((bounds.top + bounds.bottom) / 2, view.top, view.bottom - 1);
    // What is dragged may itself lie under the pointer and over the target: in view is all that can be asked then.
    return {point: {x, y}};
  }

  /** WatchDrag begins to listen for a drag of the page's own, and tells whether the browser drags that element itself. */
  watchDrag({target}: {target: TargetRef}): {native: boolean} {
    this.#listening?.abort();
    this.#started = undefined;
    this.#effect = '';
    this.#dropped = false;
    this.#listening = new AbortController();
    // On selected text a press would begin a drag of that text, which is not what was asked for.
    const selection = getSelection();
    if (selection?.type === 'Range') selection.collapseToStart();
    const options = {capture: true, signal: this.#listening.signal};
    window.addEventListener(
      'dragstart',
      (event) => {
        if (event.isTrusted) this.#started = event;
      },
      options,
    );
    window.addEventListener(
      'dragend',
      (event) => {
        this.#effect = event.dataTransfer?.dropEffect ?? '';
        this.#ended?.();
      },
      options,
    );
    window.addEventListener(
      'drop',
      (event) => {
        this.#dropped ||= event.isTrusted;
      },
      options,
    );
    const found = resolve(target, this.#registry);
    return {native: found.ok && [...flatAncestors(found.element)].some(isNative)};
  }

  /** DragBegan tells whether one began since: a page may also have said no to it. */
  dragBegan(): {began: boolean} {
    return {began: this.#started?.defaultPrevented === false};
  }

  /** DragEnded waits for the end of the drag, stops listening and tells what the drop did. */
  async dragEnded({waitMs}: {waitMs: number}): Promise<{effect: string; dropped: boolean}> {
    if (this.#effect === '' && waitMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#ended = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#ended = undefined;
    this.#listening?.abort();
    return {effect: this.#effect, dropped: this.#dropped};
  }
}

function isNative(element: Element): boolean {
  if (element instanceof HTMLInputElement) return element.type === 'range';
  return element instanceof HTMLElement && element.draggable;
}

function clamp(at: number, from: number, to: number): number {
  return Math.min(Math.max(at, from), Math.max(from, to));
}
