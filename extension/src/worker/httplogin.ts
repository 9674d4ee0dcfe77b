/** HTTP authentication by a user and password that an agent may use and not know. */

import type {Protocol} from 'devtools-protocol';
import type {Call} from './call';
import {ActionError} from './errors';
import type {Tab} from './tab';

/** Login is what a server that asks for it is given. */
export interface Login {
  /** `user:password`. */
  readonly credentials: string;
  /** The origins whose servers may be given it. */
  readonly onlyOn: readonly string[];
}

/** Challenge is a server's or a proxy's demand for a log-in, as far as it matters here. */
export type Challenge = Pick<Protocol.Fetch.AuthRequiredEvent, 'authChallenge' | 'frameId'> & {request: {url: string}};

// In others the password would go to whoever sits between, or nobody here knows what is sent.
const schemes = new Set(['basic', 'digest']);

/**
 * WithLogin does work during which a server that asks for the top document's user and password gets them, once: one of
 * the login's origins, never a proxy. Only the documents of those origins are held up for it, by one round trip each.
 *
 * @throws {@link ActionError} `navigation_failed` when the server refused them.
 */
export async function withLogin<T>(tab: Tab, login: Login, call: Call, work: () => Promise<T>): Promise<T> {
  const at = login.credentials.indexOf(':');
  if (at < 0) {
    throw new ActionError('invalid_action', 'credentials must be of the form user:password; nothing was sent', {
      outcome: 'not_sent',
    });
  }
  const [username, password] = [login.credentials.slice(0, at), login.credentials.slice(at + 1)];
  let given = false;
  let refusedBy: string | undefined;
  const answer = (event: Challenge): Protocol.Fetch.AuthChallengeResponse => {
    if (event.frameId !== tab.frames.top?.id || !mayHave(event, login)) return {response: 'Default'};
    if (!given) {
      given = true;
      return {response: 'ProvideCredentials', username, password};
    }
    refusedBy = event.authChallenge.origin;
    return {response: 'CancelAuth'};
  };
  const free = {pastDialog: true};
  const off = [
    tab.on('Fetch.requestPaused', ({requestId}) => {
      void tab.send('Fetch.continueRequest', {requestId}, free).catch(() => undefined);
    }),
    tab.on('Fetch.authRequired', (event) => {
      const order = {requestId: event.requestId, authChallengeResponse: answer(event)};
      void tab.send('Fetch.continueWithAuth', order, free).catch(() => undefined);
    }),
  ];
  try {
    const patterns = login.onlyOn.map((origin) => ({urlPattern: `${origin}/*`, resourceType: 'Document' as const}));
    await tab.send('Fetch.enable', {handleAuthRequests: true, patterns}, {signal: call.signal, ...free});
    const done = await work().catch((thrown: unknown) => {
      if (refusedBy === undefined) throw thrown;
      return undefined;
    });
    if (refusedBy !== undefined || done === undefined) throw refused(refusedBy ?? '');
    return done;
  } finally {
    for (const end of off) end();
    // What is still held up goes on by itself with this.
    void tab.send('Fetch.disable', undefined, free).catch(() => undefined);
  }
}

/** MayHave tells whether who asks may be given a login: the server of the request itself, by its origin, in a way that is known. */
export function mayHave({authChallenge, request}: Challenge, {onlyOn}: Login): boolean {
  const {source, origin, scheme} = authChallenge;
  return (
    source === 'Server' &&
    schemes.has(scheme.toLowerCase()) &&
    onlyOn.includes(origin) &&
    onlyOn.includes(new URL(request.url).origin)
  );
}

function refused(origin: string): ActionError {
  return new ActionError(
    'navigation_failed',
    `${origin} did not take the user name and password of this secret: nothing else was tried; tell the user, who sets it anew or logs in by handoff`,
    {outcome: 'done', retryable: 'no'},
  );
}
