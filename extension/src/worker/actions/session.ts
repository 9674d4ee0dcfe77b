/** session: an agent's groups of tabs, as a person sees them in the tab strip. */

import type {Session, SessionInfo} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {type GroupSession, groups} from '../groups';
import {guard} from '../guard';
import {sessions} from '../sessions';
import {tabs} from '../tab';
import {agentWindow} from '../window';
import {attachTab, closeTab, openTab} from './tabs';

/** SessionAction makes, lists, renames and ends the caller's sessions. */
export const sessionAction: Handler<'session'> = async (action, call) => {
  switch (action.op) {
    case 'create':
      return made(action, call, async () => {
        const {notes} = await openTab({type: 'open_tab', url: action.url ?? 'about:blank'}, call);
        return notes;
      });
    case 'attachCurrent':
      return made(action, call, async () => {
        const {notes} = await attachTab({type: 'attach_tab'}, call);
        return notes;
      });
    case 'list':
      return {ok: true, sessions: await Promise.all(own(call).map(infoOf))};
    case 'rename': {
      const {sessionId} = chosen(action, call);
      if (action.title === undefined) throw new ActionError('invalid_action', 'rename needs a title; give one');
      call.started();
      await groups.rename(sessionId, action.title);
      return {ok: true, sessions: await now(sessionId)};
    }
    case 'release': {
      const all = released(action, call);
      call.started();
      for (const session of all.sessions) await release(session);
      for (const tabId of all.loose) await letGo(tabId);
      return {ok: true};
    }
    case 'close':
      return {ok: true, closedTabIds: await close(chosen(action, call), call)};
  }
};

/** Made makes a session whose first tab comes as `first` does it. Without it there is none. */
async function made(
  {title, color, foreground}: Session,
  call: Call,
  first: () => Promise<string[] | undefined>,
): Promise<{ok: boolean; sessions: SessionInfo[]; notes?: string[]}> {
  const {sessionId} = groups.create(call.agentId, {
    ...(title === undefined ? {} : {title}),
    ...(color === undefined ? {} : {color}),
    ...(foreground === undefined ? {} : {foreground}),
  });
  try {
    // It is the session that the caller used last, and so where its tab goes.
    const notes = await first();
    return {ok: true, sessions: await now(sessionId), ...(notes === undefined ? {} : {notes})};
  } finally {
    groups.drop(sessionId);
  }
}

/**
 * Released is what a release means: the session that it names, or all that the caller has, also the tabs that stand in
 * no session.
 */
function released(action: Session, call: Call): {sessions: GroupSession[]; loose: number[]} {
  if (action.sessionId !== undefined) return {sessions: [chosen(action, call)], loose: []};
  const all = own(call);
  const grouped = new Set(all.flatMap(({tabIds}) => tabIds));
  const records = sessions.list().filter(({tabId, agentId}) => agentId === call.agentId && !grouped.has(tabId));
  // Chosen words the case that there is nothing.
  return {
    sessions: all.length === 0 && records.length === 0 ? [chosen(action, call)] : all,
    loose: records.map(({tabId}) => tabId),
  };
}

/** Release lets go of all tabs: they are the user's, where they stand. */
async function release({sessionId, agentId, tabIds}: GroupSession): Promise<void> {
  await groups.release(sessionId);
  for (const tabId of tabIds) if ((sessions.owner(tabId) ?? agentId) === agentId) await letGo(tabId);
}

/** LetGo leaves a tab to the user, where it stands: our attachment goes, and with it the debugging bar. */
export async function letGo(tabId: number): Promise<void> {
  sessions.end(tabId, 'released');
  await tabs.peek(tabId)?.detach();
  await agentWindow.release(tabId);
}

async function close({sessionId, agentId, tabIds}: GroupSession, call: Call): Promise<number[]> {
  const closed: number[] = [];
  for (const tabId of tabIds) {
    // Another agent may have come by a tab on which this one was stopped.
    if ((sessions.owner(tabId) ?? agentId) !== agentId) continue;
    await closeTab({type: 'close_tab', tabId}, call);
    closed.push(tabId);
  }
  const left = groups.get(sessionId);
  if (left) await groups.release(left.sessionId);
  return closed;
}

function own(call: Call): GroupSession[] {
  return groups.list((agentId) => agentId === call.agentId);
}

/** Chosen is the session that the action names, or the caller's only one. */
function chosen({sessionId, op}: Session, call: Call): GroupSession {
  const all = own(call);
  const named = sessionId === undefined ? undefined : all.find((session) => session.sessionId === sessionId);
  if (named) return named;
  if (sessionId !== undefined) {
    throw new ActionError(
      'session_not_found',
      `you have no session ${sessionId.slice(0, 64)} (any more): ${all.length === 0 ? 'you have none, session create makes one' : `yours are ${listed(all)}`}`,
    );
  }
  const [only, ...more] = all;
  if (only && more.length === 0) return only;
  throw new ActionError(
    'session_not_found',
    only
      ? `you have several sessions, and ${op} needs the sessionId of one: ${listed(all)}`
      : 'you have no session: session create makes one',
  );
}

function listed(all: readonly GroupSession[]): string {
  return all.map((one) => `${one.sessionId} (${one.title ?? 'untitled'})`).join(', ');
}

async function now(sessionId: string): Promise<SessionInfo[]> {
  const session = groups.get(sessionId);
  return session ? [await infoOf(session)] : [];
}

async function infoOf({sessionId, agentId, title, color, tabIds, activeTabId}: GroupSession): Promise<SessionInfo> {
  const found = await Promise.all(tabIds.map((tabId) => chrome.tabs.get(tabId).catch(() => undefined)));
  return {
    sessionId,
    ...(title === undefined ? {} : {title}),
    ...(color === undefined ? {} : {color}),
    ...(activeTabId === undefined ? {} : {activeTabId}),
    tabs: found.flatMap((tab) => {
      const {id, url = '', title: name = '', active = false} = tab ?? {};
      if (id === undefined || !guard.listable(id, url)) return [];
      const by = sessions.owner(id) ?? agentId;
      const owner = by === agentId ? ('agent' as const) : ('other_agent' as const);
      return [{tabId: id, url, title: name, owner, sessionId, ...(active ? {active} : {})}];
    }),
  };
}
