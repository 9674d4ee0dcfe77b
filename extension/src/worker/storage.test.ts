import {afterEach, expect, test, vi} from 'vitest';
import {area} from './storage';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('writes land in the order in which they were asked for, and one that fails stops no other', async () => {
  const landed: string[] = [];
  const slow = [30, 20, 10];
  vi.stubGlobal('chrome', {
    storage: {
      local: {
        set: async (items: Record<string, unknown>) => {
          await new Promise((resolve) => setTimeout(resolve, slow.shift()));
          if ('bad' in items) throw new Error('quota');
          landed.push(Object.keys(items).join());
        },
        remove: (keys: string[]) => {
          landed.push(`-${keys.join()}`);
          return Promise.resolve();
        },
      },
    },
  });
  const store = area('local');
  const first = store.set({a: 1});
  const failed = store.set({bad: 1});
  const third = store.set({b: 1});
  const last = store.remove(['a']);
  await expect(failed).rejects.toThrow('quota');
  await Promise.all([first, third, last]);
  expect(landed).toEqual(['a', 'b', '-a']);
});
