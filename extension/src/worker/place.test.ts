import {expect, test} from 'vitest';
import {here, toTop, within} from './place';

test('a frame is moved by the content box of its element', () => {
  const place = within(here, [100, 50, 400, 50, 400, 250, 100, 250], {width: 300, height: 200});
  expect(toTop(place, {x: 0, y: 0})).toEqual({x: 100, y: 50});
  expect(toTop(place, {x: 10, y: 20})).toEqual({x: 110, y: 70});
});

test('a frame that is shown at half its size halves distances', () => {
  const place = within(here, [0, 0, 150, 0, 150, 100, 0, 100], {width: 300, height: 200});
  expect(toTop(place, {x: 100, y: 100})).toEqual({x: 50, y: 50});
});

test('a turned frame turns its points', () => {
  // A quarter to the right: the frame's x runs down, its y runs to the left.
  const place = within(here, [200, 0, 200, 300, 0, 300, 0, 0], {width: 300, height: 200});
  expect(toTop(place, {x: 30, y: 20})).toEqual({x: 180, y: 30});
});

test('a frame within a frame adds up', () => {
  const outer = within(here, [100, 100, 200, 100, 200, 200, 100, 200], {width: 200, height: 200});
  const inner = within(outer, [20, 20, 60, 20, 60, 60, 20, 60], {width: 40, height: 40});
  expect(toTop(inner, {x: 10, y: 0})).toEqual({x: 115, y: 110});
});

test('a frame without a size still has a place', () => {
  const place = within(here, [5, 6, 5, 6, 5, 6, 5, 6], {width: 0, height: 0});
  expect(toTop(place, {x: 1, y: 1})).toEqual({x: 6, y: 7});
});
