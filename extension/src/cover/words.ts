/** What the cover says of the sessions. Pure. */

import type {SessionStatus, Status} from '../messages';

/** Headline says how much is under way. */
export function headline({sessions, stopped, away}: Status): string {
  if (stopped.all !== undefined) return 'Stopped';
  if (away && sessions.length > 0) return 'Paused while you are away';
  const agents = new Set(sessions.map(({agentId}) => agentId)).size;
  if (sessions.length === 0) return 'No live sessions';
  const tabs = sessions.length === 1 ? '1 live session' : `${sessions.length.toString()} live sessions`;
  return agents > 1 ? `${tabs} of ${agents.toString()} agents` : tabs;
}

/** Line is one session in three pieces: the page's title, where it is, how much was done. */
export function line({title, domain, actionCount, agentTab}: SessionStatus): {
  page: string;
  domain: string;
  actions: string;
} {
  const where = agentTab ? domain : `${domain}, in a tab of yours`;
  return {
    page: title === '' ? domain : title,
    domain: title === '' && agentTab ? '' : where,
    actions: actionCount === 1 ? '1 action' : `${actionCount.toString()} actions`,
  };
}
