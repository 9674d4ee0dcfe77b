/** Trusted input: what CDP's Input domain dispatches, in batches that wait for nothing in between. */

import type {Protocol} from 'devtools-protocol';
import {ActionError} from './errors';
import {drawingIfSlow} from './frametime';
import type {KeyEvent, ModifierName} from './keys';
import {bitsOf, modifierEvents} from './keys';
import type {Point} from './place';
import type {Tab} from './tab';

type MouseEvent = Protocol.Input.DispatchMouseEventRequest;

/** A mouse button by name. */
export type ButtonName = 'left' | 'middle' | 'right';

const buttonBits: Readonly<Record<ButtonName, number>> = {left: 1, right: 2, middle: 4};

/** Press is a click to be made. */
export interface Press {
  /** CSS pixels of the tab's viewport. */
  readonly point: Point;
  readonly button: ButtonName;
  /** How many clicks in a row: 2 is a double click. */
  readonly count: number;
  readonly modifiers: readonly ModifierName[];
}

/** Step is one command of a batch. */
export type Step =
  | {readonly method: 'Input.dispatchMouseEvent'; readonly params: MouseEvent}
  | {readonly method: 'Input.dispatchKeyEvent'; readonly params: KeyEvent}
  | {readonly method: 'Input.insertText'; readonly params: Protocol.Input.InsertTextRequest};

/** ClickSteps are the commands of a click: modifiers down, move, then press and release as often as wanted, modifiers up. */
export function clickSteps({point, button, count, modifiers}: Press): Step[] {
  const {down, up} = modifierEvents(modifiers);
  const bits = bitsOf(modifiers);
  const steps = [...down.map(keyStep), moveStep(point, bits)];
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    const at = {...point, button, clickCount, modifiers: bits, pointerType: 'mouse' as const};
    steps.push(
      mouseStep({type: 'mousePressed', buttons: buttonBits[button], ...at}),
      mouseStep({type: 'mouseReleased', buttons: 0, ...at}),
    );
  }
  return [...steps, ...up.map(keyStep)];
}

/** MoveStep moves the pointer. */
export function moveStep(point: Point, modifiers = 0): Step {
  return mouseStep({type: 'mouseMoved', ...point, button: 'none', buttons: 0, modifiers, pointerType: 'mouse'});
}

/** WheelStep turns the wheel at a point, so many CSS pixels to the right and down. */
export function wheelStep(point: Point, deltaX: number, deltaY: number): Step {
  return mouseStep({type: 'mouseWheel', ...point, deltaX, deltaY, pointerType: 'mouse'});
}

/** KeyStep is one key event. */
export function keyStep(params: KeyEvent): Step {
  return {method: 'Input.dispatchKeyEvent', params};
}

/** TextStep inserts text at the caret, or in place of the selection, as an input method does. */
export function textStep(text: string): Step {
  return {method: 'Input.insertText', params: {text}};
}

function mouseStep(params: MouseEvent): Step {
  return {method: 'Input.dispatchMouseEvent', params};
}

/** How a batch of input ended. */
export interface Dispatched {
  /** If true, a dialog opened under it: what it was answered with is not known, since the page stands still. */
  readonly dialog: boolean;
}

/**
 * Dispatch sends a batch, each command without waiting for the one before, and waits for all answers. Keys and
 * buttons that it presses are let go by the same batch, so that none stays down when the call is given up.
 *
 * @throws {@link ActionError} what a command failed with, unless that was a dialog that opened meanwhile.
 */
export async function dispatch(
  tab: Tab,
  steps: readonly Step[],
  options: {session?: string | undefined; signal: AbortSignal},
): Promise<Dispatched> {
  const answers = await drawingIfSlow(tab, Promise.allSettled(steps.map((step) => sendStep(tab, step, options))));
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue;
    const reason: unknown = answer.reason;
    if (reason instanceof ActionError && reason.code === 'dialog_open') return {dialog: true};
    throw reason;
  }
  return {dialog: false};
}

function sendStep(
  tab: Tab,
  step: Step,
  options: {session?: string | undefined; signal: AbortSignal},
): Promise<unknown> {
  switch (step.method) {
    case 'Input.dispatchMouseEvent':
      return tab.send(step.method, step.params, options);
    case 'Input.dispatchKeyEvent':
      return tab.send(step.method, step.params, options);
    case 'Input.insertText':
      return tab.send(step.method, step.params, options);
  }
}
