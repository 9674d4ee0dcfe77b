import {describe, expect, test} from 'vitest';
import {features} from '../../protocol.gen';
import {newNonce} from '../proof';
import {bridge} from './bridge';

const all: ReadonlySet<string> = new Set(features);
const plain: ReadonlySet<string> = new Set();

describe('decode', () => {
  test('a request comes as it is', () => {
    const frame = {type: 'request', id: 'r', agentId: 'ann', timeoutMs: 5, action: {type: 'list_tabs'}};
    expect(bridge.decode(JSON.stringify(frame))).toEqual({kind: 'request', request: frame});
  });

  test('fields that nobody knows yet are let through', () => {
    expect(bridge.decode('{"type":"pong","sentAt":1}')).toEqual({kind: 'pong'});
  });

  test.each([
    [
      '{"type":"request","id":"r","action":{"type":"click","uid":"e1","selector":"a"}}',
      /action must have exactly one/,
      'r',
    ],
    ['{"type":"request","id":"r","action":{"type":"click"}}', /action must have exactly one.*uid.*selector/, 'r'],
    ['{"type":"request","id":"r","action":{"type":"click","uid":"7"}}', /action\.uid/, 'r'],
    ['{"type":"request","id":"r","action":{"type":"open_tab"}}', /url/, 'r'],
    ['{"type":"request","id":"r","action":{"type":"levitate"}}', /action/, 'r'],
    ['{"type":"request","id":"r","id":"r","action":{"type":"list_tabs"}}', /duplicate key/, 'r'],
    ['{"type":"request","id":"r","ID":"q","action":{"type":"list_tabs"}}', /differ only in case/, 'r'],
    ['{"type":"request","id":7,"action":{"type":"list_tabs"}}', /id/, undefined],
    ['{"type":"cancel"}', /id/, undefined],
    ['{"type":"wave"}', /type/, undefined],
    [
      '{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":"x","caps":[]}',
      /a server does not send hello/,
      undefined,
    ],
    ['[]', /object/, undefined],
    ['null', /object/, undefined],
    ['{"type":', /no JSON/, undefined],
    ['', /no JSON/, undefined],
  ])('%s is invalid', (text, why, id) => {
    const inbound = bridge.decode(text);
    expect(inbound.kind).toBe('invalid');
    if (inbound.kind !== 'invalid') return;
    expect(inbound.why).toMatch(why);
    expect(inbound.id).toBe(id);
  });
});

describe('what a server may not know', () => {
  test('an error loses what is ours for a plain server', () => {
    const error = {code: 'timeout', message: 'slow', outcome: 'unknown', retryable: 'no', step: 'settle'} as const;
    expect(bridge.response('r', {error}, plain)).toEqual([
      '{"type":"response","id":"r","error":{"code":"timeout","message":"slow"}}',
    ]);
    expect(bridge.response('r', {error}, all)[0]).toContain('"outcome":"unknown"');
  });

  test('a large answer stays whole without the cap', () => {
    const reply = {result: {ok: true, title: 'x'.repeat(3 << 20)}};
    expect(bridge.response('r', reply, plain)).toHaveLength(1);
    expect(bridge.response('r', reply, all)).toHaveLength(13);
  });

  test('state, ping and new events need their caps', () => {
    expect(bridge.state({type: 'state', tabs: []}, plain)).toBeUndefined();
    expect(bridge.ping(plain)).toBeUndefined();
    expect(bridge.event({type: 'handoff_done', tabId: 1}, plain)).toBeUndefined();
    expect(bridge.event({type: 'global_stop', sessions: 1}, plain)).toBe(
      '{"type":"event","event":{"type":"global_stop","sessions":1}}',
    );
    expect(bridge.event({type: 'handoff_done', tabId: 1}, all)).toBeDefined();
  });
});

test('what goes out fits the schema that the other side holds it against', () => {
  const hello = bridge.hello({
    token: 'CODE',
    clientVersion: '0.1.0',
    browserId: crypto.randomUUID(),
    connectionSeq: 3,
    browserName: 'n'.repeat(500),
    userAgent: 'u'.repeat(5_000),
    actions: ['click'],
    nonce: newNonce(),
  });
  // A hello that did not fit would be refused for the schema and not for its direction.
  expect(bridge.decode(hello)).toMatchObject({kind: 'invalid', why: 'a server does not send hello'});
});
