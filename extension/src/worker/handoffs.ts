/** What agents ask of the user: who asked, for what, and how it ended. Kept over the death of the worker. */

import type {HandoffResult} from '../protocol.gen';
import {abortedBy} from './errors';
import type {Events} from './events';
import {events} from './events';
import type {Sessions} from './sessions';
import {sessions} from './sessions';
import type {Store} from './storage';
import {isRecord, perSession} from './storage';

/** How a handoff ended: the user said done, the obstacle went away, the user refused. */
export type HandoffEnd = Exclude<HandoffResult['state'], 'waiting'>;

/** Handoff is one request to the user. */
export interface Handoff {
  readonly tabId: number;
  readonly agentId: string;
  /** What the user is asked to do, in the agent's words. */
  readonly reason: string;
  readonly until: 'done' | 'obstacle_gone';
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** How it ended, until the agent has been told; absent while it waits. */
  readonly end?: HandoffEnd;
}

/** HandoffEars hears what becomes of handoffs. */
export interface HandoffEars {
  /** Asked: a new one waits for the user. */
  asked(handoff: Handoff): void;
  /** Ended: it waits no longer; `told` when an agent's call hears it just now. */
  ended(handoff: Handoff, told: boolean): void;
  /** Changed: the list of those that wait is another. */
  changed(waiting: readonly Handoff[]): void;
}

const key = 'handoffs';

/** Handoffs holds at most one handoff for each tab. */
export class Handoffs {
  readonly #store: Store;
  readonly #events: Events;
  readonly #byTab = new Map<number, Handoff>();
  readonly #waiters = new Map<number, Set<() => void>>();
  readonly #ears = new Set<HandoffEars>();

  constructor(store: Store, records: Sessions, told: Events) {
    this.#store = store;
    this.#events = told;
    records.onEnded(({tabId}, reason) => {
      // While the user is away sessions rest; what was asked still stands when they are back.
      if (reason !== 'system_idle' && reason !== 'screen_locked') this.drop(tabId);
    });
  }

  /** Listen registers who hears what becomes of handoffs. */
  listen(ears: HandoffEars): void {
    this.#ears.add(ears);
  }

  /** Load brings back what an earlier worker knew. Call it once, after the ears are there. */
  async load(): Promise<void> {
    const stored = await this.#store.get(key);
    if (!Array.isArray(stored)) return;
    for (const value of stored) if (isHandoff(value)) this.#byTab.set(value.tabId, value);
    this.#tellChanged();
  }

  /** Waiting is those that wait for the user, the oldest first. */
  get waiting(): Handoff[] {
    return [...this.#byTab.values()].filter(({end}) => end === undefined).sort((a, b) => a.askedAt - b.askedAt);
  }

  /**
   * Ask puts a request before the user. The same one that waits already, or ended untold, is gone on with; another
   * agent's on the same tab is replaced.
   */
  ask(asked: Omit<Handoff, 'askedAt' | 'end'>): void {
    const known = this.#byTab.get(asked.tabId);
    const isSame = known?.agentId === asked.agentId && known.reason === asked.reason && known.until === asked.until;
    if (isSame || (known?.end !== undefined && known.agentId === asked.agentId)) return;
    const handoff: Handoff = {...asked, askedAt: Date.now()};
    this.#byTab.set(asked.tabId, handoff);
    this.#save();
    for (const ears of this.#ears) ears.asked(handoff);
    this.#tellChanged();
  }

  /**
   * Wait answers how the tab's handoff ended, as soon as it has, and `waiting` after so many milliseconds.
   *
   * @throws ActionError what the signal was aborted with.
   */
  async wait(tabId: number, ms: number, signal: AbortSignal): Promise<HandoffResult['state']> {
    const end = this.#byTab.get(tabId)?.end ?? (await this.#ended(tabId, ms, signal));
    if (end === undefined) return 'waiting';
    // It is told once: the next call asks anew.
    this.#byTab.delete(tabId);
    this.#save();
    return end;
  }

  /** End ends the handoff of a tab; nothing happens when none waits there. */
  end(tabId: number, how: HandoffEnd): void {
    const handoff = this.#byTab.get(tabId);
    if (!handoff || handoff.end !== undefined) return;
    const ended = {...handoff, end: how};
    this.#byTab.set(tabId, ended);
    this.#save();
    if (how === 'done') this.#events.emit({type: 'handoff_done', tabId});
    const waiters = [...(this.#waiters.get(tabId) ?? [])];
    for (const ears of this.#ears) ears.ended(ended, waiters.length > 0);
    this.#tellChanged();
    for (const wake of waiters) wake();
  }

  /** Drop forgets the handoff of a tab without an end: its session is over. */
  drop(tabId: number): void {
    const handoff = this.#byTab.get(tabId);
    if (!handoff) return;
    this.#byTab.delete(tabId);
    this.#save();
    for (const ears of this.#ears) ears.ended(handoff, true);
    this.#tellChanged();
  }

  #ended(tabId: number, ms: number, signal: AbortSignal): Promise<HandoffEnd | undefined> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(tabId) ?? new Set();
      this.#waiters.set(tabId, waiters);
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        waiters.delete(wake);
        if (waiters.size === 0) this.#waiters.delete(tabId);
        if (signal.aborted) reject(abortedBy(signal));
        else resolve(this.#byTab.get(tabId)?.end);
      };
      const timer = setTimeout(wake, Math.max(0, ms));
      waiters.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });
  }

  #tellChanged(): void {
    const {waiting} = this;
    for (const ears of this.#ears) ears.changed(waiting);
  }

  #save(): void {
    void this.#store.set({[key]: [...this.#byTab.values()]});
  }
}

function isHandoff(value: unknown): value is Handoff {
  return (
    isRecord(value) &&
    typeof value.tabId === 'number' &&
    typeof value.agentId === 'string' &&
    typeof value.reason === 'string' &&
    typeof value.askedAt === 'number' &&
    (value.until === 'done' || value.until === 'obstacle_gone')
  );
}

/** The worker's handoffs. */
export const handoffs = new Handoffs(perSession, sessions, events);
