/** wait_for: until something is so in the page, told by its events; nothing is polled. */

import type {Wish} from '../../page/actapi';
import type {WaitFor} from '../../protocol.gen';
import type {Handler} from '../call';
import {ActionError, abortedBy} from '../errors';
import {isBetweenDocuments, isCrashed} from '../losses';
import {late as changedLately} from '../news';
import {pageworld} from '../pageworld';
import {type Tab, tabs} from '../tab';
import {targetOf} from './target';

/** How long to wait when the call does not say, in milliseconds. */
const defaultMs = 30_000;

/** Kept from the call's own deadline, in milliseconds, so that this error and not the call's is the answer. */
const marginMs = 200;

/** How long no request may run for the network to be idle, in milliseconds. */
const idleMs = 500;

/** Wait_for waits for a target's state, text, an address, a state of loading, or a time. */
export const waitFor: Handler<'wait_for'> = async (action, call) => {
  const began = performance.now();
  const limit = Math.min(action.timeoutMs ?? Math.max(defaultMs, action.ms ?? 0), call.deadline - began - marginMs);
  const over = new AbortController();
  const timer = setTimeout(
    () => {
      over.abort(late(action, limit));
    },
    Math.max(limit, 0),
  );
  const signal = AbortSignal.any([call.signal, over.signal]);
  try {
    const tab = await tabs.get(call.tabId, signal);
    await until(action, tab, signal, began + limit);
    const waitedMs = Math.round(performance.now() - began);
    const changed = await changedLately(tab, call.signal);
    const notes = tab.takeNotes();
    return {...changed, ok: true, waitedMs, ...(notes.length > 0 ? {notes} : {})};
  } finally {
    clearTimeout(timer);
    // What still waits for the page gives up.
    over.abort(late(action, limit));
  }
};

async function until(action: WaitFor, tab: Tab, signal: AbortSignal, deadline: number): Promise<void> {
  const {ms, url, load, text, textGone, state} = action;
  const target = targetOf(action);
  if (target) await untilPage(tab, {target, state}, signal, deadline);
  else if (text !== undefined || textGone !== undefined) await untilPage(tab, {text, textGone}, signal, deadline);
  else if (url !== undefined)
    await tab.frames.waitFor(() => matches(tab.frames.top?.url ?? '', url) || undefined, signal);
  else if (load !== undefined) await untilLoaded(tab, load, signal);
  else if (ms !== undefined) await pause(ms, signal);
}

/**
 * Matches tells whether an address is the one waited for: it contains the pattern, or, with a `*` in it, the
 * pattern is the whole address.
 */
export function matches(address: string, pattern: string): boolean {
  if (!pattern.includes('*')) return address.includes(pattern);
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(address);
}

async function untilLoaded(tab: Tab, load: NonNullable<WaitFor['load']>, signal: AbortSignal): Promise<void> {
  const {frames} = tab;
  const event = {load: 'load', domcontentloaded: 'DOMContentLoaded', networkidle: 'networkIdle'}[load];
  await frames.waitFor(() => frames.top?.lifecycle.has(event) === true || undefined, signal);
  if (load === 'networkidle') await untilQuiet(tab, signal);
}

/** UntilQuiet waits until no request has run for half a second; those that began before it looked are not known. */
async function untilQuiet(tab: Tab, signal: AbortSignal): Promise<void> {
  const running = new Set<string>();
  let busy = (): void => undefined;
  const off = [
    tab.on('Network.requestWillBeSent', ({requestId, type}) => {
      // These never end by themselves.
      if (type === 'EventSource' || type === 'WebSocket' || type === 'Ping') return;
      running.add(requestId);
      busy();
    }),
    tab.on('Network.loadingFinished', ({requestId}) => {
      if (running.delete(requestId)) busy();
    }),
    tab.on('Network.loadingFailed', ({requestId}) => {
      if (running.delete(requestId)) busy();
    }),
  ];
  try {
    await tab.send('Network.enable', {}, {signal});
    await new Promise<void>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      busy = () => {
        clearTimeout(timer);
        timer = running.size > 0 ? undefined : setTimeout(resolve, idleMs);
      };
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(abortedBy(signal));
      });
      busy();
    });
  } finally {
    for (const stop of off) stop();
  }
}

/**
 * UntilPage waits for a wish over all frames: for something to be there one frame is enough, for something to be
 * gone it must be gone in all. When a frame gets a new document the frames are asked anew.
 */
async function untilPage(tab: Tab, wish: Wish, signal: AbortSignal, deadline: number): Promise<void> {
  const gone = wish.textGone !== undefined || wish.state === 'hidden' || wish.state === 'detached';
  for (let first = true; ; first = false) {
    const round = new AbortController();
    const both = AbortSignal.any([signal, round.signal]);
    const renewed = new Promise<'renewed'>((resolve) => {
      const renew = (): void => {
        resolve('renewed');
      };
      const off = [
        tab.on('Page.frameNavigated', renew),
        tab.on('Page.frameAttached', renew),
        tab.on('Page.frameDetached', renew),
        // Of a frame of another process this is the last that is heard, and the first after which it is no longer there.
        tab.on('Target.detachedFromTarget', renew),
      ];
      both.addEventListener('abort', () => {
        for (const stop of off) stop();
      });
    });
    try {
      const met = await Promise.race([ask(tab, wish, gone, both, deadline, first), renewed]);
      if (met === true) return;
      if (met === false) await Promise.race([rest(signal), renewed]);
    } finally {
      round.abort();
    }
  }
}

/** Ask asks every frame; it answers once the wish is met, and false when none of them can say so any more. */
async function ask(
  tab: Tab,
  wish: Wish,
  gone: boolean,
  signal: AbortSignal,
  deadline: number,
  first: boolean,
): Promise<boolean> {
  const left = (): number => Math.max(0, deadline - performance.now());
  const unknown: unknown[] = [];
  const answers = tab.frames.all().map(async (frame): Promise<boolean> => {
    try {
      return await inFrame(tab, frame.id, wish, gone, signal, left()).catch((error: unknown) => {
        if (!isBetweenDocuments(error) || !tab.frames.get(frame.id) || signal.aborted) throw error;
        // Its event may have come before the round began, so that nothing else would have the new document asked.
        return inFrame(tab, frame.id, wish, gone, signal, left());
      });
    } catch (error) {
      if (!(error instanceof ActionError) || signal.aborted) throw error;
      if (error.code === 'dialog_open' || error.code === 'invalid_action' || isCrashed(error)) throw error;
      // A uid of another frame; or a frame that is gone, or one where nothing of ours can be.
      if (error.code === 'element_not_found') unknown.push(error);
      return gone;
    }
  });
  if (!gone) {
    const found = await Promise.race([
      ...answers.map((answer) => answer.then((met) => (met ? true : never<boolean>()))),
      Promise.all(answers).then((all) => all.includes(true)),
    ]);
    if (!found && first && unknown.length === answers.length) throw unknown[0];
    return found;
  }
  const all = await Promise.all(answers);
  if (first && unknown.length === answers.length) throw unknown[0];
  if (!all.every(Boolean)) return false;
  // They became so one after the other: once more, all at the same time.
  const again = tab.frames.all().map((frame) => inFrame(tab, frame.id, wish, gone, signal, 0).catch(() => true));
  return (await Promise.all(again)).every(Boolean);
}

/**
 * InFrame waits for a wish in one frame, at most so long. What is in a frame that nobody can see is not shown,
 * whatever its own document says: it counts as gone, and as not there until the frame is shown.
 */
async function inFrame(
  tab: Tab,
  frameId: string,
  wish: Wish,
  gone: boolean,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  const left = (): number => Math.max(0, until - performance.now());
  const seen = wish.state !== 'attached' && wish.state !== 'detached';
  const isShown = (ms: number): Promise<boolean> => pageworld.frameShown(tab, frameId, ms, signal);
  if (gone && seen && !(await isShown(0))) return true;
  for (;;) {
    const order = {...wish, timeoutMs: left(), call: crypto.randomUUID()};
    const {met} = await pageworld.call(tab, frameId, 'wait', order, signal);
    if (!met || gone || !seen || (await isShown(0))) return met;
    // Once it is shown, what was wished for may have gone again.
    if (!(await isShown(left()))) return false;
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** Rest waits for the end: every frame's own time was over just before it. */
function rest(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const aborted = (): void => {
      reject(abortedBy(signal));
    };
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted);
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(abortedBy(signal));
    });
  });
}

function late(action: WaitFor, ms: number): ActionError {
  return new ActionError(
    'timeout',
    `waited ${Math.round(ms)} ms for ${wanted(action)}, and it is not so; look at the page, then decide`,
    {
      outcome: 'not_sent',
    },
  );
}

function wanted({uid, selector, state, text, textGone, url, load, ms}: WaitFor): string {
  if (uid !== undefined || selector !== undefined) return `${uid ?? selector ?? ''} to be ${state ?? 'visible'}`;
  if (text !== undefined) return `the text ${JSON.stringify(text)}`;
  if (textGone !== undefined) return `the text ${JSON.stringify(textGone)} to go`;
  if (url !== undefined) return `the address ${url}`;
  return load === undefined ? `${ms ?? 0} ms to pass` : `the state ${load}`;
}
