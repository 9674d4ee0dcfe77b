import {expect, test, vi} from 'vitest';
import {ActionError} from './errors';
import {orAborted, TabQueues} from './queue';

const never = new AbortController().signal;

function gate(): {wait: Promise<void>; open: () => void} {
  let open = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {wait, open};
}

test('jobs on one tab run one after the other, in order; tabs do not wait for each other', async () => {
  const queues = new TabQueues();
  const first = gate();
  const ran: string[] = [];
  const a = queues.run(1, never, async () => {
    ran.push('a begins');
    await first.wait;
    ran.push('a ends');
  });
  const b = queues.run(1, never, () => {
    ran.push('b');
    return Promise.resolve();
  });
  await queues.run(2, never, () => {
    ran.push('other tab');
    return Promise.resolve();
  });
  expect(ran).toEqual(['a begins', 'other tab']);
  first.open();
  await Promise.all([a, b]);
  expect(ran).toEqual(['a begins', 'other tab', 'a ends', 'b']);
  await vi.waitUntil(() => !queues.busy(1));
});

test('a failed job lets the next one run', async () => {
  const queues = new TabQueues();
  const failed = queues.run(1, never, () => Promise.reject(new Error('no')));
  const next = queues.run(1, never, () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});

test('a job whose call was given up before its turn never runs', async () => {
  const queues = new TabQueues();
  const first = gate();
  const control = new AbortController();
  const job = vi.fn(() => Promise.resolve());
  const a = queues.run(1, never, () => first.wait);
  const b = queues.run(1, control.signal, job);
  control.abort(new ActionError('cancelled', 'the caller gave up'));
  first.open();
  await a;
  await expect(b).rejects.toMatchObject({code: 'cancelled'});
  expect(job).not.toHaveBeenCalled();
});

test('an abandoned job keeps its place until it has unwound', async () => {
  const queues = new TabQueues();
  const unwinding = gate();
  const control = new AbortController();
  const ran: string[] = [];
  const work = queues.run(1, control.signal, async () => {
    await unwinding.wait;
    ran.push('unwound');
  });
  const answer = orAborted(work, control.signal, 0);
  await Promise.resolve();
  await Promise.resolve();
  control.abort(new ActionError('timeout', 'too slow'));
  await expect(answer).rejects.toMatchObject({code: 'timeout'});
  const next = queues.run(1, never, () => {
    ran.push('next');
    return Promise.resolve();
  });
  expect(ran).toEqual([]);
  unwinding.open();
  await next;
  expect(ran).toEqual(['unwound', 'next']);
});

test('orAborted hears a job that says itself why it gave up', async () => {
  const control = new AbortController();
  const work = new Promise<never>((_, reject) => {
    control.signal.addEventListener('abort', () => {
      queueMicrotask(() => {
        reject(new ActionError('element_blocked', 'a banner covers it'));
      });
    });
  });
  const answer = orAborted(work, control.signal, 1_000);
  control.abort(new ActionError('timeout', 'too slow'));
  await expect(answer).rejects.toMatchObject({code: 'element_blocked'});
});
