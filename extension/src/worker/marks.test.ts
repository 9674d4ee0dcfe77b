import {describe, expect, it} from 'vitest';
import {parseMarks, writeMarks} from './marks';

describe('cursors of extract', () => {
  it.each([
    {
      markdown: {path: [], start: {offset: 30211}},
      text: {path: [3], start: {offset: 0}},
      elements: {path: [2, 0, 11], start: {after: 4}},
    },
    {markdown: null, text: {path: [], start: {after: 0}}, elements: null},
  ])('come back as they were written: %j', (marks) => {
    expect(parseMarks(writeMarks(marks))).toEqual(marks);
  });

  it('of the top document are as they always were', () => {
    expect(parseMarks('m0:30211.e0:200')).toEqual({
      markdown: {path: [], start: {offset: 30211}},
      text: null,
      elements: {path: [], start: {offset: 200}},
    });
  });

  it.each([
    '',
    'm',
    'm0',
    'm0:1.',
    'x0:1',
    'm0:1 t0:2',
    'm-1:2',
    'm0:1.m0:2',
    'm0:1.t0:2.e0:3.m0:4',
    'l12',
    'm3:7',
    'm0-:1',
    'm0:f',
    `m0${'-1'.repeat(9)}:1`,
    `m0:${'9'.repeat(20)}`,
  ])('refuses %j', (cursor) => {
    expect(parseMarks(cursor)).toBeUndefined();
  });
});
