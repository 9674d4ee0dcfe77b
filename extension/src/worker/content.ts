/** The content of a tab: its top document's, with that of the child documents that a person can see in their places. */

import type {ElementRow, ExtractPart, PageFacts, Part, Start} from '../page/api';
import {topFrame} from './actions/target';
import type {Call} from './call';
import type {Frame} from './frames';
import {guard} from './guard';
import {BEGINNING, type Mark, type Marks, PARTS} from './marks';
import {budgetOf, isUnreadable, originOf} from './outlines';
import {pageworld} from './pageworld';
import {sessions} from './sessions';
import {Course, Listing, Writing} from './streams';
import type {Tab} from './tab';

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

const deepest = 8;
const most = 60;

/**
 * ContentOf reads the documents of a tab, in the order in which a person does, until each part has as much as was
 * asked for.
 *
 * @param from where each part begins.
 */
export async function contentOf(tab: Tab, budget: Budget, from: Marks = BEGINNING, call: Call): Promise<Content> {
  const reader = new Reader(tab, budget, from, call);
  const top = topFrame(tab);
  const wanted = PARTS.filter((it) => reader.streams[it].open);
  const part = await reader.document(top, [], new Map(wanted.map((it) => [it, from[it] ?? undefined])));
  const {markdown, text, elements} = reader.streams;
  return {
    markdown: markdown.written,
    text: text.written,
    elements: elements.written,
    next: {markdown: markdown.next, text: text.next, elements: elements.next},
    head: part.head,
    captchaFrame: part.captchaFrame,
    hiddenDropped: reader.hiddenDropped,
    cut: reader.cut,
    notes: reader.notes,
    page: part.page,
  };
}

/** The parts that are wanted of a document, each with the mark that it has still to come to; undefined: it has passed it. */
type Wanted = Map<Part, Mark | undefined>;

class Reader {
  readonly streams: {markdown: Writing; text: Writing; elements: Listing};
  hiddenDropped = 0;
  cut = false;
  readonly notes: string[] = [];
  #documents = 0;
  readonly #tab: Tab;
  readonly #call: Call;

  constructor(tab: Tab, {markdownBytes, textBytes, elementsMax}: Budget, from: Marks, call: Call) {
    this.#tab = tab;
    this.#call = call;
    const goesOn = from !== BEGINNING;
    this.streams = {
      markdown: new Writing(from.markdown === null ? 0 : markdownBytes, goesOn),
      text: new Writing(from.text === null ? 0 : textBytes, goesOn),
      elements: new Listing(from.elements === null ? 0 : elementsMax),
    };
  }

  /**
   * Document reads a document and the child documents in it that a person can see.
   *
   * @param path the numbers of the frames on the way down to it.
   */
  async document(frame: Frame, path: readonly number[], wanted: Wanted): Promise<ExtractPart> {
    this.#documents++;
    const tab = this.#tab;
    const {markdown, text, elements} = this.streams;
    const start = (part: Part): Start => startIn(wanted.get(part), path);
    const part = await pageworld.call(
      tab,
      frame.id,
      'extract',
      {
        mark: sessions.uidMark(tab.tabId),
        budgetMs: budgetOf(this.#call),
        call: this.#call.id,
        parts: [...wanted.keys()],
        markdownBytes: Math.max(0, markdown.left),
        textBytes: Math.max(0, text.left),
        from: {markdown: start('markdown'), text: start('text'), elements: start('elements')},
        elementsMax: Math.max(0, elements.left),
      },
      this.#call.signal,
    );
    // Before anything of it leaves: a worker that dies must not give these numbers again.
    await sessions.setUidMark(tab.tabId, part.next);
    this.hiddenDropped += part.hiddenDropped;
    this.cut ||= part.cut;
    const courses = [
      ...(wanted.has('markdown') ? [new Course(markdown, part.markdown, path, this.#headOf(frame))] : []),
      ...(wanted.has('text') ? [new Course(text, part.text, path, '')] : []),
      ...(wanted.has('elements') ? [new Course(elements, part.elements, path, '')] : []),
    ];
    let behind: number | undefined;
    for (let index = 0; index < part.frames && this.#isOpen; index++) {
      const within = this.#wantedIn(index, path, wanted, part);
      const child = within.size === 0 ? undefined : await this.#frameAt(frame, index, path.length);
      if (!child) continue;
      for (const it of courses) it.toFrame(index, behind);
      await this.#child(child, [...path, index], within);
      behind = index;
    }
    for (const it of courses) it.toEnd(behind);
    return part;
  }

  get #isOpen(): boolean {
    return PARTS.some((it) => this.streams[it].open);
  }

  // A frame of a document that may be read.
  async #frameAt(parent: Frame, index: number, level: number): Promise<Frame | undefined> {
    if (level >= deepest) return undefined;
    const id = await pageworld.frameIn(this.#tab, parent.id, index, this.#call.signal);
    const frame = id === undefined ? undefined : this.#tab.frames.get(id);
    return frame && guard.frameAllowed(frame.url) ? frame : undefined;
  }

  // What is wanted of a frame: the parts that have not passed it.
  #wantedIn(index: number, path: readonly number[], wanted: Wanted, part: ExtractPart): Wanted {
    const within: Wanted = new Map();
    for (const [it, mark] of wanted) {
      if (!this.streams[it].open) continue;
      const inner = mark?.path[path.length];
      if (inner !== undefined && index <= inner) {
        if (index === inner) within.set(it, mark);
      } else if (mark === undefined || inner !== undefined || !isPassed(mark.start, index, part[it].places)) {
        within.set(it, undefined);
      }
    }
    return within;
  }

  // A part that has no room for anything of a frame goes on there.
  async #child(frame: Frame, path: readonly number[], wanted: Wanted): Promise<void> {
    for (const it of wanted.keys()) {
      const stream = this.streams[it];
      if (stream.open && (!stream.roomy || this.#documents >= most)) stream.close({path, start: {offset: 0}});
      if (!stream.open) wanted.delete(it);
    }
    if (wanted.size === 0) return;
    try {
      await this.document(frame, path, wanted);
    } catch (error) {
      if (!isUnreadable(error, this.#tab, frame.id)) throw error;
      this.notes.push(`the frame ${originOf(frame.url) || 'without an address'} cannot be read`);
    }
  }

  // Whose words these are, where they are not the page's own.
  #headOf({url}: Frame): string {
    const origin = originOf(url);
    return origin === '' || origin === originOf(topFrame(this.#tab).url) ? '' : `**Frame ${origin}**\n\n`;
  }
}

// Where a part begins in a document: at a mark in it, behind the frame that the mark is in, or at its beginning.
function startIn(mark: Mark | undefined, path: readonly number[]): Start {
  if (mark === undefined) return {offset: 0};
  const inner = mark.path[path.length];
  return inner === undefined ? mark.start : {after: inner};
}

// Whether a frame is before a mark in the document that holds both.
function isPassed(start: Start, index: number, places: readonly number[]): boolean {
  if ('after' in start) return index <= start.after;
  const place = places[index] ?? -1;
  return place >= 0 && place < start.offset;
}
