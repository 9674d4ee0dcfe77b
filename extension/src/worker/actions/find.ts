/** find: the elements that match, over all frames, each with a ref that every other action takes. */

import type {FindPart} from '../../page/api';
import type {Element, Find} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {guard} from '../guard';
import {budgetOf, isUnreadable, originOf} from '../outlines';
import {pageworld} from '../pageworld';
import {sessions} from '../sessions';
import {type Tab, tabs} from '../tab';
import {topFrame} from './target';

/** How many elements are told when the call does not say. */
const defaultLimit = 20;

// As in snapshots: smaller frames of other sites are advertising, and nobody nests deeper or more of them.
const leastSize = 50;
const deepest = 8;
const most = 60;

/** Find tells of matching elements: no tree, no text, only refs. */
export const find: Handler<'find'> = async (action, call) => {
  if (action.role === undefined && action.name === undefined && action.text === undefined) {
    const message = 'find was not told what to look for; give at least one of role, name, text';
    throw new ActionError('invalid_action', message);
  }
  const tab = await tabs.get(call.tabId, call.signal);
  const search = new Search(tab, action, call);
  await search.document(topFrame(tab).id, 0);
  const notes = [...search.notes, ...tab.takeNotes()];
  return {elements: search.elements, total: search.total, ...(notes.length > 0 ? {notes} : {})};
};

class Search {
  readonly elements: Element[] = [];
  readonly notes: string[] = [];
  total = 0;
  #documents = 0;
  readonly #tab: Tab;
  readonly #wanted: Find;
  readonly #call: Call;

  constructor(tab: Tab, wanted: Find, call: Call) {
    this.#tab = tab;
    this.#wanted = wanted;
    this.#call = call;
  }

  /** Document searches a document, then the child documents in it that a person can see. */
  async document(frameId: string, level: number): Promise<void> {
    this.#documents++;
    const {role = null, name = null, text = null, limit = defaultLimit} = this.#wanted;
    const {tabId} = this.#tab;
    const part = await pageworld.call(
      this.#tab,
      frameId,
      'find',
      {
        mark: sessions.uidMark(tabId),
        budgetMs: budgetOf(this.#call),
        call: this.#call.id,
        role,
        name,
        text,
        limit: Math.max(0, limit - this.elements.length),
        quiet: false,
      },
      this.#call.signal,
    );
    // Before anything of it leaves: a worker that dies must not give these numbers again.
    await sessions.setUidMark(tabId, part.next);
    this.elements.push(...part.elements);
    this.total += part.total;
    if (part.cut) this.notes.push('a document is too large to be searched in time: there may be more');
    if (level < deepest) for (const place of part.frames) await this.#child(frameId, place, level);
  }

  async #child(parentId: string, {index, width, height}: FindPart['frames'][number], level: number): Promise<void> {
    if (this.#documents >= most) return;
    const tab = this.#tab;
    const id = await pageworld.frameIn(tab, parentId, index, this.#call.signal);
    const frame = id === undefined ? undefined : tab.frames.get(id);
    // What may not be seen must not be found either.
    if (!frame || !guard.frameAllowed(frame.url)) return;
    const isForeign = originOf(frame.url) !== originOf(tab.frames.get(parentId)?.url ?? '');
    if (isForeign && originOf(frame.url) !== '' && (width < leastSize || height < leastSize)) return;
    try {
      await this.document(frame.id, level + 1);
    } catch (thrown) {
      if (!isUnreadable(thrown, tab, frame.id)) throw thrown;
      this.notes.push(`the frame ${frame.url.slice(0, 200)} cannot be read`);
    }
  }
}
