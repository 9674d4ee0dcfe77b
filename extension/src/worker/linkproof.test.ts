import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {newNonce} from './proof';
import {ack, linkSetUp} from './testlink';
import {serverWithKey} from './testserver';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
});

async function pairedWithKey(dialect: 'bridge' | 'rpc' = 'bridge') {
  const server = await serverWithKey();
  const all = await linkSetUp();
  await all.settings.setDialect(dialect);
  await all.settings.pair('127.0.0.1:9', 'device-token', server.fingerprint);
  all.link.connect();
  await all.socket().opens();
  const nonce = String(all.socket().frames[0]?.nonce);
  return {...all, server, nonce};
}

test('a server whose key is not known hears nothing of nonces, and needs no proof', async () => {
  const {link, settings, socket} = await linkSetUp();
  await settings.pair('127.0.0.1:9', 'device-token', '');
  link.connect();
  await socket().opens();
  expect(socket().frames[0]).not.toHaveProperty('nonce');
  await socket().says(ack);
  expect(link.status.state).toBe('ready');
});

test('a server that proves that it has the pinned key is gone on with, and each connection has its own nonce', async () => {
  const {link, settings, server, socket, nonce, changed} = await pairedWithKey();
  const next = changed();
  await socket().says({...ack, ...(await server.prove('127.0.0.1:9', settings.browserId, nonce))});
  await next;
  expect(link.status.state).toBe('ready');
  expect(socket().types).toEqual(['hello', 'state']);
  link.reconnect();
  await socket().opens();
  expect(socket().frames[0]?.nonce).not.toBe(nonce);
});

test.each([
  ['no proof', () => Promise.resolve({})],
  ['the key alone', async () => ({serverKey: (await serverWithKey()).serverKey})],
  [
    "another server's proof",
    async (id: string, nonce: string) => (await serverWithKey()).prove('127.0.0.1:9', id, nonce),
  ],
])('%s ends it for good: nothing more is said, no token is taken, and the user is told', async (_what, given) => {
  const {link, settings, socket, sockets, settled, nonce, changed, events, guard} = await pairedWithKey();
  const next = changed();
  const proof = await given(settings.browserId, nonce);
  await socket().says({...ack, ...proof, deviceToken: 'of-a-stranger', policy: {blocklist: ['stranger.test']}});
  await next;
  expect(link.status).toMatchObject({state: 'fatal', code: 'server_unproven'});
  expect(link.status.reason).toMatch(/not the server that this browser was paired with.*pair again.*Connect now/);
  expect(settled.at(-1)).toMatchObject({code: 'server_unproven'});
  events.emit({type: 'global_stop', sessions: 0});
  await vi.advanceTimersByTimeAsync(600_000);
  link.check();
  expect(socket().types).toEqual(['hello']);
  expect(socket().closedByUs).toBe(true);
  expect(sockets).toHaveLength(1);
  expect(settings.state.token).toBe('device-token');
  expect(guard.serverRules).toEqual([]);
});

test('a proof for another connection, or what the server says behind its ack, changes nothing', async () => {
  const {link, settings, server, socket, changed} = await pairedWithKey();
  const next = changed();
  const replayed = await server.prove('127.0.0.1:9', settings.browserId, newNonce());
  await socket().says({...ack, ...replayed});
  await socket().says({type: 'request', id: crypto.randomUUID(), action: {type: 'click', tabId: 1, uid: 'e1'}});
  await next;
  expect(link.status).toMatchObject({state: 'fatal', code: 'server_unproven'});
  expect(socket().types).toEqual(['hello']);
});

test('the key that comes with a device token is pinned from then on', async () => {
  const server = await serverWithKey();
  const {link, settings, socket, changed} = await linkSetUp();
  await settings.pair('127.0.0.1:9', 'CODE', '');
  link.connect();
  await socket().opens();
  const next = changed();
  await socket().says({...ack, deviceToken: 'device', serverKey: server.serverKey});
  await next;
  expect(settings.state).toMatchObject({token: 'device', serverKey: server.fingerprint});
  expect(link.status.state).toBe('ready');
  link.reconnect();
  await socket().opens();
  expect(socket().frames[0]).toHaveProperty('nonce');
});

test('pairing again by hand forgets the key', async () => {
  const {settings} = await pairedWithKey();
  await settings.pair('127.0.0.1:9', 'CODE', '');
  expect(settings.state.serverKey).toBe('');
});

test('over rpc the same holds: auth carries the nonce and auth_ok the proof', async () => {
  const {link, settings, server, socket, nonce, changed} = await pairedWithKey('rpc');
  expect(socket().types).toEqual(['auth']);
  const next = changed();
  await socket().says({type: 'auth_ok', version: 1, ...(await server.prove('127.0.0.1:9', settings.browserId, nonce))});
  await next;
  expect(link.status.state).toBe('ready');
  link.reconnect();
  await socket().opens();
  const refused = changed();
  await socket().says({type: 'auth_ok', version: 1});
  await refused;
  expect(link.status).toMatchObject({state: 'fatal', code: 'server_unproven'});
});

test('the copy of a profile takes the id and the token that it is given, both or neither, and keeps them', async () => {
  const {link, settings, socket} = await linkSetUp();
  await settings.pair('127.0.0.1:9', 'device-token', '');
  link.connect();
  await socket().opens();
  const browserId = crypto.randomUUID();
  await socket().says({...ack, browserId, deviceToken: 'of-the-copy'});
  expect(link.status.state).toBe('ready');
  expect(settings.browserId).toBe(browserId);
  expect(settings.state.token).toBe('of-the-copy');
  link.reconnect();
  await socket().opens();
  expect(socket().frames[0]).toMatchObject({browserId, pairingToken: 'of-the-copy', connectionSeq: 2});
});
