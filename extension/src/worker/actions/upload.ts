/** upload: files by their bytes, into an input, a chooser that a button opens, or a drop zone. */

import type {FileName, Given, Receiver} from '../../page/controlapi';
import type {Scene} from '../../page/actapi';
import type {File} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {clickSteps, dispatch} from '../input';
import {pageworld} from '../pageworld';
import {Settling, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {Chooser, type OpenChooser} from '../chooser';
import {verifyClick} from './pointer';
import {inFrames, throughFrames} from './target';

/** How many characters of base64 go into the page at a time: a multiple of four. */
const pieceLength = 1 << 20;

/** Upload gives the files to what takes them at the target, and tells their names and sizes as the page has them. */
export const upload: Handler<'upload'> = async ({uid, selector, files}, call) => {
  const {signal} = call;
  const names = files.map(nameOf);
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab);
  try {
    const target = {uid, selector};
    const order = {target, files: names};
    const {frame, answer: receiver} = await inFrames(
      tab,
      ({id}) => pageworld.call(tab, id, 'receive', order, signal),
      signal,
    );
    const before: Scene = frame.parentId === undefined ? receiver : await sceneOf(tab.tabId);
    await stage(tab, frame, files, signal);
    const given = await give(tab, frame, {target, names, receiver}, call, settling);
    const settled = tab.dialog ? undefined : await settling.rest(frame.id, signal);
    const changed = await settling.changed(before, frame, signal, settled);
    return {...changed, ok: true, files: given};
  } finally {
    settling.end();
  }
};

interface Order {
  readonly target: {uid: string | undefined; selector: string | undefined};
  readonly names: FileName[];
  readonly receiver: Receiver;
}

async function give(tab: Tab, frame: Frame, order: Order, call: Call, settling: Settling): Promise<Given['files']> {
  const {receiver} = order;
  if (receiver.kind === 'button') return throughChooser(tab, frame, order, call, settling);
  const given = await put(tab, frame, order.names, call);
  if (given.taken) {
    if (receiver.kind === 'zone') settling.note(`the files were dropped on ${receiver.what} by script`);
    return given.files;
  }
  if (receiver.clickable) return throughChooser(tab, frame, order, call, settling);
  throw new ActionError(
    'invalid_action',
    `${receiver.what} took no files: it is no file input, opens no file chooser and takes no drop; choose the input or the button beside it`,
    {outcome: 'not_sent', step: 'verify'},
  );
}

/** ThroughChooser clicks what opens a file chooser, and gives the files to the input that it was opened for. */
async function throughChooser(
  tab: Tab,
  frame: Frame,
  {target, names, receiver}: Order,
  call: Call,
  settling: Settling,
): Promise<Given['files']> {
  const {signal} = call;
  const pointed = await pageworld.call(tab, frame.id, 'point', {target, guard: true}, signal);
  const at = await throughFrames(tab, frame, pointed, signal);
  const chooser = await Chooser.watch(tab, frame, signal);
  try {
    call.started();
    const {dialog} = await dispatch(tab, clickSteps({point: at, button: 'left', count: 1, modifiers: []}), {signal});
    const opened = dialog ? undefined : await chooser.opened(signal);
    if (!opened) {
      const settled = tab.dialog ? undefined : await settling.rest(frame.id, signal);
      if (settled?.landed) verifyClick(settled.landed, receiver.what);
      throw new ActionError(
        'invalid_action',
        `${receiver.what} was clicked and opened no file chooser, so no file was given; look at what the click did, then choose the file input`,
        {outcome: 'done', step: 'verify'},
      );
    }
    return await intoChooser(tab, frame, opened, names, call);
  } finally {
    chooser.end();
  }
}

async function intoChooser(
  tab: Tab,
  frame: Frame,
  opened: OpenChooser,
  names: FileName[],
  call: Call,
): Promise<Given['files']> {
  if (opened.backendNodeId === undefined) {
    throw new ActionError(
      'unsupported',
      'the page asks for files by showOpenFilePicker, which only a person can answer; look for a file input or a drop zone',
      {outcome: 'done'},
    );
  }
  if (opened.frameId !== frame.id) {
    throw new ActionError(
      'unsupported',
      'the file chooser was opened by another frame of the page; upload to its button',
      {
        outcome: 'done',
      },
    );
  }
  const context = await tab.frames.waitForOurs(frame.id, call.signal);
  const at = {session: context.session, signal: call.signal};
  const {object} = await tab.send(
    'DOM.resolveNode',
    {backendNodeId: opened.backendNodeId, executionContextId: context.contextId},
    at,
  );
  if (object.objectId === undefined)
    throw new ActionError('element_stale', 'the file input went away; take a new snapshot');
  const functionDeclaration = 'function () { globalThis.drawbridge.adopt(this); }';
  await tab.send('Runtime.callFunctionOn', {functionDeclaration, objectId: object.objectId}, at);
  await pageworld.call(tab, frame.id, 'adopted', {files: names}, call.signal);
  const {files} = await put(tab, frame, names, call);
  return files;
}

/** Put gives what was staged, and checks names and sizes against what was sent. */
async function put(tab: Tab, frame: Frame, names: readonly FileName[], call: Call): Promise<Given> {
  call.started();
  const given = await pageworld.call(tab, frame.id, 'give', {}, call.signal);
  if (given.taken && given.files.map(({name}) => name).join('\n') !== names.map(({name}) => name).join('\n')) {
    const has = given.files.map(({name}) => JSON.stringify(name)).join(', ');
    throw new ActionError('invalid_action', `the page has other files than those that were given: ${has}; look at it`, {
      outcome: 'done',
      step: 'verify',
    });
  }
  return given;
}

/** Stage brings the bytes into the page in pieces: no message is large, and none of them is kept here. */
async function stage(tab: Tab, frame: Frame, files: readonly File[], signal: AbortSignal): Promise<void> {
  for (const [index, {name, mimeType, data}] of files.entries()) {
    // Line ends, which base64 may have, would put the pieces out of step.
    const base64 = /\s/.test(data) ? data.replace(/\s+/g, '') : data;
    for (let from = 0; from === 0 || from < base64.length; from += pieceLength) {
      const piece = {index, name, mimeType, data: base64.slice(from, from + pieceLength), first: from === 0};
      await pageworld.call(tab, frame.id, 'stage', piece, signal);
    }
  }
}

function nameOf({name, mimeType}: File): FileName {
  if (!/[/\\\u0000]/.test(name) && name !== '.' && name !== '..') return {name, mimeType};
  throw new ActionError('invalid_action', `${JSON.stringify(name)} is no file name: give it without folders`);
}
