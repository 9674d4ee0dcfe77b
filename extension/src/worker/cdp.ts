/** The types of the Chrome DevTools Protocol as we speak it, and the one way in and out of chrome.debugger. */

import type {ProtocolMapping} from 'devtools-protocol/types/protocol-mapping.js';
import {ActionError, messageOf} from './errors';
import {isRecord} from './storage';

/** Method is the name of a CDP command, `Page.navigate`. */
export type Method = keyof ProtocolMapping.Commands;

/** Result is what a command answers; undefined for those that answer nothing. */
export type Result<M extends Method> = ProtocolMapping.Commands[M]['returnType'];

/** EventName is the name of a CDP event, `Page.frameNavigated`. */
export type EventName = keyof ProtocolMapping.Events;

/** EventParams is what an event carries; undefined for those that carry nothing. */
export type EventParams<E extends EventName> = ProtocolMapping.Events[E] extends [infer P] ? P : undefined;

/** SendOptions say where a command goes and how long it may take. */
export interface SendOptions {
  /** The flat CDP session of a child target (an out-of-process frame); absent: the tab's own. */
  session?: string | undefined;
  /** Gives the command up when aborted; its reason, an ActionError, is what the command rejects with. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the command is given up with `timeout`; absent: 30,000. */
  timeoutMs?: number | undefined;
  /**
   * If true, an open dialog neither refuses the command nor ends it: for commands that the browser process
   * answers by itself (Page.handleJavaScriptDialog, Page.stopLoading).
   */
  pastDialog?: boolean | undefined;
  /**
   * If true, the command only asks, and may be sent again when another extension took an agent's tab away from
   * under it. Absent: decided by the method; true for calls into our own world, false for the page's and for Input.
   */
  again?: boolean | undefined;
}

/** Args are a command's parameters and options, as its protocol asks for them: required, optional or none. */
export type Args<M extends Method> = ProtocolMapping.Commands[M]['paramsType'] extends []
  ? [params?: undefined, options?: SendOptions]
  : ProtocolMapping.Commands[M]['paramsType'] extends [infer P]
    ? [params: P, options?: SendOptions]
    : ProtocolMapping.Commands[M]['paramsType'] extends [(infer P)?]
      ? [params?: P, options?: SendOptions]
      : never;

/** Send sends one command to a tab and answers its typed result, or rejects with an ActionError. */
export type Send = <M extends Method>(method: M, ...args: Args<M>) => Promise<Result<M>>;

/**
 * IsEvent tells that a CDP event is the one named. The browser made the parameters, by the same protocol
 * from which the types are made: that is all the proof there is.
 */
export function isEvent<E extends EventName>(name: E, method: string, params: unknown): params is EventParams<E> {
  return name === method && (params === undefined || typeof params === 'object');
}

/** How the attachment to a tab ended, in Chrome's words. */
export type DetachReason = `${chrome.debugger.DetachReason}`;

/** Wire is what a tab hears from chrome.debugger. */
export interface Wire {
  /** One CDP event, from the tab's own session or from a child's. */
  event(method: string, params: unknown, session: string | undefined): void;
  /** Chrome ended the attachment. */
  detached(reason: DetachReason): void;
}

/**
 * Listen registers the two debugger listeners. Call it once, synchronously while the worker starts: an event
 * wakes a dead worker only for listeners that were there in its first turn.
 *
 * @param of gives the tab's ear; it is called for tabs that this worker has never seen as well.
 */
export function listen(of: (tabId: number) => Wire | undefined): void {
  chrome.debugger.onEvent.addListener((source, method, params) => {
    if (source.tabId === undefined) return;
    of(source.tabId)?.event(method, params, source.sessionId);
  });
  chrome.debugger.onDetach.addListener((source, reason) => {
    if (source.tabId === undefined) return;
    of(source.tabId)?.detached(reason);
  });
}

/** Command hands one command to Chrome at once; commands of one tab arrive in the order of the calls. */
export function command(
  tabId: number,
  session: string | undefined,
  method: string,
  params: object | undefined,
): Promise<unknown> {
  const target = session === undefined ? {tabId} : {tabId, sessionId: session};
  return chrome.debugger.sendCommand(target, method, params ?? {});
}

/** CdpError is a command that Chrome answered with an error. */
export class CdpError extends ActionError {
  /** CDP's own code (−32000 and so on); 0 when Chrome gave none. */
  readonly cdpCode: number;
  /** CDP's own words, to tell cases apart by. */
  readonly cdpMessage: string;

  constructor(method: string, cdpCode: number, cdpMessage: string) {
    super('internal', `${method} failed: ${cdpMessage}; extract again and retry once`, {retryable: 'after_refresh'});
    this.cdpCode = cdpCode;
    this.cdpMessage = cdpMessage;
  }
}

/** ReadError makes a CdpError of what sendCommand rejected with: JSON for CDP's errors, plain words for Chrome's. */
export function readError(method: string, thrown: unknown): CdpError {
  const text = messageOf(thrown);
  if (text.startsWith('{')) {
    const told = parseJson(text);
    if (isRecord(told) && typeof told.message === 'string') {
      return new CdpError(method, typeof told.code === 'number' ? told.code : 0, told.message);
    }
  }
  return new CdpError(method, 0, text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
