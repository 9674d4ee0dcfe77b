import {expect, test} from 'vitest';
import type {Protocol} from 'devtools-protocol';
import {FrameTree} from './frames';

const origin = 'chrome-extension://ours';
const noSend = (): Promise<never> => Promise.reject(new Error('nothing is sent in these tests'));

function frame(id: string, loaderId: string, parentId?: string): Protocol.Page.Frame {
  return {
    id,
    loaderId,
    url: `https://${id}.test/`,
    domainAndRegistry: '',
    securityOrigin: '',
    mimeType: 'text/html',
    secureContextType: 'Secure',
    crossOriginIsolatedContextType: 'NotIsolated',
    gatedAPIFeatures: [],
    ...(parentId === undefined ? {} : {parentId}),
  };
}

function context(uniqueId: string, frameId: string, isDefault: boolean, from: string) {
  return {context: {id: 1, origin: from, name: '', uniqueId, auxData: {frameId, isDefault, type: 'x'}}};
}

function tree(): FrameTree {
  const frames = new FrameTree(noSend, origin);
  frames.learn(
    {
      frame: frame('top', 'L1'),
      childFrames: [{frame: frame('a', 'L2', 'top'), childFrames: [{frame: frame('b', 'L3', 'a')}]}],
    },
    undefined,
  );
  return frames;
}

const ids = (frames: FrameTree): string[] => frames.all().map(({id}) => id);

test('frames come parents first, and leave with their parents', () => {
  const frames = tree();
  expect(ids(frames)).toEqual(['top', 'a', 'b']);
  expect(frames.top?.id).toBe('top');
  frames.follow('Page.frameDetached', {frameId: 'a', reason: 'remove'}, undefined);
  expect(ids(frames)).toEqual(['top']);
});

test('a frame that moves to another process is kept, with the session it then has', () => {
  const frames = tree();
  frames.follow('Page.frameDetached', {frameId: 'a', reason: 'swap'}, undefined);
  expect(ids(frames)).toEqual(['top', 'a']);
  frames.learn({frame: frame('a', 'L4', 'top')}, 'S1');
  expect(frames.get('a')?.session).toBe('S1');
  // The old process lets go only now: that is of no matter any more.
  frames.follow('Page.frameDetached', {frameId: 'a', reason: 'remove'}, undefined);
  expect(ids(frames)).toEqual(['top', 'a']);
  frames.sessionGone('S1');
  expect(ids(frames)).toEqual(['top']);
});

test('a frame that came back to its parent’s process stays when the old session goes', () => {
  const frames = tree();
  frames.learn({frame: frame('a', 'L4', 'top')}, 'S1');
  frames.follow('Page.frameAttached', {frameId: 'a', parentFrameId: 'top'}, undefined);
  frames.sessionGone('S1');
  expect(ids(frames)).toContain('a');
});

test('a frame may be told of before the top that holds it, and a new top takes the old one’s place', () => {
  const frames = new FrameTree(noSend, origin);
  frames.learn({frame: frame('a', 'L2', 'top')}, 'S1');
  frames.learn({frame: frame('top', 'L1')}, undefined);
  expect(ids(frames)).toEqual(['top', 'a']);
  frames.learn({frame: frame('other', 'L5')}, undefined);
  expect(ids(frames)).toEqual(['other']);
});

test('a navigation takes the children away and begins the lifecycle anew', () => {
  const frames = tree();
  frames.follow('Page.lifecycleEvent', {frameId: 'top', loaderId: 'L1', name: 'load', timestamp: 0}, undefined);
  expect(frames.top?.lifecycle.has('load')).toBe(true);
  frames.follow('Page.frameNavigated', {frame: frame('top', 'L9'), type: 'Navigation'}, undefined);
  expect(ids(frames)).toEqual(['top']);
  expect(frames.top?.loaderId).toBe('L9');
  expect(frames.top?.lifecycle.size).toBe(0);
});

test('a document out of the back/forward cache is complete at once', () => {
  const frames = tree();
  frames.follow('Page.frameNavigated', {frame: frame('top', 'L0'), type: 'BackForwardCacheRestore'}, undefined);
  expect(frames.top?.lifecycle.has('load')).toBe(true);
});

test('the world of a frame is the one of our origin in the session where the frame lives', () => {
  const frames = tree();
  frames.follow('Runtime.executionContextCreated', context('m', 'a', true, 'https://a.test'), undefined);
  frames.follow('Runtime.executionContextCreated', context('x', 'a', false, 'chrome-extension://other'), undefined);
  expect(frames.main('a')?.uniqueContextId).toBe('m');
  expect(frames.ours('a')).toBeUndefined();
  frames.follow('Runtime.executionContextCreated', context('o', 'a', false, origin), undefined);
  expect(frames.ours('a')?.uniqueContextId).toBe('o');
  expect(frames.isOurs({uniqueContextId: 'o'})).toBe(true);
  expect(frames.isOurs({uniqueContextId: 'm'})).toBe(false);
  frames.learn({frame: frame('a', 'L4', 'top')}, 'S1');
  expect(frames.ours('a')).toBeUndefined();
  frames.follow('Runtime.executionContextDestroyed', {executionContextId: 1, executionContextUniqueId: 'o'}, undefined);
  expect(frames.isOurs({uniqueContextId: 'o'})).toBe(false);
});

test('waiting for a world ends when it comes, and when it is given up', async () => {
  const frames = tree();
  const waiting = frames.waitForOurs('a', new AbortController().signal);
  frames.follow('Runtime.executionContextCreated', context('o', 'a', false, origin), undefined);
  expect((await waiting).uniqueContextId).toBe('o');
  const giveUp = new AbortController();
  const never = frames.waitForOurs('b', giveUp.signal);
  giveUp.abort();
  await expect(never).rejects.toMatchObject({code: 'cancelled'});
});
