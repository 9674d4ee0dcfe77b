/** What the link is wired to. */

import type {DialectName} from '../messages';
import type {State} from '../protocol.gen';
import type {Dialect} from './dialects/dialect';
import type {Dispatcher} from './dispatcher';
import type {Events} from './events';
import type {Guard} from './guard';
import type {LinkStatus} from './linkstatus';
import type {Settings} from './settings';
import type {Socket, SocketListener} from './socket';

/** LinkParts is what the link works with. */
export interface LinkParts {
  settings: Settings;
  guard: Guard;
  events: Events;
  /** The protocols; the setting says which one a connection speaks. */
  dialects: Readonly<Record<DialectName, Dialect>>;
  dispatcher: Dispatcher;
  /** Opens a socket; it tells the listener later, never before it returns. */
  open: (url: string, listener: SocketListener) => Socket;
  clientVersion: string;
  browserName: string;
  userAgent: string;
  /** What the server is told right after the ack. Calls in it count as told. */
  state: () => State;
  /** Called for a call whose answer found no link. */
  undelivered: (callKey: string) => void;
  /** Called after the server's blocklist changed. */
  rulesChanged: () => void;
  /** Called after every change of state. */
  changed: () => void;
  /**
   * Called with the status when the link enters a state that only the user leaves, and with undefined when it
   * leaves one. Keep it: a worker that is born again must not ask a server that said no.
   */
  settled: (status: LinkStatus | undefined) => void;
  /** From 0 up to 1, for the jitter. */
  random?: () => number;
}
