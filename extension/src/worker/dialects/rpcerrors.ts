/** Errors of the rpc dialect, and which of them an error of the engine becomes. */

import type {Error as WireError, ErrorCode} from '../../protocol.gen';
import {rpcCodes} from '../../protocol.gen';

/** RpcCodeName is the name of an error code of the rpc dialect. */
export type RpcCodeName = keyof typeof rpcCodes;

/** RpcRefusal ends a call with an error of the rpc dialect. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  /** The engine's own error, which says more than the code does. */
  readonly data: WireError | undefined;

  constructor(code: RpcCodeName, message: string, data?: WireError) {
    super(message);
    this.code = rpcCodes[code];
    this.data = data;
  }
}

/**
 * AnswerTo is the rpc error for an error of the engine's.
 *
 * @param method what was called: an action that a page refuses has a code of its own.
 */
export function answerTo(error: WireError, method: string): RpcRefusal {
  return new RpcRefusal(twin(error, method.startsWith('pages.')), error.message, error);
}

const twins: Readonly<Partial<Record<ErrorCode, RpcCodeName>>> = {
  not_owner: 'tab_claimed',
  session_not_found: 'session_not_found',
  tab_not_found: 'tab_not_found',
  element_not_found: 'page_ref_not_found',
  element_stale: 'page_ref_not_found',
  unsupported: 'method_not_found',
  timeout: 'operation_failed',
  stopped: 'operation_failed',
  cancelled: 'operation_failed',
  internal: 'internal_error',
};

function twin({code, step}: WireError, onPage: boolean): RpcCodeName {
  if (step === 'group') return 'tab_group_failed';
  const own = twins[code];
  if (own !== undefined) return own;
  if (onPage) return 'page_operation_failed';
  return code === 'invalid_action' ? 'invalid_params' : 'operation_failed';
}
