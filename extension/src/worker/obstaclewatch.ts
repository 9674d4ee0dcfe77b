/** Waiting until what keeps an agent from a page is gone: looked at again when the page changes, never polled. */

import type {Obstacle} from '../protocol.gen';
import {topFrame} from './actions/target';
import {ActionError, abortedBy, messageOf} from './errors';
import {type Handoff, type HandoffEars, handoffs} from './handoffs';
import {warn} from './log';
import {detectObstacle} from './obstacle';
import {pageworld} from './pageworld';
import {type Tab, tabs} from './tab';

// A walk of a large page for a look that only wants its beginning.
const budgetMs = 2_000;
// Between two log-in pages there is often one with nothing on it: gone is what stays gone this long.
const steadyMs = 700;
// A page that changes all the time is looked at this often at most.
const pauseMs = 500;
// How long one wait for a change of a document runs before it is begun anew.
const changeMs = 20_000;

/** ObstacleWatch follows the tabs of handoffs that end by themselves. */
export const obstacleWatch: HandoffEars = {
  asked: watch,
  ended({tabId}) {
    watching.get(tabId)?.abort();
    watching.delete(tabId);
  },
  changed(waiting) {
    // After a restart of the worker those that wait are not asked anew.
    for (const handoff of waiting) watch(handoff);
  },
};

const watching = new Map<number, AbortController>();

function watch({tabId, until}: Handoff): void {
  if (until !== 'obstacle_gone' || watching.has(tabId)) return;
  const control = new AbortController();
  watching.set(tabId, control);
  untilGone(tabId, control.signal).then(
    () => {
      handoffs.end(tabId, 'gone');
    },
    (thrown: unknown) => {
      if (!control.signal.aborted) warn(`a handoff waits for the user alone: ${messageOf(thrown)}`);
    },
  );
}

/** UntilGone resolves when the tab shows no obstacle any more, having shown one. */
async function untilGone(tabId: number, signal: AbortSignal): Promise<void> {
  let seen = false;
  for (;;) {
    const tab = await tabs.get(tabId, signal);
    const change = changed(tab, signal);
    const obstacle = await look(tab, signal);
    if (obstacle === 'none' && seen) {
      if (!(await pause(steadyMs, signal, change.any)) && (await look(tab, signal)) === 'none') return;
      continue;
    }
    if (obstacle !== 'none' && obstacle !== 'unknown') seen = true;
    await change.any;
    change.end();
    await pause(pauseMs, signal);
  }
}

/** Look tells what stands in the way now; `unknown` while the page cannot be read. Nothing counts as told to an agent. */
export async function look(tab: Tab, signal: AbortSignal): Promise<Obstacle | 'none' | 'unknown'> {
  const top = topFrame(tab);
  if (!top.lifecycle.has('DOMContentLoaded') || top.unreachableUrl !== undefined) return 'unknown';
  const walk = {mark: 0, budgetMs, call: `look.${crypto.randomUUID()}`};
  const start = {offset: 0};
  const from = {markdown: start, text: start, elements: start};
  const nothing = {parts: [], markdownBytes: 0, textBytes: 0, from, elementsMax: 0, quiet: true};
  const everything = {role: null, name: null, text: null, limit: 200, quiet: true};
  try {
    const [read, controls] = await Promise.all([
      pageworld.call(tab, top.id, 'extract', {...walk, ...nothing}, signal),
      pageworld.call(tab, top.id, 'find', {...walk, ...everything, call: `${walk.call}.controls`}, signal),
    ]);
    const {url, title} = read.page;
    const obstacle = detectObstacle({
      url: url.toLowerCase(),
      title: title.toLowerCase(),
      markdown: read.head,
      elements: controls.elements,
      captchaFrame: read.captchaFrame,
    });
    return obstacle ?? 'none';
  } catch (thrown) {
    if (signal.aborted) throw abortedBy(signal);
    if (thrown instanceof ActionError && thrown.code === 'tab_not_found') throw thrown;
    return 'unknown';
  }
}

/** Changed waits for the next thing that may change what an obstacle is judged by: in any frame, or the frames themselves. */
function changed(tab: Tab, signal: AbortSignal): {any: Promise<void>; end: () => void} {
  const control = new AbortController();
  const both = AbortSignal.any([signal, control.signal]);
  const any = new Promise<void>((resolve, reject) => {
    const wake = (): void => {
      control.abort();
      resolve();
    };
    const off = [
      tab.on('Page.frameNavigated', wake),
      tab.on('Page.navigatedWithinDocument', wake),
      tab.on('Page.frameAttached', wake),
      tab.on('Page.frameDetached', wake),
      tab.on('Page.javascriptDialogClosed', wake),
      tab.on('Page.lifecycleEvent', ({name}) => {
        if (name === 'DOMContentLoaded' || name === 'load') wake();
      }),
    ];
    both.addEventListener('abort', () => {
      for (const stop of off) stop();
      if (signal.aborted) reject(abortedBy(signal));
      else resolve();
    });
    for (const frame of tab.frames.all()) void mutations(tab, frame.id, both, wake);
  });
  // Whoever gave up waits for it no longer.
  any.catch(() => undefined);
  return {
    any,
    end: () => {
      control.abort();
    },
  };
}

async function mutations(tab: Tab, frameId: string, signal: AbortSignal, wake: () => void): Promise<void> {
  while (!signal.aborted) {
    const frame = tab.frames.get(frameId);
    try {
      const {changed: so} = await pageworld.call(tab, frameId, 'changed', {timeoutMs: changeMs}, signal);
      if (so) wake();
    } catch {
      // The document went away, of which an event tells, or cannot be watched; a dialog's end is an event too.
      if (tab.frames.get(frameId)?.loaderId === frame?.loaderId) return;
    }
  }
}

/** Pause waits; true when `until` came before the time was over. */
async function pause(ms: number, signal: AbortSignal, until?: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    const early = await Promise.race([over, ...(until ? [until.then(() => true)] : [])]);
    if (signal.aborted) throw abortedBy(signal);
    return early;
  } finally {
    clearTimeout(timer);
  }
}
