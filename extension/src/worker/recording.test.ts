import {expect, test, vi} from 'vitest';
import {Ring} from './recording';

function ring(limit: number): {it: Ring<number>; changed: ReturnType<typeof vi.fn>} {
  const changed = vi.fn();
  return {it: new Ring<number>(limit, changed), changed};
}

test('the oldest go first, and are counted', () => {
  const {it} = ring(3);
  for (let i = 0; i < 5; i++) it.put(`k${i.toString()}`, i);
  expect(it.all()).toEqual([
    ['k2', 2],
    ['k3', 3],
    ['k4', 4],
  ]);
  expect(it.dropped).toBe(2);
  it.clear();
  expect([it.all(), it.dropped]).toEqual([[], 0]);
});

test('what comes again keeps its place', () => {
  const {it, changed} = ring(3);
  it.put('a', 1);
  it.put('b', 2);
  it.put('a', 3);
  expect(it.all()).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  expect(it.dropped).toBe(0);
  expect(changed).toHaveBeenCalledTimes(3);
});

test('an entry moves to another name', () => {
  const {it} = ring(3);
  it.put('a', 1);
  it.put('b', 2);
  it.rename('a', 'c');
  it.rename('none', 'd');
  expect(it.all()).toEqual([
    ['b', 2],
    ['c', 1],
  ]);
});
