/** The requests of pages, out-of-process frames included, as the browser tells of them. */

import type {Protocol} from 'devtools-protocol';
import type {NetworkEntry} from '../protocol.gen';
import {cut, maskHeaders, maskUrl} from './masking';
import {type Ring, type Source, Recordings} from './recording';
import {isRecord} from './storage';
import type {Tab} from './tab';

/** Sent is one request: what is told of it, and what it takes to tell more. */
export interface Sent extends NetworkEntry {
  /** The address as it is: what is told is masked. */
  address: string;
  /** The document that asked for it. */
  documentUrl: string;
  /** The clock of the browser when it was sent, in seconds. */
  sentAt: number;
  mimeType: string;
  /** The CDP session that told of it last: it has the body. Absent: the tab's own. */
  session?: string;
  /** If true, all of it has come. */
  isDone: boolean;
}

/** How much the browser keeps of bodies while requests are recorded, in bytes: in all, and of one. */
export const bodyBuffers = {maxTotalBufferSize: 20 << 20, maxResourceBufferSize: 2 << 20};

// What it keeps for us while they are not.
const few = {maxTotalBufferSize: 1 << 20, maxResourceBufferSize: 1 << 18};

/** RequestBuffers is what Network.enable takes, asked for by an action: what is being recorded must not shrink. */
export function requestBuffers(tabId: number): typeof bodyBuffers {
  return netlog.isOn(tabId) ? bodyBuffers : few;
}

const urlMax = 2_000;
const switchMs = 2_000;
// Headers that come before their request wait here; a request that never comes takes no place for long.
const earlyMax = 50;

const network: Source<Sent> = {
  name: 'network',
  limit: 300,

  follow(tab, ring) {
    const follower = new Follower(tab, ring);
    return () => {
      follower.end();
    };
  },

  async switchOn(tab, session) {
    const options = {session, timeoutMs: switchMs};
    await Promise.all([
      tab.send('Network.enable', bodyBuffers, options),
      // Newer browsers keep bodies over a navigation, when they are asked.
      tab.send('Network.configureDurableMessages', bodyBuffers, options).catch(() => undefined),
    ]);
  },

  // Network stays on: actions settle by it, and it costs nothing that is not read.
  switchOff(tab, session) {
    return tab.send('Network.configureDurableMessages', {}, {session, timeoutMs: switchMs});
  },

  isEntry(value): value is Sent {
    return (
      isRecord(value) &&
      typeof value.requestId === 'string' &&
      typeof value.method === 'string' &&
      typeof value.url === 'string' &&
      typeof value.address === 'string' &&
      typeof value.documentUrl === 'string' &&
      typeof value.sentAt === 'number'
    );
  },
};

/** Netlog is every tab's recording of its requests. */
export const netlog = new Recordings(network);

/** Follower puts one tab's requests into its ring. */
class Follower {
  readonly #ring: Ring<Sent>;
  readonly #off: (() => void)[];
  readonly #early = new Map<string, Partial<Sent>>();

  constructor(tab: Tab, ring: Ring<Sent>) {
    this.#ring = ring;
    const on = tab.on.bind(tab);
    this.#off = [
      on('Network.requestWillBeSent', (event, session) => {
        this.#sent(event, session);
      }),
      on('Network.requestWillBeSentExtraInfo', ({requestId, headers}) => {
        this.#headers(requestId, 'requestHeaders', headers);
      }),
      on('Network.responseReceived', ({requestId, type, response}, session) => {
        this.#change(requestId, {...answered(response), kind: type.toLowerCase()}, session);
      }),
      on('Network.responseReceivedExtraInfo', ({requestId, headers}) => {
        this.#headers(requestId, 'responseHeaders', headers);
      }),
      on('Network.loadingFinished', ({requestId, timestamp}, session) => {
        this.#ended(requestId, timestamp, {}, session);
      }),
      on('Network.loadingFailed', ({requestId, timestamp, ...failure}, session) => {
        this.#ended(requestId, timestamp, {error: reason(failure)}, session);
      }),
      on('Network.webSocketCreated', ({requestId, url}, session) => {
        this.#put(requestId, {method: 'GET', address: url, kind: 'websocket', sentAt: 0, documentUrl: ''}, session);
      }),
      on('Network.webSocketHandshakeResponseReceived', ({requestId, response}, session) => {
        const {status, headers} = response;
        this.#change(requestId, {status, responseHeaders: maskHeaders(headers)}, session);
      }),
      on('Network.webSocketFrameError', ({requestId, errorMessage}, session) => {
        this.#change(requestId, {error: cut(errorMessage, 500)}, session);
      }),
      on('Network.webSocketClosed', ({requestId}, session) => {
        this.#change(requestId, {isDone: true}, session);
      }),
    ];
  }

  end(): void {
    for (const off of this.#off) off();
  }

  #sent(event: Protocol.Network.RequestWillBeSentEvent, session: string | undefined): void {
    const {requestId, request, timestamp, type, redirectResponse, documentURL} = event;
    // It never leaves the page.
    if (request.url.startsWith('data:')) return;
    if (redirectResponse) this.#redirected(requestId, redirectResponse, timestamp);
    this.#put(
      requestId,
      {
        method: request.method,
        address: request.url + (request.urlFragment ?? ''),
        sentAt: timestamp,
        documentUrl: documentURL,
        requestHeaders: maskHeaders(request.headers),
        ...(type === undefined ? {} : {kind: type.toLowerCase()}),
      },
      session,
    );
  }

  // The browser tells all hops under one id, of which the last hop keeps the plain one.
  #redirected(requestId: string, response: Protocol.Network.Response, timestamp: number): void {
    this.#ended(requestId, timestamp, answered(response), undefined);
    let hop = 1;
    while (this.#ring.get(`${requestId}.${hop}`)) hop++;
    const id = `${requestId}.${hop}`;
    this.#ring.rename(requestId, id);
    const moved = this.#ring.get(id);
    if (moved) this.#ring.put(id, {...moved, requestId: id});
  }

  #put(
    requestId: string,
    entry: Omit<Sent, 'requestId' | 'url' | 'mimeType' | 'isDone'>,
    session: string | undefined,
  ): void {
    const early = this.#early.get(requestId) ?? {};
    this.#early.delete(requestId);
    this.#ring.put(requestId, {
      ...entry,
      ...early,
      requestId,
      url: cut(maskUrl(entry.address), urlMax),
      address: cut(entry.address, urlMax),
      mimeType: '',
      isDone: false,
      ...(session === undefined ? {} : {session}),
    });
  }

  #change(requestId: string, change: Partial<Sent>, session: string | undefined): void {
    const known = this.#ring.get(requestId);
    if (!known) return;
    // What really went over the wire is told apart, and says more.
    const headers = known.responseHeaders ?? change.responseHeaders;
    this.#ring.put(requestId, {
      ...known,
      ...change,
      ...(headers ? {responseHeaders: headers} : {}),
      ...(session === undefined ? {} : {session}),
    });
  }

  #ended(requestId: string, timestamp: number, change: Partial<Sent>, session: string | undefined): void {
    const known = this.#ring.get(requestId);
    if (!known) return;
    const durationMs = Math.max(0, Math.round((timestamp - known.sentAt) * 1000));
    this.#change(requestId, {...change, durationMs, isDone: true}, session);
  }

  #headers(requestId: string, which: 'requestHeaders' | 'responseHeaders', headers: Protocol.Network.Headers): void {
    const told = maskHeaders(headers);
    const known = this.#ring.get(requestId);
    if (known) {
      this.#ring.put(requestId, {...known, [which]: {...known[which], ...told}});
      return;
    }
    this.#early.set(requestId, {...this.#early.get(requestId), [which]: told});
    for (const oldest of this.#early.keys()) {
      if (this.#early.size <= earlyMax) break;
      this.#early.delete(oldest);
    }
  }
}

function answered({status, headers, mimeType}: Protocol.Network.Response): Partial<Sent> {
  return {status, mimeType, responseHeaders: maskHeaders(headers)};
}

function reason(failure: Omit<Protocol.Network.LoadingFailedEvent, 'requestId' | 'timestamp'>): string {
  const {errorText, canceled, blockedReason, corsErrorStatus} = failure;
  if (corsErrorStatus) return `CORS: ${corsErrorStatus.corsError}`;
  if (blockedReason !== undefined) return `blocked: ${blockedReason}`;
  if (errorText !== '') return errorText;
  return canceled === true ? 'cancelled' : 'failed';
}
