// @vitest-environment jsdom
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {begun} from './beginnings';
import {Watch, focusedElement} from './changes';

const patience = {graceMs: 5, frameMs: 40, quietMs: 100, capMs: 1000};

/** How long a watch takes to rest, in milliseconds of the fake clock, and what it says. */
async function rested(watch: Watch): Promise<{ms: number; changed: boolean; restless: boolean}> {
  const began = performance.now();
  const rest = await watch.rest(patience);
  watch.stop();
  return {ms: performance.now() - began, ...rest};
}

/** What a page puts off takes 20 ms of the fake clock. */
function put(): Watch {
  return new Watch([], () => new Promise((resolve) => setTimeout(resolve, 20)));
}

function append(text: string): void {
  document.body.append(text);
}

describe('Watch', () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance']});
    // jsdom lays nothing out and animates nothing.
    Object.assign(Element.prototype, {checkVisibility: () => true});
    Object.assign(Document.prototype, {getAnimations: () => []});
    document.body.replaceChildren();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('rests once what was put off is done and nothing has changed', async () => {
    const rest = rested(put());
    await vi.advanceTimersByTimeAsync(25);
    expect(await rest).toEqual({ms: 25, changed: false, restless: false});
  });

  it('rests once what was put off has changed nothing more', async () => {
    const watch = put();
    append('now');
    const rest = rested(watch);
    setTimeout(append, 15, 'with the frame');
    await vi.advanceTimersByTimeAsync(300);
    expect(await rest).toEqual({ms: 40, changed: true, restless: false});
  });

  it('waits for quiet while what has changed is not to be seen yet', async () => {
    Object.assign(Element.prototype, {checkVisibility: (how?: object) => how === undefined});
    const watch = put();
    document.body.append(document.createElement('p'));
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(300);
    expect(await rest).toMatchObject({changed: true, restless: false, ms: 120});
  });

  it('waits for quiet while a movement with an end goes on', async () => {
    class Effect {
      getComputedTiming = (): object => ({endTime: 300});
      getKeyframes = (): object[] => [{opacity: '0'}];
    }
    vi.stubGlobal('KeyframeEffect', Effect);
    const fading = {playState: 'running', currentTime: 10, playbackRate: 1, effect: new Effect()};
    Object.assign(Document.prototype, {getAnimations: () => [fading]});
    const watch = put();
    append('now');
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(300);
    expect((await rest).ms).toBe(120);
    vi.unstubAllGlobals();
  });

  it('sees a change that begins within the grace', async () => {
    const rest = rested(put());
    setTimeout(append, 0, 'x');
    await vi.advanceTimersByTimeAsync(300);
    expect(await rest).toMatchObject({changed: true, restless: false});
  });

  it('gives up on a page that never rests', async () => {
    const ticking = setInterval(append, 10, '.');
    const watch = put();
    append('.');
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(1200);
    clearInterval(ticking);
    expect(await rest).toEqual({ms: 1000, changed: true, restless: true});
  });

  it('sees into the shadow trees that it is given', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = host.attachShadow({mode: 'open'});
    Object.assign(root, {getAnimations: () => []});
    const watch = new Watch([root], () => Promise.resolve());
    root.append('x');
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(300);
    expect((await rest).changed).toBe(true);
  });
});

describe('begun', () => {
  let frames: (() => void)[] = [];

  beforeEach(() => {
    frames = [];
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Done tells which of some things happened before it was over. */
  async function done(over: Promise<void>, ...things: Promise<string>[]): Promise<string[]> {
    const happened: string[] = [];
    for (const thing of things) void thing.then((what) => happened.push(what));
    await over;
    return happened;
  }

  const timer = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 0, 'timer'));

  it('is over after the frame, and after the timers that were set by then', async () => {
    const over = begun(undefined, 10_000);
    const framed = new Promise<string>((resolve) => {
      for (const frame of frames) frame();
      resolve('frame');
    });
    expect((await done(over, timer(), framed)).sort()).toEqual(['frame', 'timer']);
  });

  it('waits for nothing where nothing has changed and none is to be waited for', async () => {
    expect(await done(begun(undefined, 0), timer())).toEqual([]);
  });

  it('waits for nothing where no frames come, until the document has changed', async () => {
    await begun(undefined, 1);
    expect(await done(begun(undefined, 10_000), timer())).toEqual([]);
    const over = begun(0, 0);
    for (const frame of frames) frame();
    expect(await done(over, timer())).toEqual(['timer']);
  });
});

describe('focusedElement', () => {
  it('goes down into shadow trees, and is nothing for the body', () => {
    document.body.innerHTML = '<div></div>';
    expect(focusedElement()).toBeUndefined();
    const root = document.querySelector('div')?.attachShadow({mode: 'open'});
    const field = document.createElement('input');
    root?.append(field);
    field.focus();
    // Only a host with a dash, or one of a few tags, can have a shadow tree at all.
    expect(focusedElement()).toBe(field);
  });
});
