/** What each CDP session of a tab is set to, and how that is put into it. */

import type {Protocol} from 'devtools-protocol';
import type {Send} from './cdp';
import {watchFromTheStart} from './unload';

// Launched browsers set the flag for every page; a person's own browser never does.
const hideWebdriver = `if (navigator.webdriver) Object.defineProperty(Navigator.prototype, 'webdriver', {
  ...Object.getOwnPropertyDescriptor(Navigator.prototype, 'webdriver'), get: () => false});`;

const applyMs = 10_000;

/** Wanted is what differs from session to session. */
export interface Wanted {
  /** If true, the page is made to believe that it is shown and focused. */
  focus: boolean;
  /** If true, its documents never make the browser ask whether to leave. */
  neverAsks: boolean;
  /** Takes in the frames of the session. */
  learn: (tree: Protocol.Page.FrameTree) => void;
}

/** ApplyState puts our state into one session, all commands at once: they are sent when this returns. */
export function applyState(
  send: Send,
  session: string | undefined,
  {focus, neverAsks, learn}: Wanted,
): Promise<unknown>[] {
  const options = {session, timeoutMs: applyMs};
  const sent: Promise<unknown>[] = [
    send('Page.enable', {}, options),
    send('Page.addScriptToEvaluateOnNewDocument', {source: hideWebdriver, runImmediately: true}, options),
    send('Runtime.enable', undefined, options),
    send('Page.getFrameTree', undefined, options).then(({frameTree}) => {
      learn(frameTree);
    }),
    // After the frames are known: it tells what each document has been through already.
    send('Page.setLifecycleEventsEnabled', {enabled: true}, options),
  ];
  // Of a child's crash the tab's own session is not told, and a crashed frame only loses its session.
  if (session === undefined) sent.push(send('Inspector.enable', undefined, options));
  if (neverAsks) sent.push(send('Page.addScriptToEvaluateOnNewDocument', watchFromTheStart, options));
  if (focus) sent.push(send('Emulation.setFocusEmulationEnabled', {enabled: true}, options));
  // A frame that waits for us would wait for ever when this worker is dead: so none waits.
  const auto = {autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{type: 'iframe'}]};
  sent.push(send('Target.setAutoAttach', auto, options));
  return sent;
}

/** TakeOff ends what an earlier worker switched on, as far as it would otherwise not be told anew. */
export function takeOff(send: Send): void {
  for (const off of ['Page.disable', 'Runtime.disable', 'Fetch.disable'] as const)
    void send(off).catch(() => undefined);
  const none = {autoAttach: false, waitForDebuggerOnStart: false, flatten: true};
  void send('Target.setAutoAttach', none).catch(() => undefined);
}
