/** What an action set in motion in this document: whether anything changed, and when it came to rest. */

import type {Patience} from './actapi';
import {shadowOf} from './composed';

/** How it came to rest. */
export interface Rest {
  /** If true, the document changed since the watch began. */
  readonly changed: boolean;
  /** If true, it was still changing when the patience ended. */
  readonly restless: boolean;
}

const everything = {subtree: true, childList: true, attributes: true, characterData: true};

/**
 * Watch notes changes of the document and of the shadow trees given to it, from its making until it is
 * stopped. Mutations tell everything that a page can change without loading; it costs nothing while
 * nothing changes, so that it is made before each input.
 */
export class Watch {
  readonly #observer: MutationObserver;
  #changed = false;
  #wake: (() => void) | undefined;

  /** @param roots shadow trees to watch besides the document: those that the target lives in. */
  constructor(roots: Iterable<ShadowRoot> = []) {
    this.#observer = new MutationObserver(() => {
      this.#note();
    });
    this.#observer.observe(document, everything);
    for (const root of roots) this.#observer.observe(root, everything);
  }

  /** Stop ends the watch. It may be called again. */
  stop(): void {
    this.#observer.disconnect();
  }

  /**
   * Rest waits until the document is at rest. When nothing has begun to change within the grace it returns at
   * once; otherwise after the quiet time without a change. It is driven by timers and mutations alone:
   * frames may never come in a tab that nobody looks at.
   */
  async rest({graceMs, quietMs, capMs}: Patience): Promise<Rest> {
    const until = performance.now() + capMs;
    if (graceMs > 0) await this.#changeWithin(graceMs);
    if (!this.#seen()) return {changed: false, restless: false};
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) return {changed: true, restless: true};
      if (!(await this.#changeWithin(Math.min(quietMs, left)))) return {changed: true, restless: left < quietMs};
    }
  }

  /** Mutations that were not delivered yet count as well. */
  #seen(): boolean {
    if (this.#observer.takeRecords().length > 0) this.#note();
    return this.#changed;
  }

  #note(): void {
    this.#changed = true;
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
