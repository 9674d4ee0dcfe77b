import {expect, test, vi} from 'vitest';
import {MemoryStore, recordedEvents} from './fakes';
import type {Documents} from './run';
import {Run} from './run';
import {Sessions} from './sessions';
import {isRecord} from './storage';

/** The browser of a test: what its tabs show. */
class Shown implements Documents {
  readonly names = new Map<number, string>();

  constructor(names: [number, string][]) {
    this.names = new Map(names);
  }

  of(tabId: number): Promise<string | undefined> {
    return Promise.resolve(this.names.get(tabId));
  }

  tabs(): Promise<number[]> {
    return Promise.resolve([...this.names.keys()]);
  }
}

const before: [number, string][] = [
  [1, 'D1'],
  [2, 'D2'],
];

/** A run with a key in it whose copy is written. */
async function begun(shown: Documents) {
  const session = new MemoryStore();
  const kept = new MemoryStore();
  const run = new Run(session, kept, shown, 1);
  await run.set({'tab.1': {owner: 'ann'}, 'tab.2': {owner: 'bob'}, 'tab.3': 3});
  await run.remove(['tab.3']);
  await vi.waitFor(() => {
    expect(kept.items.has('run.documents') && !kept.items.has('run.tab.3')).toBe(true);
  });
  return {kept, run, session};
}

test('what was kept is back after the extension was loaded anew, what was removed is not', async () => {
  const {kept} = await begun(new Shown(before));
  const session = new MemoryStore();
  const next = new Run(session, kept, new Shown(before));
  expect(await next.get('tab.1')).toEqual({owner: 'ann'});
  expect(await next.get('tab.3')).toBeUndefined();
  expect(next.reloaded).toBe(true);
  // The worker after that has it from its session, like any other.
  const later = new Run(session, kept, new Shown(before));
  expect(await later.get('tab.2')).toEqual({owner: 'bob'});
  expect(later.reloaded).toBe(false);
});

test('one document of before is proof, even if the others went meanwhile', async () => {
  const {kept} = await begun(new Shown(before));
  const next = new Run(
    new MemoryStore(),
    kept,
    new Shown([
      [2, 'D2'],
      [1, 'another'],
    ]),
  );
  expect(await next.get('tab.1')).toEqual({owner: 'ann'});
});

test('after a restart of the browser a tab of the same id is another one, and the copy is gone', async () => {
  const {kept} = await begun(new Shown(before));
  const next = new Run(
    new MemoryStore(),
    kept,
    new Shown([
      [1, 'new'],
      [2, 'too'],
    ]),
  );
  expect(await next.get('tab.1')).toBeUndefined();
  expect(await next.all()).not.toHaveProperty('tab.2');
  expect([...kept.items.keys()].filter((key) => key.startsWith('run.tab'))).toEqual([]);
  expect(next.reloaded).toBe(false);
});

test('documents are followed: of a page that went on its next one is the proof, and a closed tab proves nothing', async () => {
  const {kept, run} = await begun(new Shown(before));
  await run.committed(1, 'D1b');
  await run.closed(2);
  await vi.waitFor(() => {
    expect(kept.peek('run.documents')).toEqual([[1, 'D1b']]);
  });
  expect(await new Run(new MemoryStore(), kept, new Shown([[1, 'D1b']])).get('tab.1')).toEqual({owner: 'ann'});
});

test('of many documents the last are kept, and writes that come together go to the disk together', async () => {
  const {kept, run} = await begun(new Shown(before));
  const writes = kept.writes.length;
  await Promise.all(Array.from({length: 100}, (_, at) => run.committed(10 + at, `N${at}`)));
  await vi.waitFor(() => {
    expect(kept.peek('run.documents')).toHaveLength(16);
    expect(kept.peek('run.documents')).toContainEqual([109, 'N99']);
  });
  expect(kept.writes.length - writes).toBeLessThan(20);
});

test('a change of what the copy has waits, and goes with the next that is new or gone', async () => {
  const kept = new MemoryStore();
  const run = new Run(new MemoryStore(), kept, new Shown(before), 60_000);
  await run.set({'tab.1': 0});
  await vi.waitFor(() => {
    expect(kept.peek('run.tab.1')).toBe(0);
  });
  const writes = kept.writes.length;
  for (let n = 1; n <= 50; n++) await run.set({'tab.1': n});
  expect(kept.writes).toHaveLength(writes);
  await run.set({'tab.2': 'new'});
  await vi.waitFor(() => {
    expect(kept.peek('run.tab.2')).toBe('new');
  });
  expect(kept.peek('run.tab.1')).toBe(50);
  await run.set({'tab.1': 51});
  await run.remove(['tab.2']);
  await vi.waitFor(() => {
    expect(kept.items.has('run.tab.2')).toBe(false);
  });
  expect(kept.peek('run.tab.1')).toBe(51);
});

test('whose a tab is outlives the reload of the extension, and its uids go on above all that were told', async () => {
  const shown = new Shown(before);
  const {kept, run} = await begun(shown);
  const {events} = recordedEvents();
  const first = new Sessions({run, kept}, events);
  await first.load(new Set([1, 2]));
  first.claim(1, 'ann', 'https://one.test/', {agentTab: true});
  await first.setUidMark(1, 7);
  await vi.waitFor(() => {
    expect(kept.peek('run.tab.1')).toMatchObject({uidMark: 7, record: {agentId: 'ann'}});
  });
  // The extension goes before the copy has the next mark.
  const copy = kept.peek('run.tab.1');
  await kept.set({'run.tab.1': {...(isRecord(copy) ? copy : {}), uidMark: 3}});

  const next = new Sessions({run: new Run(new MemoryStore(), kept, shown), kept}, events);
  await next.load(new Set([1, 2]));
  expect(next.owner(1)).toBe('ann');
  expect(next.isAgentTab(1)).toBe(true);
  expect(next.uidMark(1)).toBe(100);
  expect(() => {
    next.check(1, 'bob');
  }).toThrow(/belongs to another agent/);
});
