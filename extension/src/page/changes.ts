/** What an action set in motion in this document: whether anything changed, and when it came to rest. */

import type {Patience} from './actapi';
import {begun} from './beginnings';
import {isComingUp} from './comingup';
import {shadowOf} from './composed';

/** How it came to rest. */
export interface Rest {
  /** If true, the document changed since the watch began. */
  readonly changed: boolean;
  /** If true, it was still changing when the patience ended. */
  readonly restless: boolean;
}

const everything = {subtree: true, childList: true, attributes: true, characterData: true};

/** How often a page may go on changing by what it put off before it is waited for by the clock. */
const turnsMax = 3;

/** The most changed elements that are kept, to see whether they are still coming up. */
const touchedMax = 200;

/**
 * Watch notes changes of the document and of the shadow trees given to it, from its making until it is
 * stopped. Mutations tell everything that a page can change without loading; it costs nothing while
 * nothing changes, so that it is made before each input.
 */
export class Watch {
  readonly #observer: MutationObserver;
  readonly #begun: typeof begun;
  // What came, and what had an attribute changed.
  readonly #touched = new Set<Element>();
  #changes = 0;
  #changedAt = 0;
  #wake: (() => void) | undefined;

  /**
   * @param roots shadow trees to watch besides the document: those that the target lives in.
   * @param begunBy waits until the page has done what it had put off.
   */
  constructor(roots: Iterable<ShadowRoot> = [], begunBy = begun) {
    this.#begun = begunBy;
    this.#observer = new MutationObserver((records) => {
      this.#note(records);
    });
    this.#observer.observe(document, everything);
    for (const root of roots) this.#observer.observe(root, everything);
  }

  /** Stop ends the watch. It may be called again. */
  stop(): void {
    this.#observer.disconnect();
  }

  /**
   * Rest waits until the document is at rest: until all that the page put off to its next tasks and its next frame has
   * been done and brought about no further change. Where it goes on changing, and where what has changed is still coming
   * up, rest is so long a time without a change. It is driven by the page's tasks, timers and mutations; a frame is not
   * waited for longer than {@link begun} does, since none may ever come in a tab that nobody looks at.
   */
  async rest({graceMs, frameMs, quietMs, capMs}: Patience): Promise<Rest> {
    const until = performance.now() + capMs;
    if (graceMs > 0) await this.#changeWithin(graceMs);
    for (let turns = 0; turns < turnsMax && performance.now() < until; turns++) {
      const before = this.#seen();
      await this.#begun(before > 0 ? performance.now() - this.#changedAt : undefined, frameMs);
      if (this.#seen() !== before) continue;
      if (before === 0) return {changed: false, restless: false};
      if (!isComingUp(this.#touched)) return {changed: true, restless: false};
      break;
    }
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) return {changed: true, restless: true};
      if (!(await this.#changeWithin(Math.min(quietMs, left)))) return {changed: true, restless: left < quietMs};
    }
  }

  /** Seen is how often the document has changed; mutations that were not delivered yet count as well. */
  #seen(): number {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#note(records);
    return this.#changes;
  }

  #note(records: readonly MutationRecord[]): void {
    this.#changes++;
    this.#changedAt = performance.now();
    for (const {type, target, addedNodes} of records) {
      if (this.#touched.size >= touchedMax) break;
      if (type === 'attributes' && target instanceof Element) this.#touched.add(target);
      for (const node of addedNodes) if (node instanceof Element) this.#touched.add(node);
    }
    this.#wake?.();
  }

  #changeWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = undefined;
        resolve(false);
      }, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(true);
      };
    });
  }
}

/** FocusedElement is the element that has the focus, through shadow roots; undefined for none or the body. */
export function focusedElement(): Element | undefined {
  let at = document.activeElement;
  while (at) {
    const inner: Element | null = shadowOf(at, at.localName)?.activeElement ?? null;
    if (!inner) break;
    at = inner;
  }
  return at === null || at === document.body || at === document.documentElement ? undefined : at;
}
