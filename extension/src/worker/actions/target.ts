/** Finding the frame that holds an action's target, and the way from there to the tab's viewport. */

import type {Protocol} from 'devtools-protocol';
import type {Pointed, TargetRef} from '../../page/actapi';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {type Point, toTop} from '../place';
import type {Tab} from '../tab';

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
 * @throws {@link ActionError} what the frame that knows the target refused with, or `element_not_found`.
 */
export async function inFrames<T>(tab: Tab, ask: (frame: Frame) => Promise<T>): Promise<Answered<T>> {
  let missing: ActionError | undefined;
  for (const frame of tab.frames.all()) {
    try {
      return {frame, answer: await ask(frame)};
    } catch (error) {
      // The top frame's word counts, unless another one knows more: a frame that goes away knows nothing.
      if (!(error instanceof ActionError) || (error.code !== 'element_not_found' && frame.parentId === undefined))
        throw error;
      if (error.code !== 'element_not_found' && tab.frames.get(frame.id)) throw error;
      missing ??= error;
    }
  }
  throw missing ?? new ActionError('element_not_found', 'the tab has no page to act on; open one first');
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
  return point;
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
