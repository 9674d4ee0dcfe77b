/** One line per tab: actions on a tab run one after the other. */

import {abortedBy} from './errors';

/**
 * TabQueues lets one job per tab run at a time, in the order of asking. A job's place is given up only
 * when it has really unwound, so that a cancelled click is never followed by another action while its
 * mouse button is still down.
 */
export class TabQueues {
  readonly #tails = new Map<number, Promise<unknown>>();

  /**
   * Run waits for its turn and runs the job.
   * @returns what the job returns; it settles when the job does, however late.
   * @throws ActionError the signal's reason, when it aborts before the job's turn: the job never runs.
   */
  run<T>(tabId: number, signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(tabId) ?? Promise.resolve();
    const turn = before.then(() => {
      signal.throwIfAborted();
      return job();
    });
    // Those behind wait for the job, not for its success.
    const tail = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(tabId, tail);
    void tail.then(() => {
      if (this.#tails.get(tabId) === tail) this.#tails.delete(tabId);
    });
    return turn;
  }

  /** Busy tells whether any job runs or waits on the tab. */
  busy(tabId: number): boolean {
    return this.#tails.has(tabId);
  }
}

/**
 * OrAborted is the work's result, or the signal's reason as soon as it aborts; the work goes on to its end
 * unobserved. A job that ends within `graceMs` of the abort is still heard, because its own error says
 * better what happened.
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  work.catch(() => undefined);
  let abort: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      timer = setTimeout(() => {
        reject(abortedBy(signal));
      }, graceMs);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, {once: true});
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    clearTimeout(timer);
    if (abort) signal.removeEventListener('abort', abort);
  }
}
