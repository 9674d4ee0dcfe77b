// @vitest-environment jsdom
import {beforeEach, expect, test, vi} from 'vitest';
import {watchUnload} from './unloadwatch';

let active = true;

beforeEach(() => {
  active = true;
  vi.stubGlobal('navigator', {
    userActivation: {
      get hasBeenActive() {
        return active;
      },
    },
  });
  // The DOM of these tests knows no BeforeUnloadEvent.
  vi.spyOn(document, 'createEvent').mockImplementation(() => new Event('beforeunload', {cancelable: true}));
});

test('a page that wants to be asked says so', () => {
  expect(watchUnload(true)).toBe(false);
  const prevent = (event: Event): void => {
    event.preventDefault();
  };
  addEventListener('beforeunload', prevent);
  expect(watchUnload(true)).toBe(true);
  removeEventListener('beforeunload', prevent);
});

test('without a gesture the browser asks nothing, so the page is not asked either', () => {
  const listener = vi.fn();
  addEventListener('beforeunload', listener, {once: true});
  active = false;
  expect(watchUnload(true)).toBe(false);
  expect(listener).not.toHaveBeenCalled();
});

test('watching alone asks nothing', () => {
  const listener = vi.fn();
  addEventListener('beforeunload', listener, {once: true});
  expect(watchUnload(false)).toBe(false);
  expect(listener).not.toHaveBeenCalled();
});
