/** The rpc dialect, JSON-RPC 2.0, version 1: pure translation; what a method does stands in rpcmethods.ts. */

import {limits, rpcMethods} from '../../protocol.gen';
import type {RPCMethodName} from '../../protocol.gen';
import {parseStrict} from '../../strictjson';
import {asActionError, messageOf} from '../errors';
import {isRecord} from '../storage';
import {wireError} from '../wireerror';
import type {Dialect, Engine, Identity, Inbound} from './dialect';
import {RpcRefusal, answerTo} from './rpcerrors';
import {type MethodCall, callOf, perform} from './rpcmethods';

/** Rpc is the dialect that `auth` opens. It has no caps: what the bridge dialect adds to plain version 4 it lacks. */
export const rpc: Dialect = {
  hello: (identity) => JSON.stringify({type: 'auth', token: identity.token, ...named(identity)}),

  decode(text): Inbound {
    let data: unknown;
    try {
      data = parseStrict(text);
    } catch (thrown) {
      const why = `it is no JSON as the protocol wants it: ${messageOf(thrown)}`;
      const id = looseId(text);
      return id === undefined ? {kind: 'invalid', why} : refused(id, new RpcRefusal('invalid_request', why));
    }
    if (!isRecord(data)) return {kind: 'invalid', why: 'it is no object'};
    return Object.hasOwn(data, 'id') ? request(data) : control(data);
  },

  response: (id, reply) => [
    'error' in reply ? errorFrame(Number(id), answerTo(reply.error, '')) : resultFrame(Number(id), reply.result),
  ],
  event: () => undefined,
  state: () => undefined,
  ping: () => '{"type":"ping"}',
  pong: () => '{"type":"pong"}',
};

// Browsers of one make on one machine would all go by one name, and the second would be refused.
function named({browserName, browserId, nonce}: Identity): {name: string; instanceId: string; nonce?: string} {
  return {
    name: `${browserName.slice(0, 120)} ${browserId.slice(0, 4)}`,
    instanceId: browserId,
    ...(nonce === '' ? {} : {nonce}),
  };
}

function control({type, version, name, error, serverKey, proof}: Record<string, unknown>): Inbound {
  switch (type) {
    case 'auth_ok':
      if (version !== limits.rpcVersion) {
        const message = `the server speaks version ${String(version)} of the rpc protocol, this extension ${limits.rpcVersion}: update the older of the two`;
        return {kind: 'rejected', code: 'protocol_mismatch', message};
      }
      return {
        kind: 'welcome',
        welcome: {
          serverVersion: '',
          caps: new Set(),
          ...(typeof name === 'string' ? {browserName: name} : {}),
          ...(typeof serverKey === 'string' ? {serverKey} : {}),
          ...(typeof proof === 'string' ? {proof} : {}),
        },
      };
    case 'auth_error':
      return {kind: 'rejected', code: 'unauthorized', message: reasonOf(error)};
    case 'ping':
      return {kind: 'ping'};
    case 'pong':
      return {kind: 'pong'};
    default:
      return {kind: 'ignored'};
  }
}

// Servers say why in a word, or in an object as everywhere else.
function reasonOf(error: unknown): string {
  const text = isRecord(error) ? error.message : error;
  return typeof text === 'string' && text !== '' ? text.slice(0, 1024) : 'it does not say why';
}

function request(data: Record<string, unknown>): Inbound {
  const {id, jsonrpc, method, params = {}} = data;
  if (!isId(id)) return {kind: 'invalid', why: 'its id is no whole number'};
  // An answer, to somebody who asked: nobody here did.
  if (!Object.hasOwn(data, 'method') && (Object.hasOwn(data, 'result') || Object.hasOwn(data, 'error')))
    return {kind: 'invalid', why: 'a server sends no answers'};
  if (jsonrpc !== '2.0') return refused(id, new RpcRefusal('invalid_request', 'jsonrpc must be "2.0"'));
  if (typeof method !== 'string') return refused(id, new RpcRefusal('invalid_request', 'method must be a string'));
  if (!isMethod(method))
    return refused(id, new RpcRefusal('method_not_found', `there is no method ${method.slice(0, 64)}`));
  try {
    const call = callOf(method, params);
    return {kind: 'call', serve: (engine) => serve(id, call, engine)};
  } catch (thrown) {
    if (thrown instanceof RpcRefusal) return refused(id, thrown);
    throw thrown;
  }
}

async function serve(id: number, call: MethodCall, engine: Engine): Promise<string> {
  try {
    const frame = resultFrame(id, await perform(call, id, engine));
    if (frame.length <= limits.answerBytes) return frame;
    return errorFrame(id, new RpcRefusal('operation_failed', 'the result is larger than 64 MiB: ask for less of it'));
  } catch (thrown) {
    if (thrown instanceof RpcRefusal) return errorFrame(id, thrown);
    return errorFrame(id, answerTo(wireError(asActionError(thrown), 'unknown'), call.method));
  }
}

function refused(id: number, refusal: RpcRefusal): Inbound {
  return {kind: 'refused', frame: errorFrame(id, refusal), why: refusal.message};
}

function resultFrame(id: number, result: unknown): string {
  return JSON.stringify({jsonrpc: '2.0', id, result});
}

function errorFrame(id: number, {code, message, data}: RpcRefusal): string {
  return JSON.stringify({jsonrpc: '2.0', id, error: {code, message, ...(data === undefined ? {} : {data})}});
}

function isMethod(name: string): name is RPCMethodName {
  return Object.hasOwn(rpcMethods, name);
}

function isId(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id);
}

// What is refused for its keys alone may still say whose request it is.
function looseId(text: string): number | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) && isId(data.id) && 'method' in data ? data.id : undefined;
  } catch {
    return undefined;
  }
}
