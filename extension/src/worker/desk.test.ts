import {expect, test, vi} from 'vitest';
import {bridge} from './dialects/bridge';
import {rpc} from './dialects/rpc';
import {MemoryStore} from './fakes';
import {Handoffs} from './handoffs';
import {Link} from './link';
import {Recent} from './recent';
import {Desk} from './status';
import {workerParts} from './testparts';

// Typed, since vitest's own matchers are any.
const containing = (text: string): unknown => expect.stringContaining(text);

async function setUp() {
  const parts = await workerParts({});
  const opened: string[] = [];
  const link = new Link({
    ...parts,
    dialects: {bridge, rpc},
    open: (url) => {
      opened.push(url);
      return {send: () => undefined, close: () => undefined, buffered: () => 0};
    },
    clientVersion: '0.1.0',
    browserName: 'Chrome on Linux',
    userAgent: 'test',
    state: () => ({type: 'state', tabs: []}),
    undelivered: () => undefined,
    rulesChanged: () => undefined,
    changed: () => undefined,
    settled: () => undefined,
  });
  parts.settings.onChange((change) => {
    if (change.link) link.reconnect();
  });
  const rulesChanged = vi.fn(() => Promise.resolve());
  const recent = new Recent(new MemoryStore());
  const handoffs = new Handoffs(new MemoryStore(), parts.sessions, parts.events);
  const shown: number[] = [];
  const desk = new Desk({
    ...parts,
    handoffs,
    showTab: (tabId) => {
      shown.push(tabId);
      return Promise.resolve();
    },
    link,
    recent,
    version: '0.1.0',
    title: (tabId) => Promise.resolve(`title ${tabId.toString()}`),
    rulesChanged,
  });
  return {...parts, desk, handoffs, link, opened, recent, rulesChanged, shown};
}

test('an unpaired browser says so, and pairing connects at once', async () => {
  const {desk, link, opened} = await setUp();
  link.connect();
  expect(await desk.status()).toMatchObject({link: 'off', paired: false, address: '127.0.0.1:47600', sessions: []});
  const answer = await desk.ask({type: 'pair', link: 'http://127.0.0.1:9/pair#CODE'});
  expect(answer).toMatchObject({ok: true, status: {link: 'connecting', paired: true, address: '127.0.0.1:9'}});
  expect(opened).toEqual(['ws://127.0.0.1:9/ws/browser']);
  expect(JSON.stringify(answer)).not.toContain('CODE');
});

test('what is no link is refused in a sentence, and nothing changes', async () => {
  const {desk, opened} = await setUp();
  expect(await desk.ask({type: 'pair', link: 'nonsense'})).toMatchObject({
    ok: false,
    error:
      'This is no pairing link: paste the whole link that "drawbridge up" or "drawbridge pair" prints: http://127.0.0.1:PORT/pair#CODE',
    status: {paired: false},
  });
  expect(opened).toEqual([]);
});

test('sessions are shown with their titles, and stopping one shows what is stopped', async () => {
  const {desk, sessions} = await setUp();
  sessions.claim(1, 'ann', 'https://one.test/');
  sessions.claim(2, 'bob', 'https://two.test/');
  expect((await desk.status()).sessions).toMatchObject([
    {tabId: 2},
    {tabId: 1, title: 'title 1', agentId: 'ann', domain: 'one.test'},
  ]);
  expect(await desk.ask({type: 'stopSession', tabId: 1})).toMatchObject({
    status: {sessions: [{tabId: 2}], stopped: {sessions: 1}},
  });
  expect(await desk.ask({type: 'stopAll'})).toMatchObject({
    status: {sessions: [], stopped: {all: {by: 'global_stop'}}},
  });
  expect((await desk.ask({type: 'resume'})).status.stopped).toEqual({sessions: 0});
});

test('a blocklist is taken whole or not at all, and tabs under work are looked at again', async () => {
  const {desk, rulesChanged} = await setUp();
  expect(await desk.ask({type: 'setBlocklist', entries: ['https://a.test/x']})).toMatchObject({
    ok: true,
    status: {blocklist: ['a.test']},
  });
  expect(rulesChanged).toHaveBeenCalledTimes(1);
  expect(await desk.ask({type: 'setBlocklist', entries: ['b.test', 'not one']})).toMatchObject({
    ok: false,
    error: containing('"not one"'),
    status: {blocklist: ['a.test']},
  });
  expect(rulesChanged).toHaveBeenCalledTimes(1);
});

test('the last twenty actions are kept, the newest first, over the death of the worker', async () => {
  const store = new MemoryStore();
  const recent = new Recent(store);
  for (let at = 1; at <= 25; at += 1) recent.add({at, type: 'click', tabId: 1, domain: 'a.test', agentId: 'ann'});
  const next = new Recent(store);
  next.add({at: 26, type: 'hover', tabId: 1, domain: 'a.test', agentId: 'ann'});
  await store.set({recent: [...recent.list(), {at: 'broken'}]});
  await next.load();
  expect(next.list()).toHaveLength(20);
  expect(
    next
      .list()
      .map(({at}) => at)
      .slice(0, 3),
  ).toEqual([26, 25, 24]);
});

test('what an agent asks of the user is shown, and their answer ends it', async () => {
  const {desk, handoffs, sessions, shown} = await setUp();
  sessions.claim(7, 'ada', 'https://acme.test/login', {});
  handoffs.ask({tabId: 7, agentId: 'ada', reason: 'log in, please', until: 'done'});
  const {handoffs: asked} = await desk.status();
  expect(asked).toMatchObject([{tabId: 7, reason: 'log in, please', domain: 'acme.test', title: 'title 7'}]);
  await desk.ask({type: 'showTab', tabId: 7});
  expect(shown).toEqual([7]);
  const answer = await desk.ask({type: 'endHandoff', tabId: 7, how: 'refused'});
  expect(answer).toMatchObject({ok: true, status: {handoffs: []}});
  expect(await handoffs.wait(7, 0, new AbortController().signal)).toBe('refused');
});

test('nobody is at a browser that its user says so of', async () => {
  const {desk, settings} = await setUp();
  expect(await desk.ask({type: 'setUnattended', unattended: true})).toMatchObject({status: {unattended: true}});
  expect(settings.state.unattended).toBe(true);
});
