import type {ActionStatus, SessionStatus, Status, ToWorker} from '../messages';
import {ago, byId, text} from './dom';
import {showHandoffs} from './handoffs';
import {ask, follow} from './worker';

const state = byId('state', HTMLElement);
const stopped = byId('stopped', HTMLElement);
const trouble = byId('trouble', HTMLElement);
const pairing = byId('pairing', HTMLFormElement);
const pairingSaid = byId('pairing-said', HTMLElement);
const link = byId('link', HTMLInputElement);
const address = byId('address', HTMLInputElement);
const code = byId('code', HTMLInputElement);
const blocklist = byId('blocklist', HTMLTextAreaElement);
const blocklistSaid = byId('blocklist-said', HTMLElement);
const whenAway = byId('when-away', HTMLInputElement);
const unattended = byId('unattended', HTMLInputElement);
const dialect = byId('dialect', HTMLSelectElement);

const linkWords: Record<Status['link'], string> = {
  off: 'Not paired',
  connecting: 'Connecting…',
  ready: 'Connected',
  replaced: 'Replaced',
  fatal: 'Refused',
};

const troubleTitles: Partial<Record<Status['link'], string>> = {
  connecting: 'The server is out of reach',
  replaced: 'Another connection of this browser took over',
  fatal: 'The server refused this browser',
};

/** What is said in place of these where the server could not prove that it is the one that was paired with. */
const unproven = {state: 'Not your server', title: 'This is not the server that this browser was paired with'};

/** The user asked for the pairing form though this browser is paired. */
let pairingAgain = false;
/** What the blocklist's box was last filled with: the user's own edits are not overwritten. */
let blocklistShown = '';

function show(status: Status): void {
  state.textContent = stateWords(status);
  state.dataset.link = status.link;
  showStopped(status);
  showTrouble(status);
  pairing.hidden = status.paired && !pairingAgain;
  if (address.value === '') address.value = status.address;
  showHandoffs(status, (request) => void tell(request));
  showSessions(status);
  showActions(status.lastActions);
  showBlocklist(status);
  whenAway.checked = status.whenAway === 'pause';
  unattended.checked = status.unattended;
  dialect.value = status.dialect;
  byId('where', HTMLElement).textContent = status.browserName
    ? `${status.browserName} · ${status.address}`
    : status.address;
  byId('version', HTMLElement).textContent = `v${status.version}`;
}

function stateWords(status: Status): string {
  if (status.code === 'server_unproven') return unproven.state;
  return status.away && status.link === 'ready' ? 'Paused, you are away' : linkWords[status.link];
}

function showStopped({stopped: stop}: Status): void {
  stopped.hidden = stop.all === undefined && stop.sessions === 0;
  byId('stop-all', HTMLButtonElement).disabled = stop.all !== undefined;
  const byBar = stop.all?.by === 'debugging_bar';
  byId('stopped-title', HTMLElement).textContent = stop.all
    ? 'Everything is stopped'
    : `${stop.sessions} ${stop.sessions === 1 ? 'session is' : 'sessions are'} stopped`;
  byId('stopped-text', HTMLElement).textContent = byBar
    ? 'You pressed Cancel in Chrome’s debugging bar. Agents can do nothing until you resume.'
    : 'Agents can do nothing there until you resume.';
}

function showTrouble(status: Status): void {
  const title = status.code === 'server_unproven' ? unproven.title : troubleTitles[status.link];
  trouble.hidden = title === undefined || !status.paired || (status.link === 'connecting' && !status.reason);
  trouble.className = status.link === 'fatal' ? 'banner bad' : 'banner';
  byId('trouble-title', HTMLElement).textContent = title ?? '';
  byId('trouble-text', HTMLElement).textContent = status.reason ?? '';
}

function showSessions({sessions}: Status): void {
  const list = byId('sessions', HTMLElement);
  if (sessions.length === 0) {
    list.replaceChildren(text('li', 'No agent is at work in this browser.', 'empty'));
    return;
  }
  // Kept while the same tabs are at work, so that the focus stays on the button it is on.
  const key = sessions.map((s) => s.tabId).join();
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...sessions.map(sessionRow));
  }
  for (const [i, session] of sessions.entries()) {
    const row = list.children[i];
    const [title, about] = row?.querySelectorAll('.what > *') ?? [];
    if (title) title.textContent = session.title || session.domain;
    if (about) about.textContent = describe(session);
  }
}

function describe(session: SessionStatus): string {
  const count = `${session.actionCount} ${session.actionCount === 1 ? 'action' : 'actions'}`;
  const place = session.agentTab ? 'agent window' : 'your tab';
  return `${session.domain} · ${place} · ${count} · ${ago(session.lastActionAt, Date.now())}`;
}

function sessionRow(session: SessionStatus): HTMLElement {
  const row = document.createElement('li');
  const what = document.createElement('div');
  what.className = 'what';
  what.append(text('b', ''), text('span', ''));
  const stop = document.createElement('button');
  stop.textContent = 'Stop';
  stop.setAttribute('aria-label', `Stop the agent in ${session.title || session.domain}`);
  stop.addEventListener('click', () => void tell({type: 'stopSession', tabId: session.tabId}));
  row.append(what, stop);
  return row;
}

function showActions(actions: ActionStatus[]): void {
  const rows = actions.map((action) => {
    const row = document.createElement('li');
    const what = document.createElement('div');
    what.className = 'what';
    const how = action.error === undefined ? '' : ` · ${action.error}`;
    what.append(
      text('b', action.type.replaceAll('_', ' ')),
      text('span', `${action.domain || 'no tab'} · ${ago(action.at, Date.now())}${how}`, how && 'failed'),
    );
    row.append(what);
    return row;
  });
  byId('actions', HTMLElement).replaceChildren(...(rows.length > 0 ? rows : [text('li', 'Nothing yet.', 'empty')]));
}

function showBlocklist(status: Status): void {
  const lines = status.blocklist.join('\n');
  if (blocklist.value === blocklistShown) blocklist.value = lines;
  blocklistShown = lines;
  const all = status.blocklist.length + status.serverBlocklist.length;
  byId('blocklist-summary', HTMLElement).textContent = all > 0 ? `Blocked sites (${all})` : 'Blocked sites';
  byId('server-blocklist', HTMLElement).textContent =
    status.serverBlocklist.length > 0 ? `The server also blocks ${status.serverBlocklist.join(', ')}.` : '';
}

/** tell sends a request and says what came of it in the place given. */
async function tell(request: ToWorker, where?: HTMLElement, done = ''): Promise<boolean> {
  try {
    const answer = await ask(request);
    show(answer.status);
    if (where) {
      where.textContent = answer.ok ? done : answer.error;
      where.classList.toggle('bad', !answer.ok);
    }
    return answer.ok;
  } catch (e) {
    if (where) {
      where.textContent = e instanceof Error ? e.message : String(e);
      where.classList.add('bad');
    }
    return false;
  }
}

async function pair(): Promise<void> {
  const request: ToWorker =
    link.value.trim() !== ''
      ? {type: 'pair', link: link.value.trim()}
      : {type: 'pair', address: address.value.trim(), code: code.value.trim()};
  if (await tell(request, pairingSaid)) {
    pairingAgain = false;
    link.value = code.value = '';
  }
}

pairing.addEventListener('submit', (event) => {
  event.preventDefault();
  void pair();
});
byId('blocklist-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const entries = blocklist.value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  void tell({type: 'setBlocklist', entries}, blocklistSaid, 'Saved.').then((saved) => {
    if (saved) blocklist.value = blocklistShown;
  });
});
byId('resume', HTMLButtonElement).addEventListener('click', () => void tell({type: 'resume'}));
byId('reconnect', HTMLButtonElement).addEventListener('click', () => void tell({type: 'reconnect'}));
byId('stop-all', HTMLButtonElement).addEventListener('click', () => void tell({type: 'stopAll'}));
byId('pair-again', HTMLButtonElement).addEventListener('click', () => {
  pairingAgain = true;
  pairing.hidden = false;
  link.focus();
});
whenAway.addEventListener('change', () => {
  void tell({type: 'setWhenAway', whenAway: whenAway.checked ? 'pause' : 'work'});
});
dialect.addEventListener('change', () => {
  void tell({type: 'setDialect', dialect: dialect.value === 'rpc' ? 'rpc' : 'bridge'});
});
unattended.addEventListener('change', () => {
  void tell({type: 'setUnattended', unattended: unattended.checked});
});
follow(show);
