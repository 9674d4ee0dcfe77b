/**
 * The link: the one WebSocket to the server, and the truth about it.
 *
 *   off ──pair──▶ connecting ──ack──▶ ready
 *                  ▲    │  ◀──close──── │
 *                  │    ├──reject, 4001, 4002, no proof──▶ fatal      only the user leaves these two
 *                  └────┴──4009────────────────▶ replaced
 */

import type {DialectName} from '../messages';
import {limits} from '../protocol.gen';
import {retryDelay} from './backoff';
import type {Dialect, Inbound, Welcome} from './dialects/dialect';
import type {Reply} from './dispatcher';
import {ActionError, messageOf} from './errors';
import {after, pause} from './lifetime';
import type {LinkParts} from './linkparts';
import type {LinkStatus} from './linkstatus';
import {isSettled, notPaired, refused, replaced, unencrypted, unproven} from './linkstatus';
import {warn} from './log';
import {fingerprintOf, newNonce, whyUnproven} from './proof';
import {socketUrl} from './serveraddress';
import type {Socket} from './socket';
import {wireError} from './wireerror';

const highWater = 1 << 20; // bytes in the socket above which chunks wait, so that control frames pass

/** Link connects, keeps the connection alive and comes back. All methods return at once. */
export class Link {
  readonly #parts: LinkParts;
  #status: LinkStatus = {state: 'off'};
  #socket: Socket | undefined;
  #caps: ReadonlySet<string> = new Set();
  // Which protocol this connection speaks, from its first frame to its last.
  #speaks: DialectName;
  // Aborted when the connection that it belongs to is over: timers and late answers hang on it.
  #life = new AbortController();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #heartbeatMs: number = limits.heartbeatMs;
  // What the server said last, by when on the wall, where time goes on while the machine sleeps: another one for each.
  #heard = {wall: 0};
  #invalid = 0;
  // What the server shall sign; '' while no key of it is known.
  #nonce = '';
  // Set while an ack is taken in, which ends when its token is stored: what the server sends after it waits here.
  #waiting: string[] | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#speaks = parts.settings.speaks;
  }

  get #dialect(): Dialect {
    return this.#parts.dialects[this.#speaks];
  }

  /** The state of the link and why it is so. */
  get status(): Readonly<LinkStatus> {
    return this.#status;
  }

  /** How many frames of the server's did not fit the schema, since the worker started. */
  get invalidFrames(): number {
    return this.#invalid;
  }

  /** Restore takes up a state that only the user leaves, as `settled` told it to an earlier worker. */
  restore(status: LinkStatus): void {
    if (isSettled(status)) this.#status = status;
  }

  /** Connect makes the link unless it is there, under way, or the user's to make. */
  connect(): void {
    if (isSettled(this.#status) || this.#socket || this.#retry !== undefined) return;
    this.#start();
  }

  /** Reconnect makes the link anew, out of any state: the user said so, or the settings changed. */
  reconnect(): void {
    this.#drop('the link was made anew');
    this.#attempts = 0;
    this.#start();
  }

  /** Announce tells the server the whole state again, after something changed that no event tells (resume). */
  announce(): void {
    const {state} = this.#parts;
    // A server that knows no state frame must not make the ledger think that it was told.
    if (this.#status.state === 'ready' && this.#caps.has('frame.state'))
      this.#send(this.#dialect.state(state(), this.#caps));
  }

  /**
   * Check is what the alarm calls: timers sleep with the machine, so the server is asked at once whether the link is
   * still there. It mostly is: only a server elsewhere has given it up meanwhile.
   */
  check(): void {
    const silent = Date.now() - this.#heard.wall;
    if (this.#status.state === 'ready' && silent > this.#heartbeatMs + limits.pongTimeoutMs) this.#ask();
    else this.connect();
  }

  #start(): void {
    const {settings} = this.#parts;
    this.#speaks = settings.speaks;
    if (settings.state.token === '') {
      this.#become(notPaired);
      return;
    }
    const url = socketUrl(settings.state.address);
    if (url === undefined) {
      this.#become(unencrypted(settings.state.address));
      return;
    }
    // While it is tried again, why it had to be stays to be read; what the user overruled does not.
    const reason = this.#status.state === 'connecting' ? this.#status.reason : undefined;
    this.#become({state: 'connecting', ...(reason === undefined ? {} : {reason})});
    this.#life = new AbortController();
    const life = this.#life.signal;
    this.#socket = this.#parts.open(url, {
      open: () => {
        if (!life.aborted) void this.#hello(life);
      },
      message: (text) => {
        if (!life.aborted) this.#message(text, life);
      },
      closed: (code) => {
        if (!life.aborted) this.#closed(code);
      },
    });
    after(life, limits.handshakeTimeoutMs, () => {
      if (this.#status.state === 'connecting') this.#lost('the server does not answer');
    });
  }

  async #hello(life: AbortSignal): Promise<void> {
    const {settings, dispatcher, clientVersion, browserName, userAgent} = this.#parts;
    const connectionSeq = await settings.nextSeq();
    if (life.aborted) return;
    const {browserId, state} = settings;
    // Only whoever's key we know is asked: nobody else need know what a nonce is.
    this.#nonce = state.serverKey === '' ? '' : newNonce();
    const identity = {
      token: state.token,
      clientVersion,
      browserId,
      connectionSeq,
      browserName,
      userAgent,
      actions: dispatcher.caps,
      nonce: this.#nonce,
    };
    this.#socket?.send(this.#dialect.hello(identity));
  }

  #message(text: string, life: AbortSignal): void {
    this.#heard = {wall: Date.now()};
    if (this.#waiting) {
      this.#waiting.push(text);
      return;
    }
    const inbound = this.#dialect.decode(text);
    if (this.#status.state === 'ready') this.#serve(inbound, life);
    else this.#handshake(inbound, life);
  }

  #handshake(inbound: Inbound, life: AbortSignal): void {
    if (inbound.kind === 'welcome') {
      this.#waiting = [];
      void this.#ready(inbound.welcome, life);
    } else if (inbound.kind === 'rejected') {
      this.#refused(inbound.code, inbound.message);
    } else if (inbound.kind !== 'ignored') {
      // Whoever it is, it is no server of ours; a stranger on the port may be gone by the next try.
      this.#count(inbound.kind === 'invalid' ? inbound.why : `${inbound.kind} came before ack`);
      this.#lost(`what listens at ${this.#parts.settings.state.address} is no Drawbridge server`);
    }
  }

  async #ready(welcome: Welcome, life: AbortSignal): Promise<void> {
    const {settings, guard, events} = this.#parts;
    if (!(await this.#proven(welcome, life))) return;
    // A code is good once: whatever happens next, its device token must not be lost.
    const {deviceToken, browserId: given} = welcome;
    if (deviceToken !== undefined) await settings.keep(deviceToken, await keyOf(welcome), given);
    if (life.aborted || this.#status.state === 'ready') return;
    // It was the code alone that wanted this dialect.
    if (this.#speaks !== settings.speaks) {
      this.reconnect();
      return;
    }
    guard.setServerRules(welcome.blocklist ?? []);
    this.#parts.rulesChanged();
    this.#caps = welcome.caps;
    this.#attempts = 0;
    this.#heartbeatMs = welcome.heartbeatMs ?? limits.heartbeatMs;
    const {serverVersion, browserName} = welcome;
    this.#become({state: 'ready', serverVersion, ...(browserName === undefined ? {} : {browserName})});
    this.announce();
    events.to((event) => {
      this.#send(this.#dialect.event(event, this.#caps));
    });
    this.#beat(life);
    this.#catchUp(life);
  }

  // Whether the link goes on with this server.
  async #proven(welcome: Welcome, life: AbortSignal): Promise<boolean> {
    if (this.#nonce === '') return true; // paired before servers had keys, or by hand
    const {browserId, state} = this.#parts.settings;
    const {serverKey: fingerprint, address} = state;
    const why = await whyUnproven(welcome, {fingerprint, address, browserId, nonce: this.#nonce});
    if (life.aborted) return false;
    if (why !== undefined) this.#unproven(why);
    return why === undefined;
  }

  #catchUp(life: AbortSignal): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of waiting) if (!life.aborted) this.#message(text, life);
  }

  #beat(life: AbortSignal): void {
    after(life, this.#heartbeatMs, () => {
      if (this.#ask()) this.#beat(life);
    });
  }

  // Asks for a sign of life, and gives the link up if none comes; false where the server knows no such question.
  #ask(): boolean {
    const ping = this.#dialect.ping(this.#caps);
    if (ping === undefined) return false;
    const before = this.#heard;
    this.#send(ping);
    after(this.#life.signal, limits.pongTimeoutMs, () => {
      if (this.#heard === before) this.#lost('the server has not answered');
    });
    return true;
  }

  #serve(inbound: Inbound, life: AbortSignal): void {
    const {dispatcher, guard} = this.#parts;
    const dialect = this.#dialect;
    switch (inbound.kind) {
      case 'request':
        void this.#answer(inbound.request, life);
        return;
      case 'call':
        void inbound.serve(dispatcher).then((frame) => {
          if (!life.aborted) this.#send(frame);
        });
        return;
      case 'refused':
        this.#count(inbound.why);
        this.#send(inbound.frame);
        return;
      case 'ignored':
        return;
      case 'cancel':
        dispatcher.cancel(inbound.id);
        return;
      case 'rules':
        guard.setServerRules(inbound.blocklist);
        this.#parts.rulesChanged();
        return;
      case 'ping':
        this.#send(dialect.pong());
        return;
      case 'pong':
        return;
      case 'rejected':
        this.#refused(inbound.code, inbound.message);
        return;
      case 'welcome':
        this.#count('a second ack came');
        return;
      case 'invalid': {
        this.#count(inbound.why);
        if (inbound.id === undefined) return;
        const error = new ActionError('invalid_action', `the request does not fit the schema: ${inbound.why}`);
        for (const frame of dialect.response(inbound.id, {error: wireError(error, 'not_sent')}, this.#caps))
          this.#send(frame);
      }
    }
  }

  async #answer(request: Extract<Inbound, {kind: 'request'}>['request'], life: AbortSignal): Promise<void> {
    const {dispatcher, undelivered} = this.#parts;
    const dialect = this.#dialect;
    const reply = await dispatcher.dispatch(request);
    const sent = !life.aborted && (await this.#sendAll(answerFrames(dialect, request.id, reply, this.#caps), life));
    if (!sent && request.callKey !== undefined) undelivered(request.callKey);
  }

  // Control frames pass between the pieces of a large answer, since those wait for the socket to drain.
  async #sendAll(frames: string[], life: AbortSignal): Promise<boolean> {
    for (const frame of frames) {
      while (frames.length > 1 && (this.#socket?.buffered() ?? 0) > highWater) await pause(5);
      if (life.aborted) return false;
      this.#send(frame);
    }
    return true;
  }

  #send(frame: string | undefined): void {
    if (frame === undefined) return;
    try {
      this.#socket?.send(frame);
    } catch (thrown) {
      // The socket is closing: its close event follows and does the rest.
      warn(`a frame was not sent: ${messageOf(thrown)}`);
    }
  }

  #count(why: string): void {
    this.#invalid += 1;
    warn(`invalid frame ${this.#invalid}: ${why}`);
  }

  #closed(code: number): void {
    switch (code) {
      case limits.closeUnauthorized:
        this.#refused('unauthorized', 'the server does not know this browser: pair it again');
        return;
      case limits.closeVersion:
        this.#refused('protocol_mismatch', 'the server speaks another version of the protocol: update the extension');
        return;
      case limits.closeReplaced:
        this.#drop('another connection took over');
        this.#become(replaced);
        return;
      default:
        this.#lost(
          this.#status.state === 'ready'
            ? 'the link was cut'
            : `no server answers at ${this.#parts.settings.state.address}`,
        );
    }
  }

  #refused(code: string, message: string): void {
    this.#drop('the server refused the link');
    this.#become(refused(code, message, this.#speaks));
  }

  // Nothing more is said to it: whoever it is has heard too much already.
  #unproven(why: string): void {
    this.#drop('the server is not the one that was paired with');
    this.#become(unproven(this.#parts.settings.state.address, why));
  }

  #lost(why: string): void {
    this.#drop(why);
    const delay = retryDelay(this.#attempts, (this.#parts.random ?? Math.random)());
    this.#attempts += 1;
    this.#become({state: 'connecting', reason: `Trying again: ${why}.`});
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#start();
    }, delay);
  }

  #drop(why: string): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#life.abort();
    this.#waiting = undefined;
    this.#parts.events.hold();
    this.#parts.dispatcher.linkLost(`the link to the server was lost while the call ran (${why})`);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #become(status: LinkStatus): void {
    if (isSettled(status)) this.#parts.settled(status);
    else if (isSettled(this.#status)) this.#parts.settled(undefined);
    this.#status = status;
    this.#parts.changed();
  }
}

function answerFrames(dialect: Dialect, id: string, reply: Reply, caps: ReadonlySet<string>): string[] {
  const frames = dialect.response(id, reply, caps);
  const chars = frames.reduce((sum, frame) => sum + frame.length, 0);
  if (chars <= limits.answerBytes) return frames;
  const error = new ActionError('internal', 'the result is larger than 64 MiB: ask for less of it', {outcome: 'done'});
  return dialect.response(id, {error: wireError(error, 'done')}, caps);
}

// A key that comes with a device token is pinned from then on, like one from the link.
async function keyOf({serverKey}: Welcome): Promise<string> {
  return (serverKey === undefined ? undefined : await fingerprintOf(serverKey)) ?? '';
}
