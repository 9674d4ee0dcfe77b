/**
 * The service worker's entry: wiring only. Chrome starts the worker for an event and delivers it to the
 * listeners that the first turn of this module registered; each waits for `ready`, which brings back what
 * earlier workers knew.
 */

import type {Status} from '../messages';
import {answers} from './answers';
import {away, idleSeconds} from './away';
import {bell, listenToNotifications, showTab} from './bell';
import {browserName} from './browsername';
import {consoleLog} from './consolelog';
import {bridge} from './dialects/bridge';
import {rpc} from './dialects/rpc';
import {Dispatcher, readReply} from './dispatcher';
import {letGo} from './actions/session';
import {isEvent} from './cdp';
import {downloads} from './downloads';
import {events} from './events';
import {groups} from './groups';
import {guard} from './guard';
import {handlers} from './handlers';
import {handoffs} from './handoffs';
import {latch} from './latch';
import {Ledger, ledgerStore} from './ledger';
import {Link} from './link';
import type {LinkStatus} from './linkstatus';
import {messageOf} from './errors';
import {warn} from './log';
import {netlog} from './netlog';
import {obstacleWatch} from './obstaclewatch';
import {Popups} from './popups';
import {recent} from './recent';
import {perRun} from './run';
import {sessions} from './sessions';
import {Settings, settings} from './settings';
import {openSocket} from './socket';
import {Desk, readMessage} from './status';
import {stops} from './stops';
import {isRecord, perSession} from './storage';
import {tabs} from './tab';
import {Waker} from './waker';
import {agentWindow} from './window';

const alarmName = 'link';
const alarmMinutes = 0.4; // under the 30 s after which Chrome ends an idle worker
const settledKey = 'link';

const ledger = new Ledger(ledgerStore, readReply);

const dispatcher = new Dispatcher({
  handlers,
  sessions,
  guard,
  latch,
  away,
  ledger,
  tab: async (tabId) => {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    return tab && {address: tab.url ?? ''};
  },
  answers: async (tabId) => {
    const tab = tabs.peek(tabId);
    return tab === undefined || (await answers(tab));
  },
  done: ({givenUp = false, ...done}) => {
    // Nobody hears how it ended: who acts next on the tab is told.
    if (givenUp && done.tabId >= 0)
      tabs.known(done.tabId).note(`${done.type} was given up when it was under way already: see whether it was done`);
    recent.add({...done, domain: sessions.get(done.tabId)?.domain ?? ''});
    push();
  },
});

const waker = new Waker();
const version = chrome.runtime.getManifest().version;

const link = new Link({
  settings,
  guard,
  events,
  dialects: {bridge, rpc},
  dispatcher,
  open: openSocket,
  clientVersion: version,
  browserName: browserName(navigator.userAgent),
  userAgent: navigator.userAgent,
  state: () => ({
    type: 'state',
    tabs: sessions.list(),
    stopped: latch.state.all !== undefined,
    calls: ledger.take().map(({callKey, reply}) => ({callKey, started: true, ...reply})),
  }),
  undelivered: (callKey) => {
    ledger.undelivered(callKey);
  },
  rulesChanged: () => void recheck(),
  changed: () => {
    waker.want(isAtWork());
    push();
  },
  settled: (status) => void perSession.set({[settledKey]: status ?? null}),
});

const desk = new Desk({
  link,
  settings,
  sessions,
  latch,
  stops,
  guard,
  away,
  recent,
  version,
  title: async (tabId) => (await chrome.tabs.get(tabId).catch(() => undefined))?.title ?? '',
  rulesChanged: recheck,
  handoffs,
  showTab,
});

const popups = new Popups({
  sessions,
  groups,
  guard,
  events,
  agentWindow,
  isBusy: (tabId) => dispatcher.isOn(tabId),
  announce: () => {
    link.announce();
  },
});

const own = {id: chrome.runtime.id, root: chrome.runtime.getURL('')};
const ports = new Set<chrome.runtime.Port>();
// Held and nothing more: a port that nobody holds is collected, which closes it.
const wakerPorts = new Set<chrome.runtime.Port>();
let pushing = false;

// --- Chrome's events: all of these are registered in the first turn, and none does anything before ready.

tabs.listen();
agentWindow.listen();
listenToNotifications();

chrome.runtime.onInstalled.addListener(
  later(async ({reason}: chrome.runtime.InstalledDetails) => {
    // In a browser that a program launched nobody is there to be welcomed.
    if (reason === 'install' && (await readConfig()) === undefined) await chrome.tabs.create({url: 'welcome.html'});
  }),
);
chrome.runtime.onStartup.addListener(
  later(() => {
    link.connect();
  }),
);
chrome.alarms.onAlarm.addListener(
  later(() => {
    link.check();
  }),
);
chrome.storage.local.onChanged.addListener(
  later((changes: Record<string, chrome.storage.StorageChange>) => {
    const change = changes[Settings.key];
    if (change) settings.stored(change.newValue);
  }),
);
chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
  const asked = readMessage(message, sender, own);
  if (!asked) return false;
  void ready.then(() => desk.ask(asked)).then(respond);
  return true; // the answer comes later
});
chrome.runtime.onConnect.addListener((port) => {
  if (!readMessage({type: 'getStatus'}, port.sender ?? {}, own)) return;
  const held = port.name === 'status' ? ports : port.name === 'waker' ? wakerPorts : undefined;
  held?.add(port);
  port.onDisconnect.addListener(() => held?.delete(port));
  if (held === ports) push();
});
chrome.tabs.onRemoved.addListener(
  later((tabId: number) => {
    sessions.closed(tabId);
    guard.closed(tabId);
    latch.closed(tabId);
    handoffs.drop(tabId);
    groups.forget(tabId);
    void perRun.closed(tabId);
  }),
);
chrome.tabs.onReplaced.addListener(
  later((added: number, removed: number) => {
    sessions.replaced(added, removed);
    latch.replaced(added, removed);
    groups.replaced(added, removed);
  }),
);
chrome.webNavigation.onCommitted.addListener(
  later(({frameId, tabId, url, documentId}: chrome.webNavigation.WebNavigationTransitionCallbackDetails) => {
    if (frameId !== 0) return;
    guard.committed(tabId, url);
    void perRun.committed(tabId, documentId);
  }),
);
// A page that was prerendered shows up without a commit of its own.
chrome.tabs.onUpdated.addListener(
  later((tabId: number, {url, groupId}: chrome.tabs.OnUpdatedInfo) => {
    if (url !== undefined) guard.committed(tabId, url);
    if (groupId !== undefined) void groups.regrouped(tabId);
  }),
);
chrome.webNavigation.onCreatedNavigationTarget.addListener(
  later((details: chrome.webNavigation.WebNavigationSourceCallbackDetails) => popups.opened(details)),
);
chrome.downloads.onCreated.addListener(later((item: chrome.downloads.DownloadItem) => downloads.created(item)));
chrome.downloads.onChanged.addListener(later(({id}: chrome.downloads.DownloadDelta) => downloads.changed(id)));
const began = later((tabId: number, url: string) => downloads.announced(tabId, url));
chrome.debugger.onEvent.addListener(({tabId}, method, params) => {
  if (tabId !== undefined && isEvent('Page.downloadWillBegin', method, params)) began(tabId, params.url);
});
chrome.idle.onStateChanged.addListener(
  later((presence: `${chrome.idle.IdleState}`) => {
    away.now(presence);
  }),
);
tabs.onLoss((tab, loss) => {
  if (loss === 'canceled_by_user') void ready.then(() => stops.all('debugging_bar'));
  else if (loss === 'lost')
    void ready.then(() => {
      sessions.end(tab.tabId, 'detached');
    });
});

for (const ears of [bell, obstacleWatch]) handoffs.listen(ears);
handoffs.listen({asked: push, ended: push, changed: push});
sessions.onEnded((_record, reason) => {
  if (reason === 'released') link.announce(); // no event says so
  push();
});
groups.onTaken((tabId) => void letGo(tabId));
latch.onChange(push);
settings.onChange((change) => {
  if (change.link) link.reconnect();
  push();
});

const ready = start();

async function start(): Promise<void> {
  // By default scripts in pages may read it, and the device token stands there.
  await chrome.storage.local.setAccessLevel({accessLevel: 'TRUSTED_CONTEXTS'});
  const open = chrome.tabs.query({}).then((all) => new Set(all.flatMap(({id}) => (id === undefined ? [] : [id]))));
  const settled = perSession.get(settledKey);
  await Promise.all([
    settings.load(readConfig),
    latch.load(),
    ledger.load(),
    recent.load(),
    open.then((ids) => Promise.all([sessions.load(ids), groups.load(ids)])),
  ]);
  await Promise.all([consoleLog.load(), netlog.load(), handoffs.load()]);
  chrome.idle.setDetectionInterval(idleSeconds);
  // Asking costs nothing, but only an answer that would count is worth one: under a test display Chrome says "locked".
  if (settings.state.whenAway === 'pause') away.now(await chrome.idle.queryState(idleSeconds));
  if (!(await chrome.alarms.get(alarmName))) await chrome.alarms.create(alarmName, {periodInMinutes: alarmMinutes});
  const before = await settled;
  if (isSettledStatus(before)) link.restore(before);
  link.connect();
  waker.want(isAtWork());
}

// A link that is up, or that comes back by itself.
function isAtWork(): boolean {
  return link.status.state === 'ready' || link.status.state === 'connecting';
}

// Later makes a listener that waits for ready; what it throws is logged, since Chrome would only swallow it.
function later<A extends unknown[]>(job: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    void ready
      .then(() => job(...args))
      .catch((thrown: unknown) => {
        warn(`an event was not handled: ${messageOf(thrown)}`);
      });
  };
}

// The config.json of a browser that Drawbridge launched; undefined everywhere else.
async function readConfig(): Promise<unknown> {
  try {
    const response = await fetch(chrome.runtime.getURL('config.json'));
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

// Tabs under work are looked at again after a blocklist changed.
async function recheck(): Promise<void> {
  const found = await Promise.all(sessions.list().map(({tabId}) => chrome.tabs.get(tabId).catch(() => undefined)));
  guard.recheck(found.flatMap((tab) => (tab?.id === undefined ? [] : [{id: tab.id, address: tab.url ?? ''}])));
  push();
}

// Tells the open pages the status once after any number of changes in one turn.
function push(): void {
  if (pushing || ports.size === 0) return;
  pushing = true;
  void ready
    .then(() => desk.status())
    .then((status: Status) => {
      for (const port of ports) port.postMessage(status);
    })
    .finally(() => {
      pushing = false;
    });
}

function isSettledStatus(value: unknown): value is LinkStatus {
  return isRecord(value) && (value.state === 'fatal' || value.state === 'replaced');
}
