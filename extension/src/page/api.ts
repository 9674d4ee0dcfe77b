/**
 * The contract between the worker and the page: which methods the isolated world has, what they take and answer,
 * and how an answer is checked. Free of the DOM: the worker reads this file too.
 *
 * A file of page methods adds an interface of its own to {@link PageApi}, the shapes of its answers to {@link SHAPES},
 * and its methods to `methods` in main.ts; one that is missing in any of the three does not compile.
 */

import {ACT_SHAPES, type ActingApi} from './actapi';
import {CONTROL_SHAPES, type ControlsApi} from './controlapi';
import {DELTA_SHAPES, type DeltaApi} from './deltaapi';
import {type Shape, shape} from './shape';

declare const PAGE_BUILD: string | undefined;

/**
 * BUILD names the build of page.js, in the page and in the worker that speaks to it: another one whenever its code is
 * another. An updated extension finds what it put into the open pages before, and must not take that for its own.
 */
export const BUILD = typeof PAGE_BUILD === 'undefined' ? 'unbuilt' : PAGE_BUILD;

/** ReadApi are the methods that read a document. */
export interface ReadApi {
  /** Snapshot writes the outline of the document and gives out uids. */
  snapshot(args: SnapshotArgs): Promise<SnapshotPart>;
  /** Extract gives the document's content, and uids to its first interactive elements. */
  extract(args: ExtractArgs): Promise<ExtractPart>;
  /** Find tells of the elements that match, and gives them uids. */
  find(args: FindArgs): Promise<FindPart>;
  /** Changed waits until the document changes and has come to some rest, at most so many milliseconds. */
  changed(args: {timeoutMs: number}): Promise<{changed: boolean}>;
  /** Cancel gives up the walk or the wait that was begun with this name; nothing happens when there is none. */
  cancel(args: {call: string}): Promise<Done>;
}

/** PageApi is all that the isolated world can be asked. Each method takes JSON and answers JSON. */
export interface PageApi extends ReadApi, ActingApi, ControlsApi, DeltaApi {}

/** PageMethod is the name of a method of the page. */
export type PageMethod = keyof PageApi;

/** PageArgs is what a method takes. */
export type PageArgs<M extends PageMethod> = Parameters<PageApi[M]>[0];

/** PageResult is what a method answers. */
export type PageResult<M extends PageMethod> = Awaited<ReturnType<PageApi[M]>>;

/** Done is the answer of a method that has nothing to say. */
export interface Done {
  done: boolean;
}

/** The codes that page code may refuse with. */
export type FaultCode = 'element_not_found' | 'element_stale' | 'element_blocked' | 'invalid_action' | 'cancelled';

/** Fault is a typed refusal. The message is read by an agent: what happened, what was expected, what to do next. */
export interface Fault {
  code: FaultCode;
  message: string;
  /** The step that failed, as the protocol's errors name it. */
  step?: string;
  /** Elements that the message speaks of. */
  elements?: ElementRow[];
}

/** PageFault is how page code throws a {@link Fault}. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
  readonly fault: Fault;

  constructor(code: FaultCode, message: string, more: Omit<Fault, 'code' | 'message'> = {}) {
    super(message);
    this.fault = {code, message, ...more};
  }
}

/** Part is one of the things that an extract consists of. */
export type Part = 'markdown' | 'elements' | 'text';

/**
 * Start is where in a document a part of its content begins: so far in it (UTF-16 units, or elements), or behind the
 * frame of that number.
 */
export type Start = {offset: number} | {after: number};

/** Strand is a piece of one part of a document's content. */
export interface Strand<T> {
  piece: T;
  /** Where in the whole the piece begins, in UTF-16 units or elements. */
  from: number;
  /** Where the whole goes on after the piece; −1 when nothing follows. */
  next: number;
  /** Where in the whole each frame that a person can see has its place; −1: behind what was read. */
  places: number[];
}

/** ElementRow is one interactive element, as results of the protocol carry it. */
export interface ElementRow {
  uid: string;
  role: string;
  name?: string;
  value?: string;
  /** False when it is not in view; absent when it is. */
  visible?: boolean;
  states?: string[];
}

/** RefRow is one ref of an outline: its number, role and name. */
export type RefRow = [number: number, role: string, name: string];

/** FramePlace says where in the outline the content of a child document belongs. */
export interface FramePlace {
  /** The number of the iframe element among those that the walk met: the world's key for it. */
  index: number;
  /** The line after which its own lines follow. */
  line: number;
  /** How many steps they are indented. */
  level: number;
  /** The frame's size in CSS pixels. */
  width: number;
  height: number;
}

/** WalkArgs are those of each method that gives out uids. */
export interface WalkArgs {
  /** The number that the next new element of the tab gets at least. */
  mark: number;
  /** Milliseconds that the walk may take before it stops where it is. */
  budgetMs: number;
  /** Names the call, for `cancel`. */
  call: string;
}

/** SnapshotArgs ask for the outline of one document. */
export interface SnapshotArgs extends WalkArgs {
  interactive: boolean;
  compact: boolean;
  depth: number;
  urls: boolean;
  cursor: boolean;
  /** The subtree's CSS selector, or null for the whole document. */
  selector: string | null;
  /** The first line that is wanted, and about how many bytes from there on: what cannot be needed is left out. */
  fromLine: number;
  maxBytes: number;
}

/** SnapshotPart is the outline of one document. */
export interface SnapshotPart {
  /** The lines, joined by line feeds. */
  outline: string;
  /** How many lines there are in all; `outline` may hold fewer. */
  lines: number;
  refs: RefRow[];
  frames: FramePlace[];
  /** How many elements can be acted on. */
  elements: number;
  hiddenDropped: number;
  next: number;
  /** If true, time ran out before the end. */
  cut: boolean;
  page: PageFacts;
}

/** ExtractArgs ask for the content of one document. */
export interface ExtractArgs extends WalkArgs {
  parts: Part[];
  /** Bytes of Markdown and of text at most. */
  markdownBytes: number;
  textBytes: number;
  from: Record<Part, Start>;
  elementsMax: number;
  /** If true, somebody other than an agent looks: the keys of frames stay those of the agent's last walk. */
  quiet?: boolean;
}

/** ExtractPart is the content of one document. */
export interface ExtractPart {
  markdown: Strand<string>;
  text: Strand<string>;
  elements: Strand<ElementRow[]>;
  /** How many iframes a person can see: the world's keys for them are 0 to one less. */
  frames: number;
  /** The first 4,000 units of the Markdown, whatever part of it was asked for. */
  head: string;
  /** How long the text is as far as it was read, in UTF-16 units. */
  length: number;
  captchaFrame: boolean;
  hiddenDropped: number;
  next: number;
  cut: boolean;
  page: PageFacts;
}

/** FindArgs say what to look for, as `Wanted` of find.ts explains. */
export interface FindArgs extends WalkArgs {
  role: string | null;
  name: string | null;
  text: string | null;
  limit: number;
  quiet: boolean;
}

/** FindPart is what one document has of it. */
export interface FindPart {
  elements: ElementRow[];
  /** The child documents that a person can see, by the world's key for them, and their size in CSS pixels. */
  frames: Pick<FramePlace, 'index' | 'width' | 'height'>[];
  /** How many match, told or not. */
  total: number;
  next: number;
  /** If true, time ran out before the end. */
  cut: boolean;
}

/** PageFacts are a document's own. */
export interface PageFacts {
  url: string;
  title: string;
  origin: string;
  viewport: {width: number; height: number; scrollX: number; scrollY: number};
}

/** SHAPES says of each method how its answer is checked where it comes into the worker. */
export const SHAPES: {readonly [M in PageMethod]: Shape<PageResult<M>>} = {
  snapshot: shape<SnapshotPart>({
    outline: 'string',
    lines: 'number',
    refs: 'array',
    frames: 'array',
    elements: 'number',
    hiddenDropped: 'number',
    next: 'number',
    cut: 'boolean',
    page: 'object',
  }),
  extract: shape<ExtractPart>({
    markdown: 'object',
    text: 'object',
    elements: 'object',
    frames: 'number',
    head: 'string',
    length: 'number',
    captchaFrame: 'boolean',
    hiddenDropped: 'number',
    next: 'number',
    cut: 'boolean',
    page: 'object',
  }),
  find: shape<FindPart>({elements: 'array', frames: 'array', total: 'number', next: 'number', cut: 'boolean'}),
  changed: shape<{changed: boolean}>({changed: 'boolean'}),
  cancel: shape<Done>({done: 'boolean'}),
  ...ACT_SHAPES,
  ...CONTROL_SHAPES,
  ...DELTA_SHAPES,
};

/** Envelope is what each call answers, as JSON. */
export type Envelope = ({ok: unknown} | {fault: Fault}) & {strangers?: boolean};
