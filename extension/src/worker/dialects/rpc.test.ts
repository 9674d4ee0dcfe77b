import {describe, expect, test} from 'vitest';
import type {Error as WireError, Request} from '../../protocol.gen';
import {rpcCodes, rpcMethods} from '../../protocol.gen';
import type {Reply} from '../dispatcher';
import {rpc} from './rpc';
import {type RpcCodeName, answerTo} from './rpcerrors';

const none: ReadonlySet<string> = new Set();

function parsed(frame: string): unknown {
  return JSON.parse(frame);
}

async function answered(frame: unknown, reply: Reply): Promise<{sent: Request[]; answer: unknown}> {
  const sent: Request[] = [];
  const inbound = rpc.decode(JSON.stringify(frame));
  if (inbound.kind !== 'call') throw new Error(`it is ${inbound.kind}`);
  const answer = await inbound.serve({
    dispatch: (request) => {
      sent.push(request);
      return Promise.resolve(reply);
    },
  });
  return {sent, answer: parsed(answer)};
}

test('the first frame is auth, with a name that no other browser of this make has', () => {
  const browserId = crypto.randomUUID();
  const identity = {
    token: 'T',
    clientVersion: '0.1.0',
    browserId,
    connectionSeq: 1,
    browserName: 'n'.repeat(500),
    userAgent: '',
    actions: [],
    nonce: '',
  };
  const auth = parsed(rpc.hello(identity));
  expect(auth).toEqual({
    type: 'auth',
    token: 'T',
    name: `${'n'.repeat(120)} ${browserId.slice(0, 4)}`,
    instanceId: browserId,
  });
});

describe('control frames', () => {
  test('auth_ok welcomes, of its own version only', () => {
    expect(rpc.decode('{"type":"auth_ok","version":1,"name":"Work"}')).toEqual({
      kind: 'welcome',
      welcome: {serverVersion: '', caps: none, browserName: 'Work'},
    });
    expect(rpc.decode('{"type":"auth_ok","version":2}')).toMatchObject({kind: 'rejected', code: 'protocol_mismatch'});
    expect(rpc.decode('{"type":"auth_ok"}')).toMatchObject({kind: 'rejected', code: 'protocol_mismatch'});
  });

  test.each([
    ['{"type":"auth_error","error":"taken"}', 'taken'],
    ['{"type":"auth_error","error":{"code":4001,"message":"taken"}}', 'taken'],
    ['{"type":"auth_error"}', 'it does not say why'],
  ])('%s refuses', (frame, message) => {
    expect(rpc.decode(frame)).toEqual({kind: 'rejected', code: 'unauthorized', message});
  });

  test('ping and pong, and whatever else has no id is passed over', () => {
    expect(rpc.decode('{"type":"ping"}')).toEqual({kind: 'ping'});
    expect(rpc.decode('{"type":"pong"}')).toEqual({kind: 'pong'});
    expect(rpc.decode('{"type":"motd"}')).toEqual({kind: 'ignored'});
    expect(rpc.decode('{"jsonrpc":"2.0","method":"sessions.list"}')).toEqual({kind: 'ignored'});
    expect(parsed(rpc.ping(none) ?? '')).toEqual({type: 'ping'});
    expect(parsed(rpc.pong())).toEqual({type: 'pong'});
  });

  test('nothing goes out that the protocol does not have', () => {
    expect(rpc.event({type: 'global_stop', sessions: 1}, none)).toBeUndefined();
    expect(rpc.state({type: 'state', tabs: []}, none)).toBeUndefined();
  });
});

describe('requests', () => {
  test.each([
    ['not json', /no JSON/],
    ['[]', /no object/],
    ['{"id":"7","jsonrpc":"2.0","method":"sessions.list"}', /whole number/],
    ['{"id":null,"jsonrpc":"2.0","method":"sessions.list"}', /whole number/],
    ['{"id":1.5,"jsonrpc":"2.0","method":"sessions.list"}', /whole number/],
    ['{"id":7,"jsonrpc":"2.0","result":{}}', /no answers/],
    ['{"id":7,"jsonrpc":"2.0","error":{"code":1,"message":"x"}}', /no answers/],
  ])('%s is counted and not answered', (frame, why) => {
    const inbound = rpc.decode(frame);
    expect(inbound.kind).toBe('invalid');
    expect(inbound.kind === 'invalid' ? inbound.why : '').toMatch(why);
  });

  const cases: [string, RpcCodeName][] = [
    ['{"id":7,"jsonrpc":"2.0"}', 'invalid_request'],
    ['{"id":7,"method":"sessions.list"}', 'invalid_request'],
    ['{"id":7,"jsonrpc":"2.0","method":{}}', 'invalid_request'],
    ['{"id":7,"id":7,"jsonrpc":"2.0","method":"sessions.list"}', 'invalid_request'],
    ['{"id":7,"jsonrpc":"2.0","method":"toString"}', 'method_not_found'],
    ['{"id":7,"jsonrpc":"2.0","method":"page_click","params":{}}', 'method_not_found'],
    ['{"id":7,"jsonrpc":"2.0","method":"pages.click","params":["e1"]}', 'invalid_params'],
    ['{"id":7,"jsonrpc":"2.0","method":"pages.click","params":null}', 'invalid_params'],
    ['{"id":7,"jsonrpc":"2.0","method":"pages.click","params":{"ref":"e1"}}', 'session_required'],
    ['{"id":7,"jsonrpc":"2.0","method":"pages.click","params":{"sessionId":"","ref":"e1"}}', 'session_required'],
    ['{"id":7,"jsonrpc":"2.0","method":"pages.click","params":{"sessionId":"s","ref":"7"}}', 'invalid_params'],
    ['{"id":7,"jsonrpc":"2.0","method":"tabs.attach","params":{"sessionId":"s","tabId":"7"}}', 'invalid_params'],
  ];
  test.each(cases)('%s is refused as %s', (frame, name) => {
    const inbound = rpc.decode(frame);
    expect(inbound.kind).toBe('refused');
    if (inbound.kind !== 'refused') return;
    expect(parsed(inbound.frame)).toMatchObject({jsonrpc: '2.0', id: 7, error: {code: rpcCodes[name]}});
  });

  test('every method of the white list that needs a session says so', async () => {
    const free = ['sessions.create', 'sessions.attachCurrent', 'sessions.list', 'tabs.userList', 'tabs.search'];
    for (const method of Object.keys(rpcMethods)) {
      const inbound = rpc.decode(JSON.stringify({jsonrpc: '2.0', id: 1, method}));
      expect([method, inbound.kind]).toEqual([method, free.includes(method) ? 'call' : 'refused']);
      if (inbound.kind === 'refused')
        expect(parsed(inbound.frame)).toMatchObject({error: {code: rpcCodes.session_required}});
    }
    const {answer} = await answered(
      {jsonrpc: '2.0', id: 9, method: 'tabs.list', params: {sessionId: 'gone'}},
      {result: {ok: true}},
    );
    expect(answer).toMatchObject({jsonrpc: '2.0', id: 9, error: {code: rpcCodes.session_not_found}});
  });

  test('each session is an owner of its own, and the engine does the work', async () => {
    const error: WireError = {code: 'stopped', message: 'the user pressed stop', outcome: 'not_sent', retryable: 'no'};
    const ask = {jsonrpc: '2.0', id: 3, method: 'sessions.create', params: {url: 'https://a.test/', background: false}};
    const first = await answered(ask, {error});
    const second = await answered(ask, {error});
    const action = {type: 'session', op: 'create', url: 'https://a.test/', foreground: true};
    expect(first.sent).toMatchObject([{id: 'rpc-3-1', action}]);
    expect(first.sent[0]?.agentId).toMatch(/^rpc:/);
    expect(first.sent[0]?.agentId).not.toBe(second.sent[0]?.agentId);
    // The code is the nearest there is; data says what it really was.
    expect(first.answer).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: {code: rpcCodes.operation_failed, message: 'the user pressed stop', data: error},
    });
  });
});

const twins: [WireError['code'], string, RpcCodeName][] = [
  ['element_stale', 'pages.click', 'page_ref_not_found'],
  ['element_not_found', 'pages.click', 'page_ref_not_found'],
  ['element_blocked', 'pages.click', 'page_operation_failed'],
  ['invalid_action', 'pages.eval', 'page_operation_failed'],
  ['invalid_action', 'tabs.open', 'invalid_params'],
  ['domain_blocked', 'pages.click', 'page_operation_failed'],
  ['domain_blocked', 'tabs.open', 'operation_failed'],
  ['navigation_failed', 'tabs.open', 'operation_failed'],
  ['timeout', 'pages.wait', 'operation_failed'],
  ['not_owner', 'tabs.attach', 'tab_claimed'],
  ['tab_not_found', 'pages.click', 'tab_not_found'],
  ['session_not_found', 'sessions.close', 'session_not_found'],
  ['unsupported', 'pages.click', 'method_not_found'],
  ['internal', 'pages.click', 'internal_error'],
];
test.each(twins)('%s of %s is %s', (code, method, name) => {
  expect(answerTo({code, message: 'm'}, method)).toMatchObject({code: rpcCodes[name], message: 'm'});
});

test('a tab that Chrome does not group has a code of its own', () => {
  const refused: WireError = {code: 'invalid_action', message: 'm', step: 'group'};
  expect(answerTo(refused, 'tabs.attach').code).toBe(rpcCodes.tab_group_failed);
});
