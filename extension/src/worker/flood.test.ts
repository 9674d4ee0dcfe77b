import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {Args, Method, Result} from './cdp';
import {Flood} from './flood';

// Only what is sent is of interest: the browser never answers.
class Sender {
  readonly sent: string[] = [];

  send<M extends Method>(method: M, ...args: Args<M>): Promise<Result<M>>;
  send(method: Method): Promise<unknown> {
    this.sent.push(method);
    return new Promise(() => undefined);
  }
}

describe('a page that talks without end', () => {
  let sent: string[];
  let notes: string[];
  let rearmed: (string | undefined)[];
  let lettingGo: number;
  let recorded: boolean;
  let flood: Flood;

  beforeEach(() => {
    vi.useFakeTimers();
    [notes, rearmed, lettingGo, recorded] = [[], [], 0, false];
    const sender = new Sender();
    sent = sender.sent;
    flood = new Flood({
      send: sender.send.bind(sender),
      rearm: (session) => void rearmed.push(session),
      recorded: () => recorded,
      note: (sentence) => void notes.push(sentence),
      letGo: () => lettingGo++,
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const log = (times: number, session?: string): number => {
    let taken = 0;
    for (let n = 0; n < times; n++) if (flood.takes('Runtime.consoleAPICalled', {}, session)) taken++;
    return taken;
  };

  it('is heard while it logs as pages do', () => {
    for (let second = 0; second < 60; second++) {
      expect(log(190)).toBe(0);
      vi.advanceTimersByTime(1_000);
    }
    expect(sent).toEqual([]);
  });

  it('is told to be silent, in that session alone', () => {
    log(400, 'child');
    expect(sent).toEqual(['Runtime.disable', 'Log.disable']);
    expect(log(10, 'child')).toBe(10);
    expect(log(10)).toBe(0);
    expect(flood.takes('Page.loadEventFired', {}, 'child')).toBe(false);
    expect(notes).toEqual([]);
  });

  it('may tell again what it logged before to who records it', () => {
    recorded = true;
    expect(log(1_000)).toBe(0);
    log(1_000);
    expect(notes).toHaveLength(1);
  });

  it('is let go when it does not hear', () => {
    log(400);
    vi.advanceTimersByTime(500);
    expect(lettingGo).toBe(0);
    log(4_000);
    expect(lettingGo).toBe(1);
  });

  it('is listened to again in a new document, some time later', () => {
    log(400);
    const left = (): boolean => flood.takes('Page.frameNavigated', {frame: {id: 'f'}}, undefined);
    left();
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(6_000);
    left();
    expect(sent.slice(2)).toEqual(['Runtime.enable']);
    expect(rearmed).toEqual([undefined]);
    expect(log(1)).toBe(0);
  });

  it('still tells of its worlds when asked', async () => {
    const {signal} = new AbortController();
    await flood.tellWorlds(undefined, signal);
    expect(sent).toEqual([]);
    log(400);
    void flood.tellWorlds(undefined, signal);
    expect(sent.slice(2)).toEqual(['Runtime.discardConsoleEntries', 'Runtime.enable', 'Runtime.disable']);
  });

  it('has its requests unheard until they are asked for again', () => {
    for (let n = 0; n < 6_000; n++) expect(flood.takes('Network.dataReceived', {}, undefined)).toBe(false);
    expect(sent).toEqual(['Network.disable']);
  });
});
