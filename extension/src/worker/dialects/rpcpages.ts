/** pages.* and network.*: the methods of the rpc dialect that work on a session's current tab. */

import type {Action, ActionMap, RPCMethodName, RPCNetworkResult, RPCPagesResult, Viewport} from '../../protocol.gen';
import {script} from '../actions/evaluate';
import type {Point} from '../place';
import {tabs} from '../tab';
import {type ResultOf, type RpcCall, currentOf, pageResult, sessionOf} from './rpccall';
import {RpcRefusal} from './rpcerrors';
import type {Method} from './rpcmethods';

type PageMethodName = Extract<RPCMethodName, `pages.${string}` | `network.${string}`>;

/** Where the pointer was last put in each tab, for mouse events that do not say where. */
const pointers = new Map<number, Point>();

/** PageMethods are the methods on pages. */
export const pageMethods: {readonly [M in PageMethodName]: Method<M>} = {
  'pages.snapshot': async ({sessionId, ...rest}, call) => {
    const {common, result} = await onPage(sessionId, call, (tabId) => ({type: 'snapshot', tabId, ...rest}));
    const {snapshot, refs, origin, viewport, elements} = result;
    return {...common, snapshot, refs, origin, viewport, elements};
  },

  'pages.click': ({sessionId, ref}, call) => just(sessionId, call, (tabId) => ({type: 'click', tabId, uid: ref})),
  'pages.hover': ({sessionId, ref}, call) => just(sessionId, call, (tabId) => ({type: 'hover', tabId, uid: ref})),
  'pages.scrollIntoView': ({sessionId, ref}, call) =>
    just(sessionId, call, (tabId) => ({type: 'scroll', tabId, uid: ref, to: 'element'})),
  'pages.fill': ({sessionId, ref, text}, call) =>
    just(sessionId, call, (tabId) => ({type: 'fill', tabId, uid: ref, text})),
  'pages.type': ({sessionId, ref, text}, call) =>
    just(sessionId, call, (tabId) => ({type: 'type', tabId, uid: ref, text})),
  'pages.select': ({sessionId, ref, value}, call) =>
    just(sessionId, call, (tabId) => ({type: 'select', tabId, uid: ref, values: [value]})),
  'pages.press': ({sessionId, key}, call) => just(sessionId, call, (tabId) => ({type: 'press', tabId, key})),
  'pages.scroll': ({sessionId, direction, pixels}, call) =>
    just(sessionId, call, (tabId) => ({type: 'scroll', tabId, direction, pixels})),

  'pages.mouse': async ({sessionId, action, x, y, ...rest}, call) => {
    const tabId = currentOf(sessionOf(sessionId));
    const before = pointers.get(tabId) ?? (x === undefined || y === undefined ? await middle(tabId) : {x: 0, y: 0});
    const at = {x: x ?? before.x, y: y ?? before.y};
    const done = await just(sessionId, call, (on) => ({type: 'mouse', tabId: on, kind: action, ...at, ...rest}));
    pointers.set(done.tabId, at);
    return done;
  },

  'pages.get': async ({sessionId, what, ref}, call) => {
    if (ref === undefined && (what === 'value' || what === 'box'))
      throw new RpcRefusal('invalid_params', `pages.get of ${what} needs the ref of an element`);
    const target = ref === undefined ? {} : {uid: ref};
    const {common, result} = await onPage(sessionId, call, (tabId) => ({type: 'get', tabId, what, ...target}));
    const {value, box} = result;
    return {...common, what, ...(value === undefined ? {} : {value}), ...(box === undefined ? {} : {box})};
  },

  'pages.screenshot': async ({sessionId, fullPage = false, format = 'png', quality}, call) => {
    const wanted = {fullPage, format, ...(quality === undefined ? {} : {quality})};
    const {common, result} = await onPage(sessionId, call, (tabId) => ({type: 'screenshot', tabId, ...wanted}));
    const {data, mimeType, width, height} = result;
    const viewport = await viewportOf(common.tabId);
    return {
      ...common,
      screenshot: {data, mimeType, format, width, height, fullPage},
      ...(viewport === undefined ? {} : {viewport}),
    };
  },

  'pages.wait': async ({sessionId, ms, load}, call) => {
    if (ms === undefined && load === undefined)
      throw new RpcRefusal('invalid_params', 'pages.wait needs ms, load or both');
    let common: RPCPagesResult | undefined;
    let waitedMs = 0;
    for (const wish of [load === undefined ? undefined : {load}, ms === undefined ? undefined : {ms}]) {
      if (!wish) continue;
      const waited = await onPage(sessionId, call, (tabId) => ({type: 'wait_for', tabId, ...wish}));
      common = waited.common;
      waitedMs += waited.result.waitedMs;
    }
    common ??= await pageResult(sessionId, currentOf(sessionOf(sessionId)));
    return {...common, waitedMs, ...(load === undefined ? {} : {load})};
  },

  'pages.eval': async ({sessionId, script: text, awaitPromise = true}, call) => {
    const {common, result} = await onPage(sessionId, call, (tabId) => script(text, awaitPromise, tabId));
    const {value, type, description, preview} = result;
    // Undefined is no JSON: it is not there. What has no JSON form is described.
    const told = type === 'undefined' ? undefined : (value ?? description ?? preview ?? null);
    return {...common, origin: originOf(common.page.url), ...(told === undefined ? {} : {result: told})};
  },

  'pages.upload': () => {
    throw new RpcRefusal(
      'invalid_params',
      'files name files of the machine of the browser, whose user has not allowed any folder: nothing was uploaded',
    );
  },

  'pages.savePdf': async ({sessionId, paperFormat, landscape, path}, call) => {
    if (path !== undefined) {
      throw new RpcRefusal(
        'invalid_params',
        'path names a file of the machine of the browser, whose user has not allowed any folder: leave it out, and the bytes come in the result',
      );
    }
    const wanted = {
      ...(paperFormat === undefined ? {} : {paperFormat}),
      ...(landscape === undefined ? {} : {landscape}),
    };
    const {common, result} = await onPage(sessionId, call, (tabId) => ({type: 'pdf', tabId, ...wanted}));
    return {...common, data: result.data, mimeType: result.mimeType};
  },

  'network.start': ({sessionId}, call) => recorded(sessionId, call, {op: 'start'}),
  'network.stop': ({sessionId}, call) => recorded(sessionId, call, {op: 'stop'}),
  'network.list': ({sessionId}, call) => recorded(sessionId, call, {op: 'list', limit: 1_000}),
  'network.detail': ({sessionId, requestId}, call) => recorded(sessionId, call, {op: 'detail', requestId}),
};

/** OnPage has an action done on the session's current tab, which is its own, never the one that Chrome shows. */
async function onPage<A extends Action>(
  sessionId: string,
  call: RpcCall,
  actionOn: (tabId: number) => A,
): Promise<{common: RPCPagesResult; result: ResultOf<A>}> {
  const session = sessionOf(sessionId);
  const tabId = currentOf(session);
  const result = await call.act(session.agentId, actionOn(tabId));
  return {common: await pageResult(sessionId, tabId), result};
}

/** Just is onPage for methods whose result has nothing of its own. */
async function just(sessionId: string, call: RpcCall, actionOn: (tabId: number) => Action): Promise<RPCPagesResult> {
  const {common} = await onPage(sessionId, call, actionOn);
  return common;
}

async function recorded(
  sessionId: string,
  call: RpcCall,
  asked: Omit<ActionMap['network']['params'], 'type' | 'tabId'>,
): Promise<RPCNetworkResult> {
  const {common, result} = await onPage(sessionId, call, (tabId) => ({type: 'network', tabId, ...asked}));
  const {entries} = result;
  const recording = asked.op !== 'stop';
  return {
    sessionId,
    tabId: common.tabId,
    recording,
    ...(asked.op === 'list' || asked.op === 'detail' ? {requests: entries ?? []} : {}),
  };
}

async function viewportOf(tabId: number): Promise<Viewport | undefined> {
  const tab = tabs.peek(tabId);
  if (tab?.attached !== true) return undefined;
  const metrics = await tab.send('Page.getLayoutMetrics', undefined, {timeoutMs: 1_000}).catch(() => undefined);
  if (!metrics) return undefined;
  const {clientWidth, clientHeight, pageX, pageY} = metrics.cssLayoutViewport;
  return {width: clientWidth, height: clientHeight, scrollX: pageX, scrollY: pageY};
}

async function middle(tabId: number): Promise<Point> {
  const {width = 0, height = 0} = (await viewportOf(tabId)) ?? {};
  return {x: Math.round(width / 2), y: Math.round(height / 2)};
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'null';
}
