/** Whether somebody is at the machine. While nobody is, agents pause (unless the user set otherwise). */

import {ActionError} from './errors';
import type {Sessions} from './sessions';
import {sessions} from './sessions';
import type {Settings} from './settings';
import {settings} from './settings';

/** How Chrome calls it. */
export type Presence = 'active' | 'idle' | 'locked';

/** After this many seconds without input the machine counts as idle. */
export const idleSeconds = 900;

/** Away follows chrome.idle and ends sessions when the user goes. */
export class Away {
  readonly #settings: Settings;
  readonly #sessions: Sessions;
  #presence: Presence = 'active';

  constructor(rules: Settings, records: Sessions) {
    this.#settings = rules;
    this.#sessions = records;
  }

  /** Pausing tells whether dispatch is refused now. */
  get pausing(): boolean {
    return this.#presence !== 'active' && this.#settings.state.whenAway === 'pause';
  }

  /** Now takes in Chrome's word; sessions end with `system_idle` or `screen_locked`. */
  now(presence: Presence): void {
    this.#presence = presence;
    if (!this.pausing) return;
    this.#sessions.endAll(presence === 'locked' ? 'screen_locked' : 'system_idle');
  }

  /** Check refuses a dispatch while the user is away. @throws ActionError stopped */
  check(): void {
    if (this.pausing) throw pausedFor(this.#presence);
  }
}

function pausedFor(presence: Presence): ActionError {
  const what = presence === 'locked' ? 'the screen is locked' : 'nobody is at the machine';
  return new ActionError(
    'stopped',
    `${what}: nothing is done until the user is back; they can change this in Drawbridge's popup`,
  );
}

/** The worker's view of the user's presence. */
export const away = new Away(settings, sessions);
