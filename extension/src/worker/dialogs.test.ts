import {expect, test} from 'vitest';
import type {Protocol} from 'devtools-protocol';
import type {Call} from './call';
import type {Args, Method, Result, SendOptions} from './cdp';
import {Dialogs, dialogOpen, isOpenDialog} from './dialogs';

// Only answers to dialogs are sent, and the browser says nothing to them.
class Sender {
  readonly #sent: unknown[];

  constructor(sent: unknown[]) {
    this.#sent = sent;
  }

  send<M extends Method>(method: M, ...args: Args<M>): Promise<Result<M>>;
  send(_method: Method, ...[params]: [params?: object, options?: SendOptions]): Promise<unknown> {
    this.#sent.push(params);
    return Promise.resolve(undefined);
  }
}

function setUp(): {dialogs: Dialogs; sent: unknown[]; opened: string[]; stored: unknown[]; call: Call} {
  const sent: unknown[] = [];
  const opened: string[] = [];
  const stored: unknown[] = [];
  const sender = new Sender(sent);
  const dialogs = new Dialogs(
    sender.send.bind(sender),
    ({message}) => opened.push(message),
    (dialog) => stored.push(dialog),
  );
  const call: Call = {
    id: '1',
    agentId: 'a',
    signal: new AbortController().signal,
    deadline: 1e9,
    tabId: 1,
    started: () => undefined,
    took: () => undefined,
  };
  return {dialogs, sent, opened, stored, call};
}

function opening(
  type: Protocol.Page.DialogType,
  message: string,
  defaultPrompt?: string,
): Protocol.Page.JavascriptDialogOpeningEvent {
  const base = {url: 'https://a.test/', frameId: 'f', message, type, hasBrowserHandler: true};
  return defaultPrompt === undefined ? base : {...base, defaultPrompt};
}

test('a dialog is open until it is closed, and told once however often it is told of', () => {
  const {dialogs, opened, stored} = setUp();
  dialogs.open(opening('alert', 'hi'));
  dialogs.open(opening('alert', 'hi'));
  expect(opened).toEqual(['hi']);
  expect(dialogs.current?.kind).toBe('alert');
  dialogs.closed();
  expect(dialogs.current).toBeUndefined();
  expect(stored.at(-1)).toBeUndefined();
});

test('the same words again are another dialog after the first was closed', () => {
  const {dialogs, opened} = setUp();
  dialogs.open(opening('alert', 'hi'));
  dialogs.closed();
  dialogs.open(opening('alert', 'hi'));
  expect(opened).toEqual(['hi', 'hi']);
});

test('while work is answering, alert and beforeunload are accepted, confirm and prompt dismissed', async () => {
  const {dialogs, sent, opened} = setUp();
  const {answered} = await dialogs.answering(() => {
    dialogs.open(opening('alert', 'a'));
    dialogs.open(opening('beforeunload', ''));
    dialogs.open(opening('confirm', 'c'));
    dialogs.open(opening('prompt', 'p', 'd'));
    return Promise.resolve();
  });
  expect(sent).toEqual([{accept: true}, {accept: true}, {accept: false}, {accept: false}]);
  expect(answered.map(({kind, accepted}) => [kind, accepted])).toEqual([
    ['alert', true],
    ['beforeunload', true],
    ['confirm', false],
    ['prompt', false],
  ]);
  expect(opened).toEqual([]);
  expect(dialogs.current).toBeUndefined();
});

test('the policy ends with the work, also when that fails', async () => {
  const {dialogs, opened} = setUp();
  await expect(dialogs.answering(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  dialogs.open(opening('alert', 'after'));
  expect(opened).toEqual(['after']);
});

test('work is told when the page asks without end', async () => {
  const {dialogs} = setUp();
  const told: boolean[] = [];
  await dialogs.answering(async (endless) => {
    for (let n = 1; n <= 20; n++) {
      told.push(endless.aborted);
      dialogs.open(opening('alert', 'again'));
    }
    told.push(endless.aborted);
    // Another's count begins with its own first.
    await dialogs.answering((other) => {
      told.push(other.aborted);
      return Promise.resolve();
    });
  });
  expect(told).toEqual([...Array<boolean>(20).fill(false), true, false]);
});

test('the open dialog is dismissed for the page', async () => {
  const {dialogs, sent} = setUp();
  await dialogs.dismiss();
  dialogs.open(opening('confirm', 'sure?'));
  await dialogs.dismiss();
  expect(sent).toEqual([{accept: false}]);
  expect(dialogs.current).toBeUndefined();
});

test('a prompt is answered with the text given, else with its own', async () => {
  const {dialogs, sent, call} = setUp();
  dialogs.open(opening('prompt', 'name?', 'Ann'));
  await dialogs.answer(true, undefined, call);
  dialogs.open(opening('prompt', 'name?', 'Ann'));
  await dialogs.answer(true, 'Bob', call);
  expect(sent).toEqual([
    {accept: true, promptText: 'Ann'},
    {accept: true, promptText: 'Bob'},
  ]);
  await expect(dialogs.answer(true, undefined, call)).rejects.toMatchObject({code: 'invalid_action'});
});

test('a question that we ask in the browser’s place does what it asked about when accepted, and only then', async () => {
  const {dialogs, sent, stored, call} = setUp();
  let left = 0;
  const leave = (): Promise<void> => {
    left++;
    return Promise.resolve();
  };
  dialogs.hold('https://a.test/', leave);
  expect(dialogs.current?.kind).toBe('beforeunload');
  await dialogs.answer(false, undefined, call);
  expect([left, dialogs.current]).toEqual([0, undefined]);
  dialogs.hold('https://a.test/', leave);
  await dialogs.answer(true, undefined, call);
  expect([left, dialogs.current]).toEqual([1, undefined]);
  dialogs.hold('https://a.test/', leave);
  dialogs.left();
  expect(dialogs.current).toBeUndefined();
  expect(sent).toEqual([]);
  // The next worker could not carry it out: it must not find it.
  expect(stored).toEqual([]);
});

test('the error names the dialog and cuts long words', () => {
  const error = dialogOpen({kind: 'confirm', message: 'x'.repeat(500), url: ''});
  expect(error.code).toBe('dialog_open');
  expect(error.message).toContain('confirm');
  expect(error.message.length).toBeLessThan(400);
});

test('what comes out of storage is checked', () => {
  expect(isOpenDialog({kind: 'alert', message: 'm', url: 'u'})).toBe(true);
  expect(isOpenDialog({kind: 'other', message: 'm', url: 'u'})).toBe(false);
  expect(isOpenDialog(null)).toBe(false);
});
