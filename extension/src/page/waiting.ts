/** Waiting for a state of this document, told by events: it looks again only when something has happened. */

import type {TargetRef, Wish} from './actapi';
import {shadowOf} from './composed';
import {type Refusal, refuse} from './locate';
import type {Registry} from './registry';

/** Things that may change what is shown without changing the tree. */
const hints = [
  'load',
  'DOMContentLoaded',
  'readystatechange',
  'toggle',
  'input',
  'change',
  'transitionend',
  'animationstart',
  'animationend',
  'resize',
  'hashchange',
  'pageshow',
] as const;

/** Looks follow each other by at least this many milliseconds: a page that never rests must not be read without end. */
const gap = 50;

const everything = {subtree: true, childList: true, attributes: true, characterData: true};

/**
 * Pulse calls back when something in the document may have changed: in its tree or a shadow tree, by an
 * animation that ended, by a resource that came. Several changes make one call.
 */
export class Pulse {
  readonly #observer: MutationObserver;
  readonly #sizes: ResizeObserver | undefined;
  readonly #abort = new AbortController();
  readonly #roots = new Set<Document | ShadowRoot>();
  readonly #beat: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;

  constructor(beat: () => void) {
    this.#beat = beat;
    this.#observer = new MutationObserver((records) => {
      for (const {addedNodes} of records) for (const node of addedNodes) if (node instanceof Element) this.#learn(node);
      this.#soon();
    });
    this.#watch(document);
    for (const type of hints) {
      const options = {capture: true, passive: true, signal: this.#abort.signal};
      window.addEventListener(type, this.#soon, options);
    }
    // Style sheets and fonts that come change the size of things and nothing else.
    this.#sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(this.#soon);
    const root = document.querySelector(':root');
    if (root) this.#sizes?.observe(root);
  }

  /** Roots are the document and every shadow root in it, as far as known. */
  get roots(): Iterable<Document | ShadowRoot> {
    return this.#roots;
  }

  /** Stop ends the calls. It may be called again. */
  stop(): void {
    this.#abort.abort();
    this.#observer.disconnect();
    this.#sizes?.disconnect();
    clearTimeout(this.#timer);
  }

  readonly #soon = (): void => {
    if (this.#timer !== undefined || this.#abort.signal.aborted) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#last = performance.now();
        this.#beat();
      },
      Math.max(0, this.#last + gap - performance.now()),
    );
  };

  #watch(root: Document | ShadowRoot): void {
    if (this.#roots.has(root)) return;
    this.#roots.add(root);
    this.#observer.observe(root, everything);
    for (const child of root.children) this.#learn(child);
  }

  #learn(element: Element): void {
    for (const at of [element, ...element.querySelectorAll('*')]) {
      const root = shadowOf(at, at.localName);
      if (root) this.#watch(root);
    }
  }
}

/** Waits are the waits that run in this document, by the names of the calls that began them. */
export class Waits {
  readonly #running = new Map<string, AbortController>();

  /** Run does a wait, which {@link cancel} ends. */
  async run<T>(call: string, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const control = new AbortController();
    this.#running.set(call, control);
    try {
      return await wait(control.signal);
    } finally {
      this.#running.delete(call);
    }
  }

  /** Cancel ends the wait of a call, if it runs. */
  cancel(call: string): void {
    this.#running.get(call)?.abort();
  }
}

/**
 * WaitUntil waits until a wish is met, and answers whether it was: false when the time is over first, or a
 * refusal when it can never be.
 *
 * @param timeoutMs the most to wait, in milliseconds.
 * @param signal ends the wait early, as not met.
 */
export function waitUntil(
  wish: Wish,
  registry: Registry,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean | Refusal> {
  return new Promise((resolve) => {
    const look = (): void => {
      const answer = met(wish, registry, pulse.roots);
      if (answer !== false) finish(answer);
    };
    const pulse = new Pulse(look);
    const finish = (answer: boolean | Refusal): void => {
      pulse.stop();
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      // Once more: what changes by style alone gives no sign.
      finish(met(wish, registry, pulse.roots));
    }, timeoutMs);
    signal.addEventListener(
      'abort',
      () => {
        finish(false);
      },
      {once: true},
    );
    look();
  });
}

/**
 * UntilShown waits until a person can see a frame's element, and answers whether that came about. The document
 * within knows nothing of it: it lays itself out as if it were shown.
 *
 * @param timeoutMs the most to wait, in milliseconds; 0: only a look.
 * @param signal ends the wait early.
 */
export function untilShown(frame: Element, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  if (shown(frame) || timeoutMs <= 0) return Promise.resolve(shown(frame));
  return new Promise((resolve) => {
    const finish = (answer: boolean): void => {
      pulse.stop();
      clearTimeout(timer);
      resolve(answer);
    };
    const pulse = new Pulse(() => {
      if (shown(frame)) finish(true);
    });
    const timer = setTimeout(() => {
      finish(shown(frame));
    }, timeoutMs);
    signal.addEventListener('abort', () => {
      finish(false);
    });
  });
}

function shown(frame: Element): boolean {
  return frame.isConnected && frame.checkVisibility({opacityProperty: true}) && visible(frame);
}

/** Met tells whether a wish is met now. */
export function met(wish: Wish, registry: Registry, roots: Iterable<Document | ShadowRoot>): boolean | Refusal {
  if (wish.text !== undefined) return shows(wish.text, roots);
  if (wish.textGone !== undefined) return !shows(wish.textGone, roots);
  if (!wish.target) return true;
  const matches = matching(wish.target, registry, roots);
  if ('ok' in matches) return matches;
  switch (wish.state ?? 'visible') {
    case 'visible':
      return matches.some(visible);
    case 'hidden':
      return !matches.some(visible);
    case 'attached':
      return matches.length > 0;
    case 'detached':
      return matches.length === 0;
  }
}

/** Visible tells whether an element has a box and is not hidden by style. What is only scrolled away is visible. */
export function visible(element: Element): boolean {
  if (!element.checkVisibility({visibilityProperty: true, contentVisibilityAuto: false})) {
    // Without a box of its own its children are what shows.
    return getComputedStyle(element).display === 'contents' && Array.from(element.children).some(visible);
  }
  const {width, height} = element.getBoundingClientRect();
  return (width > 0 && height > 0) || Array.from(element.children).some(visible);
}

/** Shows tells whether a text can be read in the document, its shadow trees included, white space collapsed. */
export function shows(text: string, roots: Iterable<Document | ShadowRoot>): boolean {
  const wanted = collapse(text);
  for (const root of roots) {
    const tops = root instanceof Document ? [root.body] : Array.from(root.children);
    for (const top of tops) {
      // Reading the text that is laid out is dear, the raw one is cheap and holds all of it but for its case.
      if (!(top instanceof HTMLElement) || !collapse(top.textContent).toLowerCase().includes(wanted.toLowerCase()))
        continue;
      if (top.checkVisibility() && collapse(top.innerText).includes(wanted)) return true;
    }
  }
  return false;
}

function matching(
  target: TargetRef,
  registry: Registry,
  roots: Iterable<Document | ShadowRoot>,
): readonly Element[] | Refusal {
  if (target.uid !== undefined) {
    const found = registry.find(target.uid);
    if (found.state === 'live') return [found.element];
    if (found.state === 'gone') return [];
    return refuse(
      'element_not_found',
      'resolve',
      `no element of this page was ever told as ${target.uid}; take a new snapshot`,
    );
  }
  const selector = target.selector ?? '';
  try {
    return [...roots].flatMap((root) => [...root.querySelectorAll(selector)]);
  } catch {
    return refuse('invalid_action', 'resolve', `${JSON.stringify(selector)} is no valid CSS selector; mend it`);
  }
}

function collapse(text: string): string {
  return text.replace(/[\s\u00a0\u200b]+/g, ' ').trim();
}
