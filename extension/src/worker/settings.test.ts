import {describe, expect, test, vi} from 'vitest';
import {MemoryStore} from './fakes';
import {readPairing, Settings} from './settings';

const none = (): Promise<undefined> => Promise.resolve(undefined);

async function loaded(store = new MemoryStore(), config?: unknown): Promise<Settings> {
  const settings = new Settings(store);
  await settings.load(() => Promise.resolve(config));
  return settings;
}

describe('readPairing', () => {
  test.each([
    [{link: 'http://127.0.0.1:47600/pair#ABCD-EF12-GH34-JK56'}, '127.0.0.1:47600', 'ABCD-EF12-GH34-JK56'],
    [{link: '  http://localhost:9/pair#X \n'}, 'localhost:9', 'X'],
    [{link: 'http://[::1]:9/pair#X'}, '[::1]:9', 'X'],
    [{address: ' 127.0.0.1:47600 ', code: ' ABCD '}, '127.0.0.1:47600', 'ABCD'],
    [{address: 'localhost', code: 'A'}, 'localhost:80', 'A'],
    [{link: 'https://bridge.test/pair#X'}, 'wss://bridge.test', 'X'],
    [{link: 'https://bridge.test:8443/pair#X'}, 'wss://bridge.test:8443', 'X'],
    [{address: 'wss://bridge.test', code: 'A'}, 'wss://bridge.test', 'A'],
    [{address: 'ws://127.0.0.1:9', code: 'A'}, '127.0.0.1:9', 'A'],
  ])('%j', (given, address, code) => {
    expect(readPairing(given)).toEqual({ok: true, address, code, serverKey: ''});
  });

  test('a link says by which key the server is known', () => {
    const key = '0123456789ABCDEF0123456789ABCDEF';
    const read = readPairing({link: `http://127.0.0.1:47600/pair#ABCD.${key.toLowerCase()}`});
    expect(read).toEqual({ok: true, address: '127.0.0.1:47600', code: 'ABCD', serverKey: key});
    const cut = readPairing({link: `http://127.0.0.1:47600/pair#ABCD.${key.slice(1)}`});
    expect('error' in cut ? cut.error : '').toMatch(/not whole/);
  });

  test.each([
    [{link: 'ABCD-EF12'}, /no pairing link/],
    [{link: 'http://127.0.0.1:1/pair'}, /no pairing link/],
    [{link: 'http://127.0.0.1:1/other#X'}, /no pairing link/],
    [{link: 'ws://127.0.0.1:1/pair#X'}, /no pairing link/],
    [{address: 'ws://bridge.test', code: 'A'}, /not be encrypted/],
    [{address: 'wss://bridge.test/x', code: 'A'}, /no address/],
    [{address: 'wss://a@bridge.test', code: 'A'}, /no address/],
    [{link: 'http://evil.test:47600/pair#X'}, /another machine/],
    [{link: 'http://127.0.0.1.evil.test/pair#X'}, /another machine/],
    [{address: 'localhost:1/x', code: 'A'}, /no address/],
    [{address: 'a@localhost:1', code: 'A'}, /no address/],
    [{address: '', code: 'A'}, /no address/],
    [{address: 'localhost:1', code: ' '}, /code is missing/],
  ])('%j is refused', (given, why) => {
    const read = readPairing(given);
    expect(read).toMatchObject({ok: false});
    expect('error' in read ? read.error : '').toMatch(why);
  });
});

test('the identity is made once and the connection number only rises', async () => {
  const store = new MemoryStore();
  const first = await loaded(store);
  expect(await first.nextSeq()).toBe(1);
  const second = await loaded(store);
  expect(second.browserId).toBe(first.browserId);
  expect(second.browserId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await second.nextSeq()).toBe(2);
});

test('a config.json is taken once, and a new one again', async () => {
  const store = new MemoryStore();
  const config = {address: '127.0.0.1:5', pairingToken: 'CODE'};
  const first = await loaded(store, config);
  expect(first.state).toMatchObject({address: '127.0.0.1:5', token: 'CODE', whenAway: 'work', files: false});
  await first.keep('device', '');
  const second = await loaded(store, config);
  expect(second.state.token).toBe('device');
  const third = await loaded(store, {address: '127.0.0.1:6', pairingToken: 'NEXT'});
  expect(third.state).toMatchObject({address: '127.0.0.1:6', token: 'NEXT'});
});

test.each([undefined, null, 'x', {address: '127.0.0.1:5'}, {pairingToken: 'X', address: 7}])(
  'config %j changes nothing',
  async (config) => {
    const settings = await loaded(new MemoryStore(), config);
    expect(settings.state).toEqual({
      address: '127.0.0.1:47600',
      token: '',
      serverKey: '',
      blocklist: [],
      whenAway: 'pause',
      dialect: 'bridge',
      unattended: false,
      files: true,
    });
  },
);

test('pairing makes the link anew; keeping the device token does not', async () => {
  const settings = await loaded();
  const told = vi.fn();
  settings.onChange(told);
  await settings.keep('device', '');
  expect(told).not.toHaveBeenCalled();
  await settings.pair('127.0.0.1:9', 'CODE', '');
  expect(told.mock.calls).toEqual([[{link: true}]]);
});

test('our own writes that storage tells back late change nothing', async () => {
  const store = new MemoryStore();
  const settings = await loaded(store);
  const told = vi.fn();
  await settings.pair('127.0.0.1:9', 'CODE', '');
  const afterPair = store.peek(Settings.key);
  await settings.keep('device', '');
  settings.onChange(told);
  settings.stored(afterPair);
  settings.stored(store.peek(Settings.key));
  expect(settings.state.token).toBe('device');
  expect(told).not.toHaveBeenCalled();
});

test("somebody else's write is taken in and makes the link anew", async () => {
  const settings = await loaded();
  const told = vi.fn();
  settings.onChange(told);
  settings.stored({address: '127.0.0.1:9', token: 'other', blocklist: [], whenAway: 'pause'});
  expect(settings.state).toMatchObject({address: '127.0.0.1:9', token: 'other'});
  settings.stored({address: '127.0.0.1:9', token: 'other', blocklist: ['a.test'], whenAway: 'pause'});
  expect(told.mock.calls).toEqual([[{link: true}], [{link: false}]]);
});

test('a blocklist is stored as rules, whole or not at all', async () => {
  const store = new MemoryStore();
  const settings = new Settings(store);
  await settings.load(none);
  expect(await settings.block(['https://mail.b.test/x', ' ', 'A.test', 'a.test'])).toBeUndefined();
  expect(settings.state.blocklist).toEqual(['a.test', 'b.test']);
  expect(await settings.block(['c.test', 'not a domain'])).toBe('not a domain');
  expect(settings.state.blocklist).toEqual(['a.test', 'b.test']);
  expect((await loaded(store)).state.blocklist).toEqual(['a.test', 'b.test']);
});

test.each([
  [{}, false],
  [{unattended: true}, true],
  [{unattended: 'yes'}, false],
])('a browser launched with %j is unattended: %s', async (more, unattended) => {
  const settings = await loaded(new MemoryStore(), {address: '127.0.0.1:5', pairingToken: 'X', ...more});
  expect(settings.state.unattended).toBe(unattended);
});

test('another dialect makes the link anew, the same one does not, and it is kept', async () => {
  const store = new MemoryStore();
  const settings = await loaded(store);
  const heard: boolean[] = [];
  settings.onChange(({link}) => heard.push(link));
  await settings.setDialect('rpc');
  await settings.setDialect('rpc');
  expect(heard).toEqual([true, false]);
  expect((await loaded(store)).state.dialect).toBe('rpc');
  expect((await loaded(store, {address: 'a:1', pairingToken: 'T', dialect: 'morse'})).state.dialect).toBe('rpc');
  expect((await loaded(store, {address: 'a:1', pairingToken: 'U', dialect: 'bridge'})).state.dialect).toBe('bridge');
});

test('another identity outlives the worker', async () => {
  const store = new MemoryStore();
  const settings = await loaded(store);
  await settings.nextSeq();
  const browserId = crypto.randomUUID();
  await settings.keep('device', '', browserId);
  const later = await loaded(store);
  expect(later.browserId).toBe(browserId);
  expect(later.state.token).toBe('device');
  expect(await later.nextSeq()).toBe(2);
});
