import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {features, limits} from '../protocol.gen';
import {abortedBy} from './errors';
import {ack, linkSetUp, pairedLink as paired, readyLink as ready} from './testlink';

// Typed, since vitest's own matchers are any.
const containing = (text: string): unknown => expect.stringContaining(text);
const aString: unknown = expect.any(String);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('handshake', () => {
  test('without a token there is nothing to connect to', async () => {
    const {link, sockets} = await linkSetUp();
    link.connect();
    expect(link.status.state).toBe('off');
    expect(sockets).toEqual([]);
  });

  test('a token goes to another machine only with encryption', async () => {
    const {link, sockets, settings} = await linkSetUp();
    await settings.pair('bridge.test:80', 'TOKEN', '');
    link.connect();
    expect(sockets).toEqual([]);
    expect(link.status.reason).toContain('would not be encrypted');
  });

  test('says hello with who it is, and nothing else before the ack', async () => {
    const {link, socket, events, settings} = await paired();
    expect(socket().url).toBe('ws://127.0.0.1:9/ws/browser');
    await socket().opens();
    events.emit({type: 'global_stop', sessions: 0});
    await vi.advanceTimersByTimeAsync(9_000);
    expect(link.status.state).toBe('connecting');
    expect(socket().frames).toEqual([
      {
        type: 'hello',
        protocolVersion: 4,
        clientVersion: '0.1.0',
        pairingToken: 'CODE',
        caps: ['click', ...features],
        browserId: settings.browserId,
        connectionSeq: 1,
        browserName: 'Chrome on Linux',
        userAgent: 'test',
      },
    ]);
  });

  test('is ready with the ack: the device token is kept, state comes first, then what waited', async () => {
    const {link, socket, events, settings, guard} = await paired();
    events.hold();
    events.emit({type: 'global_stop', sessions: 0});
    await socket().opens();
    await socket().says({...ack, deviceToken: 'device', browserName: 'mine', policy: {blocklist: ['policy.test']}});
    expect(link.status).toMatchObject({state: 'ready', serverVersion: '1', browserName: 'mine'});
    expect(settings.state.token).toBe('device');
    expect(guard.serverRules).toEqual(['policy.test']);
    expect(socket().types).toEqual(['hello', 'state', 'event']);
  });

  test('what the server sends right behind the ack waits until its token is stored', async () => {
    const {link, socket, settings} = await paired();
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    vi.spyOn(settings, 'keep').mockReturnValue(stored);
    await socket().opens();
    await socket().says({...ack, deviceToken: 'device'});
    await socket().says({type: 'ping'});
    expect(link.status.state).toBe('connecting');
    store();
    await vi.advanceTimersByTimeAsync(0);
    expect(link.status.state).toBe('ready');
    expect(socket().types).toEqual(['hello', 'state', 'pong']);
  });

  test('tells the state again when asked, and only while it is ready', async () => {
    const {link, socket} = await ready();
    link.announce();
    expect(socket().types).toEqual(['hello', 'state', 'state']);
    const before = socket();
    await socket().closes(1006);
    link.announce();
    expect(before.types).toHaveLength(3);
  });

  test('a server of the plain version gets only what it knows', async () => {
    const {link, socket, events} = await paired();
    await socket().opens();
    await socket().says({type: 'ack', protocolVersion: 4, serverVersion: 'seed'});
    events.emit({type: 'tab_opened', tabId: 2, openerTabId: 1, url: ''});
    events.emit({type: 'global_stop', sessions: 0});
    await socket().says({type: 'request', id: 'r', action: {type: 'click', uid: 'e1', tabId: 99}});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.status.state).toBe('ready');
    expect(socket().types).toEqual(['hello', 'event', 'response']);
    expect(socket().frames.at(-1)).toEqual({
      type: 'response',
      id: 'r',
      error: {code: 'tab_not_found', message: aString},
    });
  });

  test.each([
    [
      {type: 'reject', requiredMinProtocolVersion: 5, error: {code: 'protocol_mismatch', message: 'too old'}},
      'protocol_mismatch',
      /Too old/,
    ],
    [
      {type: 'reject', requiredMinProtocolVersion: 4, error: {code: 'unauthorized', message: 'no such token'}},
      'unauthorized',
      /No such token.*drawbridge pair/,
    ],
    [{...ack, protocolVersion: 5}, 'protocol_mismatch', /version 5/],
  ])('%j is final', async (frame, code, reason) => {
    const {link, socket, sockets, settled} = await paired();
    await socket().opens();
    await socket().says(frame);
    expect(link.status).toMatchObject({state: 'fatal', code});
    expect(link.status.reason).toMatch(reason);
    expect(settled).toEqual([link.status]);
    await socket().closes(4001);
    link.connect();
    link.check();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sockets).toHaveLength(1);
    link.reconnect();
    expect(sockets).toHaveLength(2);
    expect(link.status).toEqual({state: 'connecting'});
    expect(settled.at(-1)).toBeUndefined();
  });

  test.each([
    [4001, 'fatal'],
    [4002, 'fatal'],
    [4009, 'replaced'],
  ])('a close with %i means %s, with or without a word', async (code, state) => {
    const {link, socket, sockets} = await paired();
    await socket().opens();
    await socket().closes(code);
    expect(link.status.state).toBe(state);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sockets).toHaveLength(1);
  });

  test('where rpc is chosen a pairing code is exchanged over bridge, and the link goes on in rpc', async () => {
    const {link, settings, socket, sockets} = await linkSetUp();
    await settings.setDialect('rpc');
    await settings.pair('127.0.0.1:9', 'ABCD-EF01-2345-6789', '');
    link.connect();
    const first = socket();
    await first.opens();
    expect(first.types).toEqual(['hello']);
    await first.says({...ack, deviceToken: 'dbb_device'});
    expect(first.closedByUs).toBe(true);
    await first.closes(1000);
    await socket().opens();
    expect(first.types).toEqual(['hello']);
    expect(socket().frames).toMatchObject([{type: 'auth', token: 'dbb_device', instanceId: settings.browserId}]);
    expect(link.status.state).toBe('connecting');
    await socket().says({type: 'auth_ok', version: 1});
    expect(link.status.state).toBe('ready');
    expect(sockets).toHaveLength(2);
  });

  test('a code that is refused where rpc is chosen is told as a code', async () => {
    const {link, settings, socket} = await linkSetUp();
    await settings.setDialect('rpc');
    await settings.pair('127.0.0.1:9', 'ABCD-EF01-2345-6789', '');
    link.connect();
    await socket().opens();
    await socket().says({
      type: 'reject',
      requiredMinProtocolVersion: 4,
      error: {code: 'unauthorized', message: 'the code is used'},
    });
    expect(link.status.reason).toMatch(/The code is used.*drawbridge pair/);
  });

  test.each(['a-foreign-token', 'a1b2c3d4e5f60718', 'ABCD-EF01-2345-678U', 'ABCD-EF01-2345-6789-ABCD'])(
    'a token that is no code, %s, is told over rpc at once',
    async (token) => {
      const {link, settings, socket} = await linkSetUp();
      await settings.setDialect('rpc');
      await settings.pair('127.0.0.1:9', token, '');
      link.connect();
      await socket().opens();
      expect(socket().frames).toMatchObject([{type: 'auth', token}]);
    },
  );

  // Two servers change places on the port of a browser that was paired without a key, so only the token tells them apart.
  test("another server on the port refuses; the browser says so, keeps what is its own server's and goes back to it", async () => {
    const {link, settings, socket, sockets} = await ready();
    const before = {...settings.state};
    await socket().closes(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    await socket().opens();
    await socket().says({
      type: 'reject',
      requiredMinProtocolVersion: 4,
      error: {code: 'unauthorized', message: 'this token is unknown'},
    });
    await socket().closes(4001);
    expect(link.status).toMatchObject({
      state: 'fatal',
      code: 'unauthorized',
      reason: containing('token is unknown'),
    });
    link.check();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(2);
    expect(settings.state).toEqual(before);
    link.reconnect();
    await socket().opens();
    expect(socket().frames).toMatchObject([{type: 'hello', pairingToken: before.token, browserId: settings.browserId}]);
    await socket().says(ack);
    expect(link.status).toEqual({state: 'ready', serverVersion: '1'});
  });

  test('a worker that is born again does not ask a server that said no', async () => {
    const {link, settings, sockets} = await linkSetUp();
    await settings.pair('127.0.0.1:9', 'CODE', '');
    link.restore({state: 'fatal', code: 'unauthorized', reason: 'no'});
    link.connect();
    expect(sockets).toEqual([]);
    expect(link.status.code).toBe('unauthorized');
  });

  test('a stranger on the port is not believed and tried again later', async () => {
    const {link, socket, sockets} = await paired();
    await socket().opens();
    await socket().says('HTTP/1.1 200 OK');
    expect(link.status).toMatchObject({state: 'connecting', reason: containing('no Drawbridge server')});
    expect(socket().closedByUs).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(2);
  });
});

describe('coming back', () => {
  test('tries after 1 s, 2 s, … 30 s, and from the start again after an ack', async () => {
    const {link, socket, sockets} = await paired();
    const waits: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      await socket().closes(1006);
      const before = sockets.length;
      let waited = 0;
      while (sockets.length === before) {
        await vi.advanceTimersByTimeAsync(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await socket().opens();
    await socket().says(ack);
    expect(link.status.state).toBe('ready');
    await socket().closes(4011);
    const before = sockets.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(before + 1);
  });

  test('a server that never answers the hello is given up', async () => {
    const {link, socket} = await paired();
    const first = socket();
    await first.opens();
    await vi.advanceTimersByTimeAsync(limits.handshakeTimeoutMs);
    expect(first.closedByUs).toBe(true);
    expect(link.status.state).toBe('connecting');
  });

  test('new settings connect at once, and what the old socket says later is not heard', async () => {
    const {link, settings, socket, sockets} = await ready();
    settings.onChange(() => {
      link.reconnect();
    });
    const old = socket();
    await settings.pair('127.0.0.1:10', 'OTHER', '');
    expect(old.closedByUs).toBe(true);
    expect(sockets).toHaveLength(2);
    expect(socket().url).toContain(':10/');
    await old.closes(4009);
    expect(link.status.state).toBe('connecting');
  });

  test('asks for a pong every heartbeat and leaves a silent server after 10 s', async () => {
    const {link, socket} = await ready(undefined, {heartbeatMs: 15_000});
    const first = socket();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(first.types.at(-1)).toBe('ping');
    await first.says({type: 'pong'});
    await vi.advanceTimersByTimeAsync(15_000);
    expect(first.types.filter((type) => type === 'ping')).toHaveLength(2);
    expect(link.status.state).toBe('ready');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(link.status).toMatchObject({state: 'connecting', reason: containing('not answered')});
    expect(first.closedByUs).toBe(true);
  });

  test('the alarm does not hurry a retry that is under way', async () => {
    const {link, socket, sockets} = await paired();
    await socket().closes(1006);
    link.check();
    expect(sockets).toHaveLength(1);
  });
});

describe('serving', () => {
  const request = {
    type: 'request',
    id: 'r1',
    agentId: 'ann',
    callKey: 'k',
    action: {type: 'click', uid: 'e1', tabId: 1},
  };

  test('answers a request, a ping and a broken request', async () => {
    const {link, socket} = await ready();
    await socket().says(request);
    await socket().says({type: 'ping'});
    await socket().says({...request, id: 'r2', action: {type: 'click', tabId: 1}});
    expect(socket().frames.slice(2)).toMatchObject([
      {type: 'event', event: {type: 'session_started'}},
      {type: 'response', id: 'r1', result: {ok: true}},
      {type: 'pong'},
      {type: 'response', id: 'r2', error: {code: 'invalid_action', outcome: 'not_sent'}},
    ]);
    expect(link.invalidFrames).toBe(1);
  });

  test('cancels', async () => {
    const {socket} = await ready(
      (_, {signal}) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(abortedBy(signal));
          });
        }),
    );
    await socket().says(request);
    await socket().says({type: 'cancel', id: 'r1'});
    expect(socket().frames.at(-1)).toMatchObject({type: 'response', id: 'r1', error: {code: 'cancelled'}});
  });

  test('takes the new rules of the server', async () => {
    const {guard, socket} = await ready();
    await socket().says({type: 'policy', policy: {blocklist: ['one.test']}});
    expect(guard.serverRules).toEqual(['one.test']);
    await socket().says(request);
    expect(socket().frames.at(-1)).toMatchObject({error: {code: 'domain_blocked'}});
  });

  test('a call that can be asked for again outlives its link, and the others end with it', async () => {
    const {ledger, link, socket} = await ready(
      (_, call) =>
        new Promise((_resolve, reject) => {
          call.started();
          call.signal.addEventListener('abort', () => {
            reject(abortedBy(call.signal));
          });
        }),
    );
    await socket().says({...request, timeoutMs: 5000});
    await socket().closes(1006);
    await vi.advanceTimersByTimeAsync(100);
    expect(link.status.state).toBe('connecting');
    expect(ledger.take()).toEqual([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(ledger.take()).toMatchObject([{callKey: 'k', reply: {error: {code: 'timeout', outcome: 'unknown'}}}]);
  });

  test('cuts a large answer into chunks that wait for the socket, so that other frames pass', async () => {
    const title = '€'.repeat(500_000);
    const {socket} = await ready(() => Promise.resolve({ok: true, title}));
    socket().buffer = 2 << 20;
    await socket().says(request);
    await socket().says({type: 'ping'});
    expect(socket().types).not.toContain('chunk');
    expect(socket().types.at(-1)).toBe('pong');
    socket().buffer = 0;
    await vi.advanceTimersByTimeAsync(10);
    const chunks = socket().frames.filter(({type}) => type === 'chunk');
    expect(chunks.map(({seq}) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(chunks.map(({last}) => last)).toEqual([false, false, false, false, false, true]);
    const whole: unknown = JSON.parse(chunks.map(({data}) => String(data)).join(''));
    expect(whole).toMatchObject({type: 'response', id: 'r1', result: {ok: true, title}});
    for (const {data} of chunks)
      expect(new TextEncoder().encode(String(data)).length).toBeLessThanOrEqual(limits.chunkBytes);
  });
});
