/** The outline of a tab: its top document's, with those of its child documents in their places. */

import type {FramePlace, PageFacts, RefRow, SnapshotPart} from '../page/api';
import type {Snapshot} from '../protocol.gen';
import {topFrame} from './actions/target';
import type {Call} from './call';
import {ActionError} from './errors';
import type {Frame} from './frames';
import {guard} from './guard';
import {pageworld} from './pageworld';
import {sessions} from './sessions';
import type {Tab} from './tab';

/** Outlined is a tab's outline. */
export interface Outlined {
  lines: string[];
  refs: RefRow[];
  elements: number;
  hiddenDropped: number;
  notes: string[];
  /** The document that was asked. */
  page: PageFacts;
}

/** A frame smaller than this in either direction, in CSS pixels, is not read when it is another origin's: a beacon, an ad. */
const leastSize = 50;

/** Frames within frames, and frames in all, that are read at most. */
const deepest = 8;
const most = 60;

/** How long one document may be walked, in milliseconds; less when the call ends before. */
const budgetMs = 20_000;

/** BudgetOf is how long a walk may take so that its answer still comes in time, in milliseconds. */
export function budgetOf(call: Call): number {
  return Math.max(100, Math.min(budgetMs, (call.deadline - performance.now()) * 0.8));
}

/** OutlineOf reads the outline of a tab; what lies behind `maxBytes` from the first wanted line on may be missing. */
export async function outlineOf(
  tab: Tab,
  action: Snapshot,
  fromLine: number,
  maxBytes: number,
  call: Call,
): Promise<Outlined> {
  const reader = new Reader(tab, action, fromLine, maxBytes, call);
  const depth = action.depth ?? 1000;
  const {frameId, part} = await first(tab, action.selector ?? null, (id, selector) => reader.read(id, selector, depth));
  await reader.join(frameId, part, {depth, level: 0, indent: ''});
  const {lines, refs, elements, hiddenDropped, notes} = reader;
  return {lines, refs, elements, hiddenDropped, notes, page: part.page};
}

interface Depth {
  /** How many more steps of the tree are wanted. */
  depth: number;
  /** How many documents lie around. */
  level: number;
  /** What stands before each line. */
  indent: string;
}

class Reader {
  readonly lines: string[] = [];
  readonly refs: RefRow[] = [];
  readonly notes: string[] = [];
  elements = 0;
  hiddenDropped = 0;
  #documents = 0;
  readonly #tab: Tab;
  readonly #action: Snapshot;
  readonly #fromLine: number;
  readonly #maxBytes: number;
  readonly #call: Call;

  constructor(tab: Tab, action: Snapshot, fromLine: number, maxBytes: number, call: Call) {
    this.#tab = tab;
    this.#action = action;
    this.#fromLine = fromLine;
    this.#maxBytes = maxBytes;
    this.#call = call;
  }

  /** Read asks one document. */
  async read(frameId: string, selector: string | null, depth: number): Promise<SnapshotPart> {
    this.#documents++;
    const {interactive = false, compact = false, urls = false, cursor = false} = this.#action;
    const {tabId} = this.#tab;
    const args = {
      mark: sessions.uidMark(tabId),
      budgetMs: budgetOf(this.#call),
      call: this.#call.id,
      interactive,
      compact,
      depth,
      urls,
      cursor,
      selector,
      fromLine: this.#fromLine,
      maxBytes: this.#maxBytes,
    };
    const part = await pageworld.call(this.#tab, frameId, 'snapshot', args, this.#call.signal);
    // Before anything of it leaves: a worker that dies must not give these numbers again.
    await sessions.setUidMark(tabId, part.next);
    if (part.cut) {
      this.notes.push('the page is too large to be read in time: this is its beginning; use selector or depth');
    }
    return part;
  }

  /** Join adds a document's lines, and those of its child documents where they belong. */
  async join(frameId: string, part: SnapshotPart, at: Depth): Promise<void> {
    for (const ref of part.refs) this.refs.push(ref);
    this.elements += part.elements;
    this.hiddenDropped += part.hiddenDropped;
    const own = part.outline === '' ? [] : part.outline.split('\n');
    let done = 0;
    for (const place of part.frames) {
      const line = own[place.line];
      if (line === undefined) break;
      this.#add(own.slice(done, place.line), at.indent);
      done = place.line + 1;
      await this.#frame(frameId, place, line, at);
    }
    this.#add(own.slice(done), at.indent);
  }

  #add(lines: readonly string[], indent: string): void {
    for (const line of lines) this.lines.push(indent + line);
  }

  // The frame in a place of a document; undefined when it is not wanted or holds nothing.
  async #frameAt(parentId: string, place: FramePlace, inner: Depth): Promise<Frame | undefined> {
    if (inner.depth <= 0 || inner.level > deepest || this.#documents >= most) return undefined;
    const id = await pageworld.frameIn(this.#tab, parentId, place.index, this.#call.signal);
    return id === undefined ? undefined : this.#tab.frames.get(id);
  }

  // A frame's own line, and what it holds as far as that may and can be read.
  async #frame(parentId: string, place: FramePlace, line: string, at: Depth): Promise<void> {
    const inner = {
      depth: at.depth - place.level,
      level: at.level + 1,
      indent: at.indent + '  '.repeat(place.level),
    };
    const tab = this.#tab;
    const frame = await this.#frameAt(parentId, place, inner);
    if (!frame) {
      this.lines.push(at.indent + line);
      return;
    }
    if (!guard.frameAllowed(frame.url)) {
      this.lines.push(`${at.indent}${line} (not shown: its domain is blocked)`);
      return;
    }
    const origin = originOf(frame.url);
    const foreign = origin !== '' && origin !== originOf(tab.frames.get(parentId)?.url ?? '');
    const named = this.lines.push(at.indent + line + (foreign ? ` ${origin}` : '')) - 1;
    if (foreign && (place.width < leastSize || place.height < leastSize)) return;
    try {
      await this.join(frame.id, await this.read(frame.id, null, inner.depth), inner);
    } catch (error) {
      if (!isUnreadable(error, tab, frame.id)) throw error;
      this.lines.splice(named, 1, `${this.lines[named] ?? ''} (cannot be read)`);
    }
  }
}

// A selector may name something in a child document.
async function first(
  tab: Tab,
  selector: string | null,
  read: (frameId: string, selector: string | null) => Promise<SnapshotPart>,
): Promise<{frameId: string; part: SnapshotPart}> {
  const top = topFrame(tab);
  try {
    return {frameId: top.id, part: await read(top.id, selector)};
  } catch (error) {
    if (selector === null || !isMissing(error)) throw error;
    for (const {id, url} of tab.frames.all()) {
      if (id === top.id || !guard.frameAllowed(url)) continue;
      try {
        return {frameId: id, part: await read(id, selector)};
      } catch (inner) {
        if (!isMissing(inner) && !isUnreadable(inner, tab, id)) throw inner;
      }
    }
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ActionError && error.code === 'element_not_found';
}

/** IsUnreadable tells the failures of a child document that must not spoil the reading of the others. */
export function isUnreadable(error: unknown, tab: Tab, frameId: string): boolean {
  if (!(error instanceof ActionError)) return true;
  if (UNREADABLE.has(error.code)) return true;
  return tab.frames.get(frameId) === undefined;
}

// A frame that takes too long is one of them, as long as the call itself goes on: its signal tells that.
const UNREADABLE: ReadonlySet<string> = new Set(['unsupported', 'internal', 'element_stale', 'timeout']);

/** OriginOf is the origin of an address, or empty for those that have none of their own. */
export function originOf(address: string): string {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return '';
  return new URL(address).origin;
}

/** CutLines takes whole lines from `from` on, of at most `maxBytes` bytes of UTF-8; at least one, so that a reader gets on. */
export function cutLines(lines: readonly string[], from: number, maxBytes: number): {lines: string[]; end: number} {
  const encoder = new TextEncoder();
  let left = maxBytes;
  let end = from;
  for (; end < lines.length; end++) {
    left -= encoder.encode(lines[end]).length + 1;
    if (left < -1 && end > from) break;
  }
  return {lines: lines.slice(from, end), end};
}
