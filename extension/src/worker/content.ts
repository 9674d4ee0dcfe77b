/** The content of a tab: its top document's, followed by that of the child documents that a person can see. */

import type {ElementRow, ExtractPart, PageFacts, Part} from '../page/api';
import {topFrame} from './actions/target';
import type {Call} from './call';
import {guard} from './guard';
import {budgetOf, isUnreadable, originOf} from './outlines';
import {pageworld} from './pageworld';
import {sessions} from './sessions';
import type {Tab} from './tab';

/** Mark is a place in one part of the content: a document by its number in reading order, and how far in it. */
interface Mark {
  document: number;
  offset: number;
}

/** Marks are where each part goes on; null: it is at its end. */
export type Marks = Record<Part, Mark | null>;

/** Budget is how much of each part is wanted. */
export interface Budget {
  markdownBytes: number;
  textBytes: number;
  elementsMax: number;
}

/** Content is what was read. */
export interface Content {
  markdown: string;
  text: string;
  elements: ElementRow[];
  next: Marks;
  /** The beginning of the top document's Markdown, at most 4,000 UTF-16 units. */
  head: string;
  captchaFrame: boolean;
  hiddenDropped: number;
  /** If true, time ran out before a document's end. */
  cut: boolean;
  notes: string[];
  page: PageFacts;
}

const start: Marks = {
  markdown: {document: 0, offset: 0},
  text: {document: 0, offset: 0},
  elements: {document: 0, offset: 0},
};
const PARTS = ['markdown', 'text', 'elements'] as const;
const deepest = 8;
const most = 60;
const encoder = new TextEncoder();

/** WriteMarks writes marks as a cursor: `m0:30211.t0:51200.e1:17`. */
export function writeMarks(marks: Marks): string {
  return PARTS.flatMap((part) => {
    const mark = marks[part];
    return mark === null ? [] : [`${part.charAt(0)}${mark.document.toString()}:${mark.offset.toString()}`];
  }).join('.');
}

/** ParseMarks reads a cursor; undefined for what is none. */
export function parseMarks(cursor: string): Marks | undefined {
  if (!/^[mte]\d{1,4}:\d{1,12}(\.[mte]\d{1,4}:\d{1,12}){0,2}$/.test(cursor)) return undefined;
  const marks: Marks = {markdown: null, text: null, elements: null};
  for (const piece of cursor.split('.')) {
    const part = PARTS.find((it) => piece.startsWith(it.charAt(0)));
    const [document, offset] = piece.slice(1).split(':').map(Number);
    if (part && document !== undefined && offset !== undefined) marks[part] = {document, offset};
  }
  return marks;
}

/**
 * ContentOf reads the documents of a tab, one after the other, until each part has as much as was asked for.
 *
 * @param from where each part begins; absent: at the beginning.
 */
export async function contentOf(tab: Tab, budget: Budget, from: Marks = start, call: Call): Promise<Content> {
  const reader = new Reader(tab, budget, from, call);
  const top = topFrame(tab);
  const part = await reader.document(top.id, 0);
  return {
    markdown: reader.markdown,
    text: reader.text,
    elements: reader.elements,
    next: reader.next,
    head: part.head,
    captchaFrame: part.captchaFrame,
    hiddenDropped: reader.hiddenDropped,
    cut: reader.cut,
    notes: reader.notes,
    page: part.page,
  };
}

class Reader {
  markdown = '';
  text = '';
  readonly elements: ElementRow[] = [];
  readonly next: Marks = {markdown: null, text: null, elements: null};
  hiddenDropped = 0;
  cut = false;
  readonly notes: string[] = [];
  #documents = 0;
  #markdownLeft: number;
  #textLeft: number;
  readonly #tab: Tab;
  readonly #budget: Budget;
  readonly #from: Marks;
  readonly #call: Call;

  constructor(tab: Tab, budget: Budget, from: Marks, call: Call) {
    this.#tab = tab;
    this.#budget = budget;
    this.#from = from;
    this.#call = call;
    this.#markdownLeft = budget.markdownBytes;
    this.#textLeft = budget.textBytes;
  }

  /** Document reads a document and the child documents in it that a person can see. */
  async document(frameId: string, level: number): Promise<ExtractPart> {
    const number = this.#documents++;
    const tab = this.#tab;
    const part = await pageworld.call(
      tab,
      frameId,
      'extract',
      {
        mark: sessions.uidMark(tab.tabId),
        budgetMs: budgetOf(this.#call),
        call: this.#call.id,
        parts: PARTS.filter((it) => this.#wants(it, number)),
        markdownBytes: this.#markdownLeft,
        textBytes: this.#textLeft,
        from: {
          markdown: this.#offset('markdown', number),
          text: this.#offset('text', number),
          elements: this.#offset('elements', number),
        },
        elementsMax: this.#budget.elementsMax - this.elements.length,
      },
      this.#call.signal,
    );
    // Before anything of it leaves: a worker that dies must not give these numbers again.
    await sessions.setUidMark(tab.tabId, part.next);
    this.#take(part, number, frameId);
    if (level < deepest) await this.#children(frameId, part.frames, level);
    return part;
  }

  async #children(frameId: string, count: number, level: number): Promise<void> {
    const tab = this.#tab;
    for (let index = 0; index < count && this.#documents < most; index++) {
      const child = await pageworld.frameIn(tab, frameId, index, this.#call.signal);
      const frame = child === undefined ? undefined : tab.frames.get(child);
      if (!frame || !guard.frameAllowed(frame.url)) continue;
      try {
        await this.document(frame.id, level + 1);
      } catch (error) {
        if (!isUnreadable(error, tab, frame.id)) throw error;
        this.notes.push(`the frame ${originOf(frame.url) || 'without an address'} cannot be read`);
      }
    }
  }

  #take(part: ExtractPart, number: number, frameId: string): void {
    if (part.markdown !== '') {
      const piece = (this.markdown === '' ? '' : '\n\n') + this.#headOf(frameId) + part.markdown;
      this.markdown += piece;
      this.#markdownLeft -= encoder.encode(piece).length;
    }
    if (part.text !== '') {
      this.text += (this.text === '' ? '' : '\n\n') + part.text;
      this.#textLeft -= encoder.encode(part.text).length + 2;
    }
    this.elements.push(...part.elements);
    this.hiddenDropped += part.hiddenDropped;
    this.cut ||= part.cut;
    if (part.markdownNext >= 0) this.next.markdown ??= {document: number, offset: part.markdownNext};
    if (part.textNext >= 0) this.next.text ??= {document: number, offset: part.textNext};
    if (part.elementsNext >= 0) this.next.elements ??= {document: number, offset: part.elementsNext};
  }

  // Whose words these are, where they are not the page's own.
  #headOf(frameId: string): string {
    const origin = originOf(this.#tab.frames.get(frameId)?.url ?? '');
    return origin === '' || origin === originOf(topFrame(this.#tab).url) ? '' : `**Frame ${origin}**\n\n`;
  }

  // A part is asked of a document that is not before its mark, while it has room; the first that has none becomes its end.
  #wants(part: Part, number: number): boolean {
    const from = this.#from[part];
    if (from === null || number < from.document || this.next[part] !== null) return false;
    const room = {
      markdown: this.#markdownLeft > 200,
      text: this.#textLeft > 200,
      elements: this.elements.length < this.#budget.elementsMax,
    };
    if (room[part]) return true;
    const asked = {markdown: this.#budget.markdownBytes, text: this.#budget.textBytes, elements: 1};
    if (asked[part] > 0) this.next[part] = {document: number, offset: 0};
    return false;
  }

  #offset(part: Part, number: number): number {
    const from = this.#from[part];
    return from?.document === number ? from.offset : 0;
  }
}
