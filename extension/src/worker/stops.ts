/** The user's stop: the latch first, then what runs, then the sessions, then the word to the server. */

import type {Events} from './events';
import {events} from './events';
import type {Latch, StopAllBy} from './latch';
import {latch} from './latch';
import type {Sessions} from './sessions';
import {sessions} from './sessions';

/** Stops carries out what the user says with the stop buttons and with Chrome's debugging bar. */
export class Stops {
  readonly #latch: Latch;
  readonly #sessions: Sessions;
  readonly #events: Events;

  constructor(held: Latch, records: Sessions, told: Events) {
    this.#latch = held;
    this.#sessions = records;
    this.#events = told;
  }

  /**
   * All stops everything until the user resumes: calls in flight are aborted at once, and the latch is stored
   * before anybody is told. Chrome's Cancel detaches every tab and so says it several times: once is enough.
   */
  async all(by: StopAllBy): Promise<void> {
    const first = this.#latch.state.all === undefined;
    await this.#latch.stopAll(by);
    const ended = this.#sessions.endAll(by === 'global_stop' ? 'global_stop' : 'detached');
    if (first || ended.length > 0) this.#events.emit({type: 'global_stop', sessions: ended.length});
  }

  /** Session stops the session that a tab belongs to: its agent and all of the agent's tabs. */
  async session(tabId: number): Promise<void> {
    const owner = this.#sessions.owner(tabId);
    if (owner === undefined) return;
    const tabIds = this.#sessions
      .list()
      .filter((record) => record.agentId === owner)
      .map((record) => record.tabId);
    await this.#latch.stop(owner, tabIds);
    this.#sessions.endAll('user_stopped', (record) => record.agentId === owner);
  }

  /** Resume lifts every stop. Only the user's act may lead here. */
  resume(): Promise<void> {
    return this.#latch.resume();
  }
}

/** The worker's stops. */
export const stops = new Stops(latch, sessions, events);
