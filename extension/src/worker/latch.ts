/**
 * The stop latch: after the user said stop, every dispatch is refused until the user resumes. It is
 * stored before anybody is told, and survives restarts of the worker and of the browser.
 */

import {ActionError} from './errors';
import {perRun} from './run';
import type {Store} from './storage';
import {isRecord, local} from './storage';

/** Who stopped everything: the popup's "Stop all", or Cancel in Chrome's debugging bar. */
export type StopAllBy = 'global_stop' | 'debugging_bar';

/** LatchState is what is stopped. Times are epoch milliseconds. */
export interface LatchState {
  /** Set while everything is stopped. */
  all?: {at: number; by: StopAllBy};
  /** Stopped agents, each with the time. */
  agents: Record<string, number>;
  /** Tabs whose session the user stopped: nobody may act there, whatever the agent calls itself. */
  tabs: number[];
}

const key = 'latch';
const runKey = 'run';

/** Latch holds what the user stopped. */
export class Latch {
  readonly #durable: Store;
  readonly #run: Store;
  readonly #listeners = new Set<() => void>();
  #state: LatchState = {agents: {}, tabs: []};
  #runId = '';

  /**
   * @param durable outlives the browser.
   * @param run lasts as long as the browser runs: tab ids mean something within that alone.
   */
  constructor(durable: Store, run: Store) {
    this.#durable = durable;
    this.#run = run;
  }

  /** Load brings the stored latch back. Call it once, before anything is dispatched. */
  async load(): Promise<void> {
    const [stored, run] = await Promise.all([this.#durable.get(key), this.#run.get(runKey)]);
    this.#runId = typeof run === 'string' ? run : crypto.randomUUID();
    if (run !== this.#runId) await this.#run.set({[runKey]: this.#runId});
    if (!isRecord(stored)) return;
    this.#state = stateOf(stored);
    if (stored.run !== this.#runId) this.#state.tabs = [];
  }

  /** OnChange registers who must act on a change at once: it is called before the change is stored. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** State is a copy of what is stopped. */
  get state(): LatchState {
    return structuredClone(this.#state);
  }

  /** Check refuses a dispatch. @throws ActionError stopped */
  check(agentId: string, tabId: number): void {
    const {all, agents, tabs} = this.#state;
    if (all)
      throw stopped(
        all.by === 'global_stop' ? 'the user pressed "Stop all"' : "the user pressed Cancel in Chrome's debugging bar",
      );
    if (Object.hasOwn(agents, agentId)) throw stopped('the user stopped your session');
    if (tabs.includes(tabId)) throw stopped('the user stopped the session on this tab');
  }

  /** StopAll stops everything; it resolves when that is stored. */
  async stopAll(by: StopAllBy): Promise<void> {
    // The first reason stays: a later one says nothing new.
    this.#state.all ??= {at: Date.now(), by};
    await this.#changed();
  }

  /** Stop stops one session: its agent and its tabs. It resolves when that is stored. */
  async stop(agentId: string, tabIds: readonly number[]): Promise<void> {
    this.#state.agents[agentId] = Date.now();
    this.#state.tabs = [...new Set([...this.#state.tabs, ...tabIds])];
    await this.#changed();
  }

  /** Closed forgets a tab that is gone: Chrome may give its number again after a restart only. */
  closed(tabId: number): void {
    if (!this.#state.tabs.includes(tabId)) return;
    this.#state.tabs = this.#state.tabs.filter((id) => id !== tabId);
    void this.#save();
  }

  /** Replaced follows a tab whose id Chrome changed. */
  replaced(added: number, removed: number): void {
    if (!this.#state.tabs.includes(removed)) return;
    this.#state.tabs = this.#state.tabs.map((id) => (id === removed ? added : id));
    void this.#save();
  }

  /** Resume lifts everything. Only the user's act may lead here. */
  async resume(): Promise<void> {
    this.#state = {agents: {}, tabs: []};
    await this.#changed();
  }

  #changed(): Promise<void> {
    for (const listener of this.#listeners) listener();
    return this.#save();
  }

  #save(): Promise<void> {
    return this.#durable.set({[key]: {...structuredClone(this.#state), run: this.#runId}});
  }
}

function stopped(what: string): ActionError {
  return new ActionError(
    'stopped',
    `${what}: nothing more is done until the user presses Resume in Drawbridge's popup; tell them so`,
  );
}

function stateOf(stored: Record<string, unknown>): LatchState {
  const state: LatchState = {agents: {}, tabs: []};
  const {all, agents, tabs} = stored;
  if (isRecord(all) && typeof all.at === 'number') {
    state.all = {at: all.at, by: all.by === 'debugging_bar' ? 'debugging_bar' : 'global_stop'};
  }
  if (isRecord(agents)) {
    for (const [agent, at] of Object.entries(agents)) if (typeof at === 'number') state.agents[agent] = at;
  }
  if (Array.isArray(tabs)) state.tabs = tabs.filter((id) => typeof id === 'number');
  return state;
}

/** The worker's latch. */
export const latch = new Latch(local, perRun);
