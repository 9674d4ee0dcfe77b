/** Time that belongs to a life: what waits in it ends with it. */

/** After runs the job once, unless the life ends first. */
export function after(life: AbortSignal, ms: number, job: () => void): void {
  const off = (): void => {
    clearTimeout(timer);
    life.removeEventListener('abort', off);
  };
  const timer = setTimeout(() => {
    off();
    job();
  }, ms);
  life.addEventListener('abort', off);
}

/** Pause resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
