/** When to try again: later each time, and never all at one moment. */

const firstMs = 1_000;
const lastMs = 30_000;
const leastMs = 50; // a server that refuses at once is not asked in a busy loop

/**
 * RetryDelay is how long to wait, in milliseconds, before the connection after so many that failed in a row.
 *
 * The jitter is full: any moment from now to the bound is as likely as any other, so that ten thousand browsers whose
 * server came back spread over the whole time instead of meeting again at its end. The bound doubles up to half a minute.
 * @param failed 0 after the first failure.
 * @param random from 0 up to 1.
 */
export function retryDelay(failed: number, random: number): number {
  const bound = Math.min(firstMs * 2 ** failed, lastMs);
  return leastMs + random * (bound - leastMs);
}
