/** extract and snapshot: what the page says, and what can be acted on, over all frames that a person can see. */

import type {Element, ExtractResult, Obstacle, Ref, Snapshot, SnapshotResult} from '../../protocol.gen';
import type {Handler} from '../call';
import {ActionError} from '../errors';
import {events} from '../events';
import {type Content, contentOf} from '../content';
import {type Marks, parseMarks, writeMarks} from '../marks';
import {told} from '../news';
import {detectObstacle} from '../obstacle';
import {type Outlined, cutLines, outlineOf} from '../outlines';
import {changes, snapshots} from '../since';
import {type Tab, tabs} from '../tab';
import {topFrame} from './target';

/** What extract gives at most when the call does not say: bytes of each part, and elements. */
const markdownBytes = 30 << 10;
const textBytes = 50 << 10;
const elementsMax = 200;

/** Snapshot writes the outline of the page, child documents in their places. */
export const snapshot: Handler<'snapshot'> = async (action, call) => {
  const fromLine = action.from === undefined ? 0 : lineOf(action.from);
  const maxBytes = action.maxBytes ?? Number.MAX_SAFE_INTEGER;
  const tab = await tabs.get(call.tabId, call.signal);
  // All of it, whatever is shown: it is what the next one may be compared with.
  const outlined = await steadily(tab, () => outlineOf(tab, action, 0, Number.MAX_SAFE_INTEGER, call));
  const notes = notesOf(tab, outlined.notes);
  const wanted = since(tab, action, outlined.lines, notes);
  const all = wanted === outlined.lines && action.maxBytes === undefined && fromLine === 0;
  const {lines, end} = all ? {lines: wanted, end: wanted.length} : cutLines(wanted, fromLine, maxBytes);
  const {page} = outlined;
  told(tab.tabId, page);
  const text = lines.join('\n');
  const result: SnapshotResult = {
    snapshot: text,
    refs: refsOf(outlined, lines === outlined.lines ? undefined : text),
    origin: page.origin,
    viewport: page.viewport,
    elements: outlined.elements,
    url: page.url,
    title: page.title,
  };
  const id = snapshots.keep(tab.tabId, action, outlined.lines);
  if (id !== undefined) result.id = id;
  if (end < wanted.length) result.next = `l${end.toString()}`;
  if (outlined.hiddenDropped > 0) result.hiddenDropped = outlined.hiddenDropped;
  if (notes.length > 0) result.notes = notes;
  return result;
};

/** Since is what of the lines is new since the snapshot that the action names; a note says why when that is all. */
function since(tab: Tab, action: Snapshot, lines: string[], notes: string[]): string[] {
  if (action.since === undefined) return lines;
  const earlier = snapshots.get(tab.tabId, action, action.since);
  if ('lines' in earlier) return changes(earlier.lines, lines);
  notes.push(earlier.why);
  return lines;
}

/** Extract gives the page's content: Markdown, text and the first interactive elements. */
export const extract: Handler<'extract'> = async (action, call) => {
  const parts = new Set(action.parts ?? ['markdown', 'elements', 'text']);
  const from = action.from === undefined ? undefined : marksOf(action.from);
  const tab = await tabs.get(call.tabId, call.signal);
  const content = await steadily(tab, () =>
    contentOf(
      tab,
      {
        markdownBytes: parts.has('markdown') ? (action.maxBytes ?? markdownBytes) : 0,
        textBytes: parts.has('text') ? (action.maxBytes ?? textBytes) : 0,
        elementsMax,
      },
      from,
      call,
    ),
  );
  const {page} = content;
  told(tab.tabId, page);
  const notes = notesOf(tab, content.notes);
  const result: ExtractResult = {
    text: content.text,
    markdown: content.markdown,
    elements: parts.has('elements') ? content.elements : [],
    url: page.url,
    title: page.title,
  };
  const next = nextOf(content, parts);
  if (next !== undefined) result.next = next;
  if (next !== undefined || content.cut) result.truncated = true;
  if (content.hiddenDropped > 0) result.hiddenDropped = content.hiddenDropped;
  if (notes.length > 0) result.notes = notes;
  const obstacle = from === undefined ? obstacleOf(content, content.elements) : undefined;
  if (obstacle) {
    result.obstacle = obstacle;
    events.emit({type: 'obstacle', tabId: tab.tabId, obstacle});
  }
  return result;
};

/**
 * Steadily reads until the document is the same before and after: what was read of one document must not pass for
 * another's.
 *
 * @throws {@link ActionError} `timeout` when the page goes on from one document to the next.
 */
async function steadily<T>(tab: Tab, read: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 3; tries++) {
    const before = topFrame(tab);
    const document = before.loaderId;
    try {
      const answer = await read();
      if (topFrame(tab).loaderId === document) return answer;
    } catch (error) {
      if (topFrame(tab).loaderId === document) throw error;
    }
  }
  throw new ActionError('timeout', 'the page went on to another document each time it was read; wait for it to load');
}

function notesOf(tab: Tab, notes: readonly string[]): string[] {
  return [...notes, ...tab.takeNotes()].slice(0, 20);
}

function refsOf({refs}: Outlined, shown: string | undefined): Record<string, Ref> {
  const told = shown === undefined ? undefined : new Set(shown.match(/(?<=\[ref=)e\d+(?=\])/g));
  const seen = new Map<string, number>();
  const out: Record<string, Ref> = {};
  for (const [number, role, name] of refs) {
    const key = `${role} ${name}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const ref = `e${number.toString()}`;
    if (told?.has(ref) === false) continue;
    const entry: Ref = {ref, role};
    if (name !== '') entry.name = name;
    if (nth > 0) entry.nth = nth;
    out[ref] = entry;
  }
  return out;
}

function lineOf(cursor: string): number {
  const line = /^l(\d{1,9})$/.exec(cursor)?.[1];
  if (line !== undefined) return Number(line);
  throw new ActionError(
    'invalid_action',
    'from is not what an earlier snapshot gave as next; leave it out, or give that',
  );
}

function marksOf(cursor: string): Marks {
  const marks = parseMarks(cursor);
  if (marks) return marks;
  throw new ActionError(
    'invalid_action',
    'from is not what an earlier extract gave as next; leave it out, or give that',
  );
}

function nextOf(content: Content, parts: ReadonlySet<string>): string | undefined {
  const {markdown, text, elements} = content.next;
  const next: Marks = {
    markdown: parts.has('markdown') ? markdown : null,
    text: parts.has('text') ? text : null,
    elements: parts.has('elements') ? elements : null,
  };
  return next.markdown === null && next.text === null && next.elements === null ? undefined : writeMarks(next);
}

function obstacleOf(content: Content, elements: readonly Element[]): Obstacle | undefined {
  return detectObstacle({
    url: content.page.url.toLowerCase(),
    title: content.page.title.toLowerCase(),
    markdown: content.head,
    elements,
    captchaFrame: content.captchaFrame,
  });
}
