/** get: one thing of the page or of an element. */

import type {Handler} from '../call';
import {pageworld} from '../pageworld';
import {tabs} from '../tab';
import {inFrames, targetOf, topFrame} from './target';

/** Get reads one thing. */
export const get: Handler<'get'> = async ({what, name, ...action}, call) => {
  const tab = await tabs.get(call.tabId, call.signal);
  const target = targetOf(action);
  const order = {target, what, name};
  const {answer} = target
    ? await inFrames(tab, ({id}) => pageworld.call(tab, id, 'get', order, call.signal), call.signal)
    : {answer: await pageworld.call(tab, topFrame(tab).id, 'get', order, call.signal)};
  const notes = tab.takeNotes();
  return {...answer, ...(notes.length > 0 ? {notes} : {})};
};
