/** The last actions, for the popup. */

import type {ActionStatus} from '../messages';
import type {Store} from './storage';
import {isRecord, perSession} from './storage';

const key = 'recent';
const limit = 20;

/** Recent keeps the last actions over the death of the worker. */
export class Recent {
  readonly #store: Store;
  #actions: ActionStatus[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Load brings back what an earlier worker kept; what happened since stands in front of it. */
  async load(): Promise<void> {
    const stored = await this.#store.get(key);
    if (Array.isArray(stored)) this.#actions = [...this.#actions, ...stored.filter(isAction)].slice(0, limit);
  }

  /** Add puts an action in front. */
  add(action: ActionStatus): void {
    this.#actions = [action, ...this.#actions].slice(0, limit);
    void this.#store.set({[key]: this.#actions});
  }

  /** List is the last actions, the newest first. */
  list(): ActionStatus[] {
    return [...this.#actions];
  }
}

function isAction(value: unknown): value is ActionStatus {
  return (
    isRecord(value) &&
    typeof value.at === 'number' &&
    typeof value.type === 'string' &&
    typeof value.tabId === 'number' &&
    typeof value.domain === 'string' &&
    typeof value.agentId === 'string'
  );
}

/** The worker's last actions. */
export const recent = new Recent(perSession);
