import {describe, expect, it} from 'vitest';
import {loads} from './settle';

describe('loads', () => {
  it.each([
    ['https://a.test/', 'https://a.test/b', true],
    ['https://a.test/', 'https://a.test/', true],
    ['https://a.test/#x', 'https://a.test/', true],
    ['https://a.test/', 'https://a.test/#x', false],
    ['https://a.test/#y', 'https://a.test/#x', false],
    ['https://a.test/', 'https://a.test/b#x', true],
    ['https://a.test/', 'mailto:a@b.c', false],
    ['https://a.test/', 'javascript:void 0', false],
    ['https://a.test/', 'zoommtg://join', false],
    ['https://a.test/', 'blob:https://a.test/1', true],
    ['', 'about:blank', true],
  ])('from %s to %s: %s', (from, to, expected) => {
    expect(loads(from, to)).toBe(expected);
  });
});
