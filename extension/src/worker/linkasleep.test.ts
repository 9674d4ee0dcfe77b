/** The machine sleeps for an hour: its timers stand still meanwhile, the clock on the wall does not. */

import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {limits} from '../protocol.gen';
import {readyLink} from './testlink';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the alarm notices a link that died while the machine slept', async () => {
  const {link, socket, sockets} = await readyLink();
  vi.setSystemTime(Date.now() + 3_600_000);
  link.check();
  expect(socket().types.at(-1)).toBe('ping');
  await vi.advanceTimersByTimeAsync(limits.pongTimeoutMs);
  expect(link.status).toMatchObject({state: 'connecting', reason: 'Trying again: the server has not answered.'});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
});

test('a link that outlived the sleep of the machine stays, with the calls under way on it', async () => {
  const answers: (() => void)[] = [];
  const {link, sessions, socket, sockets} = await readyLink(
    () =>
      new Promise((resolve) => {
        answers.push(() => {
          resolve({ok: true});
        });
      }),
  );
  const action = {type: 'click', uid: 'e1', tabId: 1};
  await socket().says({type: 'request', id: 'r1', agentId: 'ann', callKey: 'k', timeoutMs: 15_000, action});
  const owned = [{tabId: 1, agentId: 'ann', startedAt: Date.now()}];
  expect(sessions.list()).toMatchObject(owned);
  vi.setSystemTime(Date.now() + 3_600_000);
  link.check();
  expect(socket().types.at(-1)).toBe('ping');
  await socket().says({type: 'pong'});
  link.check();
  await vi.advanceTimersByTimeAsync(limits.pongTimeoutMs);
  for (const answer of answers) answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(socket().frames.at(-1)).toMatchObject({type: 'response', id: 'r1', result: {ok: true}});
  expect(link.status.state).toBe('ready');
  expect(sockets).toHaveLength(1);
  expect(sessions.list()).toMatchObject(owned);
});

test('a clock that is set back between a ping and its pong ends nothing', async () => {
  const {link, socket, sockets} = await readyLink();
  await vi.advanceTimersByTimeAsync(limits.heartbeatMs);
  expect(socket().types.at(-1)).toBe('ping');
  vi.setSystemTime(Date.now() - 3_600_000);
  await socket().says({type: 'pong'});
  await vi.advanceTimersByTimeAsync(limits.pongTimeoutMs);
  link.check();
  expect(link.status.state).toBe('ready');
  expect(sockets).toHaveLength(1);
});
