/** The actions that open, move, close and list tabs, and the one that answers dialogs. */

import type {DialogInfo, TabInfo} from '../../protocol.gen';
import {unattachable} from '../attach';
import type {Call, Handler} from '../call';
import {tabOr} from '../chrometabs';
import {endProcess} from '../crash';
import {type OpenDialog, dialogOpen} from '../dialogs';
import {ActionError, abortedBy} from '../errors';
import {type GroupSession, groups, isRpcAgent} from '../groups';
import {guard} from '../guard';
import {withLogin} from '../httplogin';
import {tabGone} from '../losses';
import {type Arrival, type Way, arrived, askToLeave, navigate as bring, pdfNote} from '../navigation';
import {late, told as knows} from '../news';
import {timeout} from '../race';
import {sessions} from '../sessions';
import {type Tab, tabs} from '../tab';
import {lookedAt, openForUser} from '../userwindow';
import {agentWindow} from '../window';

/** OpenTab makes a tab in the agent window, in the session that the caller used last, and brings it to the address. */
export const openTab: Handler<'open_tab'> = async (action, call) => {
  // To a data: address a tab is led by its making only.
  const first = action.url.startsWith('data:') ? action.url : 'about:blank';
  const session = groups.current(call.agentId);
  const foreground = session?.foreground === true;
  const tabId = await (foreground ? openForUser(first) : agentWindow.open(first));
  call.took(tabId);
  sessions.claim(tabId, call.agentId, action.url, {agentTab: !foreground});
  try {
    if (session) await groups.join(session.sessionId, tabId, true);
    const tab = await tabs.get(tabId, call.signal);
    const arrival = first === action.url ? await arrived(tab, call) : await bring(tab, {url: action.url}, call);
    // The empty page that the tab began with is none that anybody would go back to.
    if (!tab.dialog) void tab.send('Page.resetNavigationHistory').catch(() => undefined);
    if (action.focus === true) await agentWindow.show(tabId);
    return {ok: true, tabId, ...(await shown(tabId)), ...told(tab, arrival)};
  } catch (thrown) {
    // The caller never hears of the tab, so nobody would ever close it.
    await chrome.tabs.remove(tabId).catch(() => undefined);
    throw thrown;
  }
};

/** Navigate brings a tab to another address, or one step through its history. */
export const navigate: Handler<'navigate'> = async (action, call) => {
  const {tabId} = call;
  const {url: now = ''} = await chrome.tabs.get(tabId);
  if (unattachable(now)) return leave(action, call);
  const tab = await tabs.get(tabId, call.signal);
  const way = await wayOf(tab, action, call);
  const go = (): Promise<Arrival> => bring(tab, way, call).catch((thrown: unknown) => again(tab, call, thrown));
  const {credentials, onlyOn = []} = action;
  const arrival = await (credentials === undefined ? go() : withLogin(tab, {credentials, onlyOn}, call, go));
  return {
    ok: true,
    ...(await shown(tabId)),
    ...told(tab, arrival),
    ...(arrival.download === undefined ? {} : {download: arrival.download}),
  };
};

// Chrome closes a tab whose page runs within moments, and waits for ever for one whose scripts do not give way.
const closingMs = 2_000;

/**
 * CloseTab closes a tab; a page that asks whether to leave is not overruled. In an agent's tab a page whose scripts do
 * not give way loses its process: Chrome would keep it, at work, behind a question to the user that takes their focus.
 */
export const closeTab: Handler<'close_tab'> = async (action, call) => {
  const tab = tabs.peek(action.tabId);
  if (tab?.attached === true) await askToLeave(tab, call, (later) => close(action.tabId, tab, later));
  await close(action.tabId, tab, call);
  return {ok: true};
};

async function close(tabId: number, tab: Tab | undefined, call: Call): Promise<void> {
  call.started();
  let off: (() => void) | undefined;
  const asked = new Promise<'asked'>((resolve) => {
    off = tab?.on('Page.javascriptDialogOpening', () => {
      resolve('asked');
    });
  });
  const remove = (): Promise<'closed'> =>
    chrome.tabs.remove(tabId).then(
      () => 'closed',
      () => {
        throw tabGone(tabId);
      },
    );
  const closed = remove();
  try {
    const stuck = timeout(closingMs).then(() => 'stuck' as const);
    let ended = await Promise.race([closed, asked, aborted(call.signal), stuck]);
    if (ended === 'stuck') {
      const again = endStuck(tabId, call.signal).then((is) => (is ? remove() : closed));
      ended = await Promise.race([closed, asked, aborted(call.signal), again]);
    }
    if (ended === 'asked' && tab?.dialog) throw dialogOpen(tab.dialog);
    groups.forget(tabId);
  } finally {
    off?.();
  }
}

/** EndStuck ends the process of an agent's tab; of the user's it leaves it. */
async function endStuck(tabId: number, signal: AbortSignal): Promise<boolean> {
  if (!(await agentWindow.owns(tabId))) return false;
  await endProcess(await tabs.reach(tabId, signal), signal);
  return true;
}

/** ActivateTab shows a tab in its window, which is not raised, and makes it its session's current one. */
export const activateTab: Handler<'activate_tab'> = async ({tabId}, call) => {
  call.started();
  // An rpc server says this before it works on a tab: of the user's own window it must not change what they see.
  if (!isRpcAgent(call.agentId) || (await agentWindow.owns(tabId))) await chrome.tabs.update(tabId, {active: true});
  groups.activate(tabId);
  return {ok: true};
};

/** AttachTab borrows one of the user's tabs: the one named, or the one that the user looks at. */
export const attachTab: Handler<'attach_tab'> = async (action, call) => {
  const tabId = action.tabId ?? (await lookedAt());
  const found = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!found) throw new ActionError('tab_not_found', `there is no tab ${tabId}; list the tabs again`);
  const address = found.url ?? '';
  const from = groups.of(tabId);
  const owner = sessions.owner(tabId);
  // The sessions of one rpc server are all its own: it may move a tab from one to the other.
  const moves = owner !== undefined && isRpcAgent(owner) && isRpcAgent(call.agentId);
  if (!moves) sessions.check(tabId, call.agentId);
  guard.checkTab(tabId, address, 'attach_tab', false);
  const tab = await tabs.get(tabId, call.signal);
  if (moves) sessions.handOver(tabId, call.agentId);
  else sessions.claim(tabId, call.agentId, address);
  call.took(tabId);
  const session = groups.current(call.agentId);
  if (session) await groups.join(session.sessionId, tabId, true);
  const notes = [...releaseNote(from, session), ...tab.takeNotes()];
  return {ok: true, tabId, ...(await shown(tabId)), ...notesOf(notes)};
};

function releaseNote(from: GroupSession | undefined, to: GroupSession | undefined): string[] {
  if (!from || from.sessionId === to?.sessionId) return [];
  return [`the tab was released from the session ${from.title === undefined ? from.sessionId : `"${from.title}"`}`];
}

/** ListTabs lists the caller's tabs, the user's, or all; what the blocklist hides is not there. */
export const listTabs: Handler<'list_tabs'> = async (action, call) => {
  const {scope = 'session', query = ''} = action;
  const wanted = query.toLowerCase();
  const list: TabInfo[] = [];
  for (const tab of await chrome.tabs.query({})) {
    const info = infoOf(tab, call.agentId);
    if (!info || (await agentWindow.isCover(info.tabId)) || !guard.listable(info.tabId, info.url)) continue;
    if (scope === 'session' && info.owner !== 'agent') continue;
    if (scope === 'user' && info.owner !== 'user') continue;
    if (`${info.url}\n${info.title}`.toLowerCase().includes(wanted)) list.push(info);
  }
  return {tabs: list};
};

/** Dialog answers the dialog that is open in a tab. */
export const dialog: Handler<'dialog'> = async (action, call) => {
  const tab = await tabs.reach(call.tabId, call.signal);
  call.started();
  await tab.dialogs.answer(action.accept, action.text, call);
  // The page goes on now, perhaps to its next dialog: it answers this when it has come to rest, or a dialog ends it.
  await tab.send('Runtime.evaluate', {expression: '0'}, {timeoutMs: 1_000}).catch(() => undefined);
  const next = tab.dialog;
  const changed = next === undefined ? await late(tab, call.signal) : {};
  return {
    ...changed,
    ok: true,
    ...(await shown(call.tabId).catch(() => ({}))),
    ...(next === undefined ? {} : {dialog: dialogInfo(next)}),
    ...notesOf(tab.takeNotes()),
  };
};

/** DialogInfo is an open dialog in the protocol's words. */
export function dialogInfo({kind, message, defaultPrompt}: OpenDialog): DialogInfo {
  return {kind, message, ...(kind === 'prompt' && defaultPrompt !== undefined ? {default: defaultPrompt} : {})};
}

/** Where `navigate` leads; the address of a step through the history is checked like any other. */
async function wayOf(tab: Tab, action: {url?: string; to?: 'back' | 'forward' | 'reload'}, call: Call): Promise<Way> {
  if (action.url !== undefined) return {url: action.url};
  if (action.to === 'reload' || action.to === undefined) return 'reload';
  const {currentIndex, entries} = await tab.send('Page.getNavigationHistory', undefined, {
    signal: call.signal,
    pastDialog: true,
  });
  const entry = entries[currentIndex + (action.to === 'back' ? -1 : 1)];
  if (!entry) {
    const where = action.to === 'back' ? 'before' : 'after';
    throw new ActionError(
      'invalid_action',
      `there is no page ${where} this one in the tab's history; navigate to a url`,
    );
  }
  await guard.checkAsked(entry.url, 'navigate', tab.tabId);
  return {entryId: entry.id, url: entry.url};
}

/** Again attaches anew when the new document took the attachment away, as a PDF does. */
async function again(tab: Tab, call: Call, thrown: unknown): Promise<Arrival> {
  if (tab.attached || call.signal.aborted) throw thrown;
  await complete(tab.tabId, call.signal);
  await tabs.get(tab.tabId, call.signal);
  return {notes: tab.frames.top?.mimeType === 'application/pdf' ? [pdfNote] : [], stillLoading: false};
}

/** Leave moves a tab off a page where no debugger is let in, by the tabs API. */
async function leave(
  action: {url?: string; to?: 'back' | 'forward' | 'reload'},
  call: Call,
): Promise<{ok: boolean; url: string; title: string; notes?: string[]}> {
  const {tabId} = call;
  const {url, pendingUrl} = await chrome.tabs.get(tabId);
  call.started();
  const moved = committed(tabId, [url, pendingUrl], call.signal);
  // What goes wrong before the wait for the commit must not end it unheard.
  moved.catch(() => undefined);
  if (action.url !== undefined) await chrome.tabs.update(tabId, {url: action.url});
  else if (action.to === 'back') await chrome.tabs.goBack(tabId);
  else if (action.to === 'forward') await chrome.tabs.goForward(tabId);
  else await chrome.tabs.reload(tabId);
  await moved;
  await complete(tabId, call.signal);
  const tab = await tabs.get(tabId, call.signal);
  return {ok: true, ...(await shown(tabId)), ...notesOf(tab.takeNotes())};
}

/**
 * Committed waits for the next main-frame commit; a navigation that fails is `navigation_failed`, unless it is
 * what the tab was at before, whose load ours cut short.
 */
function committed(tabId: number, before: readonly (string | undefined)[], signal: AbortSignal): Promise<void> {
  const {onCommitted, onErrorOccurred} = chrome.webNavigation;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      onCommitted.removeListener(commit);
      onErrorOccurred.removeListener(fail);
      signal.removeEventListener('abort', abort);
    };
    const commit = (details: {tabId: number; frameId: number}): void => {
      if (details.tabId !== tabId || details.frameId !== 0) return;
      end();
      resolve();
    };
    const fail = (details: {tabId: number; frameId: number; url: string; error: string}): void => {
      if (details.tabId !== tabId || details.frameId !== 0) return;
      if (details.error === 'net::ERR_ABORTED' && before.includes(details.url)) return;
      end();
      reject(new ActionError('navigation_failed', `${details.url} could not be loaded: ${details.error}`));
    };
    const abort = (): void => {
      end();
      reject(abortedBy(signal));
    };
    onCommitted.addListener(commit);
    onErrorOccurred.addListener(fail);
    signal.addEventListener('abort', abort);
  });
}

/** Complete waits until Chrome calls the tab's load complete, for at most three seconds. */
function complete(tabId: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      chrome.tabs.onUpdated.removeListener(updated);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const updated = (id: number, change: {status?: string}): void => {
      if (id === tabId && change.status === 'complete') end();
    };
    const timer = setTimeout(end, 3_000);
    chrome.tabs.onUpdated.addListener(updated);
    signal.addEventListener('abort', end);
    void chrome.tabs.get(tabId).then((tab) => {
      if (tab.status === 'complete') end();
    }, end);
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(abortedBy(signal));
    });
  });
}

function infoOf({id, url = '', title = '', active}: chrome.tabs.Tab, agentId: string): TabInfo | undefined {
  if (id === undefined) return undefined;
  const by = sessions.owner(id);
  const owner = by === undefined ? 'user' : by === agentId ? 'agent' : 'other_agent';
  const sessionId = owner === 'agent' ? groups.of(id)?.sessionId : undefined;
  return {
    tabId: id,
    url,
    title,
    owner,
    ...(active ? {active: true} : {}),
    ...(sessionId === undefined ? {} : {sessionId}),
  };
}

async function shown(tabId: number): Promise<{url: string; title: string}> {
  const tab = await tabOr(tabId);
  if (!tab) throw tabGone(tabId);
  const {url = '', title = ''} = tab;
  knows(tabId, {url, title});
  return {url, title};
}

function told(tab: Tab, arrival: Arrival): {notes?: string[]; stillLoading?: boolean} {
  return {...notesOf([...tab.takeNotes(), ...arrival.notes]), ...(arrival.stillLoading ? {stillLoading: true} : {})};
}

function notesOf(notes: string[]): {notes?: string[]} {
  return notes.length === 0 ? {} : {notes};
}
