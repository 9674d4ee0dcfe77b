import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {PrintOpen, Printing} from './printing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const opened = vi.fn();
  const printing = new Printing(opened);
  const says = (payload: string, name = 'drawbridgePrinting'): void => {
    printing.follow('Runtime.bindingCalled', {name, payload, executionContextId: 1});
  };
  return {opened, printing, says};
}

test('a dialog that stays open makes the page stand still, once', () => {
  const {opened, printing, says} = setUp();
  says('beforeprint');
  says('beforeprint');
  expect(printing.open).toBe(false);
  vi.advanceTimersByTime(600);
  expect(printing.open).toBe(true);
  expect(opened).toHaveBeenCalledOnce();
  says('afterprint');
  expect(printing.open).toBe(false);
});

test('printing without a dialog is over before anybody hears of it', () => {
  const {opened, printing, says} = setUp();
  says('beforeprint');
  says('afterprint');
  vi.advanceTimersByTime(5_000);
  expect(printing.open).toBe(false);
  expect(opened).not.toHaveBeenCalled();
});

test('a document that we print ourselves shows no dialog, however long it takes', async () => {
  const {opened, printing, says} = setUp();
  await printing.own(() => {
    says('beforeprint');
    vi.advanceTimersByTime(5_000);
    return Promise.resolve();
  });
  expect(opened).not.toHaveBeenCalled();
  says('beforeprint');
  vi.advanceTimersByTime(600);
  expect(opened).toHaveBeenCalledOnce();
});

test('a new top document ends it, a frame’s does not', () => {
  const {printing, says} = setUp();
  says('beforeprint');
  vi.advanceTimersByTime(600);
  printing.follow('Page.frameNavigated', {frame: {id: 'child', parentId: 'top'}});
  expect(printing.open).toBe(true);
  printing.follow('Page.frameNavigated', {frame: {id: 'top'}});
  expect(printing.open).toBe(false);
});

test('other bindings say nothing', () => {
  const {printing, says} = setUp();
  says('beforeprint', 'theirs');
  vi.advanceTimersByTime(5_000);
  expect(printing.open).toBe(false);
});

test('whether what was asked for reached the page is unknown', () => {
  expect(new PrintOpen()).toMatchObject({code: 'timeout', outcome: 'unknown', retryable: 'no'});
});
