// @vitest-environment jsdom
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {Watch, focusedElement} from './changes';

const patience = {graceMs: 5, quietMs: 100, capMs: 1000};

/** How long a watch takes to rest, in milliseconds of the fake clock, and what it says. */
async function rested(watch: Watch): Promise<{ms: number; changed: boolean; restless: boolean}> {
  const began = performance.now();
  const rest = await watch.rest(patience);
  watch.stop();
  return {ms: performance.now() - began, ...rest};
}

describe('Watch', () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance']});
    document.body.replaceChildren();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('rests after the grace when nothing changes', async () => {
    const rest = rested(new Watch());
    await vi.advanceTimersByTimeAsync(5);
    expect(await rest).toEqual({ms: 5, changed: false, restless: false});
  });

  it('waits for quiet after a change, also one from before it was asked', async () => {
    const watch = new Watch();
    document.body.append('now');
    const rest = rested(watch);
    setTimeout(() => {
      document.body.append('later');
    }, 60);
    await vi.advanceTimersByTimeAsync(300);
    expect(await rest).toMatchObject({changed: true, restless: false, ms: 160});
  });

  it('sees a change that begins within the grace', async () => {
    const rest = rested(new Watch());
    setTimeout(() => {
      document.body.append('x');
    }, 0);
    await vi.advanceTimersByTimeAsync(300);
    expect(await rest).toMatchObject({changed: true, restless: false});
  });

  it('gives up on a page that never rests', async () => {
    const ticking = setInterval(() => {
      document.body.append('.');
    }, 20);
    const watch = new Watch();
    document.body.append('.');
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(1200);
    clearInterval(ticking);
    expect(await rest).toEqual({ms: 1000, changed: true, restless: true});
  });

  it('sees into the shadow trees that it is given', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = host.attachShadow({mode: 'open'});
    const watch = new Watch([root]);
    root.append('x');
    const rest = rested(watch);
    await vi.advanceTimersByTimeAsync(300);
    expect((await rest).changed).toBe(true);
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
