/**
 * What the worker's select, drag and upload handlers and the page say to each other. Free of the DOM: both
 * worlds read it.
 */

import type {Pointed, Scene, TargetRef} from './actapi';
import {type Shape, shape} from './shape';

/** How options are chosen. */
export type ListKind =
  /** A select element: by script, since the list that it opens is the browser's and no part of the page. */
  | 'native'
  /** A listbox whose options stand in the page. */
  | 'list'
  /** A combobox or button that shows its options when it is clicked. */
  | 'popup';

/** List is what a select's target turned out to be. */
export interface List extends Scene {
  readonly kind: ListKind;
  /** If true, several options may be chosen at a time. */
  readonly multiple: boolean;
  /** What a popup's box shows now. */
  readonly shown: string;
  /** Of a native list: the labels that the values mean. */
  readonly labels: string[];
  readonly what: string;
}

/** Offer says whether a list has the option that is wanted. */
export interface Offer {
  readonly found: boolean;
  /** The option as people read it; empty when it is not there. */
  readonly label: string;
  /** If true, it is chosen already. */
  readonly chosen: boolean;
  /** If true, any option of the list can be seen. */
  readonly open: boolean;
  /** If true, several options may be chosen at a time. */
  readonly multiple: boolean;
  /** If true, the focus is in a text field that narrows the list. */
  readonly filters: boolean;
  /** What is offered, at most 20 labels, for an error to name. */
  readonly options: string[];
}

/** Chosen is what a list has chosen now. */
export interface Chosen {
  /** The labels of the chosen options, as far as the page shows them. */
  readonly selected: string[];
  /** What the box of a popup shows. */
  readonly shown: string;
  /** If true, the list can still be seen. */
  readonly open: boolean;
  /** If true, the list has left the page. */
  readonly gone: boolean;
}

/** Spot is where an element is, in CSS pixels of its frame's viewport, perhaps outside of it. */
export interface Spot {
  readonly point: {readonly x: number; readonly y: number};
}

/** FileName is what is known of a file before its bytes. */
export interface FileName {
  readonly name: string;
  readonly mimeType: string;
}

/** FilePart is a piece of a file, in order. */
export interface FilePart extends FileName {
  /** The file's place in the upload. */
  readonly index: number;
  /** Base64, a multiple of four characters but for the last piece. */
  readonly data: string;
  /** If true, the file begins here, and what was staged before under its index is dropped. */
  readonly first: boolean;
}

/** Receiver says how an upload's target takes files. */
export interface Receiver extends Scene {
  readonly kind:
    /** A file input, seen or not: it is given the files by script. */
    | 'input'
    /** Something to click that opens a file chooser. */
    | 'button'
    /** Something that files may be dropped on. */
    | 'zone';
  /** Of a zone: whether it looks as if a click on it did something. */
  readonly clickable: boolean;
  readonly what: string;
}

/** GivenFile is a file as the page has it. */
export interface GivenFile {
  name: string;
  /** Bytes. */
  size: number;
}

/** Given says what became of files that were given. */
export interface Given {
  /** False when a drop zone took nothing. */
  readonly taken: boolean;
  readonly files: GivenFile[];
}

/** ControlsApi is the part of a document's page API for lists, drags and files. Each method throws PageFault where it refuses. */
export interface ControlsApi {
  /** List finds the list that a target stands for; of a native one it checks that all values can be chosen. */
  list(order: {target: TargetRef; values: string[]}): List;
  /** Choose chooses the checked values in a native list, with the events of a person's choice. */
  choose(order: object): {done: boolean};
  /** Offered waits, at most so many milliseconds, until an option is there. It scrolls a list that has more than it shows. */
  offered(order: {value: string; waitMs: number}): Promise<Offer>;
  /** AimOption finds where to click an option, and guards the click until landed. */
  aimOption(order: {value: string}): Promise<Pointed>;
  /** AimBox finds where to click a popup's box. */
  aimBox(order: object): Promise<Pointed>;
  /** Filter selects what the field that narrows a list holds, to be typed over, and tells what that is. */
  filter(order: object): {ready: boolean; held: string};
  /** Strays are the chosen options of a list that are none of these. */
  strays(order: {values: string[]}): {labels: string[]};
  /** Chosen reads back what is chosen. */
  chosen(order: object): Chosen;
  /** Spot tells where an element is, after it was scrolled into view if that is wanted. It ends nothing that is under way. */
  spot(order: {target: TargetRef; scroll: boolean}): Spot;
  /**
   * WatchDrag begins to listen for a drag of the page's own (HTML5) and for its drop, and tells whether the browser
   * itself drags that element: what is draggable, and a range input's thumb.
   */
  watchDrag(order: {target: TargetRef}): {native: boolean};
  /** DragBegan tells whether one began since and was not prevented. */
  dragBegan(order: object): {began: boolean};
  /**
   * DragEnded waits, at most so many milliseconds, for the drag's end, and tells what the drop did: copy, move, link,
   * none; empty when no end was seen. `dropped` is true when it was dropped in this document.
   */
  dragEnded(order: {waitMs: number}): Promise<{effect: string; dropped: boolean}>;
  /** Receive finds what takes files at a target, and checks that it takes these. */
  receive(order: {target: TargetRef; files: FileName[]}): Receiver;
  /** Adopted checks the input that the worker put in place of the target: the one that a file chooser was opened for. */
  adopted(order: {files: FileName[]}): Receiver;
  /** Stage keeps a piece of a file until give. */
  stage(part: FilePart): {done: boolean};
  /** Give gives the staged files to what takes them, with the events of a person's choice or drop. */
  give(order: object): Given;
  /** Blob gives a part of a blob of the page's as base64, and the size of all of it: −1 when it is kept no longer. */
  blob(order: {url: string; from: number; bytes: number}): Promise<{data: string; size: number}>;
}

const scene = {url: 'string', title: 'string'} as const;
const done = shape<{done: boolean}>({done: 'boolean'});
const pointed = shape<Pointed>({...scene, what: 'string', point: 'object', via: 'string'});
const receiver = shape<Receiver>({...scene, kind: 'string', clickable: 'boolean', what: 'string'});

/** CONTROL_SHAPES says of each method how its answer is checked where it comes into the worker. */
export const CONTROL_SHAPES: {readonly [M in keyof ControlsApi]: Shape<Awaited<ReturnType<ControlsApi[M]>>>} = {
  list: shape<List>({...scene, kind: 'string', multiple: 'boolean', shown: 'string', labels: 'array', what: 'string'}),
  choose: done,
  offered: shape<Offer>({
    found: 'boolean',
    label: 'string',
    chosen: 'boolean',
    open: 'boolean',
    multiple: 'boolean',
    filters: 'boolean',
    options: 'array',
  }),
  aimOption: pointed,
  aimBox: pointed,
  filter: shape<{ready: boolean; held: string}>({ready: 'boolean', held: 'string'}),
  strays: shape<{labels: string[]}>({labels: 'array'}),
  chosen: shape<Chosen>({selected: 'array', shown: 'string', open: 'boolean', gone: 'boolean'}),
  spot: shape<Spot>({point: 'object'}),
  watchDrag: shape<{native: boolean}>({native: 'boolean'}),
  dragBegan: shape<{began: boolean}>({began: 'boolean'}),
  dragEnded: shape<{effect: string; dropped: boolean}>({effect: 'string', dropped: 'boolean'}),
  receive: receiver,
  adopted: receiver,
  stage: done,
  give: shape<Given>({taken: 'boolean', files: 'array'}),
  blob: shape<{data: string; size: number}>({data: 'string', size: 'number'}),
};
