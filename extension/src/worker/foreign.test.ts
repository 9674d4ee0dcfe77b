import {afterEach, expect, it, vi} from 'vitest';
import {watchForeignFrames} from './foreign';

type Committed = (details: {tabId: number; url: string; documentId: string}) => void;

afterEach(() => {
  vi.unstubAllGlobals();
});

it('looks into a new document only, however many the page has', async () => {
  const committed: Committed[] = [];
  const executeScript = vi.fn((order: {readonly target: object}) =>
    Promise.resolve([{result: 'documentIds' in order.target ? ['a'.repeat(32)] : []}]),
  );
  vi.stubGlobal('chrome', {
    runtime: {id: 'ours', onMessage: {addListener: vi.fn()}},
    scripting: {executeScript},
    webNavigation: {onCommitted: {addListener: (listener: Committed) => committed.push(listener)}},
  });
  const told = vi.fn();
  watchForeignFrames((tabId) => Promise.resolve(tabId === 1), told);
  for (const documentId of ['one', 'two', 'three']) committed[0]?.({tabId: 1, url: 'https://a.test/', documentId});
  committed[0]?.({tabId: 2, url: 'https://a.test/', documentId: 'of the user'});
  committed[0]?.({tabId: 1, url: `chrome-extension://${'a'.repeat(32)}/x.html`, documentId: 'foreign'});
  await vi.waitFor(() => {
    expect(told).toHaveBeenCalledTimes(3);
  });
  expect(executeScript.mock.calls.map(([order]) => order.target)).toEqual(
    ['one', 'two', 'three'].map((documentId) => ({tabId: 1, documentIds: [documentId]})),
  );
});
