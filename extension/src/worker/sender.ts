/** Commands under way to one tab, and everything that may end them before the browser answers. */

import {type CdpError, type SendOptions, command, readError} from './cdp';
import {ActionError, abortedBy} from './errors';
import {lostAttachment, tabGone} from './losses';

/** Pending is what decides which of the commands under way a happening ends. */
export interface Pending {
  /** If true, a dialog does not end it. */
  readonly pastDialog: boolean;
  /** If true, it works on a page whose process died. */
  readonly pastCrash: boolean;
  /** The CDP session that it went to; undefined for the tab's own. */
  readonly session: string | undefined;
}

interface Sent extends Pending {
  fail(error: ActionError): void;
}

const defaultTimeoutMs = 30_000;
const revives = new Set(['Page.navigate', 'Page.reload', 'Page.navigateToHistoryEntry']);

/** Sender sends commands to one tab; each ends exactly once, by whatever comes first. */
export class Sender {
  readonly #tabId: number;
  readonly #refusal: (pending: Pending) => ActionError | undefined;
  readonly #unattached: () => void;
  readonly #sent = new Set<Sent>();

  /**
   * @param refusal says why a command cannot be sent now; undefined when it can.
   * @param unattached hears that Chrome knows of no attachment, in case it never told.
   */
  constructor(tabId: number, refusal: (pending: Pending) => ActionError | undefined, unattached: () => void) {
    this.#tabId = tabId;
    this.#refusal = refusal;
    this.#unattached = unattached;
  }

  /** Idle tells that no command is under way. */
  get idle(): boolean {
    return this.#sent.size === 0;
  }

  /** Send sends one command; it is on its way when this returns. */
  send(method: string, params: object | undefined, options: SendOptions): Promise<unknown> {
    const {session, signal, timeoutMs = defaultTimeoutMs, pastDialog = false} = options;
    const kind: Pending = {pastDialog, pastCrash: revives.has(method), session};
    const refused = signal?.aborted ? abortedBy(signal) : this.#refusal(kind);
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        this.#sent.delete(sent);
      };
      const sent: Sent = {
        ...kind,
        fail: (error) => {
          done();
          reject(error);
        },
      };
      const aborted = (): void => {
        if (signal) sent.fail(abortedBy(signal));
      };
      const timer = setTimeout(() => {
        sent.fail(
          new ActionError(
            'timeout',
            `the page did not answer ${method} within ${Math.round(timeoutMs)} ms; it may be busy`,
          ),
        );
      }, timeoutMs);
      signal?.addEventListener('abort', aborted);
      this.#sent.add(sent);
      command(this.#tabId, session, method, params).then(
        (result) => {
          done();
          resolve(result);
        },
        (thrown: unknown) => {
          // What has already failed (by a dialog, by a detach) has the better error.
          if (this.#sent.has(sent)) sent.fail(this.#translate(readError(method, thrown)));
        },
      );
    });
  }

  /** Fail ends the commands under way that `which` chooses. */
  fail(error: ActionError, which: (pending: Pending) => boolean): void {
    for (const sent of [...this.#sent]) if (which(sent)) sent.fail(error);
  }

  #translate(error: CdpError): ActionError {
    if (/no tab with/i.test(error.cdpMessage)) return tabGone(this.#tabId);
    const isUnattached = /not attached to the tab/i.test(error.cdpMessage);
    if (!isUnattached && !/Detached while handling/i.test(error.cdpMessage)) return error;
    // After this turn: the command that found out fails first, with its own error.
    if (isUnattached) setTimeout(this.#unattached);
    return lostAttachment(error.cdpMessage);
  }
}
