/** Finding the frame that holds an action's target, and the way from there to the tab's viewport. */

import type {Protocol} from 'devtools-protocol';
import type {ActingApi, Pointed, TargetRef} from '../../page/actapi';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {drawingIfSlow, withFrames} from '../frametime';
import {dispatch, moveStep} from '../input';
import {pageworld} from '../pageworld';
import {type Point, toTop} from '../place';
import type {Tab} from '../tab';

/** How long a frame of another process is waited for to be told of, in milliseconds. */
const framesMs = 1000;

/** Answered is what a frame answered. */
export interface Answered<T> {
  readonly frame: Frame;
  readonly answer: T;
}

/** TargetOf takes the target out of an action; undefined if it names none. */
export function targetOf({uid, selector}: TargetRef): TargetRef | undefined {
  return uid === undefined && selector === undefined ? undefined : {uid, selector};
}

/**
 * InFrames asks the frames of a tab, the top one first, until one knows the target.
 *
 * @param signal ends the wait for frames that are still to come.
 * @throws {@link ActionError} what the frame that knows the target refused with, or `element_not_found`.
 */
export async function inFrames<T>(
  tab: Tab,
  ask: (frame: Frame) => Promise<T>,
  signal: AbortSignal = AbortSignal.timeout(2 * framesMs),
): Promise<Answered<T>> {
  const asked = new Set<string>();
  for (let missing: ActionError | undefined; ;) {
    for (const frame of tab.frames.all()) {
      if (asked.has(frame.id)) continue;
      asked.add(frame.id);
      try {
        return {frame, answer: await ask(frame)};
      } catch (error) {
        // Not within ??=, which would not look at the second frame's error at all.
        const lacking = unless(tab, frame, error);
        missing ??= lacking;
      }
    }
    if (await moreFrames(tab, asked, signal)) continue;
    throw missing ?? new ActionError('element_not_found', 'the tab has no page to act on; open one first');
  }
}

/**
 * PointIn finds where to point at a target. What moves is waited for while the tab draws: in one that nobody looks at, an
 * animation hardly goes on by itself.
 */
export function pointIn(
  tab: Tab,
  order: Parameters<ActingApi['point']>[0],
  signal: AbortSignal,
): Promise<Answered<Pointed>> {
  return drawingIfSlow(
    tab,
    inFrames(tab, ({id}) => pageworld.call(tab, id, 'point', order, signal), signal),
  );
}

/** Unless throws what a frame failed with, unless the next frame may know better: it lacks the target, or went away. */
function unless(tab: Tab, frame: Frame, error: unknown): ActionError {
  if (!(error instanceof ActionError)) throw error;
  if (error.code === 'element_not_found') return error;
  // A frame such as that of a PDF document.
  if (frame.parentId !== undefined && error.code === 'unsupported') return error;
  if (frame.parentId === undefined || tab.frames.get(frame.id)) throw error;
  return error;
}

/**
 * MoreFrames tells whether there are frames that were not asked. Chrome tells of those in other processes one
 * level after the other and some time after the tab was attached; how many there are to be, the documents know.
 */
async function moreFrames(tab: Tab, asked: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
  const news = (): true | undefined => tab.frames.all().some(({id}) => !asked.has(id)) || undefined;
  const counts = tab.frames.all().map(async ({id}) => {
    const {frames} = await pageworld.call(tab, id, 'look', {}, signal);
    return frames > tab.frames.children(id).length;
  });
  const counted = await Promise.allSettled(counts);
  if (!counted.some((count) => count.status === 'fulfilled' && count.value)) return news() === true;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(framesMs)]);
  return tab.frames.waitFor(news, limit).catch(() => false);
}

/** TopFrame is the tab's top frame. */
export function topFrame(tab: Tab): Frame {
  const top = tab.frames.top;
  if (top) return top;
  throw new ActionError('element_not_found', 'the tab has no page yet; navigate it, then try again');
}

/**
 * ThroughFrames turns a point of a frame into one of the tab's viewport: each frame element on the way up is
 * scrolled into view, and what lies over it in the documents above is found out, one look for each process.
 *
 * @throws {@link ActionError} `element_blocked` when something covers the frame at that point.
 */
export async function throughFrames(tab: Tab, frame: Frame, pointed: Pointed, signal: AbortSignal): Promise<Point> {
  if (frame.parentId === undefined) return pointed.point;
  let inner: Frame | undefined = frame;
  while (inner?.parentId !== undefined) {
    const outer: Frame | undefined = tab.frames.get(inner.parentId);
    const owner = await ownerOf(tab, inner, outer, signal);
    await tab.send('DOM.scrollIntoViewIfNeeded', {backendNodeId: owner}, {session: outer?.session, signal});
    inner = outer;
  }
  const point = toTop(await tab.frames.place(frame.id, signal), pointed.point);
  await reaches(tab, frame, pointed, point, signal);
  if (frame.session !== undefined) await arrive(tab, frame, pointed, point, signal);
  return point;
}

/** How long the pointer is moved to a frame of another process until it comes there, and how long it has for each move, in milliseconds. */
const arriveMs = 3000;
const arrivalMs = 50;

/**
 * Arrive moves the pointer to a point of a frame of another process until the frame has seen it there. The browser
 * routes input by the picture that it was last given: after a scroll it may still give it to the document around
 * the frame, where a click would hit whatever is there.
 *
 * @throws {@link ActionError} `element_blocked` when the pointer does not come: nothing was pressed.
 */
async function arrive(tab: Tab, frame: Frame, pointed: Pointed, point: Point, signal: AbortSignal): Promise<void> {
  const move = async (aside: number): Promise<boolean> => {
    // To the same place twice is no move.
    await dispatch(tab, [moveStep({x: point.x + aside, y: point.y}), moveStep(point)], {signal});
    const {reached} = await pageworld.call(tab, frame.id, 'reached', {timeoutMs: arrivalMs}, signal);
    return reached || tab.dialog !== undefined;
  };
  if (await move(1)) return;
  const come = await withFrames(tab, async () => {
    const until = performance.now() + arriveMs;
    for (let aside = 0; performance.now() < until; aside = 1 - aside) if (await move(aside)) return true;
    return false;
  });
  if (come) return;
  throw new ActionError(
    'element_blocked',
    `the pointer does not come to ${pointed.what} in its frame, so nothing was done; take a snapshot and try again`,
    {outcome: 'not_sent', step: 'input'},
  );
}

/** Reaches follows the point down from the top, as the browser's own hit test does, until it is in the frame. */
async function reaches(tab: Tab, frame: Frame, pointed: Pointed, point: Point, signal: AbortSignal): Promise<void> {
  const chain: Frame[] = [];
  for (let at: Frame | undefined = frame; at; at = at.parentId === undefined ? undefined : tab.frames.get(at.parentId))
    chain.unshift(at);
  let session: string | undefined;
  for (const [i, at] of chain.entries()) {
    const child = chain[i + 1];
    // The look from a process's topmost frame goes down to the last frame of that process.
    if (child && child.session === at.session) continue;
    const local = inverse(await tab.frames.inSession(session, signal), point);
    const {cssLayoutViewport: view} = await tab.send('Page.getLayoutMetrics', undefined, {session, signal});
    // This command counts from the document's corner, not from the viewport's.
    const [x, y] = [Math.floor(local.x) + view.pageX, Math.floor(local.y) + view.pageY];
    const hit = await tab.send('DOM.getNodeForLocation', {x, y}, {session, signal});
    const owner = child && (await ownerOf(tab, child, at, signal));
    if (child ? hit.backendNodeId === owner : hit.frameId === frame.id) {
      session = child?.session;
      continue;
    }
    const what = await nodeText(tab, hit, session, signal);
    throw new ActionError(
      'element_blocked',
      `the frame that holds ${pointed.what} is covered by ${what} at that place, so nothing was done; deal with that first`,
      {step: 'hit test'},
    );
  }
}

async function ownerOf(tab: Tab, frame: Frame, parent: Frame | undefined, signal: AbortSignal): Promise<number> {
  const {backendNodeId} = await tab.send('DOM.getFrameOwner', {frameId: frame.id}, {session: parent?.session, signal});
  return backendNodeId;
}

async function nodeText(
  tab: Tab,
  {backendNodeId}: Protocol.DOM.GetNodeForLocationResponse,
  session: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const {node} = await tab.send('DOM.describeNode', {backendNodeId}, {session, signal});
  const attributes = node.attributes ?? [];
  const named = ['id', 'class', 'aria-label'].flatMap((name) => {
    const at = attributes.indexOf(name);
    return at >= 0 && at % 2 === 0 ? [`${name}=${JSON.stringify(attributes[at + 1])}`] : [];
  });
  return `<${[node.localName || node.nodeName, ...named].join(' ')}>`;
}

/** Inverse turns a point of the tab's viewport into one of the place's own. */
function inverse({origin, right, down}: {origin: Point; right: Point; down: Point}, point: Point): Point {
  const area = right.x * down.y - right.y * down.x || 1;
  const [x, y] = [point.x - origin.x, point.y - origin.y];
  return {x: (x * down.y - y * down.x) / area, y: (y * right.x - x * right.y) / area};
}
