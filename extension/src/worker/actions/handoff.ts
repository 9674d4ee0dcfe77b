/** handoff: the user is asked to do what an agent cannot or may not, and the agent waits for them. */

import type {Handler} from '../call';
import {handoffs} from '../handoffs';
import {look} from '../obstaclewatch';
import {settings} from '../settings';
import {tabs} from '../tab';

/** How long one call waits for the user, in milliseconds; then the agent calls again. */
const waitMs = 45_000;

/** Kept from the call's own deadline, in milliseconds, so that `waiting` and no timeout is the answer. */
const marginMs = 300;

/** Handoff asks the user and waits. The tab comes to the front only when they click. */
export const handoff: Handler<'handoff'> = async ({reason, until = 'done'}, call) => {
  const {tabId, agentId, signal} = call;
  if (settings.state.unattended) {
    return {state: 'refused', notes: ['nobody is at this browser (its setting "unattended"): nobody was asked']};
  }
  const notes: string[] = [];
  if (until === 'obstacle_gone') {
    const seen = await look(await tabs.get(tabId, signal), signal);
    if (seen === 'none')
      notes.push('no obstacle is seen on this page: it ends when one was seen and went, or by the user');
  }
  call.started();
  handoffs.ask({tabId, agentId, reason, until});
  const state = await handoffs.wait(tabId, Math.min(waitMs, call.deadline - performance.now() - marginMs), signal);
  return {state, ...(notes.length > 0 && state === 'waiting' ? {notes} : {})};
};
