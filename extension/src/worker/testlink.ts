/** A link on a socket whose other end is the test's, for the link's tests. */

import {vi} from 'vitest';
import {features} from '../protocol.gen';
import type {Handler} from './call';
import {bridge} from './dialects/bridge';
import {rpc} from './dialects/rpc';
import {Link} from './link';
import type {LinkStatus} from './linkstatus';
import type {Socket, SocketListener} from './socket';
import {isRecord} from './storage';
import type {WorkerParts} from './testparts';
import {workerParts} from './testparts';

/** FakeSocket is the server's end of a socket. */
export class FakeSocket implements Socket {
  readonly sent: string[] = [];
  closedByUs = false;
  buffer = 0;
  readonly url: string;
  readonly #listener: SocketListener;

  constructor(url: string, listener: SocketListener) {
    this.url = url;
    this.#listener = listener;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closedByUs = true;
  }

  buffered(): number {
    return this.buffer;
  }

  async opens(): Promise<void> {
    this.#listener.open();
    await vi.advanceTimersByTimeAsync(0);
  }

  async says(frame: unknown): Promise<void> {
    this.#listener.message(typeof frame === 'string' ? frame : JSON.stringify(frame));
    await vi.advanceTimersByTimeAsync(0);
  }

  async closes(code: number): Promise<void> {
    this.#listener.closed(code);
    await vi.advanceTimersByTimeAsync(0);
  }

  /** The frames that came, parsed. */
  get frames(): Record<string, unknown>[] {
    return this.sent.flatMap((text) => {
      const frame: unknown = JSON.parse(text);
      return isRecord(frame) ? [frame] : [];
    });
  }

  get types(): unknown[] {
    return this.frames.map(({type}) => type);
  }
}

/** The ack of a server that has all of our features. */
export const ack = {type: 'ack', protocolVersion: 4, serverVersion: '1', caps: [...features]};

/** LinkSetUp is a link with everything behind it. */
export interface LinkSetUp extends WorkerParts {
  link: Link;
  /** What a later worker would be told of a link that only its user frees. */
  settled: (LinkStatus | undefined)[];
  /** Every socket that was opened, in order. */
  sockets: FakeSocket[];
  /** The newest of them. */
  socket: () => FakeSocket;
  /** Resolves when the link's state changes next. */
  changed: () => Promise<void>;
}

/** A link, not connected, with everything behind it. Its time is that of vitest's fake timers. */
export async function linkSetUp(handler: Handler<'click'> = () => Promise.resolve({ok: true})): Promise<LinkSetUp> {
  const parts = await workerParts({click: handler});
  const sockets: FakeSocket[] = [];
  const settled: (LinkStatus | undefined)[] = [];
  const watching: (() => void)[] = [];
  const link = new Link({
    ...parts,
    dialects: {bridge, rpc},
    open: (url, listener) => {
      const socket = new FakeSocket(url, listener);
      sockets.push(socket);
      return socket;
    },
    clientVersion: '0.1.0',
    browserName: 'Chrome on Linux',
    userAgent: 'test',
    state: () => ({type: 'state', tabs: parts.sessions.list()}),
    undelivered: (callKey) => {
      parts.ledger.undelivered(callKey);
    },
    rulesChanged: () => undefined,
    changed: () => {
      for (const tell of watching.splice(0)) tell();
    },
    settled: (status) => settled.push(status),
    random: () => 1,
  });
  const socket = (): FakeSocket => {
    const newest = sockets.at(-1);
    if (!newest) throw new Error('no socket was opened');
    return newest;
  };
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      watching.push(resolve);
    });
  return {...parts, changed, link, settled, socket, sockets};
}

/** A link on its way to the server that it is paired with. */
export async function pairedLink(handler?: Handler<'click'>): Promise<LinkSetUp> {
  const all = await linkSetUp(handler);
  await all.settings.pair('127.0.0.1:9', 'CODE', '');
  all.link.connect();
  return all;
}

/** A link that its server has acknowledged, with more in the ack. */
export async function readyLink(handler?: Handler<'click'>, more: object = {}): Promise<LinkSetUp> {
  const all = await pairedLink(handler);
  await all.socket().opens();
  await all.socket().says({...ack, ...more});
  return all;
}
