/** Refs of documents that are gone: told apart from refs that never were. */

import type {Action} from '../protocol.gen';
import {ActionError} from './errors';

/**
 * StaleRef turns the error of a ref that no document of the tab knows into `element_stale` when the tab once
 * told it: the document that it was in, or its frame's, is gone. Any other error is given back as it is.
 *
 * @param mark the tab's mark: all refs below it were told.
 * @param address where the tab is now, for the agent.
 */
export function staleRef(thrown: unknown, action: Action, mark: number, address: string | undefined): unknown {
  if (!(thrown instanceof ActionError) || thrown.code !== 'element_not_found') return thrown;
  const old = refsOf(action).find(
    (ref) => Number(ref.slice(1)) < mark && new RegExp(`\\b${ref}\\b`).test(thrown.message),
  );
  if (old === undefined) return thrown;
  const where = address === undefined ? '' : `; the tab is at ${address} now`;
  return new ActionError(
    'element_stale',
    `${old} was told of a document that has gone since${where}; take a new snapshot, then choose again`,
    {step: 'resolve', ...(thrown.outcome === undefined ? {} : {outcome: thrown.outcome}), cause: thrown},
  );
}

function refsOf(action: Action): string[] {
  const named = [
    'uid' in action ? action.uid : undefined,
    ...(action.type === 'drag' ? [action.from.uid, action.to?.uid] : []),
  ];
  return named.filter((ref) => ref !== undefined);
}
