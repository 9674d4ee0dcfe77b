/** What the worker's acting handlers and the page say to each other. Free of the DOM: both worlds read it. */

import type {Delta, Since} from './deltaapi';
import {type Shape, shape} from './shape';

/** TargetRef names one element: exactly one of the two. */
export interface TargetRef {
  readonly uid?: string | undefined;
  readonly selector?: string | undefined;
}

/** What a control does with text. */
export type EditKind =
  /** A text field or text area: takes typed text. */
  | 'text'
  /** Typed text goes nowhere (date, time, colour, range): the value is set and the events are sent by script. */
  | 'set'
  /** An editing host: contenteditable. */
  | 'rich'
  | 'checkbox'
  | 'select'
  | 'file'
  /** No field at all. */
  | 'none';

/** How a field's value compares with what was typed. */
export type Verdict =
  | 'as asked'
  | 'differs'
  | 'refused'
  /** The field passes text on to an editor, and holds none of it. */
  | 'passed on';

/** How a hit counts as one on the target. */
export type Acceptance = 'target' | 'descendant' | 'label' | 'host' | 'activator';

/** How long to look and to wait, in milliseconds. */
export interface Patience {
  /** How long a change may take to begin. */
  readonly graceMs: number;
  /** How long the next frame is waited for where nothing has changed yet: some pages change with it; 0: not at all. */
  readonly frameMs: number;
  /** How long nothing may change for a page to be at rest that goes on after what it put off. */
  readonly quietMs: number;
  /** The most to wait for rest. */
  readonly capMs: number;
}

/** ToldElement is an element as results of the protocol carry it. */
export interface ToldElement {
  uid: string;
  role: string;
  name: string;
  value?: string;
  states?: string[];
}

/** Scene is what the document says of itself. */
export interface Scene {
  readonly url: string;
  readonly title: string;
}

/** Looked is what an action without a target begins with. */
export interface Looked extends Scene {
  /** How many child frames the document has. */
  readonly frames: number;
}

/** Pointed is a target that can be pointed at now. */
export interface Pointed extends Scene {
  /** CSS pixels of the frame's own viewport. */
  readonly point: {readonly x: number; readonly y: number};
  readonly via: Acceptance;
  /** The target in words, for errors that come later. */
  readonly what: string;
}

/** Ready is a field that has the focus and waits for text, or says what else it takes. */
export interface Ready extends Scene {
  readonly kind: EditKind;
  /** If true, a new line cannot be held: it is a one-line field. */
  readonly oneLine: boolean;
  /** If true, there is something selected that the text replaces. */
  readonly selected: boolean;
  /** If true, the field passes text on to an editor, which may hold more than the field does. */
  readonly passesOn: boolean;
  /** The most UTF-16 units that it holds, where it has a limit. */
  readonly maxLength?: number;
  /** Of a checkbox or radio: whether it is checked. */
  readonly checked: boolean;
  /** False when the field would not keep the focus by script: it must be clicked. */
  readonly focused: boolean;
  readonly what: string;
}

/** Landed is what became of the input, once the document came to rest. */
export interface Landed extends Scene {
  /** False when nothing of a guarded click reached this document. */
  readonly arrived: boolean;
  /** If true, this document is not the one in which the action began. */
  readonly fresh: boolean;
  /** What a guarded click hit in place of its target; it was cancelled. */
  readonly missed?: string;
  /** If true, the document changed. */
  readonly changed: boolean;
  /** If true, it was still changing when the patience ended. */
  readonly restless: boolean;
  /** The element that has the focus now and had it not before. */
  readonly focus?: ToldElement;
  /** The target, if its value or states changed. */
  readonly altered?: ToldElement;
  /** If true, the pointer is over the target. */
  readonly hovered: boolean;
  /** Where the container that was scrolled now stands. */
  readonly stand?: Stand;
  /** What else changed in the document. */
  readonly delta: Delta;
}

/** Stand is where a container stands after it was scrolled, in CSS pixels. */
export interface Stand {
  readonly x: number;
  readonly y: number;
  /** It cannot be scrolled further that way. */
  readonly atEnd: boolean;
  /** If true, it has more content than before: a list that loads more when it is scrolled. */
  readonly grew: boolean;
}

/** Typed is what a field holds after text was typed into it. */
export interface Typed {
  readonly verdict: Verdict;
  /** Absent for secrets. */
  readonly value?: string;
  /** How many UTF-16 units it may hold at most; absent: no limit. */
  readonly maxLength?: number;
  /** If true, keys still go to the field. */
  readonly focused: boolean;
  /** The field in words. */
  readonly what: string;
}

/** What to scroll, as the protocol's Scroll says it. */
export interface ScrollOrder {
  readonly target?: TargetRef | undefined;
  readonly direction?: 'up' | 'down' | 'left' | 'right' | undefined;
  /** CSS pixels; absent: most of what is visible. */
  readonly pixels?: number | undefined;
  readonly to?: 'top' | 'bottom' | 'element' | undefined;
}

/** ScrolledTo is where a container stands, in CSS pixels. */
export interface ScrolledTo extends Scene {
  readonly x: number;
  readonly y: number;
  /** It cannot be scrolled further that way. */
  readonly atEnd: boolean;
  readonly moved: boolean;
  /** The container in words; absent: the page. */
  readonly container?: string;
}

/** What to wait for in one document: exactly one of target, text and textGone. */
export interface Wish {
  readonly target?: TargetRef | undefined;
  /** Of the target. Default: visible. */
  readonly state?: 'visible' | 'hidden' | 'attached' | 'detached' | undefined;
  /** Text that the document shows, white space collapsed. */
  readonly text?: string | undefined;
  /** Text that it no longer shows. */
  readonly textGone?: string | undefined;
}

/** What to read of the page or of an element, as the protocol's Get says it. */
export interface GetOrder {
  readonly target?: TargetRef | undefined;
  readonly what: 'title' | 'url' | 'text' | 'value' | 'html' | 'box' | 'attribute';
  readonly name?: string | undefined;
}

/** What was read. */
export interface Got {
  readonly value?: string;
  readonly box?: {x: number; y: number; width: number; height: number};
}

/** ActingApi is the acting half of a document's page API. Each method throws PageFault where it refuses. */
export interface ActingApi {
  /**
   * Point finds where to point at a target. For a click it refuses what is disabled, and guards the point
   * until landed, which may be asked before the click is dispatched: it then waits for it.
   */
  point(order: {target: TargetRef; guard: boolean; presses?: number}): Promise<Pointed>;
  /** Reached waits until the pointer has come to the place of point, and tells whether it has. */
  reached(order: {timeoutMs: number}): Promise<{reached: boolean}>;
  /** Look begins an action without a target. */
  look(order?: object): Looked;
  /** Landed waits until what the input set in motion rests, and says what became of it. */
  landed(order: Patience & Since): Promise<Landed>;
  /** Edit gets a field ready for text: focused, and what it holds selected, or the caret behind it. */
  edit(order: {target: TargetRef; clear: boolean; onlyOn?: readonly string[] | undefined}): Promise<Ready>;
  /**
   * Enter puts a secret into the field of edit, which has the focus, in this document or not at all: it checks that the
   * document is of one of these origins in the same turn. What the field holds is not told from then on.
   */
  enter(order: {text: string; onlyOn: readonly string[]}): {ok: true};
  /** Select puts the caret or the selection in the field of edit again, which was clicked since. */
  select(order: {clear: boolean}): {focused: boolean};
  /** Set sets the value of the field of edit by script, for those that take no typed text. */
  set(order: {value: string; onlyOn?: readonly string[] | undefined}): {ok: true};
  /** Typed compares what the field of edit holds with what was typed. */
  typed(order: {text: string; replace: boolean}): Typed;
  /** FocusOn gives an element the focus, for keys. */
  focusOn(order: {target: TargetRef}): Scene & {what: string};
  /** Scroll scrolls the target's container, or the page's. */
  scroll(order: ScrollOrder): ScrolledTo;
  /** Wait waits until a wish is met, at most so many milliseconds; it answers whether it was. Cancel ends it by the call's name. */
  wait(order: Wish & {timeoutMs: number; call: string}): Promise<{met: boolean}>;
  /** Get reads one thing. */
  get(order: GetOrder): Got;
}

const pointed = {url: 'string', title: 'string', what: 'string'} as const;

/** ACT_SHAPES says of each method how its answer is checked where it comes into the worker. */
export const ACT_SHAPES: {readonly [M in keyof ActingApi]: Shape<Awaited<ReturnType<ActingApi[M]>>>} = {
  point: shape<Pointed>({...pointed, point: 'object', via: 'string'}),
  reached: shape<{reached: boolean}>({reached: 'boolean'}),
  look: shape<Looked>({url: 'string', title: 'string', frames: 'number'}),
  landed: shape<Landed>({
    url: 'string',
    title: 'string',
    arrived: 'boolean',
    fresh: 'boolean',
    missed: 'string?',
    changed: 'boolean',
    restless: 'boolean',
    focus: 'object?',
    altered: 'object?',
    hovered: 'boolean',
    stand: 'object?',
    delta: 'object',
  }),
  edit: shape<Ready>({
    ...pointed,
    kind: 'string',
    oneLine: 'boolean',
    selected: 'boolean',
    passesOn: 'boolean',
    maxLength: 'number?',
    checked: 'boolean',
    focused: 'boolean',
  }),
  select: shape<{focused: boolean}>({focused: 'boolean'}),
  enter: shape<{ok: true}>({ok: 'boolean'}),
  set: shape<{ok: true}>({ok: 'boolean'}),
  typed: shape<Typed>({
    verdict: 'string',
    value: 'string?',
    maxLength: 'number?',
    focused: 'boolean',
    what: 'string',
  }),
  focusOn: shape<Scene & {what: string}>(pointed),
  scroll: shape<ScrolledTo>({
    url: 'string',
    title: 'string',
    x: 'number',
    y: 'number',
    atEnd: 'boolean',
    moved: 'boolean',
    container: 'string?',
  }),
  wait: shape<{met: boolean}>({met: 'boolean'}),
  get: shape<Got>({value: 'string?', box: 'object?'}),
};
