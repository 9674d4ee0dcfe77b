/** click and hover: trusted pointer input, on the target or not at all. */

import type {Landed, Pointed, Scene, TargetRef} from '../../page/actapi';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {type Step, clickSteps, dispatch, moveStep} from '../input';
import type {Point} from '../place';
import {type Changed, Settling, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {pointIn, throughFrames} from './target';

/** Found is a target that can be pointed at, and the document as it was before. */
interface Found {
  readonly frame: Frame;
  readonly pointed: Pointed;
  readonly before: Scene;
  /** CSS pixels of the tab's viewport. */
  readonly point: Point;
}

/** Pressed is what became of pointer input. */
interface Pressed {
  readonly landed: Landed | undefined;
  readonly changed: Changed;
  readonly what: string;
}

/** Click clicks an element. A dialog that it opens, a navigation and a new tab are told in the result. */
export const click: Handler<'click'> = async (action, call) => {
  const {button = 'left', count = 1, modifiers = []} = action;
  const steps = (at: Point): Step[] => clickSteps({point: at, button, count, modifiers});
  let clicked = await point(action, call, count, steps);
  // The guard held the click back from what had moved there meanwhile: the page saw nothing of it, so once more.
  if (clicked.landed?.missed !== undefined) clicked = await point(action, call, count, steps);
  const {landed, changed, what} = clicked;
  if (landed) verifyClick(landed, what);
  return {...changed, ok: true};
};

/** Hover moves the pointer onto an element and leaves it there. */
export const hover: Handler<'hover'> = async (action, call) => {
  const {landed, changed, what} = await point(action, call, 0, (at) => [moveStep(at)]);
  if (landed?.hovered === false) {
    // The page may have put something else under the pointer, such as the menu that it opened.
    changed.notes = [...(changed.notes ?? []), `the pointer is where ${what} was, and something else is there now`];
  }
  return {...changed, ok: true};
};

/** ClickAt clicks a field so that it takes the focus, for typing; what it set in motion is the caller's to settle. */
export async function clickAt(tab: Tab, target: TargetRef, call: Call): Promise<{dialog: boolean}> {
  const {point: at} = await find(tab, target, 1, call.signal);
  call.started();
  return dispatch(tab, clickSteps({point: at, button: 'left', count: 1, modifiers: []}), {signal: call.signal});
}

async function point(target: TargetRef, call: Call, presses: number, steps: (at: Point) => Step[]): Promise<Pressed> {
  const {signal} = call;
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab, presses > 0);
  try {
    const {frame, pointed, before, point: at} = await find(tab, target, presses, signal);
    call.started();
    await dispatch(tab, steps(at), {signal});
    const settled = await settling.rest(frame.id, signal);
    const {landed} = settled;
    const changed = await settling.changed(before, frame, signal, settled);
    if (landed?.fresh === true && !settling.left(frame.id)) throw lost(pointed.what);
    return {landed, changed, what: pointed.what};
  } finally {
    settling.end();
  }
}

async function find(tab: Tab, {uid, selector}: TargetRef, presses: number, signal: AbortSignal): Promise<Found> {
  const order = {target: {uid, selector}, guard: presses > 0, presses};
  const {frame, answer: pointed} = await pointIn(tab, order, signal);
  const before = frame.parentId === undefined ? pointed : await sceneOf(tab.tabId);
  return {frame, pointed, before, point: await throughFrames(tab, frame, pointed, signal)};
}

/** The document that was to see the click was replaced before, so that nobody can say where the click went. */
function lost(what: string): ActionError {
  return new ActionError(
    'element_stale',
    `the document of ${what} was replaced while it was being clicked; take a new snapshot and see what happened`,
    {outcome: 'unknown', step: 'verify'},
  );
}

/**
 * VerifyClick refuses a click that the page did not see.
 *
 * @throws {@link ActionError} `element_blocked`: held back in time (`not_sent`), or sent and not seen (`unknown`).
 */
export function verifyClick({arrived, missed}: Landed, what: string): void {
  if (missed !== undefined) {
    throw new ActionError(
      'element_blocked',
      `${what} moved or was covered by ${missed} just before the click, which was held back; take a new snapshot and try again`,
      {outcome: 'not_sent', step: 'input'},
    );
  }
  if (!arrived) {
    throw new ActionError(
      'element_blocked',
      `the click on ${what} was sent and the page did not see it; look at the page before trying again`,
      {outcome: 'unknown', step: 'verify'},
    );
  }
}
