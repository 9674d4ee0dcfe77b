/** The one error that an action may end with, and how anything else thrown becomes it. */

import type {Element, ErrorCode, Outcome, Retryable, TabInfo} from '../protocol.gen';
import {errorInfo} from '../protocol.gen';

/** What an {@link ActionError} carries beside its code and message; all optional. */
export interface ErrorDetail {
  /** What became of the action. Absent: `unknown` once the handler said `started()`, else `not_sent`. */
  outcome?: Outcome;
  /** Whether the caller may send it again. Absent: what the code usually means. */
  retryable?: Retryable;
  /** The step that failed: resolve, enabled, scroll, geometry, stable, hit test, input, verify, settle. */
  step?: string;
  /** Elements that the message speaks of, at most 20. */
  elements?: Element[];
  /** Tabs among which the call could not choose, at most 50. */
  candidates?: TabInfo[];
  /** What was thrown underneath; it stays in this process. */
  cause?: unknown;
}

/**
 * ActionError ends an action with a code of the protocol. Handlers throw it; everything else that is
 * thrown becomes `internal`. The message is read by an agent: lower case, what happened, what was
 * expected, what to do next; never a token.
 */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly code: ErrorCode;
  readonly outcome: Outcome | undefined;
  readonly retryable: Retryable;
  readonly step: string | undefined;
  readonly elements: Element[] | undefined;
  readonly candidates: TabInfo[] | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : {cause: detail.cause});
    this.code = code;
    this.outcome = detail.outcome;
    this.retryable = detail.retryable ?? errorInfo[code].retryable;
    this.step = detail.step;
    this.elements = detail.elements;
    this.candidates = detail.candidates;
  }
}

/** AsActionError keeps an ActionError and wraps everything else as `internal`. */
export function asActionError(thrown: unknown): ActionError {
  if (thrown instanceof ActionError) return thrown;
  return new ActionError('internal', `the extension failed: ${messageOf(thrown)}; report this if it comes again`, {
    cause: thrown,
  });
}

/** MessageOf is the text of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : 'something that is no error was thrown';
}

/**
 * AbortedBy is the ActionError that a call's signal was aborted with (timeout, cancelled, stopped).
 * Throw it where work is given up because of the signal.
 */
export function abortedBy(signal: AbortSignal): ActionError {
  const reason: unknown = signal.reason;
  if (reason instanceof ActionError) return reason;
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    return new ActionError('timeout', 'the page was not ready in time: it may still be loading; try again', {
      cause: reason,
    });
  }
  return new ActionError('cancelled', 'the call was cancelled before it ended', {cause: reason});
}
