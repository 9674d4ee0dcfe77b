/** evaluate: an agent's expression in the page's own world, bounded, and its value told apart from what JSON lacks. */

import type {Protocol} from 'devtools-protocol';
import {type Written, write} from '../../page/evaluate';
import {shape} from '../../page/shape';
import type {Evaluate} from '../../protocol.gen';
import {limits} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import type {AnsweredDialog} from '../dialogs';
import {ActionError} from '../errors';
import {late} from '../news';
import {Needs} from '../needs';
import {PrintOpen} from '../printing';
import {type Tab, tabs} from '../tab';

/** How long an expression may run, in milliseconds; less when the call ends before. */
const longestMs = 10_000;

/** CDP stops a busy loop at its own timeout; that answer is given this much longer to come, in milliseconds. */
const slackMs = 300;

const isWritten = shape<Written>({
  type: 'string',
  json: 'string?',
  description: 'string?',
  truncated: 'boolean?',
  preview: 'string?',
});

/** What the rpc dialect means by a script: the value of its last statement, whole, awaited or not. */
const scripts = new WeakMap<Evaluate, {awaits: boolean}>();

/** Script is an action that runs a script as it stands; only a script that returns is a function's body. */
export function script(text: string, awaits: boolean, tabId: number): {type: 'evaluate'} & Evaluate {
  const action = {type: 'evaluate' as const, tabId, expression: text};
  scripts.set(action, {awaits});
  return action;
}

/** Evaluate runs an expression as a function's body. */
export const evaluate: Handler<'evaluate'> = async (action, call) => {
  const {expression} = action;
  const tab = await tabs.get(call.tabId, call.signal);
  if (tab.dialog) await tab.send('Runtime.evaluate', {expression: '0'}, {signal: call.signal});
  call.started();
  const script = scripts.get(action);
  const {value: answer, answered} = await tab.dialogs.answering(() =>
    script ? runScript(tab, expression, script.awaits, call) : run(tab, expression, call),
  );
  const changed = await late(tab, call.signal);
  const notes = [...answered.map(dialogNote), ...tab.takeNotes()];
  const written: unknown = answer.result.value;
  if (answer.exceptionDetails) throw thrown(answer.exceptionDetails, expression, notes);
  if (!isWritten(written)) {
    throw new ActionError('internal', 'the page gave back something that was not the value of the expression', {
      outcome: 'unknown',
    });
  }
  const {json, ...rest} = written;
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return {...changed, ...rest, ...(json === undefined ? {} : {value}), ...(notes.length > 0 ? {notes} : {})};
};

/** A tab that we emptied, away from a blocked page, has our own origin: no script of an agent's may run there. */
const notOurs =
  "if (String(self.origin).startsWith('chrome-extension:')) throw new Error('this tab was emptied by the extension; navigate it first');";

/**
 * SourceOf is what is sent for an expression, and how many lines of it come before the expression's first. A
 * promise is waited for by syntax, not by a Promise of the page's; its own throw is left alone, so that the
 * browser tells where it was.
 */
export function sourceOf(expression: string): {source: string; linesBefore: number} {
  const before = `(() => { ${notOurs}\nconst write = ${write.toString()};\nconst value = (() => {\n`;
  const after =
    `\n})();\nconst limit = ${limits.evaluateBytes};\n` +
    "return (typeof value === 'object' || typeof value === 'function') && value !== null && typeof value.then === 'function'\n" +
    '  ? (async () => write(await value, limit))() : write(value, limit);\n})()';
  return {source: before + expression + after, linesBefore: before.split('\n').length - 1};
}

function run(tab: Tab, expression: string, call: Call): Promise<Protocol.Runtime.EvaluateResponse> {
  return bounded(
    tab,
    expression,
    {expression: sourceOf(expression).source, returnByValue: true, awaitPromise: true},
    call,
  );
}

async function runScript(
  tab: Tab,
  text: string,
  awaits: boolean,
  call: Call,
): Promise<Protocol.Runtime.EvaluateResponse> {
  const ran = await bounded(tab, text, {expression: text, awaitPromise: awaits}, call);
  const {exceptionDetails, result} = ran;
  if (exceptionDetails) {
    const isBody =
      exceptionDetails.exception?.description?.startsWith('SyntaxError: Illegal return statement') === true;
    return isBody ? run(tab, text, call) : ran;
  }
  const {objectId, type, unserializableValue} = result;
  const value: unknown = result.value;
  if (objectId === undefined) {
    const json: unknown = value === undefined ? undefined : JSON.stringify(value);
    const written = typeof json === 'string' ? {type, json} : {type, description: unserializableValue ?? type};
    return {result: {type: 'object', value: written}};
  }
  const functionDeclaration = `function () {\n'use strict';\nconst write = ${write.toString()};\nreturn write(this, ${limits.answerBytes / 2});\n}`;
  return tab.send(
    'Runtime.callFunctionOn',
    {objectId, functionDeclaration, returnByValue: true},
    {signal: call.signal, timeoutMs: longestMs},
  );
}

async function bounded(
  tab: Tab,
  expression: string,
  asked: Protocol.Runtime.EvaluateRequest,
  {signal, deadline}: Call,
): Promise<Protocol.Runtime.EvaluateResponse> {
  // A loop that nobody waits for any more would keep the page from everything else.
  const timeoutMs = Math.max(1, Math.min(longestMs, deadline - performance.now() - slackMs));
  const options = {signal, timeoutMs: timeoutMs + slackMs};
  const began = performance.now();
  const needs = new Needs(tab);
  const order = {...asked, userGesture: true, timeout: timeoutMs};
  try {
    return await tab.send('Runtime.evaluate', order, options);
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    if (error instanceof PrintOpen) throw error;
    // A busy loop that CDP stopped in time is answered by an internal error of its own.
    const late = error.code === 'internal' && performance.now() - began >= timeoutMs;
    if (error.code === 'timeout' || late || /execution was terminated/i.test(error.message)) {
      const next = needs.named(expression) ?? 'what it began may go on in the page; make it end sooner';
      throw new ActionError(
        'timeout',
        `the expression did not end within ${(timeoutMs / 1000).toFixed(1)} s; ${next}`,
        {
          outcome: 'unknown',
          cause: error,
        },
      );
    }
    if (/context was destroyed|navigated or closed|cannot find context|promise was collected/i.test(error.message)) {
      throw new ActionError(
        'invalid_action',
        'the page left for another document while the expression ran, so its value is lost; look at the page, then go on',
        {outcome: 'unknown', retryable: 'after_refresh', cause: error},
      );
    }
    throw error;
  } finally {
    needs.end();
  }
}

function thrown(details: Protocol.Runtime.ExceptionDetails, expression: string, notes: readonly string[]): ActionError {
  const {exception} = details;
  const text = (exception?.description ?? valueText(exception) ?? details.text).replace(/\n {4}at [\s\S]*$/, '');
  const syntax = exception?.className === 'SyntaxError' && details.text === 'Uncaught';
  const after = notes.length > 0 ? `; ${notes.join('; ')}` : '';
  return new ActionError(
    'invalid_action',
    `the expression ${syntax ? 'does not parse' : 'threw'}: ${text}${where(details, expression)}${after}; mend it`,
    {outcome: 'done'},
  );
}

/** Where says in which line of the expression it was thrown; nothing for what a script of the page threw. */
function where({stackTrace, lineNumber}: Protocol.Runtime.ExceptionDetails, expression: string): string {
  const [frame] = stackTrace?.callFrames ?? [];
  if (frame && frame.url !== '') return '';
  const line = lineOf(frame?.lineNumber ?? lineNumber, expression);
  return line === undefined ? '' : ` (line ${line} of the expression)`;
}

/** LineOf is the line of the expression, from 1, that a line of the source is; undefined when it is none of them. */
function lineOf(line: number, expression: string): number | undefined {
  const at = line - sourceOf(expression).linesBefore + 1;
  return at >= 1 && at <= expression.split('\n').length ? at : undefined;
}

function valueText(exception: Protocol.Runtime.RemoteObject | undefined): string | undefined {
  const value: unknown = exception?.value;
  return exception === undefined ? undefined : (exception.unserializableValue ?? JSON.stringify(value));
}

function dialogNote({kind, message, accepted}: AnsweredDialog): string {
  const said = message === '' ? '' : ` ${JSON.stringify(message.slice(0, 200))}`;
  return `the page showed a ${kind} dialog${said}; it was ${accepted ? 'accepted' : 'dismissed'}`;
}
