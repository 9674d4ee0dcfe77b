import {describe, expect, it} from 'vitest';
import {parseMarks, writeMarks} from './content';

describe('cursors of extract', () => {
  it.each([
    {markdown: {document: 0, offset: 30211}, text: {document: 1, offset: 0}, elements: {document: 2, offset: 200}},
    {markdown: null, text: {document: 0, offset: 51200}, elements: null},
    {markdown: {document: 3, offset: 7}, text: null, elements: {document: 0, offset: 200}},
  ])('come back as they were written: %j', (marks) => {
    expect(parseMarks(writeMarks(marks))).toEqual(marks);
  });

  it.each(['', 'm', 'm0', 'm0:1.', 'x0:1', 'm0:1 t0:2', 'm-1:2', 'm0:1.t0:2.e0:3.m0:4', 'l12', `m0:${'9'.repeat(20)}`])(
    'refuses %j',
    (cursor) => {
      expect(parseMarks(cursor)).toBeUndefined();
    },
  );
});
