/** What an action's handler is given, and the shape of the table of handlers. */

import type {ActionMap, ActionType} from '../protocol.gen';

/** Call is one request while it runs: who asked, on which tab, and until when. */
export interface Call {
  /** The request's id, as the server made it. */
  readonly id: string;
  /** The agent that asked; the server took it from the agent's token. Empty for a server that names none. */
  readonly agentId: string;
  /**
   * Aborted by cancel, the deadline, stop, a blocked domain in the call's tab, or the loss of the link.
   * Its reason is an ActionError: throw `abortedBy(signal)` where work is given up.
   */
  readonly signal: AbortSignal;
  /** When the caller's patience ends, on the clock of `performance.now()`, in milliseconds. */
  readonly deadline: number;
  /** The tab that the action works on, already resolved, owned by the caller and not blocked; -1 for actions without one. */
  readonly tabId: number;
  /** Say this just before input or a navigation is dispatched: a failure after it has the outcome `unknown`, before it `not_sent`. */
  started(): void;
  /** For open_tab: say at once which tab was made, so that what happens to that tab (a redirect to a blocked domain) ends the call. */
  took(tabId: number): void;
}

/** Handler performs one type of action. It throws ActionError; anything else becomes `internal`. */
export type Handler<K extends ActionType> = (
  action: ActionMap[K]['params'],
  call: Call,
) => Promise<ActionMap[K]['result']>;

/** Unsupported stands in the table for an action that this version cannot do; it is left out of `caps`. */
export const unsupported = Symbol('unsupported');

/** Handlers has an entry for every action of the protocol: a missing one does not compile. */
export type Handlers = {readonly [K in ActionType]: Handler<K> | typeof unsupported};
