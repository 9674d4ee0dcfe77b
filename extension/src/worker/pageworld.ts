/** Calls into our isolated world of a page, which page.js makes; it is injected where it is missing. */

import {BUILD, type Envelope, type Fault, type PageArgs, type PageMethod, type PageResult, SHAPES} from '../page/api';
import {CdpError} from './cdp';
import {dialogOpen} from './dialogs';
import {ActionError, messageOf} from './errors';
import type {Context} from './frames';
import {betweenDocuments, tabGone} from './losses';
import {race} from './race';
import type {Tab} from './tab';

const anotherBuild = 'the page script is of another build';

// An updated extension finds the worlds of the one before in the open pages, with the script of that time in them: nothing
// there may answer. Chrome gives the updated one worlds of its own beside them.
const WORLD = `((world) => {
  if (world !== undefined && world.build !== ${JSON.stringify(BUILD)}) throw new Error('${anotherBuild}');
  return world;
})(globalThis.drawbridge)`;

/** How a method is called in the world; undefined tells that page.js is not there. */
const CALL = `function (method, args) { return ${WORLD}?.call(method, args); }`;
const ELEMENT = `function (target) { return ${WORLD}?.element(target); }`;
const SHOWN = `function (timeoutMs, call) { return ${WORLD}?.shown(this, timeoutMs, call); }`;
const STRANGERS = `function () { return ${WORLD}?.strangers(); }`;
const LEARN = `function (roles) { return ${WORLD}?.learn(roles) ?? null; }`;
const FRAME = `function (index) { return ${WORLD}?.frame(index); }`;

/** Pageworld reaches the isolated worlds of all tabs. It keeps no state: the tab knows its worlds. */
export const pageworld = {
  /**
   * Call calls a method of the page API in a frame and gives its checked answer.
   *
   * @throws {@link ActionError} what the page refused with, what the tab's send throws, and `internal` for an
   *   answer that is not of the method's shape.
   */
  async call<M extends PageMethod>(
    tab: Tab,
    frameId: string,
    method: M,
    args: PageArgs<M>,
    signal: AbortSignal,
  ): Promise<PageResult<M>> {
    const giveUp = (): void => {
      if (typeof args === 'object' && 'call' in args) cancel(tab, frameId, args.call);
    };
    signal.addEventListener('abort', giveUp, {once: true});
    const ask = async (): Promise<Envelope | undefined> => {
      const answer = await run(tab, frameId, CALL, [method, JSON.stringify(args)], true, signal);
      return answer.value === undefined ? undefined : parse(answer.value);
    };
    const again = async (): Promise<Envelope | undefined> => {
      const first = await ask();
      const unclear = first?.strangers === true && ('ok' in first ? READS.has(method) : method === 'edit');
      return unclear && (await learnRoles(tab, frameId, signal).catch(goneMeanwhile)) ? ask() : first;
    };
    const envelope = await again().finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
    if (!envelope) throw new ActionError('internal', `the page gave no answer to ${method}; extract again`);
    if ('fault' in envelope) throw refused(envelope.fault);
    const check = SHAPES[method];
    if (!check(envelope.ok)) throw new ActionError('internal', `the page's answer to ${method} has another shape`);
    return envelope.ok;
  },

  /**
   * Handle gives the CDP object of an element in a frame, for commands that want one.
   *
   * @throws {@link ActionError} `element_not_found` when there is no such element.
   */
  async handle(
    tab: Tab,
    frameId: string,
    target: {uid?: string; selector?: string},
    signal: AbortSignal,
  ): Promise<{objectId: string; session: string | undefined}> {
    const answer = await run(tab, frameId, ELEMENT, [target], false, signal);
    if (answer.objectId === undefined) {
      throw new ActionError('element_not_found', 'no such element in the page; extract again and choose another', {
        step: 'resolve',
      });
    }
    return {objectId: answer.objectId, session: answer.session};
  },

  /**
   * FrameIn gives the id of the frame that an iframe element of a document holds, by the element's number in the last
   * walk of that document; undefined when it holds none (any more).
   */
  async frameIn(tab: Tab, frameId: string, index: number, signal: AbortSignal): Promise<string | undefined> {
    const {objectId, session} = await run(tab, frameId, FRAME, [index], false, signal);
    if (objectId === undefined) return undefined;
    const {node} = await tab.send('DOM.describeNode', {objectId}, {session, signal});
    await tab.send('Runtime.releaseObject', {objectId}, {session, signal});
    return node.frameId;
  },

  /**
   * FrameShown waits until a person can see the element that a frame is in, and those around it, and tells whether
   * that came about: a document does not know that its own frame is hidden.
   *
   * @param timeoutMs the most to wait at each level, in milliseconds; 0: only a look.
   */
  async frameShown(tab: Tab, frameId: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const frame = tab.frames.get(frameId);
    if (frame?.parentId === undefined) return frame !== undefined;
    const parent = tab.frames.get(frame.parentId);
    if (!parent || !(await this.frameShown(tab, parent.id, timeoutMs, signal))) return false;
    const world = await worldOf(tab, parent.id, signal);
    const {session} = world;
    const owner = await tab.send('DOM.getFrameOwner', {frameId}, {session, signal});
    const {object} = await tab.send(
      'DOM.resolveNode',
      {backendNodeId: owner.backendNodeId, executionContextId: world.contextId},
      {session, signal},
    );
    if (object.objectId === undefined) return false;
    const call = crypto.randomUUID();
    const giveUp = (): void => {
      cancel(tab, parent.id, call);
    };
    signal.addEventListener('abort', giveUp, {once: true});
    const asked = tab.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: SHOWN,
        objectId: object.objectId,
        arguments: [{value: timeoutMs}, {value: call}],
        returnByValue: true,
        awaitPromise: true,
      },
      {session, signal},
    );
    const {result} = await asked.finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
    await tab.send('Runtime.releaseObject', {objectId: object.objectId}, {session, signal});
    return result.value === true;
  },
};

/** Cancel has what goes on in a frame for a call end: it would until it hears of it; a page that is gone has none. */
function cancel(tab: Tab, frameId: string, call: string): void {
  const world = tab.frames.ours(frameId);
  if (!world) return;
  const {session, uniqueContextId} = world;
  const order = [{value: 'cancel'}, {value: JSON.stringify({call})}];
  const params = {functionDeclaration: CALL, uniqueContextId, arguments: order};
  tab.send('Runtime.callFunctionOn', params, {session, timeoutMs: injectMs}).catch(() => undefined);
}

interface Answer {
  value: unknown;
  objectId: string | undefined;
  session: string | undefined;
}

/** Run runs a function in the world of a frame; one that page.js is missing from gets it first. */
async function run(
  tab: Tab,
  frameId: string,
  functionDeclaration: string,
  args: unknown[],
  byValue: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const known = tab.frames.ours(frameId);
  if (known) {
    const answer = await callIn(tab, known, functionDeclaration, args, byValue, signal).catch((thrown: unknown) => {
      // Nothing ran: the document went away before the command came to it.
      if (lost(tab, known, thrown)) return undefined;
      throw thrown;
    });
    if (answer) return answer;
  }
  const context = await renewed(tab, frameId, signal);
  const answer = await callIn(tab, context, functionDeclaration, args, byValue, signal).catch((thrown: unknown) => {
    if (lost(tab, context, thrown)) return undefined;
    throw thrown;
  });
  if (answer) return answer;
  throw betweenDocuments();
}

/**
 * The methods that tell of roles and change nothing: they are called again when roles have become known. So is the refusal
 * to edit what may be a control by a role that nobody has asked for yet.
 */
const READS = new Set<PageMethod>(['snapshot', 'extract', 'find']);

/**
 * LearnRoles asks the browser for the roles that custom elements of a document keep inside, and tells our world; true
 * when there is something new in it.
 */
async function learnRoles(tab: Tab, frameId: string, signal: AbortSignal): Promise<boolean> {
  const {objectId, session} = await run(tab, frameId, STRANGERS, [], false, signal);
  if (objectId === undefined) return false;
  const options = {session, signal};
  const {result} = await tab.send('Runtime.getProperties', {objectId, ownProperties: true}, options);
  const elements = result.filter(({name}) => /^\d+$/.test(name)).flatMap(({value}) => value?.objectId ?? []);
  // Without this the browser makes its whole tree anew for each question.
  await tab.send('Accessibility.enable', undefined, options);
  const roles = await Promise.all(
    elements.map(async (id) => {
      const {nodes} = await tab.send('Accessibility.getPartialAXTree', {objectId: id, fetchRelatives: false}, options);
      const role: unknown = nodes[0]?.ignored === false ? nodes[0].role?.value : '';
      return typeof role === 'string' ? role : '';
    }),
  ).finally(() => tab.send('Accessibility.disable', undefined, options));
  await run(tab, frameId, LEARN, [roles], true, signal);
  await Promise.all([objectId, ...elements].map((id) => tab.send('Runtime.releaseObject', {objectId: id}, options)));
  return roles.some((role) => role !== '' && role !== 'generic' && role !== 'none');
}

// What was asked about, or its document, went away: what was read says as much as can be said.
function goneMeanwhile(thrown: unknown): boolean {
  if (thrown instanceof CdpError || (thrown instanceof ActionError && thrown.code === 'element_stale')) return false;
  throw thrown;
}

/** WorldOf is our world in a frame, which is made where it is missing. */
async function worldOf(tab: Tab, frameId: string, signal: AbortSignal): Promise<Context> {
  return tab.frames.ours(frameId) ?? (await renewed(tab, frameId, signal));
}

async function renewed(tab: Tab, frameId: string, signal: AbortSignal): Promise<Context> {
  if (tab.frames.get(frameId)?.mimeType === 'application/pdf') throw new ActionError('unsupported', pdfWords);
  await inject(tab, frameId, signal);
  // A frame that the page may not show holds an error page of the browser's own: no script of ours ever runs there.
  const frame = tab.frames.ours(frameId) === undefined ? tab.frames.get(frameId) : undefined;
  if (frame?.unreachableUrl !== undefined) {
    if (frame.parentId === undefined) throw errorPage(frame.unreachableUrl);
    throw new ActionError('unsupported', 'the frame did not load: it shows an error page of the browser');
  }
  await tab.tellWorlds(frameId, signal);
  const limit = AbortSignal.timeout(injectMs);
  return tab.frames.waitForOurs(frameId, AbortSignal.any([signal, limit])).catch((thrown: unknown) => {
    if (signal.aborted || !limit.aborted) throw thrown;
    throw new ActionError('unsupported', 'this document takes no script of ours, so it cannot be read or acted on');
  });
}

const pdfWords =
  'this is a PDF document: it has no DOM, so nothing in it can be read or acted on; get its bytes by the action pdf, or take a screenshot';

/** How long the browser may take to tell of a world after it ran our script there: frames may be gone by then. */
const injectMs = 3000;

/** Lost tells whether a command found that its world is gone, which Chrome then need not have told. */
function lost(tab: Tab, {uniqueContextId}: Context, thrown: unknown): boolean {
  if (!(thrown instanceof CdpError)) return false;
  if (!/uniqueContextId not found|Cannot find context/.test(thrown.cdpMessage)) return false;
  tab.frames.forgetContext(uniqueContextId);
  return true;
}

async function callIn(
  tab: Tab,
  context: Context,
  functionDeclaration: string,
  args: unknown[],
  byValue: boolean,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const {session, uniqueContextId} = context;
  const {result, exceptionDetails} = await tab.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration,
      uniqueContextId,
      arguments: args.map((value) => ({value})),
      returnByValue: byValue,
      awaitPromise: true,
    },
    {session, signal},
  );
  if (exceptionDetails) {
    const said = exceptionDetails.exception?.description ?? exceptionDetails.text;
    if (said.includes(anotherBuild)) {
      tab.frames.disown(uniqueContextId);
      return undefined;
    }
    throw new ActionError('internal', `our script in the page failed: ${said.slice(0, 300)}; report this`);
  }
  if (result.type === 'undefined') return undefined;
  // An element that is not there: no object, but an answer all the same.
  return {value: result.value, objectId: result.objectId, session};
}

/** Inject puts page.js into every frame that has none: it does nothing where it already is. */
async function inject(tab: Tab, frameId: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    const order = {target: {tabId: tab.tabId, allFrames: true}, files: ['page.js'], injectImmediately: true};
    await race(
      unlessDialog(tab, () => chrome.scripting.executeScript(order)),
      signal,
    );
  } catch (error) {
    if (error instanceof ActionError) throw error;
    if (/^No tab with id/i.test(messageOf(error))) throw tabGone(tab.tabId);
    if (/^(about:blank|data:)/.test(tab.frames.top?.url ?? '')) return byDebugger(tab, frameId, signal);
    const missed = tab.frames.top?.unreachableUrl;
    if (missed !== undefined) throw errorPage(missed, error);
    if (/was removed/i.test(messageOf(error))) throw betweenDocuments();
    throw new ActionError('unsupported', `no script of ours may run in this page: ${messageOf(error)}`, {cause: error});
  }
}

function errorPage(missed: string, cause?: unknown): ActionError {
  return new ActionError(
    'navigation_failed',
    `the tab shows the browser's own error page for ${missed.slice(0, 500)}, which cannot be read: navigate, or call handoff where only the user can go on (a certificate, a log-in)`,
    {cause},
  );
}

/** ByDebugger puts page.js into a frame of a tab whose address no permission could be for: an empty or a data: one. */
async function byDebugger(tab: Tab, frameId: string, signal: AbortSignal): Promise<void> {
  const source = await (await fetch(chrome.runtime.getURL('page.js'), {signal})).text();
  const worldName = `chrome-extension://${chrome.runtime.id}`;
  const options = {session: tab.frames.get(frameId)?.session, signal};
  const world = await tab.send('Page.createIsolatedWorld', {frameId, worldName}, options);
  await tab.send('Runtime.evaluate', {expression: source, contextId: world.executionContextId}, options);
}

/** UnlessDialog waits for work in the page, which no dialog may hold up. */
async function unlessDialog<T>(tab: Tab, work: () => Promise<T>): Promise<T> {
  if (tab.dialog) throw dialogOpen(tab.dialog);
  let off: (() => void) | undefined;
  const opened = new Promise<never>((_resolve, reject) => {
    off = tab.on('Page.javascriptDialogOpening', () => {
      if (tab.dialog) reject(dialogOpen(tab.dialog));
    });
  });
  try {
    return await Promise.race([work(), opened]);
  } finally {
    off?.();
  }
}

function parse(value: unknown): Envelope | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed: unknown = JSON.parse(value);
  return isEnvelope(parsed) ? parsed : undefined;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && ('ok' in value || 'fault' in value);
}

function refused({code, message, step, elements}: Fault): ActionError {
  return new ActionError(code, message, {
    ...(step === undefined ? {} : {step}),
    ...(elements === undefined ? {} : {elements}),
  });
}
