/** Where a frame's viewport lies in the tab's viewport: an affine map, as frames may be scaled and turned. Pure. */

import type {Protocol} from 'devtools-protocol';

/** Point is a place in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** Place maps a frame's coordinates to the tab's: `origin + x · right + y · down`, all in CSS pixels of the tab. */
export interface Place {
  origin: Point;
  right: Point;
  down: Point;
}

/** Here is the place of the top frame itself. */
export const here: Place = {origin: {x: 0, y: 0}, right: {x: 1, y: 0}, down: {x: 0, y: 1}};

/** ToTop turns a point of a frame into a point of the tab's viewport. */
export function toTop(place: Place, point: Point): Point {
  return {
    x: place.origin.x + point.x * place.right.x + point.y * place.down.x,
    y: place.origin.y + point.x * place.right.y + point.y * place.down.y,
  };
}

/**
 * Within is the place of a frame whose element's content box is `quad` (eight numbers, clockwise from the top
 * left, in coordinates of `outer`), and is `size` large in the frame's own pixels.
 */
export function within(outer: Place, quad: Protocol.DOM.Quad, size: {width: number; height: number}): Place {
  const [ax = 0, ay = 0, bx = 0, by = 0, , , dx = 0, dy = 0] = quad;
  const origin = toTop(outer, {x: ax, y: ay});
  return {
    origin,
    right: unit(origin, toTop(outer, {x: bx, y: by}), size.width, {x: 1, y: 0}),
    down: unit(origin, toTop(outer, {x: dx, y: dy}), size.height, {x: 0, y: 1}),
  };
}

function unit(from: Point, to: Point, length: number, otherwise: Point): Point {
  if (length === 0) return otherwise;
  return {x: (to.x - from.x) / length, y: (to.y - from.y) / length};
}
