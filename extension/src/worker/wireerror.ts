/** An ActionError as the protocol writes it. */

import type {Error as WireError, Outcome} from '../protocol.gen';
import type {ActionError} from './errors';

/** WireError is an ActionError as the protocol writes it, with that outcome where it tells none itself. */
export function wireError(error: ActionError, otherwise: Outcome): WireError {
  const outcome = error.outcome ?? otherwise;
  // The first try may have reached the page: sending the same again could do it twice.
  const retryable = outcome !== 'not_sent' && error.retryable === 'same' ? 'after_refresh' : error.retryable;
  return {
    code: error.code,
    message: error.message.slice(0, 8192),
    outcome,
    retryable,
    ...(error.step === undefined ? {} : {step: error.step}),
    ...(error.elements === undefined ? {} : {elements: error.elements.slice(0, 20)}),
    ...(error.candidates === undefined ? {} : {candidates: error.candidates.slice(0, 50)}),
  };
}
