import {expect, test} from 'vitest';
import {MemoryStore, recordedEvents} from './fakes';
import {Sessions} from './sessions';

function setUp(store = new MemoryStore(), kept = new MemoryStore()) {
  const {events, told} = recordedEvents();
  let now = 1_000;
  const sessions = new Sessions({run: store, kept}, events, () => (now += 1));
  return {store, kept, sessions, told};
}

test('the first action makes a record and says so, once', () => {
  const {sessions, told} = setUp();
  sessions.claim(7, 'ann', 'https://www.example.com/');
  sessions.claim(7, 'ann', 'https://www.example.com/');
  sessions.touch(7);
  expect(sessions.get(7)).toMatchObject({
    tabId: 7,
    domain: 'example.com',
    actionCount: 1,
    agentId: 'ann',
    agentTab: false,
  });
  expect(told).toEqual([{type: 'session_started', tabId: 7, domain: 'example.com', startedAt: 1_001}]);
});

test("another agent's tab is refused", () => {
  const {sessions} = setUp();
  sessions.claim(7, 'ann', 'https://example.com/');
  expect(() => sessions.claim(7, 'bob', 'https://example.com/')).toThrow(/belongs to another agent/);
  expect(() => {
    sessions.check(7, 'bob');
  }).toThrow(/belongs to another agent/);
  expect(sessions.owner(7)).toBe('ann');
});

test('without a tabId the most recent agent tab is meant, before any tab of the user', () => {
  const {sessions} = setUp();
  sessions.claim(1, 'ann', 'https://a.test/', {agentTab: true});
  sessions.claim(2, 'ann', 'https://b.test/', {agentTab: true});
  sessions.claim(3, 'ann', 'https://c.test/');
  sessions.claim(4, 'bob', 'https://d.test/', {agentTab: true});
  expect(sessions.choose('ann')).toBe(2);
  sessions.touch(1);
  expect(sessions.choose('ann')).toBe(1);
});

test("without a tabId the only tab of the user's is meant; several are named, none is told", () => {
  const {sessions} = setUp();
  expect(() => sessions.choose('ann')).toThrow(/you have no session yet/);
  sessions.claim(3, 'ann', 'https://c.test/');
  expect(sessions.choose('ann')).toBe(3);
  sessions.claim(5, 'ann', 'https://d.test/');
  expect(() => sessions.choose('ann')).toThrow(/5 \(d\.test\), 3 \(c\.test\)/);
  expect(() => sessions.choose('bob')).toThrow(/you have no session yet/);
});

test("a tab that is not there is told of with the agent's own, and nobody else's", () => {
  const {sessions} = setUp();
  expect(sessions.missing(9, 'ann').code).toBe('tab_not_found');
  expect(sessions.missing(9, 'ann').message).toMatch(/no tab 9 .*none yet/);
  for (let tabId = 100; tabId < 125; tabId++) sessions.claim(tabId, 'ann', 'https://a.test/', {agentTab: true});
  sessions.claim(4, 'bob', 'https://secret.test/', {agentTab: true});
  const {message} = sessions.missing(9, 'ann');
  expect(message).toMatch(/yours are \d+ \(a\.test\), .* and 5 more; list_tabs has all/);
  expect(message).not.toMatch(/secret/);
});

test('an end is announced once, with its reason and count, and heard', () => {
  const {sessions, told} = setUp();
  const heard: string[] = [];
  const off = sessions.onEnded((record, reason) => heard.push(`${record.tabId.toString()} ${reason}`));
  sessions.claim(7, 'ann', 'https://example.com/');
  sessions.touch(7);
  sessions.end(7, 'detached');
  sessions.end(7, 'detached');
  off();
  sessions.claim(7, 'ann', 'https://example.com/');
  sessions.end(7, 'user_stopped');
  expect(heard).toEqual(['7 detached']);
  expect(told.filter(({type}) => type === 'session_ended')).toEqual([
    expect.objectContaining({tabId: 7, reason: 'detached', actionCount: 1}),
    expect.objectContaining({tabId: 7, reason: 'user_stopped', actionCount: 0}),
  ]);
});

test('records, marks and what is an agent tab survive the worker; tabs that went meanwhile end', async () => {
  const {store, sessions} = setUp();
  sessions.claim(1, 'ann', 'https://a.test/', {agentTab: true});
  sessions.claim(2, 'ann', 'https://b.test/');
  await sessions.setUidMark(1, 12);
  sessions.end(1, 'detached');
  const next = setUp(store);
  await next.sessions.load(new Set([1]));
  expect(next.sessions.isAgentTab(1)).toBe(true);
  expect(next.sessions.uidMark(1)).toBe(12);
  expect(next.sessions.get(2)).toBeUndefined();
  expect(next.told).toEqual([expect.objectContaining({type: 'session_ended', tabId: 2, reason: 'tab_closed'})]);
  expect([...store.items.keys()]).toEqual(['tab.1']);
});

test('a uid mark only rises, for the whole life of the tab', async () => {
  const {store, sessions} = setUp();
  await sessions.setUidMark(1, 12);
  await sessions.setUidMark(1, 5);
  expect(sessions.uidMark(1)).toBe(12);
  expect(store.peek('tab.1')).toMatchObject({uidMark: 12});
  sessions.closed(1);
  expect(sessions.uidMark(1)).toBe(0);
});

test('an extension that is loaded anew goes on above every uid that it gave in the tabs that are open', async () => {
  const {kept, sessions} = setUp();
  await sessions.setUidMark(1, 12);
  await sessions.setUidMark(2, 100);
  await sessions.setUidMark(2, 101);
  await sessions.setUidMark(3, 7);
  await sessions.setUidMark(4, 7);
  sessions.closed(3);
  sessions.replaced(5, 4);
  // Its run's storage is empty then; tab 6 came while it was away.
  const next = setUp(undefined, kept).sessions;
  await next.load(new Set([1, 2, 4, 5, 6]));
  expect([1, 2, 3, 4, 5, 6].map((tabId) => next.uidMark(tabId))).toEqual([100, 200, 0, 0, 100, 0]);
  expect(next.list()).toEqual([]);
  // A worker that dies in between and knows of no new uid goes on from there too.
  await next.setUidMark(1, 101);
  const later = setUp(undefined, kept).sessions;
  await later.load(new Set([1]));
  expect(later.uidMark(1)).toBe(200);
  await later.setUidMark(1, 201);
  expect(kept.peek('uids')).toEqual({1: 300});
});

test('the disk is written to only when uids were set aside anew', async () => {
  const {kept, sessions} = setUp();
  for (let mark = 1; mark <= 250; mark += 1) await sessions.setUidMark(1, mark);
  expect(kept.writes).toHaveLength(3);
  sessions.closed(1);
  expect(kept.peek('uids')).toEqual({});
});

test('a worker that is born again goes on with the very next uid', async () => {
  const {store, kept, sessions} = setUp();
  await sessions.setUidMark(1, 12);
  const next = setUp(store, kept).sessions;
  await next.load(new Set([1]));
  expect(next.uidMark(1)).toBe(12);
});

test('a tab whose id changes keeps its session, mark and owner', async () => {
  const {store, sessions, told} = setUp();
  sessions.claim(1, 'ann', 'https://a.test/', {agentTab: true});
  await sessions.setUidMark(1, 3);
  sessions.replaced(9, 1);
  expect(sessions.get(9)).toMatchObject({tabId: 9, agentId: 'ann', agentTab: true});
  expect(sessions.uidMark(9)).toBe(3);
  expect(sessions.owner(1)).toBeUndefined();
  expect([...store.items.keys()]).toEqual(['tab.9']);
  expect(told.some(({type}) => type === 'session_ended')).toBe(false);
});

test('what a caller gets is a copy', () => {
  const {sessions} = setUp();
  const record = sessions.claim(1, 'ann', 'https://a.test/');
  record.agentId = 'mallory';
  expect(sessions.owner(1)).toBe('ann');
});
