/** type, fill and press: trusted keys and text, read back. */

import type {Patience, Ready, Scene, TargetRef, Typed} from '../../page/actapi';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {drawingIfSlow} from '../frametime';
import {type Step, dispatch, keyStep, textStep} from '../input';
import {KeyError, type Platform, keyEvents, parseKey} from '../keys';
import {pageworld} from '../pageworld';
import {type Changed, Settling, eager, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {clickAt} from './pointer';
import {inFrames, targetOf, topFrame} from './target';

/** The longest value that is told, in UTF-16 units. */
const longestValue = 10_000;

/** Type adds text to a field, or replaces what it holds. */
export const type: Handler<'type'> = (action, call) =>
  enter(action, call, {
    text: textOf(action),
    onlyOn: action.onlyOn,
    replace: action.clear === true,
    submit: action.submit === true,
    whole: false,
  });

/** Fill sets a control's whole value, checkboxes and radios included. */
export const fill: Handler<'fill'> = (action, call) =>
  enter(action, call, {
    text: textOf(action),
    onlyOn: action.onlyOn,
    replace: true,
    submit: action.submit === true,
    whole: true,
  });

/** Press presses a key or a combination where the focus is, or on a target. */
export const press: Handler<'press'> = async (action, call) => {
  const {signal} = call;
  const platform = await platformName();
  const steps = keySteps(action.key, platform);
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab, false);
  try {
    const target = targetOf(action);
    const {frame, answer} = target
      ? await inFrames(tab, ({id}) => pageworld.call(tab, id, 'focusOn', {target}, signal), signal)
      : await look(tab, signal);
    const before: Scene = frame.parentId === undefined ? answer : await sceneOf(tab.tabId);
    call.started();
    const {changed} = await finish(tab, settling, frame, before, {steps}, signal);
    return {...changed, ok: true};
  } finally {
    settling.end();
  }
};

/** KeySteps are the input of pressing a key by its name. */
export function keySteps(key: string, platform: Platform): Step[] {
  try {
    return keyEvents(parseKey(key, platform), platform).map(keyStep);
  } catch (error) {
    if (error instanceof KeyError) throw new ActionError('invalid_action', error.message);
    throw error;
  }
}

/**
 * TextSteps are the input of typing text into a field that has the focus. Text goes in as an input method gives
 * it, so that emoji and CJK arrive whole, but for its last character: that comes by its key where it has one, since
 * many pages look at what a field holds when a key is let go. In a rich editor a line ends by Shift+Enter: Enter alone
 * sends the message in many of them. A one-line field holds no line ends: they become spaces there.
 */
export function textSteps(text: string, field: TextField, platform: Platform): Step[] {
  const {kind, oneLine, selected} = field;
  if (text === '') return selected ? keySteps('Delete', platform) : [];
  const lines = text.split(/\r\n|\r|\n/);
  if (oneLine) return heard(lines.join(' '), field, platform);
  if (kind !== 'rich') return heard(lines.join('\n'), field, platform);
  return lines.flatMap((line, i) => [
    ...(i > 0 ? keySteps('Shift+Enter', platform) : []),
    ...(line === '' ? [] : i < lines.length - 1 ? [textStep(line)] : heard(line, field, platform)),
  ]);
}

/** Characters that a key gives and that no editor answers with another one, as it does to brackets and quotes. */
const plainKeys = /[\w .,:;@/-]$/;

function heard(text: string, {passesOn, maxLength}: TextField, platform: Platform): Step[] {
  // What does not fit might go on where the page has moved the focus meanwhile.
  if (passesOn || !plainKeys.test(text) || (maxLength !== undefined && text.length > maxLength))
    return [textStep(text)];
  const before = text.slice(0, -1);
  return [...(before === '' ? [] : [textStep(before)]), ...keySteps(text.slice(-1), platform)];
}

type TextField = Pick<Ready, 'kind' | 'oneLine' | 'selected' | 'passesOn' | 'maxLength'>;

interface Order {
  readonly text: string;
  /** Of a secret: the origins on which alone it may be entered. */
  readonly onlyOn: readonly string[] | undefined;
  /** If true, what the field holds is replaced. */
  readonly replace: boolean;
  readonly submit: boolean;
  /** If true, a checkbox is set by "true" or "false". */
  readonly whole: boolean;
}

interface Frame {
  readonly id: string;
  readonly parentId: string | undefined;
}

async function enter(target: TargetRef, call: Call, order: Order): Promise<Changed & {ok: boolean; value?: string}> {
  const {signal} = call;
  const platform = await platformName();
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab);
  try {
    const named = {uid: target.uid, selector: target.selector};
    const wanted = {target: named, clear: order.replace, onlyOn: order.onlyOn};
    const {frame, answer: ready} = await drawingIfSlow(
      tab,
      inFrames(tab, ({id}) => pageworld.call(tab, id, 'edit', wanted, signal), signal),
    );
    const before: Scene = frame.parentId === undefined ? ready : await sceneOf(tab.tabId);
    const held = await put(tab, call, frame, ready, named, order, platform);
    if (held.dialog) return {...(await settling.changed(before, frame, signal)), ok: true};
    // With submit the page may be gone afterwards: so what the field holds is read first.
    const early = order.submit ? await read(tab, frame, order, ready, signal) : undefined;
    if (early) verify(early, settling, order);
    const last = order.submit ? {steps: keySteps('Enter', platform)} : {steps: [], wait: eager};
    const {changed, moved} = await finish(tab, settling, frame, before, last, signal);
    let typed = early;
    if (!typed && !settling.navigated && !changed.dialog) {
      typed = await read(tab, frame, order, ready, signal);
      verify(typed, settling, order, {changed, moved});
    }
    return {...changed, ok: true, ...(typed?.value === undefined ? {} : {value: clip(typed.value)})};
  } finally {
    settling.end();
  }
}

/** Put brings the text into the field by the way that its kind takes it. */
async function put(
  tab: Tab,
  call: Call,
  frame: Frame,
  ready: Ready,
  target: TargetRef,
  order: Order,
  platform: Platform,
): Promise<{dialog: boolean}> {
  const {signal} = call;
  const {onlyOn} = order;
  switch (ready.kind) {
    case 'set':
      call.started();
      await pageworld.call(tab, frame.id, 'set', {value: order.text, onlyOn}, signal).catch(unlessRefused);
      tab.note(`${ready.what} takes no typed text; its value was set by script, with the events input and change`);
      return {dialog: false};
    case 'checkbox':
      return check(tab, call, ready, target, order);
    case 'select':
      throw new ActionError('invalid_action', `${ready.what} is a list of options; choose with select`);
    case 'file':
      throw new ActionError('invalid_action', `${ready.what} takes files; give them with upload`);
    case 'none':
      throw new ActionError('invalid_action', `${ready.what} takes no text; choose a text field`);
    case 'text':
    case 'rich': {
      if (!ready.focused) await focusByClick(tab, call, frame, ready, target, order);
      if (ready.oneLine && /[\r\n]/.test(order.text)) tab.note('the field holds one line: line ends became spaces');
      call.started();
      if (onlyOn) {
        await pageworld.call(tab, frame.id, 'enter', {text: order.text, onlyOn}, signal).catch(unlessRefused);
        // Pages that look when a key is let go hear one that says nothing.
        return dispatch(tab, keySteps('Shift', platform), {signal});
      }
      // What an editor holds is selected by its own doing, not by the field's.
      const all = order.replace && ready.passesOn ? keySteps('ControlOrMeta+a', platform) : [];
      return dispatch(tab, [...all, ...textSteps(order.text, ready, platform)], {signal});
    }
  }
}

/** UnlessRefused throws what the page's part failed with: what it refuses it refuses before anything has changed. */
function unlessRefused(thrown: unknown): never {
  const codes = ['invalid_action', 'element_stale', 'element_blocked'];
  throw thrown instanceof ActionError && codes.includes(thrown.code) ? undone(thrown) : thrown;
}

async function check(tab: Tab, call: Call, ready: Ready, target: TargetRef, order: Order): Promise<{dialog: boolean}> {
  if (!order.whole || order.onlyOn)
    throw new ActionError('invalid_action', `${ready.what} takes no text; use click, or fill with "true" or "false"`);
  const wanted = order.text.trim().toLowerCase();
  if (wanted !== 'true' && wanted !== 'false') {
    throw new ActionError(
      'invalid_action',
      `${ready.what} is set by "true" or "false", not by ${JSON.stringify(clip(order.text))}`,
    );
  }
  return (wanted === 'true') === ready.checked ? {dialog: false} : clickAt(tab, target, call);
}

async function focusByClick(
  tab: Tab,
  call: Call,
  frame: Frame,
  ready: Ready,
  target: TargetRef,
  order: Order,
): Promise<void> {
  const {dialog} = await clickAt(tab, target, call);
  const clear = order.replace;
  await pageworld.call(tab, frame.id, 'edit', {target, clear}, call.signal);
  const {focused} = dialog ? {focused: false} : await pageworld.call(tab, frame.id, 'select', {clear}, call.signal);
  if (focused) return;
  throw new ActionError(
    'element_blocked',
    `${ready.what} does not keep the focus, so nothing was typed; the page gives the focus to something else`,
    {step: 'input'},
  );
}

function read(tab: Tab, frame: Frame, order: Order, ready: Ready, signal: AbortSignal): Promise<Typed> {
  const text = ready.oneLine ? order.text.replace(/\r\n|\r|\n/g, ' ') : order.text;
  return pageworld.call(tab, frame.id, 'typed', {text, replace: order.replace}, signal);
}

/** Verify compares what the field holds with what was typed: refused text is an error, other differences are told. */
function verify(typed: Typed, settling: Settling, order: Order, finished?: Finished): void {
  const changed = finished?.changed;
  const {verdict, value, what, maxLength} = typed;
  if (verdict === 'as asked') return;
  if (verdict === 'passed on') {
    const passed = `${what} passes text on to an editor and does not tell what that holds; look at the page`;
    if (changed) changed.notes = [...(changed.notes ?? []), passed];
    else settling.note(passed);
    return;
  }
  const holds = value === undefined ? 'it holds something else' : `it holds ${JSON.stringify(clip(value))}`;
  if (verdict === 'refused' && !answered(finished)) {
    throw new ActionError(
      'invalid_action',
      `${what} did not take the text: ${holds}; look at the page and at what the field expects`,
      {
        outcome: 'done',
        step: 'verify',
      },
    );
  }
  const why =
    maxLength !== undefined && order.text.length > maxLength ? ` (it takes ${maxLength} characters at most)` : '';
  const note = `${what} does not hold what was typed: ${holds}${why}`;
  if (changed) changed.notes = [...(changed.notes ?? []), note];
  else settling.note(note);
}

/** Answered tells of a page that did something in answer: it may have taken the text elsewhere, made a tag of it or sent it. */
function answered(finished: Finished | undefined): boolean {
  return finished?.moved === true || finished?.changed.altered !== undefined;
}

async function look(tab: Tab, signal: AbortSignal): Promise<{frame: Frame; answer: Scene}> {
  const frame = topFrame(tab);
  return {frame, answer: await pageworld.call(tab, frame.id, 'look', {}, signal)};
}

/** Finished is what came of the input. */
interface Finished {
  readonly changed: Changed;
  /** If true, the page did something in answer. */
  readonly moved: boolean;
}

/** Finish sends the last input, if any, and waits until all of it has settled. */
async function finish(
  tab: Tab,
  settling: Settling,
  frame: Frame,
  before: Scene,
  {steps, wait = {}}: {steps: readonly Step[]; wait?: Partial<Patience>},
  signal: AbortSignal,
): Promise<Finished> {
  const {dialog} = await dispatch(tab, steps, {signal});
  const settled = dialog ? undefined : await settling.rest(frame.id, signal, wait);
  return {changed: await settling.changed(before, frame, signal, settled), moved: settled?.landed?.changed === true};
}

function textOf({text, secret}: {text?: string; secret?: string}): string {
  if (text !== undefined) return text;
  const named = secret === undefined ? '' : ` ${JSON.stringify(secret)}`;
  throw new ActionError('unsupported', `the secret${named} did not come with the call; this version types text only`);
}

function undone({code, message, step}: ActionError): ActionError {
  return new ActionError(code, message, {outcome: 'not_sent', ...(step === undefined ? {} : {step})});
}

function clip(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

let platform: Promise<Platform> | undefined;

function platformName(): Promise<Platform> {
  platform ??= chrome.runtime.getPlatformInfo().then(({os}) => (os === 'mac' ? 'mac' : 'other'));
  return platform;
}
