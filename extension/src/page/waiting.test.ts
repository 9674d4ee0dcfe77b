// @vitest-environment jsdom
import {expect, test, vi} from 'vitest';
import {Registry} from './registry';
import {Waits, waitUntil} from './waiting';

test('a wait whose call is cancelled ends at once, and watches the page no longer', async () => {
  const disconnected = vi.spyOn(MutationObserver.prototype, 'disconnect');
  const waits = new Waits();
  const wait = (call: string): Promise<unknown> =>
    waits.run(call, (signal) =>
      waitUntil({target: {selector: '#never'}, state: 'attached'}, new Registry(), 3_600_000, signal),
    );
  const [one, other] = [wait('one'), wait('other')];
  waits.cancel('another');
  expect(disconnected).not.toHaveBeenCalled();
  waits.cancel('one');
  expect(await one).toBe(false);
  expect(disconnected).toHaveBeenCalledTimes(1);
  document.body.innerHTML = '<p id=never>';
  expect(await other).toBe(true);
  expect(disconnected).toHaveBeenCalledTimes(2);
  // What has ended is known no longer.
  waits.cancel('one');
  waits.cancel('other');
});
