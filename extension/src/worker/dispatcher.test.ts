import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import type {Action, Request} from '../protocol.gen';
import type {Call, Handler} from './call';
import {abortedBy, ActionError} from './errors';
import {wireError} from './wireerror';
import {MemoryStore} from './fakes';
import {gate, workerParts} from './testparts';

// Typed, since vitest's own matchers are any.
const containing = (text: string): unknown => expect.stringContaining(text);

let last = 0;
function ask(action: Action, more: Partial<Request> = {}): Request {
  last += 1;
  return {type: 'request', id: `r${last.toString()}`, agentId: 'ann', action, ...more};
}

const click = (tabId?: number): Action => ({type: 'click', uid: 'e1', ...(tabId === undefined ? {} : {tabId})});
const ok: Handler<'click'> = () => Promise.resolve({ok: true});

/** A click that runs until its call is aborted, and then says so. */
const untilAborted: Handler<'click'> = (_, {signal}) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(abortedBy(signal));
    });
  });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('before an action', () => {
  test('an action without a handler is unsupported and not in the caps', async () => {
    const {dispatcher} = await workerParts({click: ok});
    expect(dispatcher.caps).toEqual(['click']);
    expect(await dispatcher.dispatch(ask({type: 'pdf'}))).toMatchObject({
      error: {code: 'unsupported', outcome: 'not_sent'},
    });
  });

  test('the first action on a tab makes the session; the handler knows its tab', async () => {
    const seen: Call[] = [];
    const {dispatcher, sessions, told} = await workerParts({
      click: (_, call) => {
        seen.push(call);
        return Promise.resolve({ok: true});
      },
    });
    expect(await dispatcher.dispatch(ask(click(2)))).toEqual({result: {ok: true}});
    expect(seen[0]).toMatchObject({tabId: 2, agentId: 'ann'});
    expect(sessions.get(2)).toMatchObject({agentId: 'ann', actionCount: 1, domain: 'two.test'});
    expect(told.map(({type}) => type)).toEqual(['session_started']);
    await dispatcher.dispatch(ask(click()));
    expect(seen[1]?.tabId).toBe(2);
  });

  test.each([
    ['a tab that is not there', click(9), 'tab_not_found'],
    ["another agent's tab", click(3), 'not_owner'],
    ['no tab at all', click(), 'session_not_found'],
    ['a blocked address asked for', {type: 'open_tab', url: 'https://blocked.test/'}, 'domain_blocked'],
    ['a forbidden address asked for', {type: 'navigate', tabId: 1, url: 'chrome://settings'}, 'invalid_action'],
  ] satisfies [string, Action, string][])('%s is refused and reaches no handler', async (_, action, code) => {
    const handler = vi.fn();
    const {dispatcher, sessions} = await workerParts({click: handler, open_tab: handler, navigate: handler});
    sessions.claim(3, 'bob', 'https://three.test/');
    expect(await dispatcher.dispatch(ask(action))).toMatchObject({error: {code, outcome: 'not_sent'}});
    expect(handler).not.toHaveBeenCalled();
  });

  test('a tab that shows a blocked page is refused, and its session ends', async () => {
    const {dispatcher, sessions, tabs} = await workerParts({click: ok});
    await dispatcher.dispatch(ask(click(1)));
    tabs.set(1, 'https://www.blocked.test/');
    expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({error: {code: 'domain_blocked'}});
    expect(sessions.owner(1)).toBeUndefined();
  });

  test('while the user is away nothing is done, unless they want it', async () => {
    const {away, dispatcher, sessions, settings, told} = await workerParts({click: ok});
    await dispatcher.dispatch(ask(click(1)));
    away.now('locked');
    expect(told.at(-1)).toMatchObject({type: 'session_ended', reason: 'screen_locked'});
    expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({error: {code: 'stopped'}});
    await settings.setWhenAway('work');
    expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({result: {ok: true}});
    away.now('idle');
    expect(sessions.owner(1)).toBe('ann');
    await settings.setWhenAway('pause');
    away.now('active');
    expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({result: {ok: true}});
  });
});

describe('while it runs', () => {
  test.each([
    [true, 'busy'],
    [false, 'did not end within'],
  ])('a timeout names the page as its cause when that does not answer (%s)', async (isBusy, word) => {
    const {busy, dispatcher} = await workerParts({click: () => new Promise(() => undefined)});
    if (isBusy) busy.add(1);
    const ended = dispatcher.dispatch({...ask(click(1)), timeoutMs: 10});
    await vi.advanceTimersByTimeAsync(100);
    const reply = await ended;
    expect(reply).toMatchObject({error: {code: 'timeout', outcome: 'not_sent'}});
    expect(JSON.stringify(reply)).toContain(word);
    expect(JSON.stringify(reply).includes('busy')).toBe(isBusy);
  });

  test('actions on one tab wait for each other, and the wait counts in the deadline', async () => {
    const first = gate();
    const ran: string[] = [];
    const {dispatcher} = await workerParts({
      click: async (action) => {
        ran.push(action.uid ?? '');
        if (action.uid === 'e1') await first.wait;
        return {ok: true};
      },
    });
    const a = dispatcher.dispatch(ask({type: 'click', uid: 'e1', tabId: 1}));
    const b = dispatcher.dispatch(ask({type: 'click', uid: 'e2', tabId: 1}, {timeoutMs: 100}));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await b).toMatchObject({error: {code: 'timeout', outcome: 'not_sent'}});
    first.open();
    expect(await a).toEqual({result: {ok: true}});
    expect(ran).toEqual(['e1']);
  });

  test('a call that times out is answered at once and blocks the tab until it has unwound', async () => {
    const unwinding = gate();
    const ran: string[] = [];
    const {dispatcher} = await workerParts({
      click: async (_, call) => {
        call.started();
        await unwinding.wait;
        ran.push('unwound');
        return {ok: true};
      },
      hover: () => {
        ran.push('hover');
        return Promise.resolve({ok: true});
      },
    });
    const slow = dispatcher.dispatch(ask(click(1), {timeoutMs: 100}));
    await vi.advanceTimersByTimeAsync(200);
    expect(await slow).toMatchObject({error: {code: 'timeout', outcome: 'unknown', retryable: 'after_refresh'}});
    const next = dispatcher.dispatch(ask({type: 'hover', uid: 'e1', tabId: 1}));
    await vi.advanceTimersByTimeAsync(100);
    expect(ran).toEqual([]);
    unwinding.open();
    expect(await next).toEqual({result: {ok: true}});
    expect(ran).toEqual(['unwound', 'hover']);
  });

  test('dialog does not wait behind what the dialog blocks', async () => {
    const blocked = gate();
    const {dispatcher} = await workerParts({
      click: async () => {
        await blocked.wait;
        return {ok: true};
      },
      dialog: () => Promise.resolve({ok: true}),
    });
    const waiting = dispatcher.dispatch(ask(click(1)));
    expect(await dispatcher.dispatch(ask({type: 'dialog', accept: true, tabId: 1}))).toEqual({result: {ok: true}});
    blocked.open();
    await waiting;
  });

  test('cancel stops that request and no other', async () => {
    const {dispatcher} = await workerParts({click: untilAborted});
    const request = ask(click(1));
    const cancelled = dispatcher.dispatch(request);
    const other = dispatcher.dispatch(ask(click(2), {timeoutMs: 500}));
    await vi.advanceTimersByTimeAsync(0);
    dispatcher.cancel(request.id);
    dispatcher.cancel('unknown');
    expect(await cancelled).toMatchObject({error: {code: 'cancelled', outcome: 'not_sent', retryable: 'same'}});
    await vi.advanceTimersByTimeAsync(500);
    expect(await other).toMatchObject({error: {code: 'timeout'}});
  });

  test('stop all ends what runs at once, what waits never runs, and the next call is refused', async () => {
    const {dispatcher, stops} = await workerParts({
      click: (action, call) => {
        call.started();
        return untilAborted(action, call);
      },
    });
    const running = dispatcher.dispatch(ask(click(1)));
    const waiting = dispatcher.dispatch(ask(click(1)));
    await vi.advanceTimersByTimeAsync(0);
    await stops.all('global_stop');
    expect(await running).toMatchObject({error: {code: 'stopped', outcome: 'unknown'}});
    expect(await waiting).toMatchObject({error: {code: 'stopped', outcome: 'not_sent'}});
    expect(await dispatcher.dispatch(ask({type: 'list_tabs'}))).toMatchObject({error: {code: 'unsupported'}});
    expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({error: {code: 'stopped', outcome: 'not_sent'}});
    await stops.resume();
    const again = dispatcher.dispatch(ask(click(1), {timeoutMs: 1}));
    await vi.advanceTimersByTimeAsync(100);
    expect(await again).toMatchObject({error: {code: 'timeout'}});
  });

  test('what a stopped handler still brings does not leave', async () => {
    const last = gate();
    const {dispatcher, stops} = await workerParts({
      click: async () => {
        await last.wait;
        return {ok: true, title: 'secret'};
      },
    });
    const running = dispatcher.dispatch(ask(click(1)));
    await vi.advanceTimersByTimeAsync(0);
    await stops.all('global_stop');
    last.open();
    const reply = await running;
    expect(reply).toMatchObject({error: {code: 'stopped', outcome: 'done'}});
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('a navigation to a blocked domain ends the call that is in the tab', async () => {
    const {dispatcher, guard} = await workerParts({click: untilAborted});
    const running = dispatcher.dispatch(ask(click(1)));
    await vi.advanceTimersByTimeAsync(0);
    guard.committed(1, 'https://blocked.test/');
    expect(await running).toMatchObject({
      error: {code: 'domain_blocked', message: containing('blocked.test')},
    });
  });

  test('a redirect to a blocked domain ends the open_tab that made the tab, even if it ended well', async () => {
    const {dispatcher, guard, sessions, browser} = await workerParts({
      open_tab: (action, call) => {
        call.took(3);
        sessions.claim(3, call.agentId, action.url, {agentTab: true});
        guard.committed(3, 'https://blocked.test/');
        return Promise.resolve({ok: true, tabId: 3, url: 'about:blank', title: ''});
      },
    });
    const reply = await dispatcher.dispatch(ask({type: 'open_tab', url: 'https://one.test/'}));
    expect(reply).toMatchObject({error: {code: 'domain_blocked', outcome: 'done'}});
    expect(browser.blanked).toEqual([3]);
  });

  test('a result from a page that turned out to be blocked does not leave', async () => {
    const {dispatcher, tabs} = await workerParts({
      extract: () => {
        tabs.set(1, 'https://blocked.test/');
        return Promise.resolve({text: 'secret', markdown: '', elements: [], url: '', title: ''});
      },
    });
    expect(await dispatcher.dispatch(ask({type: 'extract', tabId: 1}))).toMatchObject({
      error: {code: 'domain_blocked'},
    });
  });
});

test('an error on a page that turned out to be blocked says so', async () => {
  const {dispatcher, tabs, guard} = await workerParts({
    click: (_, call) => {
      call.started();
      tabs.set(call.tabId, 'https://blocked.test/');
      return Promise.reject(new ActionError('invalid_action', 'the page left'));
    },
    hover: (_, call) => {
      guard.committed(call.tabId, 'https://blocked.test/');
      tabs.set(call.tabId, 'about:blank');
      return Promise.reject(new ActionError('invalid_action', 'the page left'));
    },
  });
  expect(await dispatcher.dispatch(ask(click(1)))).toMatchObject({error: {code: 'domain_blocked', outcome: 'unknown'}});
  expect(await dispatcher.dispatch(ask({type: 'hover', uid: 'e1', tabId: 2}))).toMatchObject({
    error: {code: 'domain_blocked'},
  });
});

describe('how it ends', () => {
  test('what a handler throws carries the outcome that started() decides', async () => {
    const {dispatcher} = await workerParts({
      click: () => Promise.reject(new ActionError('element_blocked', 'covered', {step: 'hit test'})),
      hover: (_, call) => {
        call.started();
        return Promise.reject(new TypeError('x is undefined'));
      },
    });
    expect(await dispatcher.dispatch(ask(click(1)))).toEqual({
      error: {
        code: 'element_blocked',
        message: 'covered',
        outcome: 'not_sent',
        retryable: 'after_refresh',
        step: 'hit test',
      },
    });
    expect(await dispatcher.dispatch(ask({type: 'hover', uid: 'e1', tabId: 1}))).toMatchObject({
      error: {code: 'internal', outcome: 'unknown', message: containing('x is undefined')},
    });
  });

  test('what may have reached the page is never said to be retryable as it is', () => {
    const error = new ActionError('navigation_failed', 'net::ERR');
    expect(wireError(error, 'not_sent')).toMatchObject({retryable: 'same'});
    expect(wireError(error, 'unknown')).toMatchObject({outcome: 'unknown', retryable: 'after_refresh'});
  });

  test('each call is told to the list of last actions', async () => {
    const {dispatcher, done} = await workerParts({click: ok});
    await dispatcher.dispatch(ask(click(1)));
    await dispatcher.dispatch(ask(click(9)));
    expect(done).toMatchObject([
      {type: 'click', tabId: 1, agentId: 'ann'},
      {type: 'click', tabId: 9, error: 'tab_not_found'},
    ]);
  });
});

describe('callKey', () => {
  test('a call that is asked for twice runs once, while it runs and after', async () => {
    const handler = vi.fn<Handler<'click'>>(() => Promise.resolve({ok: true}));
    const {dispatcher} = await workerParts({click: handler});
    const [a, b] = await Promise.all([
      dispatcher.dispatch(ask(click(1), {callKey: 'k'})),
      dispatcher.dispatch(ask(click(1), {callKey: 'k'})),
    ]);
    expect(a).toEqual({result: {ok: true}});
    expect(b).toEqual(a);
    expect(await dispatcher.dispatch(ask(click(1), {callKey: 'k'}))).toEqual(a);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('it is stored as started before the handler runs', async () => {
    const store = new MemoryStore();
    const {dispatcher} = await workerParts(
      {
        click: () => {
          expect(store.peek('call.k')).toMatchObject({at: 1});
          return Promise.resolve({ok: true});
        },
      },
      store,
    );
    expect(await dispatcher.dispatch(ask(click(1), {callKey: 'k'}))).toEqual({result: {ok: true}});
    expect(store.peek('call.k')).toMatchObject({reply: {result: {ok: true}}});
  });

  test('a call that died with its worker is answered as unknown and not run again', async () => {
    const store = new MemoryStore();
    const first = await workerParts({click: () => new Promise(() => undefined)}, store);
    void first.dispatcher.dispatch(ask(click(1), {callKey: 'k'}));
    await vi.advanceTimersByTimeAsync(0);
    const handler = vi.fn<Handler<'click'>>();
    const second = await workerParts({click: handler}, store);
    expect(await second.dispatcher.dispatch(ask(click(1), {callKey: 'k'}))).toMatchObject({
      error: {code: 'not_connected', outcome: 'unknown', retryable: 'after_refresh'},
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test('a request that only asks what came of another begins nothing', async () => {
    const store = new MemoryStore();
    let release: (result: {ok: true}) => void = () => undefined;
    const handler = vi.fn<Handler<'click'>>(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const {dispatcher} = await workerParts({click: handler}, store);
    const recall = (id: string) => dispatcher.dispatch({...ask(click(1), {callKey: 'k', recallMs: 5000}), id});
    // Just begun: whether an earlier worker's ledger had it cannot be told.
    expect(await recall('r1')).toMatchObject({error: {code: 'not_connected', outcome: 'unknown'}});
    await vi.advanceTimersByTimeAsync(7000);
    expect(await recall('r2')).toMatchObject({error: {code: 'not_connected', outcome: 'not_sent', retryable: 'same'}});
    expect(handler).not.toHaveBeenCalled();
    const first = dispatcher.dispatch(ask(click(1), {callKey: 'k'}));
    await vi.advanceTimersByTimeAsync(0);
    const joined = recall('r3');
    dispatcher.linkLost('the socket was cut');
    release({ok: true});
    expect(await joined).toEqual({result: {ok: true}});
    expect(await first).toEqual({result: {ok: true}});
    expect(await recall('r4')).toEqual({result: {ok: true}});
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('who asks again can cancel what another request began', async () => {
    const {dispatcher} = await workerParts({
      click: (_, call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => {
            reject(abortedBy(call.signal));
          });
        }),
    });
    const first = dispatcher.dispatch(ask(click(1), {callKey: 'k'}));
    await vi.advanceTimersByTimeAsync(0);
    const again = dispatcher.dispatch({...ask(click(1), {callKey: 'k', recallMs: 1}), id: 'again'});
    dispatcher.cancel('again');
    await vi.advanceTimersByTimeAsync(100);
    expect(await again).toMatchObject({error: {code: 'cancelled'}});
    expect(await first).toEqual(await again);
  });

  test('a refused call leaves no trace, so that it may be asked again', async () => {
    const {dispatcher, ledger, tabs} = await workerParts({click: ok});
    expect(await dispatcher.dispatch(ask(click(9), {callKey: 'k'}))).toMatchObject({error: {code: 'tab_not_found'}});
    expect(ledger.get('k')).toBeUndefined();
    tabs.set(9, 'https://nine.test/');
    expect(await dispatcher.dispatch(ask(click(9), {callKey: 'k'}))).toEqual({result: {ok: true}});
  });
});
