import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ActionError} from './errors';
import {MemoryStore, recordedEvents} from './fakes';
import {type Handoff, Handoffs} from './handoffs';
import {Sessions} from './sessions';

const asked = {tabId: 7, agentId: 'ada', reason: 'log in', until: 'done'} as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const {events, told} = recordedEvents();
  const store = new MemoryStore();
  const sessions = new Sessions({run: new MemoryStore(), kept: new MemoryStore()}, events);
  sessions.claim(7, 'ada', 'https://acme.test/', {});
  const heard: string[] = [];
  const make = (): Handoffs => {
    const handoffs = new Handoffs(store, sessions, events);
    handoffs.listen({
      asked: ({reason}: Handoff) => heard.push(`asked ${reason}`),
      ended: ({end}: Handoff, isTold) => heard.push(`ended ${end ?? '-'}${isTold ? ' told' : ''}`),
      changed: (waiting) => heard.push(`${waiting.length} waiting`),
    });
    return handoffs;
  };
  const ends = () => told.filter(({type}) => type === 'handoff_done');
  return {handoffs: make(), make, sessions, heard, ends, signal: new AbortController().signal};
}

test('a call waits its time, the next one goes on waiting, and the end is told once', async () => {
  const {handoffs, heard, ends, signal} = setUp();
  handoffs.ask(asked);
  const first = handoffs.wait(7, 45_000, signal);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(await first).toBe('waiting');
  handoffs.ask(asked);
  expect(heard).toEqual(['asked log in', '1 waiting']);
  const second = handoffs.wait(7, 45_000, signal);
  handoffs.end(7, 'done');
  expect(await second).toBe('done');
  expect(heard.slice(2)).toEqual(['ended done told', '0 waiting']);
  expect(ends()).toHaveLength(1);
  handoffs.end(7, 'refused');
  expect(ends()).toHaveLength(1);
  handoffs.ask(asked);
  expect(handoffs.waiting).toHaveLength(1);
});

test('an end that came between two calls is the next one’s answer', async () => {
  const {handoffs, heard, signal} = setUp();
  handoffs.ask(asked);
  handoffs.end(7, 'refused');
  expect(heard).toContain('ended refused');
  handoffs.ask({...asked, reason: 'log in, really'});
  expect(handoffs.waiting).toEqual([]);
  expect(await handoffs.wait(7, 45_000, signal)).toBe('refused');
});

test('another reason is asked anew', () => {
  const {handoffs, heard} = setUp();
  handoffs.ask(asked);
  handoffs.ask({...asked, reason: 'solve this'});
  expect(heard.filter((it) => it.startsWith('asked'))).toEqual(['asked log in', 'asked solve this']);
  expect(handoffs.waiting).toHaveLength(1);
});

test('the next worker knows what waits and what ended untold', async () => {
  const {handoffs, make, heard, signal} = setUp();
  handoffs.ask(asked);
  const second = make();
  await second.load();
  expect(heard.at(-1)).toBe('1 waiting');
  second.end(7, 'done');
  const third = make();
  await third.load();
  expect(third.waiting).toEqual([]);
  expect(await third.wait(7, 0, signal)).toBe('done');
});

test('a caller who is stopped hears why at once', async () => {
  const {handoffs} = setUp();
  const control = new AbortController();
  handoffs.ask(asked);
  const wait = handoffs.wait(7, 45_000, control.signal);
  control.abort(new ActionError('stopped', 'the user said stop'));
  await expect(wait).rejects.toMatchObject({code: 'stopped'});
  expect(handoffs.waiting).toHaveLength(1);
});

test.each([
  ['user_stopped', 0],
  ['tab_closed', 0],
  ['system_idle', 1],
  ['screen_locked', 1],
] as const)('when the session ends by %s, %d still wait', (reason, count) => {
  const {handoffs, sessions} = setUp();
  handoffs.ask(asked);
  sessions.end(7, reason);
  expect(handoffs.waiting).toHaveLength(count);
});
