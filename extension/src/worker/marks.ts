/** The cursors of extract: where in a tab's content each part of it goes on. */

import type {Part, Start} from '../page/api';

/**
 * Mark is a place in one part of the content: a document, by the numbers of the frames on the way down to it, and
 * where in that. What the documents around it say goes on behind those frames.
 */
export interface Mark {
  path: readonly number[];
  start: Start;
}

/** Marks are where each part goes on; null: it is at its end. */
export type Marks = Record<Part, Mark | null>;

/** PARTS are the parts in the order in which cursors name them. */
export const PARTS = ['markdown', 'text', 'elements'] as const;

const top: Mark = {path: [], start: {offset: 0}};

/** BEGINNING is where everything begins. */
export const BEGINNING: Marks = {markdown: top, text: top, elements: top};

/** WriteMarks writes marks as a cursor: `m0:30211.t0-3:51200.e0-3-1:f2`, the last one behind the third frame there. */
export function writeMarks(marks: Marks): string {
  return PARTS.flatMap((part) => {
    const mark = marks[part];
    if (mark === null) return [];
    const {path, start} = mark;
    const at = 'after' in start ? `f${start.after.toString()}` : start.offset.toString();
    return [`${part.charAt(0)}${[0, ...path].join('-')}:${at}`];
  }).join('.');
}

const MARK = /^([mte])0((?:-\d{1,4}){0,8}):(f?)(\d{1,12})$/;

/** ParseMarks reads a cursor; undefined for what is none, also for those of versions that numbered the documents. */
export function parseMarks(cursor: string): Marks | undefined {
  const marks: Marks = {markdown: null, text: null, elements: null};
  // Whatever is not named is at its end.
  for (const piece of cursor.split('.')) {
    const [, letter = '', path = '', behind = '', number = ''] = MARK.exec(piece) ?? [];
    const part = PARTS.find((it) => letter !== '' && it.startsWith(letter));
    if (part === undefined || marks[part] !== null) return undefined;
    const at = Number(number);
    const start = behind === '' ? {offset: at} : {after: at};
    marks[part] = {path: path.split('-').slice(1).map(Number), start};
  }
  return marks;
}
