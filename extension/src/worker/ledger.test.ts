import {expect, test, vi} from 'vitest';
import {MemoryStore} from './fakes';
import {Ledger} from './ledger';

const read = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

test('a call is stored as started before it ends, and with its reply after', async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, read);
  await ledger.started('k');
  expect(store.peek('call.k')).toMatchObject({at: 1});
  ledger.ended('k', 'fine');
  expect(store.peek('call.k')).toMatchObject({at: 1, reply: 'fine'});
  expect(ledger.get('k')).toMatchObject({reply: 'fine'});
});

test('a call that was cut off by the death of the worker is known as started, and told', async () => {
  const store = new MemoryStore();
  await new Ledger(store, read).started('k');
  const next = new Ledger(store, read);
  await next.load();
  expect(next.get('k')).toMatchObject({callKey: 'k', at: 1, undelivered: true});
  expect(next.take()).toMatchObject([{callKey: 'k'}]);
  expect(next.take()).toEqual([]);
});

test('what ended while the link was down is told once, also after a restart', async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, read);
  await ledger.started('told');
  ledger.ended('told', 'a');
  await ledger.started('missed');
  ledger.ended('missed', 'b');
  ledger.undelivered('missed');
  const next = new Ledger(store, read);
  await next.load();
  expect(next.take().map(({callKey, reply}) => ({callKey, reply}))).toEqual([{callKey: 'missed', reply: 'b'}]);
  const third = new Ledger(store, read);
  await third.load();
  expect(third.take()).toEqual([]);
});

test('only the last calls are kept, in memory and in storage, in order over restarts', async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, read, 2);
  await ledger.started('a');
  await ledger.started('b');
  const next = new Ledger(store, read, 2);
  await next.load();
  await next.started('c');
  expect(next.get('a')).toBeUndefined();
  expect([...store.items.keys()].sort()).toEqual(['call.b', 'call.c', 'ledger.begun']);
});

test('it knows how far back it knows', async () => {
  vi.useFakeTimers();
  try {
    const store = new MemoryStore();
    const first = new Ledger(store, read, 2);
    await first.load();
    expect(first.reaches(1)).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(first.reaches(5000)).toBe(true);
    expect(first.reaches(9500)).toBe(false);
    const next = new Ledger(store, read, 2);
    await next.load();
    expect(next.reaches(5000)).toBe(true);
    // What was dropped for want of room began now: nothing older is certain.
    for (const key of ['a', 'b', 'c']) await next.started(key);
    expect(next.reaches(5000)).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(next.reaches(5000)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a reply too large for storage is remembered as done', async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, read);
  await ledger.started('k');
  ledger.ended('k', 'x'.repeat(100_000));
  expect(ledger.get('k')).toMatchObject({dropped: true});
  expect(ledger.get('k')?.reply).toBeUndefined();
  expect(JSON.stringify(store.peek('call.k')).length).toBeLessThan(100);
});
