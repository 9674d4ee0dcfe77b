/** The methods of the rpc dialect: each is made of actions of the one engine. */

import type {RPCMethodMap, RPCMethodName, RPCParamsName, RPCTab, TabInfo} from '../../protocol.gen';
import {rpcMethods} from '../../protocol.gen';
import * as validators from '../../validator.gen.js';
import {tabOr} from '../chrometabs';
import {groups, isRpcAgent} from '../groups';
import {isRecord} from '../storage';
import type {Engine} from './dialect';
import {RpcCall, described, memberOf, newOwner, onlooker, sessionNow, sessionOf, tabOf} from './rpccall';
import {RpcRefusal} from './rpcerrors';
import {pageMethods} from './rpcpages';

/** Method performs one method with params that fit its struct. */
export type Method<M extends RPCMethodName> = (
  params: RPCMethodMap[M]['params'],
  call: RpcCall,
) => Promise<RPCMethodMap[M]['result']>;

/** How many tabs tabs.search gives when it is not said. */
const searchLimit = 20;

const methods: {readonly [M in RPCMethodName]: Method<M>} = {
  'sessions.create': async ({url, title, color, background = true}, call) => {
    const {sessions: [made] = []} = await call.act(newOwner(), {
      type: 'session',
      op: 'create',
      ...(url === undefined ? {} : {url}),
      ...(title === undefined ? {} : {title}),
      ...(color === undefined ? {} : {color}),
      foreground: !background,
    });
    return {created: true, session: await sessionNow(made?.sessionId ?? '')};
  },

  'sessions.attachCurrent': async ({title, color}, call) => {
    const {sessions: [made] = []} = await call.act(newOwner(), {
      type: 'session',
      op: 'attachCurrent',
      ...(title === undefined ? {} : {title}),
      ...(color === undefined ? {} : {color}),
    });
    const session = await sessionNow(made?.sessionId ?? '');
    const {activeTabId} = session;
    return {attached: true, session, ...(activeTabId === undefined ? {} : {attachedTabId: activeTabId})};
  },

  'sessions.list': async () => ({
    sessions: await Promise.all(groups.list(isRpcAgent).map(({sessionId}) => sessionNow(sessionId))),
  }),

  'sessions.rename': async ({sessionId, title}, call) => {
    const {agentId} = sessionOf(sessionId);
    await call.act(agentId, {type: 'session', op: 'rename', sessionId, title});
    return {renamed: true, session: await sessionNow(sessionId)};
  },

  'sessions.release': async ({sessionId}, call) => {
    const {agentId} = sessionOf(sessionId);
    await call.act(agentId, {type: 'session', op: 'release', sessionId});
    return {released: true, sessionId};
  },

  'sessions.close': async ({sessionId}, call) => {
    const {agentId} = sessionOf(sessionId);
    const {closedTabIds = []} = await call.act(agentId, {type: 'session', op: 'close', sessionId});
    return {closed: true, sessionId, closedTabIds};
  },

  'tabs.open': async ({sessionId, url, active = false}, call) => {
    const {agentId} = sessionOf(sessionId);
    const {tabId} = await call.act(agentId, {type: 'open_tab', url});
    if (active) await call.act(agentId, {type: 'activate_tab', tabId});
    return {opened: true, sessionId, tab: await tabOf(tabId)};
  },

  'tabs.list': async ({sessionId}) => {
    const {tabIds} = sessionOf(sessionId);
    return {sessionId, tabs: await Promise.all(tabIds.map((tabId) => tabOf(tabId)))};
  },

  'tabs.userList': async (_params, call) => {
    const {tabs} = await call.act(onlooker, {type: 'list_tabs', scope: 'user'});
    return {tabs: await Promise.all(tabs.map(inChrome))};
  },

  'tabs.search': async ({query = '', activeOnly = false, limit = searchLimit}, call) => {
    const {tabs: all} = await call.act(onlooker, {type: 'list_tabs', scope: 'all'});
    const wanted = query.toLowerCase();
    const found = all.filter(
      ({url, title, active}) => `${url}\n${title}`.toLowerCase().includes(wanted) && (!activeOnly || active === true),
    );
    const matches = await Promise.all(found.slice(0, limit).map(inChrome));
    return {query, scanned: all.length, total: found.length, matches, truncated: found.length > matches.length};
  },

  'tabs.attach': async ({sessionId, tabId}, call) => {
    const {agentId} = sessionOf(sessionId);
    const from = groups.of(tabId);
    // It must be this session that the tab goes to, whichever of its agent's was used last: it has but one.
    await call.act(agentId, {type: 'attach_tab', tabId});
    const released = from !== undefined && from.sessionId !== sessionId;
    return {
      attached: true,
      sessionId,
      tab: await tabOf(tabId),
      ...(released ? {releasedFrom: from.sessionId} : {}),
    };
  },

  'tabs.active': async ({sessionId}) => {
    const {activeTabId} = sessionOf(sessionId);
    if (activeTabId === undefined) throw new RpcRefusal('tab_not_found', 'the session has no tab (any more)');
    return {sessionId, tab: await tabOf(activeTabId)};
  },

  'tabs.activate': async ({sessionId, tabId}, call) => {
    const {agentId} = await memberOf(sessionId, tabId);
    await call.act(agentId, {type: 'activate_tab', tabId});
    return {activated: true, sessionId, tab: await tabOf(tabId)};
  },

  'tabs.close': async ({sessionId, tabId}, call) => {
    const {agentId} = await memberOf(sessionId, tabId);
    await call.act(agentId, {type: 'close_tab', tabId});
    const sessionClosed = groups.get(sessionId) === undefined;
    return {closed: true, sessionId, closedTabId: tabId, ...(sessionClosed ? {sessionClosed} : {})};
  },

  ...pageMethods,
};

async function inChrome({tabId, active = false}: TabInfo): Promise<RPCTab> {
  return described(tabId, await tabOr(tabId), active);
}

/** MethodCall is a call whose params fit its method. */
export interface MethodCall {
  readonly method: RPCMethodName;
  readonly perform: (call: RpcCall) => Promise<unknown>;
}

/**
 * CallOf checks the params of a call.
 *
 * @throws {@link RpcRefusal} session_required, invalid_params
 */
export function callOf(method: RPCMethodName, params: unknown): MethodCall {
  const {params: struct} = rpcMethods[method];
  const fits = validatorOf[struct];
  if (isRecord(params) && needsSession(struct) && (params.sessionId === undefined || params.sessionId === ''))
    throw new RpcRefusal('session_required', `${method} needs the sessionId of a session: sessions.create makes one`);
  if (!isRecord(params) || !fits(params)) {
    const error = fits.errors?.at(-1);
    const where = error === undefined || error.instancePath === '' ? 'params' : `params${error.instancePath}`;
    const why = isRecord(params) ? (error?.message ?? 'do not fit') : 'must be an object';
    throw new RpcRefusal('invalid_params', `${method}: ${where.replaceAll('/', '.')} ${why}`);
  }
  return {method, perform: (call) => run(method, params, call)};
}

/** Perform performs a call. It throws what `RpcCall.act` does, and what a fault of ours throws. */
export function perform({method, perform: done}: MethodCall, id: number, engine: Engine): Promise<unknown> {
  return done(new RpcCall(method, id, engine));
}

// Async, so that what a method throws at once rejects as well.
async function run<M extends RPCMethodName>(
  method: M,
  params: unknown,
  call: RpcCall,
): Promise<RPCMethodMap[M]['result']> {
  if (!isParams(method, params)) throw new RpcRefusal('invalid_params', `${method}: the params do not fit`);
  return methods[method](params, call);
}

// The validators are made from the schema that the types are made from.
function isParams<M extends RPCMethodName>(method: M, params: unknown): params is RPCMethodMap[M]['params'] {
  return validatorOf[rpcMethods[method].params](params);
}

const validatorOf: Readonly<Record<RPCParamsName, validators.Validate>> = {
  RPCSessionsCreate: validators.rpc_RPCSessionsCreate,
  RPCSessionsAttachCurrent: validators.rpc_RPCSessionsAttachCurrent,
  RPCNothing: validators.rpc_RPCNothing,
  RPCSessionsRename: validators.rpc_RPCSessionsRename,
  RPCInSession: validators.rpc_RPCInSession,
  RPCTabsOpen: validators.rpc_RPCTabsOpen,
  RPCTabsSearch: validators.rpc_RPCTabsSearch,
  RPCTabOfSession: validators.rpc_RPCTabOfSession,
  RPCPagesSnapshot: validators.rpc_RPCPagesSnapshot,
  RPCPagesRef: validators.rpc_RPCPagesRef,
  RPCPagesText: validators.rpc_RPCPagesText,
  RPCPagesSelect: validators.rpc_RPCPagesSelect,
  RPCPagesPress: validators.rpc_RPCPagesPress,
  RPCPagesScroll: validators.rpc_RPCPagesScroll,
  RPCPagesMouse: validators.rpc_RPCPagesMouse,
  RPCPagesGet: validators.rpc_RPCPagesGet,
  RPCPagesScreenshot: validators.rpc_RPCPagesScreenshot,
  RPCPagesWait: validators.rpc_RPCPagesWait,
  RPCPagesEval: validators.rpc_RPCPagesEval,
  RPCPagesUpload: validators.rpc_RPCPagesUpload,
  RPCPagesSavePDF: validators.rpc_RPCPagesSavePDF,
  RPCNetworkDetail: validators.rpc_RPCNetworkDetail,
};

function needsSession(struct: RPCParamsName): boolean {
  return !['RPCSessionsCreate', 'RPCSessionsAttachCurrent', 'RPCNothing', 'RPCTabsSearch'].includes(struct);
}
