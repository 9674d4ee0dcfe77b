/** console: what the page logs, recorded from start on and with what Chrome kept of the document before. */

import type {ConsoleEntry} from '../../protocol.gen';
import type {Handler} from '../call';
import {type Logged, consoleLog, seenIn} from '../consolelog';
import {guard} from '../guard';
import {tabs} from '../tab';

/** How many entries are told when the call does not say. */
const defaultLimit = 50;

/** ReadConsole starts, stops or lists a recording; what was never started is started by list. */
export const readConsole: Handler<'console'> = async ({op, limit = defaultLimit}, call) => {
  const {tabId, signal} = call;
  const began = op === 'start' || (op === 'list' && !consoleLog.ring(tabId));
  const notes: string[] = [];
  if (began) {
    const tab = await tabs.get(tabId, signal);
    await consoleLog.start(tab);
    notes.push(...tab.takeNotes());
    if (op === 'list') notes.push('recording began just now; what stands here is what the browser kept of this page');
  } else if (op === 'stop') consoleLog.stop(tabs.known(tabId));
  if (op !== 'list') return {ok: true, ...(notes.length > 0 ? {notes} : {})};
  const ring = consoleLog.ring(tabId);
  // Frames tell in turns: only the time has them in order.
  const all = (ring?.all() ?? []).map(([, entry]) => entry).sort((a, b) => a.at - b.at);
  const seen = all.filter((entry) => seenIn(entry, (url) => guard.frameAllowed(url)));
  const entries = seen.slice(-limit).map(told);
  if (seen.length > entries.length) notes.push(`${seen.length - entries.length} earlier entries are not shown`);
  if (ring && ring.dropped > 0) notes.push(`${ring.dropped} entries before these were dropped: too many came`);
  return {ok: true, entries, ...(notes.length > 0 ? {notes} : {})};
};

function told({level, text, at, source}: Logged): ConsoleEntry {
  return {level, text, at, ...(source === undefined ? {} : {source})};
}
