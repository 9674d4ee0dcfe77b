import {describe, expect, it} from 'vitest';
import {boundsOf, candidatePoints, intersect, sameBoxes} from './geometry';

const view = {left: 0, top: 0, right: 800, bottom: 600};

function box(
  left: number,
  top: number,
  width: number,
  height: number,
): {left: number; top: number; right: number; bottom: number} {
  return {left, top, right: left + width, bottom: top + height};
}

describe('candidatePoints', () => {
  it('takes the lines of a wrapped link, never what lies between them', () => {
    const lines = [box(200, 0, 60, 20), box(0, 20, 100, 20)];
    const points = candidatePoints(lines, view);
    expect(points[0]).toEqual({x: 50, y: 30});
    for (const {x, y} of points) {
      expect(lines.some((line) => x >= line.left && x < line.right && y >= line.top && y < line.bottom)).toBe(true);
    }
  });

  it('takes what the viewport shows of a box', () => {
    expect(candidatePoints([box(-100, 580, 200, 200)], view)[0]).toEqual({x: 50, y: 590});
    expect(candidatePoints([box(900, 0, 10, 10)], view)).toEqual([]);
  });

  it('tries other places of a roomy box, and only the centre of a tiny one', () => {
    expect(candidatePoints([box(10, 10, 100, 40)], view).length).toBeGreaterThan(5);
    expect(candidatePoints([box(10, 10, 2, 2)], view)).toEqual([{x: 11, y: 11}]);
  });

  it('stays inside a box that is smaller than a pixel', () => {
    const [point] = candidatePoints([box(10.3, 10.2, 0.6, 0.7)], view);
    expect(point?.x).toBeGreaterThanOrEqual(10.3);
    expect(point?.x).toBeLessThan(10.9);
  });

  it('gives no more than it is asked for', () => {
    expect(
      candidatePoints(
        Array.from({length: 30}, (_, i) => box(i * 20, 0, 15, 15)),
        view,
        7,
      ),
    ).toHaveLength(7);
  });
});

describe('boxes', () => {
  it('intersect in nothing when they only touch', () => {
    expect(intersect(box(0, 0, 10, 10), box(10, 0, 10, 10))).toBeUndefined();
    expect(intersect(box(0, 0, 10, 10), box(5, 5, 10, 10))).toEqual({left: 5, top: 5, right: 10, bottom: 10});
  });

  it('have bounds, and none without boxes', () => {
    expect(boundsOf([])).toBeUndefined();
    expect(boundsOf([box(0, 5, 10, 10), box(20, 0, 5, 5)])).toEqual({left: 0, top: 0, right: 25, bottom: 15});
  });

  it('are the same only while nothing moves', () => {
    expect(sameBoxes([box(0, 0, 10, 10)], [box(0.05, 0, 10, 10)])).toBe(true);
    expect(sameBoxes([box(0, 0, 10, 10)], [box(1, 0, 10, 10)])).toBe(false);
    expect(sameBoxes([box(0, 0, 10, 10)], [])).toBe(false);
  });
});
