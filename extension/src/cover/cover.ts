/**
 * The cover: the page in front of the agent window. It says what the window is, shows what is under way and
 * offers to stop it. Everything that it knows comes from the worker.
 */

import type {SessionStatus, Status, ToWorker} from '../messages';
import {byId} from '../popup/dom';
import {ask, follow} from '../popup/worker';
import {headline, line} from './words';

const stopped = byId('stopped', HTMLElement);
const count = byId('count', HTMLElement);
const sessions = byId('sessions', HTMLUListElement);
const none = byId('none', HTMLElement);
const trouble = byId('trouble', HTMLElement);
const stop = byId('stop', HTMLButtonElement);
const resume = byId('resume', HTMLButtonElement);

function show(status: Status): void {
  const isStopped = status.stopped.all !== undefined;
  stopped.hidden = !isStopped;
  stop.disabled = isStopped;
  count.textContent = headline(status);
  none.hidden = status.sessions.length > 0 || isStopped;
  sessions.replaceChildren(...status.sessions.map(row));
  trouble.textContent = status.link === 'ready' ? '' : (status.reason ?? 'Not connected to the Drawbridge server.');
}

// Titles are the pages' words: they go in as text, never as markup.
function row(session: SessionStatus): HTMLLIElement {
  const {page, domain, actions} = line(session);
  const item = document.createElement('li');
  const what = document.createElement('span');
  what.className = 'page';
  what.append(page);
  const where = document.createElement('small');
  where.append(domain);
  what.append(where);
  const done = document.createElement('span');
  done.className = 'actions';
  done.append(actions);
  item.append(what, done);
  return item;
}

async function tell(request: ToWorker): Promise<void> {
  try {
    const answer = await ask(request);
    show(answer.status);
    if (!answer.ok) trouble.textContent = answer.error;
  } catch (thrown) {
    trouble.textContent = thrown instanceof Error ? thrown.message : 'The extension gave no answer.';
  }
}

stop.addEventListener('click', () => void tell({type: 'stopAll'}));
resume.addEventListener('click', () => void tell({type: 'resume'}));
follow(show);
