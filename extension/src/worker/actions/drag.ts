/** drag: one element onto another or to a point, whether the page or the browser carries it. */

import type {Pointed, Scene, TargetRef} from '../../page/actapi';
import type {Drag} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {withFrames} from '../frametime';
import {Grip} from '../grip';
import type {Dispatched} from '../input';
import {pageworld} from '../pageworld';
import {type Point, toTop} from '../place';
import {Settling, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {tell, verifyClick} from './pointer';
import {inFrames, targetOf, throughFrames} from './target';

/** The first moves, in CSS pixels from where the button went down: many pages wait for a few, over eight pixels or so. */
const firstMoves = [4, 8, 12] as const;

/** About how far the pointer goes in one move, in CSS pixels, and how many moves a way has at least and at most. */
const stride = 40;
const fewest = 4;
const most = 20;

/** How long the page may take to hear of the end of a drag, in milliseconds. */
const endMs = 500;

/** Goal is where to drop. */
interface Goal {
  /** CSS pixels of the tab's viewport, now. */
  readonly point: Point;
  /** False when it must be scrolled into view, with what is dragged in hand. */
  readonly free: boolean;
}

/** Drag presses the button on an element, moves to the other or to the point, and lets go there. */
export const drag: Handler<'drag'> = async (action, call) => {
  const {signal} = call;
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab);
  try {
    const to = await goalOf(tab, action, signal);
    const order = {target: action.from, guard: true};
    const {frame, answer: pointed} = await inFrames(
      tab,
      ({id}) => pageworld.call(tab, id, 'point', order, signal),
      signal,
    );
    const before: Scene = frame.parentId === undefined ? pointed : await sceneOf(tab.tabId);
    const from = await throughFrames(tab, frame, pointed, signal);
    await pageworld.call(tab, frame.id, 'watchDrag', {}, signal);
    const {dialog, effect} = await withFrames(tab, () => carry(tab, frame, from, to, call));
    const {landed, stillLoading} = dialog
      ? {landed: undefined, stillLoading: false}
      : await settling.rest((patience) => pageworld.call(tab, frame.id, 'landed', patience, signal), signal);
    if (landed) {
      verifyClick(landed, pointed.what);
      if (effect === 'none') settling.note(`${pointed.what} was dropped where nothing takes it`);
      else if (!landed.changed) settling.note(`${pointed.what} was dragged, and nothing in its document changed`);
    }
    const changed = await settling.changed(before, frame.parentId === undefined ? landed : undefined);
    tell(changed, landed, stillLoading);
    return {...changed, ok: true};
  } finally {
    settling.end();
  }
};

/** Carried is how a drag ended; with the effect of the drop if the browser carried it (HTML5). */
type Carried = Dispatched & {effect?: string};

async function carry(tab: Tab, frame: Frame, from: Point, goal: GoalOf, call: Call): Promise<Carried> {
  const {signal} = call;
  const first = await goal(false);
  call.started();
  const grip = await Grip.press(tab, from, {session: frame.session, signal});
  try {
    for (const distance of firstMoves) await grip.move(towards(from, first.point, distance), signal);
    const {began} = await pageworld.call(tab, frame.id, 'dragBegan', {}, signal);
    if (began && !(await grip.handed())) {
      throw new ActionError(
        'internal',
        'the page began a drag and the browser did not hand it over, so it was given up; try once more',
        {retryable: 'after_refresh', step: 'input'},
      );
    }
    // What is dragged may cover its goal by now: only where that is matters.
    const {point} = first.free ? first : await goal(true);
    const start = towards(from, first.point, firstMoves[2]);
    const steps = Math.min(most, Math.max(fewest, Math.round(distanceOf(start, point) / stride)));
    for (let i = 1; i <= steps; i++) await grip.move(between(start, point, i / steps), signal);
    // A goal that gets ready on the first move over it takes the drop after the second.
    await grip.move({x: point.x + 1, y: point.y}, signal);
    await grip.move(point, signal);
  } catch (thrown) {
    grip.drop();
    if (thrown instanceof ActionError && thrown.code === 'dialog_open') return {dialog: true};
    throw thrown;
  }
  const {dialog} = await grip.release(signal);
  if (dialog || !grip.dragging) return {dialog};
  return dropped(tab, frame, signal);
}

/** Dropped waits for the end of a drag that the browser carried: the page hears of its drop some time after we do. */
async function dropped(tab: Tab, frame: Frame, signal: AbortSignal): Promise<Carried> {
  try {
    const {effect} = await pageworld.call(tab, frame.id, 'dragEnded', {waitMs: endMs}, signal);
    return {dialog: false, effect};
  } catch (thrown) {
    // A dialog, or another document in the place of the old: both are told of by the result.
    if (thrown instanceof ActionError && !signal.aborted) return {dialog: thrown.code === 'dialog_open'};
    throw thrown;
  }
}

/** GoalOf tells where the goal is now, scrolled into view if that is wanted. */
type GoalOf = (scroll: boolean) => Promise<Goal>;

/** GoalOf finds the goal, and refuses one that is covered or hidden before anything is touched. */
async function goalOf(tab: Tab, {to, point}: Drag, signal: AbortSignal): Promise<GoalOf> {
  const target = to && targetOf(to);
  if (target) return elementGoal(tab, target, signal);
  if (!point) throw new ActionError('invalid_action', 'a drag needs to or point; give one of them');
  const {cssLayoutViewport: view} = await tab.send('Page.getLayoutMetrics', undefined, {signal});
  if (point.x >= view.clientWidth || point.y >= view.clientHeight) {
    throw new ActionError(
      'invalid_action',
      `${point.x}, ${point.y} lies outside of the viewport, which is ${view.clientWidth} × ${view.clientHeight}; give a point in it, or an element`,
    );
  }
  return () => Promise.resolve({point, free: true});
}

async function elementGoal(tab: Tab, target: TargetRef, signal: AbortSignal): Promise<GoalOf> {
  const order = {target, guard: false};
  const found: {frame: Frame; answer: Pointed} = await inFrames(
    tab,
    ({id}) => pageworld.call(tab, id, 'point', order, signal),
    signal,
  );
  await throughFrames(tab, found.frame, found.answer, signal);
  return async (scroll) => {
    const {point, free} = await pageworld.call(tab, found.frame.id, 'spot', {target, scroll}, signal);
    return {point: toTop(await tab.frames.place(found.frame.id, signal), point), free};
  };
}

function distanceOf(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function between(a: Point, b: Point, part: number): Point {
  // A mouse has whole pixels.
  return {x: Math.round(a.x + (b.x - a.x) * part), y: Math.round(a.y + (b.y - a.y) * part)};
}

/** Towards is so many pixels from one point on the way to another. */
function towards(from: Point, to: Point, distance: number): Point {
  const whole = distanceOf(from, to);
  return whole === 0 ? {x: from.x + distance, y: from.y} : between(from, to, Math.min(1, distance / whole));
}
