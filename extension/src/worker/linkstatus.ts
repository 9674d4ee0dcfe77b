/** The states of the link that are told to a person, in their words. */

import type {DialectName, LinkState} from '../messages';

/** LinkStatus is what a person may know of the link. */
export interface LinkStatus {
  state: LinkState;
  reason?: string;
  code?: string;
  browserName?: string;
  serverVersion?: string;
}

const hints: Readonly<Record<DialectName, string>> = {
  bridge: ' Pair again with the link that "drawbridge pair" prints.',
  rpc: ' Give it the token of a browser, or choose the other protocol in the settings.',
};

/** NotPaired is the state before the first pairing. */
export const notPaired: LinkStatus = {
  state: 'off',
  reason: 'This browser is not paired yet: paste the link that "drawbridge up" prints.',
};

/** Replaced is the state of a link whose place another connection of this browser took. */
export const replaced: LinkStatus = {
  state: 'replaced',
  reason: 'The other one is at work now. Press Connect now to take it back.',
};

/** Unencrypted is the state of a link that would send its token over the network for all to read. */
export function unencrypted(address: string): LinkStatus {
  return {
    state: 'off',
    reason: `${address} is another machine, and the connection to it would not be encrypted: pair by a link that begins with https://.`,
  };
}

/** Refused is the state of a link to a server that said no, in a dialect. */
export function refused(code: string, message: string, dialect: DialectName): LinkStatus {
  // Our own server says itself what to do next; others may not.
  const hint = code === 'protocol_mismatch' || /\bpair\b/.test(message) ? '' : hints[dialect];
  return {state: 'fatal', code, reason: `${message.charAt(0).toUpperCase()}${message.slice(1)}.${hint}`};
}

/** Unproven is the state of a link whose server could not prove that it is the one that was paired with. */
export function unproven(address: string, why: string): LinkStatus {
  return {
    state: 'fatal',
    code: 'server_unproven',
    reason:
      `What answers at ${address} is not the server that this browser was paired with: ${why}. ` +
      'If you moved or set up the server anew, pair again with the link that "drawbridge pair" prints; ' +
      'if not, another program has taken its place: stop that one, start the server and press Connect now.',
  };
}

/** IsSettled tells whether only the user leaves a state. */
export function isSettled(status: LinkStatus): boolean {
  return status.state === 'fatal' || status.state === 'replaced';
}
