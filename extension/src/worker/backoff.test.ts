import {expect, test} from 'vitest';
import {retryDelay} from './backoff';

test('the bound doubles from one second to half a minute, and stays there', () => {
  const bounds = Array.from({length: 8}, (_, failed) => retryDelay(failed, 1));
  expect(bounds).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(retryDelay(5_000, 1)).toBe(30_000);
});

test('a server that refuses at once is not asked in a busy loop', () => {
  for (const failed of [0, 1, 7]) expect(retryDelay(failed, 0)).toBe(50);
});

test('ten thousand browsers that lost their server in one moment come back evenly over the whole time', () => {
  const count = 10_000;
  // Evenly drawn numbers, so that the test judges the function and not the draw.
  for (const failed of [0, 3, 9]) {
    const bound = retryDelay(failed, 1);
    const tenths = Array.from({length: 10}, () => 0);
    for (let i = 0; i < count; i += 1) {
      const tenth = Math.min(Math.floor((retryDelay(failed, i / count) / bound) * 10), 9);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    // The first tenth lacks the least wait: half of it after the first failure, nearly nothing later.
    for (const there of tenths.slice(1)) expect(there).toBeGreaterThan(count / 11);
    expect(Math.max(...tenths)).toBeLessThan(count / 9);
  }
});
