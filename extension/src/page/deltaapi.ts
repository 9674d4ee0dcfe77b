/** What a document tells of its changes to the worker. Free of the DOM: both worlds read it. */

import type {Scene} from './actapi';
import type {ElementRow} from './api';
import {type Shape, shape} from './shape';

/** Since says up to where the changes of a document have been told. */
export interface Since {
  /** The number that the next new element of the tab gets at least. */
  readonly mark: number;
  /** The `seq` of the document's last delta that reached an agent; 0: none did. */
  readonly seen: number;
  /**
   * If true, an element that has another name now may be acted on by its ref as what it is now: what the agent did was
   * meant to change something. A list that is scrolled fills the same elements with other records, and a ref must never
   * come to mean another record.
   */
  readonly renames: boolean;
}

/** Delta is what changed in the interactive tree of a document since what was last told. */
export interface Delta {
  readonly appeared: ElementRow[];
  readonly altered: ElementRow[];
  /** Uids of those that are gone, or that nobody can see any more. */
  readonly gone: string[];
  /** Uids of elements that were replaced by others that are the same to the letter: the old one, then the new one. */
  readonly renewed: [was: string, now: string][];
  /** If true, there was more than time or space allowed. */
  readonly partial: boolean;
  /** Names this delta: what it tells is told again until it is `seen`. */
  readonly seq: number;
  /** The number that the next new element gets. */
  readonly next: number;
}

/** Stirred tells whether anything changed that was not told. */
export interface Stirred extends Scene {
  readonly stirred: boolean;
}

/** DeltaApi are the methods that tell of changes. */
export interface DeltaApi {
  /** Stirred tells whether there is anything to ask `delta` for; it costs next to nothing. */
  stirred(order?: object): Stirred;
  /** Delta tells what changed. */
  delta(since: Since): Delta;
}

/** DELTA_SHAPES says of each method how its answer is checked where it comes into the worker. */
export const DELTA_SHAPES: {readonly [M in keyof DeltaApi]: Shape<ReturnType<DeltaApi[M]>>} = {
  stirred: shape<Stirred>({stirred: 'boolean', url: 'string', title: 'string'}),
  delta: shape<Delta>({
    appeared: 'array',
    altered: 'array',
    gone: 'array',
    renewed: 'array',
    partial: 'boolean',
    seq: 'number',
    next: 'number',
  }),
};
