/** A call of the rpc dialect on its way: its sessions, its tabs, and the engine that performs its actions. */

import type {Action, ActionMap, ActionType, RPCPagesResult, RPCSession, RPCTab} from '../../protocol.gen';
import {tabOr} from '../chrometabs';
import {type GroupSession, groups, isRpcAgent, rpcAgentPrefix} from '../groups';
import {guard} from '../guard';
import type {Engine} from './dialect';
import {RpcRefusal, answerTo} from './rpcerrors';

/** ResultOf is the result of an action. */
export type ResultOf<A extends Action> = ActionMap[A['type']]['result'];

/** RpcCall performs the actions that one call is made of, each as a request of its own. */
export class RpcCall {
  readonly #method: string;
  readonly #id: number;
  readonly #engine: Engine;
  #steps = 0;

  constructor(method: string, id: number, engine: Engine) {
    this.#method = method;
    this.#id = id;
    this.#engine = engine;
  }

  /**
   * Act has one action done for an owner.
   *
   * @throws {@link RpcRefusal} what the engine's error is in this dialect.
   */
  async act<A extends Action>(agentId: string, action: A): Promise<ResultOf<A>> {
    this.#steps += 1;
    const id = `rpc-${this.#id.toString()}-${this.#steps.toString()}`;
    const reply = await this.#engine.dispatch({type: 'request', id, agentId, action});
    if ('error' in reply) throw answerTo(reply.error, this.#method);
    if (!isResultOf(action, reply.result)) throw new RpcRefusal('internal_error', 'the engine gave no result');
    return reply.result;
  }
}

/** NewOwner is the owner that a new session gets: the protocol names no agents, so each session is one. */
export function newOwner(): string {
  return rpcAgentPrefix + crypto.randomUUID();
}

/** Onlooker is who looks at tabs without owning any. */
export const onlooker = rpcAgentPrefix;

/** SessionOf finds a session. @throws {@link RpcRefusal} session_not_found, also for one of the bridge dialect's. */
export function sessionOf(sessionId: string): GroupSession {
  const session = groups.get(sessionId);
  if (session && isRpcAgent(session.agentId)) return session;
  throw new RpcRefusal(
    'session_not_found',
    `there is no session ${sessionId.slice(0, 64)} (any more): sessions.list has those that are`,
  );
}

/** CurrentOf is a session's current tab. @throws {@link RpcRefusal} tab_not_found */
export function currentOf({activeTabId}: GroupSession): number {
  if (activeTabId !== undefined) return activeTabId;
  throw new RpcRefusal('tab_not_found', 'the session has no tab (any more)');
}

/** MemberOf finds a session in which a tab must be. @throws {@link RpcRefusal} tab_not_found, tab_not_in_session */
export async function memberOf(sessionId: string, tabId: number): Promise<GroupSession> {
  const session = sessionOf(sessionId);
  if (session.tabIds.includes(tabId)) return session;
  if (await tabOr(tabId)) throw new RpcRefusal('tab_not_in_session', `tab ${tabId} is not in that session: attach it`);
  throw new RpcRefusal('tab_not_found', `there is no tab ${tabId} (any more)`);
}

/** TabOf describes a tab of a session: `active` is the session's own current one, whatever Chrome shows. */
export async function tabOf(tabId: number): Promise<RPCTab> {
  return described(tabId, await tabOr(tabId), groups.of(tabId)?.activeTabId === tabId);
}

/** Described is a tab as the protocol has it; what the blocklist hides has no address and no title. */
export function described(tabId: number, tab: chrome.tabs.Tab | undefined, active: boolean): RPCTab {
  if (!tab) return {tabId};
  const {windowId, groupId, url = '', title = ''} = tab;
  return {
    tabId,
    windowId,
    ...(groupId === chrome.tabGroups.TAB_GROUP_ID_NONE ? {} : {groupId}),
    ...(guard.listable(tabId, url) ? {url, title} : {}),
    active,
  };
}

/** SessionNow describes a session; it stands where its current tab does. */
export async function sessionNow(sessionId: string): Promise<RPCSession> {
  const {title, color, tabIds, activeTabId} = sessionOf(sessionId);
  const tabs = await Promise.all(tabIds.map((tabId) => tabOf(tabId)));
  const current = tabs.find(({tabId}) => tabId === activeTabId);
  const {windowId, groupId} = current ?? {};
  const group = groupId === undefined ? undefined : await chrome.tabGroups.get(groupId).catch(() => undefined);
  const shown = group?.color ?? color;
  return {
    sessionId,
    ...(title === undefined ? {} : {title}),
    ...(windowId === undefined ? {} : {windowId}),
    ...(groupId === undefined ? {} : {groupId}),
    groupTitle: group?.title ?? '',
    ...(shown === undefined ? {} : {color: shown}),
    ...(activeTabId === undefined ? {} : {activeTabId}),
    tabs,
  };
}

/** PageResult is what every result of pages.* has. */
export async function pageResult(sessionId: string, tabId: number): Promise<RPCPagesResult> {
  const tab = await tabOr(tabId);
  const {url = '', title = ''} = described(tabId, tab, false);
  return {ok: true, sessionId, tabId, page: {url, title}, coordinateSpace: 'viewport-css-pixel'};
}

// The dispatcher answers each action with a result of its own kind.
function isResultOf<A extends Action>(_action: A, result: ActionMap[ActionType]['result']): result is ResultOf<A> {
  return typeof result === 'object';
}
