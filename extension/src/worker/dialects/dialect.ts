/** What a dialect is: a translation between the wire and what the link understands. It holds no state. */

import type {Event, Request, State} from '../../protocol.gen';
import type {Reply} from '../dispatcher';
import type {Proof} from '../proof';

/** Identity is who says hello. */
export interface Identity {
  /** A pairing code or the device token. */
  token: string;
  clientVersion: string;
  browserId: string;
  connectionSeq: number;
  browserName: string;
  userAgent: string;
  /** The action types that have a handler. */
  actions: readonly string[];
  /** What the server shall sign; '' for one whose key is not known, which then hears nothing of it. */
  nonce: string;
}

/** Welcome is the server's acknowledgement. */
export interface Welcome extends Proof {
  serverVersion: string;
  /** The features that the server named; what is not here is not sent to it. */
  caps: ReadonlySet<string>;
  browserName?: string;
  heartbeatMs?: number;
  blocklist?: readonly string[];
  deviceToken?: string;
  /** The id that this browser has from now on: its profile is a copy. */
  browserId?: string;
}

/** Engine is what a call is performed with: the one dispatcher, whatever the dialect. */
export interface Engine {
  dispatch(request: Request): Promise<Reply>;
}

/** Inbound is what a text frame from the server means. */
export type Inbound =
  | {kind: 'welcome'; welcome: Welcome}
  | {kind: 'rejected'; code: string; message: string}
  | {kind: 'request'; request: Request}
  | {kind: 'cancel'; id: string}
  | {kind: 'rules'; blocklist: readonly string[]}
  | {kind: 'ping'}
  | {kind: 'pong'}
  /** A call of a method that is no action of the protocol: it performs itself, and gives its answer's frame. It never rejects. */
  | {kind: 'call'; serve: (engine: Engine) => Promise<string>}
  /** A call that is answered with this frame at once: it asks for what is not there, or does not fit. */
  | {kind: 'refused'; frame: string; why: string}
  /** A frame that the dialect passes over. */
  | {kind: 'ignored'}
  /** It does not fit the schema; `id` is of the request that it was, when it had one. */
  | {kind: 'invalid'; why: string; id?: string};

/**
 * Dialect speaks one of the two protocols. What a server without the fitting cap would refuse comes out
 * as undefined and is not sent.
 */
export interface Dialect {
  hello(identity: Identity): string;
  decode(text: string): Inbound;
  /** The frames of an answer: one, or several pieces of a large one. */
  response(id: string, reply: Reply, caps: ReadonlySet<string>): string[];
  event(event: Event, caps: ReadonlySet<string>): string | undefined;
  state(state: State, caps: ReadonlySet<string>): string | undefined;
  ping(caps: ReadonlySet<string>): string | undefined;
  pong(): string;
}
