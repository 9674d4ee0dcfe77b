import {expect, test} from 'vitest';
import {MemoryStore} from './fakes';
import {Ledger} from './ledger';

const read = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

test('a call is stored as started before it ends, and with its reply after', async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, read);
  await ledger.started('k');
  expect(store.peek('call.k')).toEqual({at: 1});
  ledger.ended('k', 'fine');
  expect(store.peek('call.k')).toEqual({at: 1, reply: 'fine'});
  expect(ledger.get('k')).toMatchObject({reply: 'fine'});
});

test('a call that was cut off by the death of the worker is known as started, and told', async () => {
  const store = new MemoryStore();
  await new Ledger(store, read).started('k');
  const next = new Ledger(store, read);
  await next.load();
  expect(next.get('k')).toEqual({callKey: 'k', at: 1, undelivered: true});
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
  expect([...store.items.keys()].sort()).toEqual(['call.b', 'call.c']);
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
