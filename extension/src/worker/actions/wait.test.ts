import {describe, expect, it} from 'vitest';
import {matches} from './wait';

describe('matches', () => {
  it.each([
    ['https://a.test/orders/7?x=1', '/orders/', true],
    ['https://a.test/orders/7?x=1', 'https://a.test/orders', true],
    ['https://a.test/orders/7', '/Orders', false],
    ['https://a.test/orders/7', 'https://a.test/*/7', true],
    ['https://a.test/orders/7', '*/orders/*', true],
    ['https://a.test/orders/7', 'orders/*', false],
    ['https://a.test/a+b?c', '*a+b?c', true],
    ['https://a.test/aab', '*/a+b*', false],
  ])('%s with %s: %s', (address, pattern, expected) => {
    expect(matches(address, pattern)).toBe(expected);
  });
});
