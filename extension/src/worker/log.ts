/** The worker's log: what an operator may want to know when something is wrong, and nothing when all is well. */

/** Warn writes one line to the worker's console. Never a token, never page content. */
export function warn(message: string): void {
  // eslint-disable-next-line no-console -- the one place that writes to the console
  console.warn(`drawbridge: ${message}`);
}
