import {expect, test} from 'vitest';
import type {SessionStatus, Status} from '../messages';
import {headline, line} from './words';

const session: SessionStatus = {
  tabId: 1,
  domain: 'acme.test',
  title: 'Invoices',
  agentId: 'a',
  agentTab: true,
  startedAt: 0,
  lastActionAt: 0,
  actionCount: 1,
};

const status: Status = {
  link: 'ready',
  address: '127.0.0.1:1',
  paired: true,
  version: '1',
  sessions: [],
  stopped: {sessions: 0},
  away: false,
  whenAway: 'pause',
  blocklist: [],
  serverBlocklist: [],
  lastActions: [],
  handoffs: [],
  unattended: false,
  dialect: 'bridge',
};

test('the headline counts sessions, and agents when there are several', () => {
  expect(headline(status)).toBe('No live sessions');
  expect(headline({...status, sessions: [session]})).toBe('1 live session');
  expect(headline({...status, sessions: [session, {...session, tabId: 2}]})).toBe('2 live sessions');
  const others = [session, {...session, tabId: 2, agentId: 'b'}];
  expect(headline({...status, sessions: others})).toBe('2 live sessions of 2 agents');
});

test('stop and absence say more than the count', () => {
  expect(headline({...status, sessions: [session], stopped: {sessions: 0, all: {at: 1, by: 'global_stop'}}})).toBe(
    'Stopped',
  );
  expect(headline({...status, sessions: [session], away: true})).toBe('Paused while you are away');
  expect(headline({...status, away: true})).toBe('No live sessions');
});

test('a line names the page, where it is and how much was done', () => {
  expect(line(session)).toEqual({page: 'Invoices', domain: 'acme.test', actions: '1 action'});
  expect(line({...session, title: '', actionCount: 3})).toEqual({page: 'acme.test', domain: '', actions: '3 actions'});
  expect(line({...session, agentTab: false}).domain).toBe('acme.test, in a tab of yours');
});
