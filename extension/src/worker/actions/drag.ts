/** drag: one element onto another or to a point, whether the page or the browser carries it. */

import type {Scene, TargetRef} from '../../page/actapi';
import type {Drag} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {withFrames} from '../frametime';
import {Grip} from '../grip';
import type {Dispatched} from '../input';
import {pageworld} from '../pageworld';
import {race, timeout} from '../race';
import {type Point, toTop} from '../place';
import {Settling, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {verifyClick} from './pointer';
import {pointIn, targetOf, throughFrames} from './target';

/** The first moves, in CSS pixels from where the button went down: many pages wait for a few, over eight pixels or so. */
const firstMoves = [4, 8, 12] as const;

/** About how far the pointer goes in one move, in CSS pixels, and how many moves a way has at least and at most. */
const stride = 40;
const fewest = 4;
const most = 20;

/** How long the page may take to hear of the end of a drag, in milliseconds. */
const endMs = 500;

/**
 * How long the button is held before the first move, in milliseconds: many pages that sort by the pointer begin only
 * after a hold, of 250 ms at most as a rule, and give up when the pointer moves before.
 */
const holdMs = 300;

/**
 * How long lists pay no heed to moves once they have made room for what is dragged, in milliseconds: 30 as a rule, and
 * those that sort by the pointer for as long as what makes room is on its way, 150.
 */
const deafMs = {native: 50, pointer: 200} as const;

/** Goal is where to drop. */
interface Goal {
  /** The frame that holds it, where that is known. */
  readonly frame?: Frame;
  /** Find tells where it is now, in CSS pixels of the tab's viewport, scrolled into view if that is wanted. */
  find: (scroll: boolean) => Promise<Point>;
}

/** Drag presses the button on an element, moves to the other or to the point, and lets go there. */
export const drag: Handler<'drag'> = async (action, call) => {
  const {signal} = call;
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab);
  try {
    const goal = await goalOf(tab, action, signal);
    const order = {target: action.from, guard: true};
    const {frame, answer: pointed} = await pointIn(tab, order, signal);
    const before: Scene = frame.parentId === undefined ? pointed : await sceneOf(tab.tabId);
    const from = await throughFrames(tab, frame, pointed, signal);
    const into = goal.frame ?? frame;
    const {native} = await pageworld.call(tab, frame.id, 'watchDrag', {target: action.from}, signal);
    if (into !== frame) await pageworld.call(tab, into.id, 'watchDrag', {target: action.from}, signal);
    const carried = await withFrames(tab, () => carry(tab, {frame, from, native}, goal, call));
    const settled = carried.dialog ? undefined : await settling.rest(frame.id, signal);
    const landed = settled?.landed;
    if (landed) {
      verifyClick(landed, pointed.what);
      const note = noteOf(carried, landed.changed || into !== frame);
      if (note !== undefined) settling.note(`${pointed.what} ${note}`);
    }
    const changed = await settling.changed(before, frame, signal, settled);
    return {...changed, ok: true};
  } finally {
    settling.end();
  }
};

/** Carried is how a drag ended; with the effect of the drop if the browser carried it (HTML5). */
type Carried = Dispatched & {effect?: string; taken?: boolean};

interface Held {
  readonly frame: Frame;
  readonly from: Point;
  /** If true, the browser drags it, or the control does: neither waits for a hold. */
  readonly native: boolean;
}

async function carry(tab: Tab, {frame, from, native}: Held, goal: Goal, call: Call): Promise<Carried> {
  const {signal} = call;
  const first = await goal.find(false);
  call.started();
  const grip = await Grip.press(tab, from, {session: frame.session, signal});
  try {
    if (!native) await race(timeout(holdMs), signal);
    for (const distance of firstMoves) await grip.move(towards(from, first, distance), signal);
    const {began} = await pageworld.call(tab, frame.id, 'dragBegan', {}, signal);
    if (began && !(await grip.handed())) {
      throw new ActionError(
        'internal',
        'the page began a drag and the browser did not hand it over, so it was given up; try once more',
        {retryable: 'after_refresh', step: 'input'},
      );
    }
    // Pages make room for what is dragged: where the goal is by now is what counts.
    const middle = await goal.find(true);
    const point = goal.frame && !grip.dragging ? beyond(from, middle) : middle;
    const start = towards(from, first, firstMoves[2]);
    const steps = Math.min(most, Math.max(fewest, Math.round(distanceOf(start, point) / stride)));
    for (let i = 1; i <= steps; i++) await grip.move(between(start, point, i / steps), signal);
    // A goal that gets ready on the first move over it takes the drop after the second; and a list that has just made
    // room is deaf for a moment.
    await grip.move({x: point.x + 1, y: point.y}, signal);
    await race(timeout(native ? deafMs.native : deafMs.pointer), signal);
    await grip.move(point, signal);
  } catch (thrown) {
    grip.drop();
    if (thrown instanceof ActionError && thrown.code === 'dialog_open') return {dialog: true};
    throw thrown;
  }
  const {dialog} = await grip.release(signal);
  if (dialog || !grip.dragging) return {dialog};
  return dropped(tab, frame, goal.frame ?? frame, signal);
}

/** NoteOf is what an agent should know of a drag that was done. */
function noteOf({effect, taken}: Carried, changed: boolean): string | undefined {
  if (effect === 'none' && taken !== true) return 'was dropped where nothing takes it';
  if (effect === 'none') return 'was dropped, of which its own document hears as of a drop that nothing took';
  return effect === undefined && !changed ? 'was dragged, and nothing in its document changed' : undefined;
}

/** Dropped waits for the end of a drag that the browser carried: the page hears of its drop some time after we do. */
async function dropped(tab: Tab, frame: Frame, into: Frame, signal: AbortSignal): Promise<Carried> {
  try {
    const {effect, dropped: taken} = await pageworld.call(tab, frame.id, 'dragEnded', {waitMs: endMs}, signal);
    if (into === frame) return {dialog: false, effect, taken};
    const there = await pageworld.call(tab, into.id, 'dragEnded', {waitMs: 0}, signal);
    return {dialog: false, effect, taken: there.dropped};
  } catch (thrown) {
    // A dialog, or another document in the place of the old: both are told of by the result.
    if (thrown instanceof ActionError && !signal.aborted) return {dialog: thrown.code === 'dialog_open'};
    throw thrown;
  }
}

/** GoalOf finds the goal, and refuses one that is covered or hidden before anything is touched. */
async function goalOf(tab: Tab, {to, point}: Drag, signal: AbortSignal): Promise<Goal> {
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
  return {find: () => Promise.resolve(point)};
}

async function elementGoal(tab: Tab, target: TargetRef, signal: AbortSignal): Promise<Goal> {
  const order = {target, guard: false};
  const found = await pointIn(tab, order, signal);
  await throughFrames(tab, found.frame, found.answer, signal);
  const find = async (scroll: boolean): Promise<Point> => {
    const {point} = await pageworld.call(tab, found.frame.id, 'spot', {target, scroll}, signal);
    return toTop(await tab.frames.place(found.frame.id, signal), point);
  };
  return {frame: found.frame, find};
}

function distanceOf(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function between(a: Point, b: Point, part: number): Point {
  // A mouse has whole pixels.
  return {x: Math.round(a.x + (b.x - a.x) * part), y: Math.round(a.y + (b.y - a.y) * part)};
}

/**
 * Beyond is a pixel past the middle of a goal, the way the pointer comes: a list takes the half that it is in for the
 * side to drop on, and of the very middle each takes another. What the browser
 * carries is dropped in the middle: there the page is told the place.
 */
function beyond(from: Point, middle: Point): Point {
  const past = (start: number, end: number): number => (Math.abs(end - start) < 4 ? end : end + Math.sign(end - start));
  return {x: past(from.x, middle.x), y: past(from.y, middle.y)};
}

/** Towards is so many pixels from one point on the way to another. */
function towards(from: Point, to: Point, distance: number): Point {
  const whole = distanceOf(from, to);
  return whole === 0 ? {x: from.x + distance, y: from.y} : between(from, to, Math.min(1, distance / whole));
}
