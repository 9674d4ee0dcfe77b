/** How long to leave a worker alone that does not stay alive. */

const shortLifeMs = 2_000;
const stepMs = 1_000;
const free = 3; // deaths in a row that are put down to chance
const longestMs = 30_000;

/** Pauses counts the workers that died young, one after the other. */
export class Pauses {
  #young = 0;

  /**
   * After is how long to wait, in milliseconds, before a worker is started that follows one which lived so long. Only
   * a worker that dies again and again as it starts is waited for, longer each time.
   */
  after(livedMs: number): number {
    this.#young = livedMs < shortLifeMs ? this.#young + 1 : 0;
    return Math.min(Math.max(this.#young - free, 0) * stepMs, longestMs);
  }
}
