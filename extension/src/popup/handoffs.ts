/** What agents ask of the user, and the user's answers. */

import type {HandoffStatus, Status, ToWorker} from '../messages';
import {ago, byId, text} from './dom';

/** Tell sends what the user decided to the worker. */
export type Tell = (request: ToWorker) => void;

/** showHandoffs shows the requests that wait. The focus stays on the button it is on while they are the same. */
export function showHandoffs({handoffs}: Status, tell: Tell): void {
  byId('handoffs', HTMLElement).hidden = handoffs.length === 0;
  const list = byId('handoff-list', HTMLElement);
  const key = JSON.stringify(handoffs.map(({tabId, askedAt}) => [tabId, askedAt]));
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...handoffs.map((handoff) => row(handoff, tell)));
  }
  for (const [i, handoff] of handoffs.entries()) {
    const about = list.children[i]?.querySelector('.about');
    if (about) about.textContent = describe(handoff);
  }
}

function row(handoff: HandoffStatus, tell: Tell): HTMLElement {
  const {tabId, reason} = handoff;
  const item = text('li', '', 'handoff');
  const said = text('b', reason, 'reason');
  said.id = `handoff-${tabId}`;
  const buttons = document.createElement('div');
  buttons.className = 'row';
  buttons.append(
    button('Show the tab', 'show', said.id, () => {
      tell({type: 'showTab', tabId});
    }),
    button('Done', 'done primary', said.id, () => {
      tell({type: 'endHandoff', tabId, how: 'done'});
    }),
    button('Can’t', 'cannot', said.id, () => {
      tell({type: 'endHandoff', tabId, how: 'refused'});
    }),
  );
  item.append(said, text('span', describe(handoff), 'about'), buttons);
  return item;
}

function button(words: string, className: string, describedBy: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = words;
  made.className = className;
  made.setAttribute('aria-describedby', describedBy);
  made.addEventListener('click', act);
  return made;
}

function describe({domain, title, until, askedAt}: HandoffStatus): string {
  const ends = until === 'obstacle_gone' ? ' · ends by itself when the page lets it through' : '';
  return `${title || domain || 'a tab'} · ${ago(askedAt, Date.now())}${ends}`;
}
