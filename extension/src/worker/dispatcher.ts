/** The way of a call through the worker: latch, guard, queue, session, handler, guard, answer. */

import type {Action, ActionMap, ActionType, Error as WireError, Outcome, Request} from '../protocol.gen';
import {limits, methods} from '../protocol.gen';
import type {Away} from './away';
import type {Call, Handlers} from './call';
import {unsupported} from './call';
import {abortedBy, ActionError, asActionError} from './errors';
import type {Guard} from './guard';
import {domainBlocked} from './guard';
import type {Latch} from './latch';
import type {Ledger, LedgerRecord} from './ledger';
import {orAborted, TabQueues} from './queue';
import type {Sessions} from './sessions';
import {staleRef} from './staleref';
import {isRecord} from './storage';
import {wireError} from './wireerror';

export type {Call, Handler, Handlers} from './call';
export {unsupported} from './call';

/** Reply is how a call ended: exactly one of the two. */
export type Reply = {result: ActionMap[ActionType]['result']} | {error: WireError};

/** TabLookup finds what a tab shows now; undefined when there is no such tab. */
export type TabLookup = (tabId: number) => Promise<{address: string} | undefined>;

/** Done tells how a call ended, for the popup's list. */
export interface Done {
  at: number;
  type: ActionType;
  tabId: number;
  agentId: string;
  error?: string;
  /** If true, the caller gave up while the page may already have had it. */
  givenUp?: boolean;
}

/** What the dispatcher works with. */
export interface DispatcherParts {
  handlers: Handlers;
  sessions: Sessions;
  guard: Guard;
  latch: Latch;
  away: Away;
  ledger: Ledger<Reply>;
  tab: TabLookup;
  /** Answers tells whether a tab's page runs, rather than being held up by a script of its own. */
  answers: (tabId: number) => Promise<boolean>;
  /** Called after every call. */
  done: (done: Done) => void;
}

/** How long a handler may take to say itself why it gave up, in milliseconds, before the signal's reason is the answer. */
const graceMs = 50;

/** Running is one call's state; the handler sees it as its Call. */
class Running implements Call {
  readonly id: string;
  readonly agentId: string;
  readonly type: ActionType;
  readonly deadline: number;
  readonly keyed: boolean;
  readonly control = new AbortController();
  readonly made = new Set<number>();
  tabId = -1;
  /** What became of the action so far. */
  outcome: Outcome = 'not_sent';

  constructor(request: Request, timeoutMs: number) {
    this.id = request.id;
    this.agentId = request.agentId ?? '';
    this.type = request.action.type;
    this.keyed = request.callKey !== undefined;
    this.deadline = performance.now() + timeoutMs;
  }

  get signal(): AbortSignal {
    return this.control.signal;
  }

  started(): void {
    this.outcome = 'unknown';
  }

  took(tabId: number): void {
    this.made.add(tabId);
  }

  isOn(tabId: number): boolean {
    return this.tabId === tabId || this.made.has(tabId);
  }
}

/** Dispatcher runs calls and answers each exactly once. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #queues = new TabQueues();
  readonly #running = new Map<string, Running>();
  readonly #byKey = new Map<string, {reply: Promise<Reply>; id: string}>();
  /** The requests that wait for a call which another request began, by their ids. */
  readonly #joined = new Map<string, string>();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    parts.latch.onChange(() => {
      for (const call of this.#running.values()) this.#abortIfRefused(call);
    });
    parts.sessions.onEnded((record, reason) => {
      for (const call of this.#running.values()) {
        if (!call.isOn(record.tabId)) continue;
        if (reason === 'domain_blocked')
          call.control.abort(domainBlocked(parts.guard.hitOn(record.tabId) ?? record.domain));
        if (reason === 'screen_locked' || reason === 'system_idle') this.#abortIfRefused(call);
      }
    });
  }

  /** Caps is the action types that have a handler. */
  get caps(): ActionType[] {
    return actionTypes().filter((type) => this.#parts.handlers[type] !== unsupported);
  }

  /** IsOn tells whether any call works on the tab now. */
  isOn(tabId: number): boolean {
    return [...this.#running.values()].some((call) => call.isOn(tabId));
  }

  /**
   * Dispatch runs one request to its end. It never throws. A callKey that is known is answered from the ledger; a
   * request that only asks what came of an earlier one begins nothing.
   */
  async dispatch(request: Request): Promise<Reply> {
    const {callKey, recallMs} = request;
    if (callKey === undefined) return this.#run(request);
    const running = this.#byKey.get(callKey);
    if (running) return this.#join(request.id, running);
    const known = this.#parts.ledger.get(callKey);
    if (known) return remembered(known);
    if (recallMs !== undefined) return unheard(this.#parts.ledger.reaches(recallMs));
    const reply = this.#run(request);
    this.#byKey.set(callKey, {reply, id: request.id});
    try {
      return await reply;
    } finally {
      this.#byKey.delete(callKey);
    }
  }

  async #join(id: string, running: {reply: Promise<Reply>; id: string}): Promise<Reply> {
    this.#joined.set(id, running.id);
    try {
      return await running.reply;
    } finally {
      this.#joined.delete(id);
    }
  }

  /** Cancel stops a request that still runs; others are left alone. */
  cancel(id: string): void {
    this.#running.get(this.#joined.get(id) ?? id)?.control.abort(new ActionError('cancelled', 'the caller gave up'));
  }

  /**
   * LinkLost stops the requests that nobody can ask for again. One with a callKey goes on to its own deadline: its
   * caller comes back and asks what became of it.
   */
  linkLost(why: string): void {
    for (const call of this.#running.values()) {
      if (!call.keyed) call.control.abort(new ActionError('cancelled', why));
    }
  }

  #abortIfRefused(call: Running): void {
    try {
      this.#admit(call);
    } catch (refused) {
      call.control.abort(refused);
    }
  }

  #admit(call: Running): void {
    this.#parts.latch.check(call.agentId, call.tabId);
    this.#parts.away.check();
  }

  async #run(request: Request): Promise<Reply> {
    const {action, callKey} = request;
    const timeoutMs = timeoutOf(request);
    const call = new Running(request, timeoutMs);
    const timer = setTimeout(() => {
      call.control.abort(new ActionError('timeout', `${action.type} did not end within ${timeoutMs} ms`));
    }, timeoutMs);
    this.#running.set(call.id, call);
    const work = this.#perform(action, call, callKey);
    const ended = await orAborted(work, call.signal, graceMs).then(
      (result): Reply => ({result}),
      (thrown: unknown): Reply => ({error: wireError(asActionError(thrown), call.outcome)}),
    );
    const own = call.signal.aborted ? overruled(ended, abortedBy(call.signal)) : ended;
    const reply = await this.#explained(own, call.tabId);
    clearTimeout(timer);
    this.#running.delete(call.id);
    if (callKey !== undefined) this.#parts.ledger.ended(callKey, reply);
    this.#parts.done({
      at: Date.now(),
      type: action.type,
      tabId: call.tabId,
      agentId: call.agentId,
      ...('error' in reply ? {error: reply.error.code, givenUp: isGivenUp(reply.error)} : {}),
    });
    return reply;
  }

  async #perform(action: Action, call: Running, callKey: string | undefined): Promise<ActionMap[ActionType]['result']> {
    const {guard, handlers, ledger, sessions} = this.#parts;
    if (handlers[action.type] === unsupported) {
      throw new ActionError(
        'unsupported',
        `this version of the extension cannot ${action.type}: do without, or update it`,
      );
    }
    this.#admit(call);
    const asked = askedOf(action);
    if (asked !== undefined) await guard.checkAsked(asked, action.type);
    const named = tabOf(action, call.agentId, this.#parts.sessions);
    if (named === undefined) {
      if (callKey !== undefined) await ledger.started(callKey);
      call.signal.throwIfAborted();
      const result = await perform(handlers, action.type, action, call);
      call.outcome = 'done';
      this.#checkMade(call);
      return result;
    }
    call.tabId = named;
    // Refused before the wait already, so that nobody waits to hear no.
    if (this.#queues.busy(named)) await this.#enter(action, call);
    const job = async (): Promise<ActionMap[ActionType]['result']> => {
      await this.#enter(action, call);
      if (callKey !== undefined) await ledger.started(callKey);
      call.signal.throwIfAborted();
      try {
        const result = await perform(handlers, action.type, action, call);
        call.outcome = 'done';
        return result;
      } catch (thrown) {
        throw staleRef(thrown, action, sessions.uidMark(named), (await this.#parts.tab(named))?.address);
      } finally {
        // Also after an error: what went wrong is often just what a blocked page looks like from inside.
        await this.#leave(action, call);
      }
    };
    return methods[action.type].bypass ? job() : this.#queues.run(named, call.signal, job);
  }

  // Names the cause of a timeout where that is the page itself.
  async #explained(reply: Reply, tabId: number): Promise<Reply> {
    if (!('error' in reply) || reply.error.code !== 'timeout' || tabId < 0) return reply;
    if (await this.#parts.answers(tabId)) return reply;
    const {error} = reply;
    const cause = 'a script of the page keeps its main thread busy, so nothing can be done in this tab until it ends';
    return {error: {...error, message: `${error.message}: ${cause}; wait, or go on in another tab`}};
  }

  // Everything that must be so at the moment of acting, in the order in which an agent should hear of it.
  async #enter(action: Action, call: Running): Promise<void> {
    const {guard, sessions} = this.#parts;
    this.#admit(call);
    const tab = await this.#parts.tab(call.tabId);
    if (!tab) throw sessions.missing(call.tabId, call.agentId);
    sessions.check(call.tabId, call.agentId);
    guard.checkTab(call.tabId, tab.address, action.type, isMoving(action, sessions.owner(call.tabId) === call.agentId));
    if (call.signal.aborted) throw abortedBy(call.signal);
    if (sessions.owner(call.tabId) === undefined) sessions.claim(call.tabId, call.agentId, tab.address);
  }

  // What a page that may not be seen has to say must not leave, however it came into the tab meanwhile.
  async #leave(action: Action, call: Running): Promise<void> {
    const {guard, sessions, tab} = this.#parts;
    const now = await tab(call.tabId);
    // A listener may have been quicker and have taken the tab away from there already.
    const hit = sessions.owner(call.tabId) === undefined ? guard.hitOn(call.tabId) : undefined;
    if (hit !== undefined) throw domainBlocked(hit);
    if (now) guard.checkTab(call.tabId, now.address, action.type, true);
    sessions.touch(call.tabId);
  }

  #checkMade(call: Running): void {
    for (const tabId of call.made) {
      const hit = this.#parts.guard.hitOn(tabId);
      if (hit !== undefined) throw domainBlocked(hit);
      this.#parts.sessions.touch(tabId);
    }
  }
}

function perform<K extends ActionType>(
  handlers: Handlers,
  type: K,
  action: ActionMap[K]['params'],
  call: Call,
): Promise<ActionMap[K]['result']> {
  const handler = handlers[type];
  if (typeof handler === 'symbol') throw new ActionError('unsupported', `this version of the extension cannot ${type}`);
  return handler(action, call);
}

// The address that an action asks for, if any.
function askedOf(action: Action): string | undefined {
  return action.type === 'open_tab' || action.type === 'navigate' || action.type === 'session' ? action.url : undefined;
}

// The tab that an action works on; undefined for actions without one.
function tabOf(action: Action, agentId: string, sessions: Sessions): number | undefined {
  if (action.type === 'close_tab' || action.type === 'activate_tab') return action.tabId;
  if (!methods[action.type].onPage) return undefined;
  return ('tabId' in action ? action.tabId : undefined) ?? sessions.choose(agentId);
}

// What leaves a page without looking at it is allowed on the browser's own pages too; closing one that is the
// user's is not.
function isMoving(action: Action, isOwn: boolean): boolean {
  return action.type === 'navigate' || (action.type === 'close_tab' && isOwn);
}

function timeoutOf({action, timeoutMs}: Request): number {
  if (timeoutMs !== undefined) return timeoutMs;
  let own = methods[action.type].timeoutMs;
  if (action.type === 'type' || action.type === 'fill') own += 5 * (action.text?.length ?? 0);
  if (action.type === 'session' && action.op === 'create') own = methods.open_tab.timeoutMs;
  if (action.type === 'wait_for' && action.timeoutMs !== undefined) own = action.timeoutMs + limits.timeoutSlackMs;
  return Math.min(own, limits.maxTimeoutMs + limits.timeoutSlackMs);
}

// A handler may end in its own way while it is stopped; stop and the blocklist have the last word, and
// nothing that was read by then leaves.
function overruled(ended: Reply, by: ActionError): Reply {
  if (by.code !== 'stopped' && by.code !== 'domain_blocked') return ended;
  const outcome = 'error' in ended ? (ended.error.outcome ?? 'unknown') : 'done';
  return {error: wireError(new ActionError(by.code, by.message), outcome)};
}

function unheard(certain: boolean): Reply {
  const error = certain
    ? new ActionError('not_connected', 'the request never arrived: nothing was done, call again', {
        outcome: 'not_sent',
        retryable: 'same',
      })
    : new ActionError(
        'not_connected',
        'the browser or the extension was started anew since: what came of the request is unknown, look at the page',
        {outcome: 'unknown', retryable: 'after_refresh'},
      );
  return {error: wireError(error, 'not_sent')};
}

function isGivenUp({code, outcome}: WireError): boolean {
  return code === 'cancelled' && outcome === 'unknown';
}

function remembered({reply, dropped}: LedgerRecord<Reply>): Reply {
  if (reply) return reply;
  const error = dropped
    ? new ActionError(
        'internal',
        'the action was done, but its result was too large to be kept: look at the page again',
        {
          outcome: 'done',
          retryable: 'after_refresh',
        },
      )
    : new ActionError(
        'not_connected',
        'the extension was restarted while the action ran, so its end was not seen: look at the page first',
        {
          outcome: 'unknown',
          retryable: 'after_refresh',
        },
      );
  return {error: wireError(error, 'unknown')};
}

function actionTypes(): ActionType[] {
  return Object.keys(methods).filter((name): name is ActionType => Object.hasOwn(methods, name));
}

/** IsReply checks a reply that comes out of storage, where only `wireError` and handlers put one. */
export function readReply(value: unknown): Reply | undefined {
  return isReply(value) ? value : undefined;
}

function isReply(value: unknown): value is Reply {
  return isRecord(value) && (isRecord(value.result) || isRecord(value.error));
}
