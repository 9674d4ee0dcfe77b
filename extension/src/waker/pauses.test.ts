import {describe, expect, it} from 'vitest';
import {Pauses} from './pauses';

describe('the pauses before a worker is started again', () => {
  it('are none for a worker that lived, and for a few that died young', () => {
    const pauses = new Pauses();
    expect([60_000, 24_000, 100, 100, 100, 60_000, 100].map((lived) => pauses.after(lived))).toEqual([
      0, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it('grow while one after the other dies young, to half a minute, and end with the first that lives', () => {
    const pauses = new Pauses();
    expect([10, 10, 10, 10, 10].map((lived) => pauses.after(lived))).toEqual([0, 0, 0, 1_000, 2_000]);
    for (let i = 0; i < 50; i++) pauses.after(10);
    expect(pauses.after(10)).toBe(30_000);
    expect(pauses.after(2_000)).toBe(0);
    expect(pauses.after(10)).toBe(0);
  });
});
