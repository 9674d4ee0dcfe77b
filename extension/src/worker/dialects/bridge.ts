/** The bridge dialect, protocolVersion 4: pure translation, every inbound message held against the schema. */

import type {Error as WireError, Event, Frame, State} from '../../protocol.gen';
import {features, limits} from '../../protocol.gen';
import {parseStrict} from '../../strictjson';
import {frame as validateFrame} from '../../validator.gen.js';
import {messageOf} from '../errors';
import {isRecord} from '../storage';
import type {Dialect, Identity, Inbound} from './dialect';

/** The events that plain version 4 knows. */
const plainEvents: ReadonlySet<string> = new Set(['session_started', 'session_ended', 'domain_blocked', 'global_stop']);

/** Bridge is the dialect that `hello` opens. */
export const bridge: Dialect = {
  hello: (identity) => encode(helloOf(identity)),

  decode(text): Inbound {
    let data: unknown;
    try {
      data = parseStrict(text);
    } catch (thrown) {
      return invalid(`it is no JSON as the protocol wants it: ${messageOf(thrown)}`, looseId(text));
    }
    if (!isFrame(data)) return invalid(whyNot(), idOf(data));
    return inboundOf(data.type, data);
  },

  response(id, reply, caps): string[] {
    const body = 'error' in reply ? {error: errorFor(reply.error, caps)} : {result: reply.result};
    const text = JSON.stringify({type: 'response', id, ...body});
    const bytes = utf8Length(text, limits.chunkThreshold);
    if (bytes <= limits.chunkThreshold || !caps.has('frame.chunk')) return [text];
    return chunks(id, text);
  },

  event(event: Event, caps): string | undefined {
    if (!plainEvents.has(event.type) && !caps.has('event.extended')) return undefined;
    return encode({type: 'event', event});
  },

  state: (state: State, caps) => (caps.has('frame.state') ? encode(state) : undefined),
  ping: (caps) => (caps.has('frame.ping') ? encode({type: 'ping'}) : undefined),
  pong: () => encode({type: 'pong'}),
};

function helloOf(identity: Identity): Frame {
  return {
    type: 'hello',
    protocolVersion: limits.protocolVersion,
    clientVersion: identity.clientVersion,
    pairingToken: identity.token,
    caps: [...identity.actions, ...features],
    browserId: identity.browserId,
    connectionSeq: identity.connectionSeq,
    browserName: identity.browserName.slice(0, 128),
    userAgent: identity.userAgent.slice(0, 1024),
    ...(identity.nonce === '' ? {} : {nonce: identity.nonce}),
  };
}

type FrameOf<T extends Frame['type']> = Extract<Frame, {type: T}>;

// One reader for each type of frame; a frame that only an extension sends is invalid from a server.
const readers: {[T in Frame['type']]: (frame: FrameOf<T>) => Inbound} = {
  ack: ackOf,
  reject: ({error}) => ({kind: 'rejected', code: error.code, message: error.message}),
  request: (request) => ({kind: 'request', request}),
  cancel: ({id}) => ({kind: 'cancel', id}),
  policy: ({policy}) => ({kind: 'rules', blocklist: policy.blocklist}),
  ping: () => ({kind: 'ping'}),
  pong: () => ({kind: 'pong'}),
  hello: notFromServer,
  state: notFromServer,
  response: notFromServer,
  event: notFromServer,
  chunk: notFromServer,
};

function inboundOf<T extends Frame['type']>(type: T, frame: FrameOf<T>): Inbound {
  return readers[type](frame);
}

function notFromServer({type}: Frame): Inbound {
  return invalid(`a server does not send ${type}`, undefined);
}

function ackOf(ack: FrameOf<'ack'>): Inbound {
  const {serverVersion, caps, browserName, heartbeatMs, policy, deviceToken, browserId, serverKey, proof} = ack;
  if (ack.protocolVersion !== limits.protocolVersion) {
    const message = `the server speaks version ${ack.protocolVersion} of the protocol, this extension ${limits.protocolVersion}: update the older of the two`;
    return {kind: 'rejected', code: 'protocol_mismatch', message};
  }
  return {
    kind: 'welcome',
    welcome: {
      serverVersion,
      caps: new Set(caps),
      ...(browserName === undefined ? {} : {browserName}),
      ...(heartbeatMs === undefined ? {} : {heartbeatMs}),
      ...(policy === undefined ? {} : {blocklist: policy.blocklist}),
      ...(deviceToken === undefined ? {} : {deviceToken}),
      ...(browserId === undefined ? {} : {browserId}),
      ...(serverKey === undefined ? {} : {serverKey}),
      ...(proof === undefined ? {} : {proof}),
    },
  };
}

// The validator is made from the schema that Frame is made from.
function isFrame(data: unknown): data is Frame {
  return validateFrame(data);
}

function whyNot(): string {
  const errors = validateFrame.errors ?? [];
  const error = errors.at(-1);
  if (!error) return 'it does not fit the schema';
  const where = error.instancePath === '' ? 'the frame' : error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword !== 'oneOf') return `${where} ${error.message ?? 'does not fit the schema'}`;
  // What each alternative missed names the alternatives; when several are given nothing is missing.
  const missing = errors.flatMap(({params}) =>
    typeof params.missingProperty === 'string' ? [params.missingProperty] : [],
  );
  const names = missing.length > 0 ? `: ${missing.join(', ')}` : ', but more than one is there';
  return `${where} must have exactly one of its alternatives${names}`;
}

function idOf(data: unknown): string | undefined {
  if (!isRecord(data) || data.type !== 'request') return undefined;
  const id = data.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

// What is refused for its keys alone may still say whose request it is.
function looseId(text: string): string | undefined {
  try {
    return idOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function invalid(why: string, id: string | undefined): Inbound {
  return {kind: 'invalid', why, ...(id === undefined ? {} : {id})};
}

function errorFor(error: WireError, caps: ReadonlySet<string>): WireError {
  return caps.has('error.outcome') ? error : {code: error.code, message: error.message};
}

function encode(frame: Frame): string {
  return JSON.stringify(frame);
}

// Exact only where it matters: a text that cannot reach the bound is not encoded to be measured.
function utf8Length(text: string, bound: number): number {
  if (text.length > bound || text.length * 3 <= bound) return text.length;
  return new TextEncoder().encode(text).length;
}

function chunks(id: string, text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const frames: string[] = [];
  for (let start = 0, seq = 0; start < bytes.length; seq += 1) {
    let end = Math.min(start + limits.chunkBytes, bytes.length);
    // A character's later bytes are 10xxxxxx: a chunk ends before its first one.
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const data = decoder.decode(bytes.subarray(start, end));
    frames.push(encode({type: 'chunk', id, seq, last: end === bytes.length, data}));
    start = end;
  }
  return frames;
}
