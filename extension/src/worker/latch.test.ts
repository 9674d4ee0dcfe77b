import {expect, test} from 'vitest';
import {MemoryStore, recordedEvents} from './fakes';
import {Latch} from './latch';
import {Sessions} from './sessions';
import {Stops} from './stops';

async function loaded(durable = new MemoryStore(), run = new MemoryStore()): Promise<Latch> {
  const latch = new Latch(durable, run);
  await latch.load();
  return latch;
}

async function setUp() {
  const durable = new MemoryStore();
  const run = new MemoryStore();
  const latch = await loaded(durable, run);
  const {events, told} = recordedEvents();
  const sessions = new Sessions({run, kept: new MemoryStore()}, events);
  const stops = new Stops(latch, sessions, events);
  return {durable, run, latch, sessions, stops, told};
}

test('nothing is stopped at first', async () => {
  const latch = await loaded();
  expect(() => {
    latch.check('ann', 1);
  }).not.toThrow();
});

test('stop all refuses everybody, over restarts of the worker and of the browser, until resume', async () => {
  const {durable, run, stops} = await setUp();
  await stops.all('global_stop');
  for (const session of [run, new MemoryStore()]) {
    const again = await loaded(durable, session);
    expect(() => {
      again.check('ann', 1);
    }).toThrow(/"Stop all".*Resume/);
  }
  const resumed = await loaded(durable, run);
  await resumed.resume();
  const after = await loaded(durable, run);
  expect(() => {
    after.check('ann', 1);
  }).not.toThrow();
});

test('the latch is stored before anybody is told, and work is stopped before that', async () => {
  const {durable, latch, sessions, stops, told} = await setUp();
  sessions.claim(1, 'ann', 'https://a.test/');
  const order: string[] = [];
  latch.onChange(() => order.push(`work stopped, stored: ${String(durable.peek('latch') !== undefined)}`));
  sessions.onEnded(() => order.push(`session ended, stored: ${String(durable.peek('latch') !== undefined)}`));
  await stops.all('global_stop');
  expect(order).toEqual(['work stopped, stored: false', 'session ended, stored: true']);
  expect(told.slice(1)).toEqual([
    expect.objectContaining({type: 'session_ended', reason: 'global_stop'}),
    {type: 'global_stop', sessions: 1},
  ]);
});

test("the debugging bar's Cancel stops all; said for every tab, it is told once", async () => {
  const {latch, sessions, stops, told} = await setUp();
  sessions.claim(1, 'ann', 'https://a.test/');
  sessions.claim(2, 'ann', 'https://b.test/');
  await stops.all('debugging_bar');
  await stops.all('debugging_bar');
  expect(latch.state.all?.by).toBe('debugging_bar');
  expect(told.filter(({type}) => type === 'global_stop')).toHaveLength(1);
  expect(told.filter((event) => event.type === 'session_ended').map(({reason}) => reason)).toEqual([
    'detached',
    'detached',
  ]);
});

test("stopping a session stops its agent and its tabs, and nobody else's", async () => {
  const {latch, sessions, stops, told} = await setUp();
  sessions.claim(1, 'ann', 'https://a.test/');
  sessions.claim(2, 'ann', 'https://b.test/');
  sessions.claim(3, 'bob', 'https://c.test/');
  await stops.session(1);
  const refused = (agent: string, tab: number): boolean => {
    try {
      latch.check(agent, tab);
      return false;
    } catch {
      return true;
    }
  };
  expect(refused('ann', 9)).toBe(true);
  expect(refused('ann under another name', 2)).toBe(true);
  expect(refused('bob', 3)).toBe(false);
  expect(sessions.list().map(({tabId}) => tabId)).toEqual([3]);
  expect(told.filter((event) => event.type === 'session_ended').map(({reason}) => reason)).toEqual([
    'user_stopped',
    'user_stopped',
  ]);
  await stops.resume();
  expect(refused('ann', 1)).toBe(false);
});

test('stopped tabs mean nothing in another run of the browser; stopped agents do', async () => {
  const {durable, run, sessions, stops} = await setUp();
  sessions.claim(1, 'ann', 'https://a.test/');
  await stops.session(1);
  expect((await loaded(durable, run)).state).toMatchObject({tabs: [1]});
  const restarted = await loaded(durable, new MemoryStore());
  expect(restarted.state.tabs).toEqual([]);
  expect(() => {
    restarted.check('ann', 5);
  }).toThrow(/stopped your session/);
});

test('a stopped tab is forgotten when it closes and followed when its id changes', async () => {
  const {latch, sessions, stops} = await setUp();
  sessions.claim(1, 'ann', 'https://a.test/');
  sessions.claim(2, 'ann', 'https://a.test/');
  await stops.session(1);
  latch.closed(1);
  latch.replaced(8, 2);
  expect(latch.state.tabs).toEqual([8]);
});

test('an agent named like a property of every object is not stopped by accident', async () => {
  const latch = await loaded();
  expect(() => {
    latch.check('constructor', 1);
  }).not.toThrow();
});
