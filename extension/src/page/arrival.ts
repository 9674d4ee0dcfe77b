/** Whether the pointer has come to a place of this document: the browser may still route it by an older picture. */

import type {Point} from './geometry';

/** How far, in CSS pixels, the pointer may be from the place. */
const tolerance = 2;

/** Arrival watches for the pointer at a point of the frame's viewport, from when it is made until it is released. */
export class Arrival {
  readonly #abort = new AbortController();
  readonly #come: Promise<true>;

  constructor(point: Point) {
    const {signal} = this.#abort;
    this.#come = new Promise((resolve) => {
      for (const type of ['pointermove', 'pointerover', 'mousemove'] as const) {
        window.addEventListener(
          type,
          ({isTrusted, clientX, clientY}) => {
            const away = Math.max(Math.abs(clientX - point.x), Math.abs(clientY - point.y));
            if (isTrusted && away <= tolerance) resolve(true);
          },
          {capture: true, passive: true, signal},
        );
      }
    });
  }

  /** Within waits at most so many milliseconds and tells whether the pointer has come. */
  async within(timeoutMs: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    const come = await Promise.race([this.#come, late]);
    clearTimeout(timer);
    return come;
  }

  /** Release ends the watch. It may be called again. */
  release(): void {
    this.#abort.abort();
  }
}
