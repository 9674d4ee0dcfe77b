/** Waiting for work no longer than somebody wants it. */

import {abortedBy} from './errors';

/** Race waits for work only as long as the signal allows; the work itself goes on. */
export async function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw abortedBy(signal);
  let aborted: (() => void) | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    aborted = () => {
      reject(abortedBy(signal));
    };
    signal.addEventListener('abort', aborted);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    if (aborted) signal.removeEventListener('abort', aborted);
  }
}

/** Timeout resolves after so many milliseconds. */
export function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
