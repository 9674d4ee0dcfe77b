/** The errors of a tab that cannot be spoken to any more. */

import {ActionError} from './errors';

/** TabGone is the error for a tab that is closed. */
export function tabGone(tabId: number): ActionError {
  return new ActionError('tab_not_found', `tab ${tabId.toString()} is closed; list the tabs again`);
}

class Lost extends ActionError {}

/** LostAttachment is the error for a tab that is not attached (any more), though it is there. */
export function lostAttachment(why: string): ActionError {
  const message = `the connection to the tab was lost (${why}); look at the page again, then retry`;
  return new Lost('internal', message, {retryable: 'same'});
}

/** IsLost tells whether an error is one of {@link lostAttachment}. */
export function isLost(thrown: unknown): boolean {
  return thrown instanceof Lost;
}

/** FrameGone is the error for a frame of another process that went away with what it was asked. */
export function frameGone(): ActionError {
  return new ActionError('element_stale', 'the frame went away meanwhile; extract again');
}

class BetweenDocuments extends ActionError {}

/** BetweenDocuments is the error for a frame that got a new document under what it was asked. */
export function betweenDocuments(): ActionError {
  const message = 'the page changed its document meanwhile; extract again';
  return new BetweenDocuments('element_stale', message, {step: 'resolve'});
}

/** IsBetweenDocuments tells whether an error is one of {@link betweenDocuments}: the new document may be asked. */
export function isBetweenDocuments(thrown: unknown): boolean {
  return thrown instanceof BetweenDocuments;
}

class Crash extends ActionError {}

/** Crashed is the error for a page whose process died. */
export function crashed(): ActionError {
  return new Crash('internal', 'the page crashed; reload it with navigate, to: reload', {
    retryable: 'after_refresh',
  });
}

/** IsCrashed tells whether an error is one of {@link crashed}. */
export function isCrashed(thrown: unknown): boolean {
  return thrown instanceof Crash;
}
