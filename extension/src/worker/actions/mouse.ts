/** mouse: one trusted mouse event at a point of the viewport, on whatever is there. */

import type {Mouse} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {Grip} from '../grip';
import {type Dispatched, clickSteps, dispatch, moveStep, wheelStep} from '../input';
import {pageworld} from '../pageworld';
import type {Point} from '../place';
import {Settling} from '../settle';
import {type Tab, tabs} from '../tab';
import {topFrame} from './target';

/** How long a page may take to begin to load more after it was scrolled, in milliseconds. */
const wheelGraceMs = 40;

/** Buttons that an earlier call left down. The worker lives as long as a tab is attached. */
const grips = new WeakMap<Tab, Grip>();

/** Mouse moves, presses, releases, clicks or turns the wheel. A button that is pressed stays down until `up`. */
export const mouse: Handler<'mouse'> = async (action, call) => {
  const {signal} = call;
  if (action.kind === 'wheel' && !action.deltaX && !action.deltaY) {
    throw new ActionError('invalid_action', 'a wheel turns by deltaX or deltaY; give one of them, in pixels');
  }
  const tab = await tabs.get(call.tabId, signal);
  await within(tab, action, signal);
  const settling = new Settling(tab, action.kind === 'click' || action.kind === 'up');
  try {
    const frame = topFrame(tab);
    const before = await pageworld.call(tab, frame.id, 'look', {}, signal);
    const {dialog} = await act(tab, action, call);
    const wait = action.kind === 'wheel' ? {graceMs: wheelGraceMs} : {};
    const settled = dialog ? undefined : await settling.rest(frame.id, signal, wait);
    const changed = await settling.changed(before, frame, signal, settled);
    return {...changed, ok: true};
  } finally {
    settling.end();
  }
};

async function act(tab: Tab, action: Mouse, call: Call): Promise<Dispatched> {
  const {kind, x, y, button = 'left', deltaX = 0, deltaY = 0} = action;
  const {signal} = call;
  const at = {x, y};
  const held = grips.get(tab);
  switch (kind) {
    case 'move':
      call.started();
      return held ? moved(held, at, signal) : dispatch(tab, [moveStep(at)], {signal});
    case 'down':
      if (held) throw down(held);
      call.started();
      grips.set(tab, await Grip.press(tab, at, {button, signal}));
      return {dialog: false};
    case 'up': {
      if (!held)
        throw new ActionError('invalid_action', 'no button is down in this tab; send kind down first, or click');
      call.started();
      grips.delete(tab);
      const {dialog} = await moved(held, at, signal);
      return dialog ? {dialog} : held.release(signal);
    }
    case 'click':
      if (held) throw down(held);
      call.started();
      return dispatch(tab, clickSteps({point: at, button, count: 1, modifiers: []}), {signal});
    case 'wheel':
      call.started();
      return dispatch(tab, [wheelStep(at, deltaX, deltaY)], {signal});
  }
}

async function moved(held: Grip, to: Point, signal: AbortSignal): Promise<Dispatched> {
  try {
    await held.move(to, signal);
    return {dialog: false};
  } catch (thrown) {
    if (thrown instanceof ActionError && thrown.code === 'dialog_open') return {dialog: true};
    throw thrown;
  }
}

function down({button}: Grip): ActionError {
  return new ActionError('invalid_action', `the ${button} button is down since an earlier call; send kind up first`);
}

/** Within refuses points that the viewport does not have: input there would reach nothing. */
async function within(tab: Tab, {x, y}: Point, signal: AbortSignal): Promise<void> {
  const {cssLayoutViewport: view} = await tab.send('Page.getLayoutMetrics', undefined, {signal});
  if (x < view.clientWidth && y < view.clientHeight) return;
  throw new ActionError(
    'invalid_action',
    `${x}, ${y} lies outside of the viewport, which is ${view.clientWidth} × ${view.clientHeight}; scroll, then give a point in it`,
  );
}
