/** The one walk: through the composed tree of a document, once, only reading, in slices that can be given up. */

import {HAS, attributesOf} from './attributes';
import {renewAllowance, shadowOf, slotted} from './composed';
import {isFadingItself} from './fading';
import {Names} from './names';
import {isOutOfReach} from './reach';
import {editingHost, isWidget, roleOf, writtenRole} from './roles';
import {Place} from './visibility';

/** Visit is one element while the walk is at it or below it. N is what the walk's sink keeps with it. */
export class Visit<N> extends Place {
  declare readonly parent: Visit<N> | null;
  readonly tag: string;
  readonly role: string;
  /** If true, an agent may act on it: it gets a uid. Known before its children are walked. */
  interactive: boolean;
  /** If true, its own text is not painted (visibility: hidden); its children's may be. */
  unpainted = false;
  /** If true, it or something around it has the opacity 0. */
  transparent = false;
  /** If true, assistive software is told to pass over it (aria-hidden), although it may be seen. */
  readonly passedOver: boolean;
  /** If true, a modal dialog keeps everybody from it. */
  readonly barred: boolean;
  /** What the sink keeps with it. */
  readonly note: N;
  /** The bits of HAS for its attributes. */
  readonly attributes: number;
  /** If true, it turned out that nothing in it is shown to anybody. */
  dead = false;
  private following: Node | null = null;
  private list: readonly Node[] | null = null;
  private index = 0;

  constructor(el: Element, parent: Visit<N> | null, marks: Marks, note: N) {
    super(el, parent);
    this.tag = marks.tag;
    this.role = marks.role;
    this.interactive = marks.interactive;
    this.passedOver = marks.passedOver;
    this.barred = marks.barred;
    this.note = note;
    this.attributes = marks.attributes;
  }

  /** Begin makes the children ready to be taken, with or without the text between the elements. */
  begin(texts: boolean): void {
    this.list = slotted(this.el, this.tag);
    if (this.list !== null) return;
    const from = shadowOf(this.el, this.tag) ?? this.el;
    this.following = texts ? from.firstChild : from.firstElementChild;
  }

  /** Take gives the next child in the composed tree, null after the last. */
  take(texts: boolean): Node | null {
    if (this.list !== null) return this.list[this.index++] ?? null;
    const node = this.following;
    if (node instanceof Element && !texts) this.following = node.nextElementSibling;
    else if (node !== null) this.following = node.nextSibling;
    return node;
  }
}

// What an element's tag and attributes tell. There is one at a time: pages have many elements.
interface Marks {
  tag: string;
  role: string;
  interactive: boolean;
  passedOver: boolean;
  barred: boolean;
  attributes: number;
}

/** Sink is told what the walk meets, in document order. */
export interface Sink<N> {
  /** If false, the sink wants no text: plain elements that hold nothing are passed over unseen. */
  readonly texts: boolean;
  /** The note of an element that is about to be entered. */
  note(parent: Visit<N> | null): N;
  /** An element; false keeps the walk from what is below it (then there is no leave). */
  enter(visit: Visit<N>): boolean;
  /** All below an element has been told. */
  leave(visit: Visit<N>): void;
  /** A text node below an element, which may be empty or unseen. */
  text(node: Text, parent: Visit<N>): void;
  /** Something with content that no person can see was passed over. */
  hidden(el: Element): void;
}

/** WalkOptions say what counts as interactive. */
export interface WalkOptions {
  /** If true, what is clickable by its cursor alone counts too: it costs a style for each element. */
  cursor: boolean;
}

// Never rendered, whatever their style says.
const SILENT = new Set(['head', 'link', 'meta', 'noscript', 'script', 'source', 'style', 'template', 'title', 'track']);
// What lies inside is not part of the page's tree: options, fallback content, other documents.
const LEAVES = new Set([
  'audio',
  'canvas',
  'embed',
  'iframe',
  'frame',
  'math',
  'object',
  'select',
  'textarea',
  'video',
]);
const PAINTED: CheckVisibilityOptions = {opacityProperty: true, visibilityProperty: true};
const OPAQUE: CheckVisibilityOptions = {opacityProperty: true};
const VISIBLE: CheckVisibilityOptions = {visibilityProperty: true};
// The parser stops at 512; only a script goes deeper, and nothing for people does.
const DEEPEST = 2000;
// Nodes between two looks at the clock.
const STRIDE = 512;

/**
 * Walk goes through the composed tree below an element. It reads and never writes, so that the browser lays the
 * page out at most once. It can be stopped between two nodes and gone on with.
 */
export class Walk<N> {
  /** The names of this walk's elements. */
  readonly names = new Names();
  private readonly stack: Visit<N>[] = [];
  private readonly sink: Sink<N>;
  private readonly options: WalkOptions;
  private readonly modal: Element | null;
  private readonly marks: Marks = {
    tag: '',
    role: '',
    interactive: false,
    passedOver: false,
    barred: false,
    attributes: 0,
  };

  /** @param root where to begin: what is above it counts for what can be seen, but is not told to the sink. */
  constructor(
    root: Element,
    sink: Sink<N>,
    options: WalkOptions,
    above: readonly Element[],
    begin: (names: Names) => void,
  ) {
    begin(this.names);
    this.sink = sink;
    this.options = options;
    this.modal = openModal(root.ownerDocument);
    renewAllowance();
    this.go(root, above);
  }

  /** Go begins below another element, when the walk is at its end. */
  go(root: Element, above: readonly Element[]): void {
    let parent: Visit<N> | null = null;
    for (const el of above) parent = this.visit(el, parent) ?? parent;
    this.element(root, parent);
  }

  /**
   * Run goes on until the clock (`performance.now()`) shows `until`; true when the walk is at its end, or the
   * sink has enough.
   */
  run(until: number, enough: () => boolean): boolean {
    const {stack, sink} = this;
    const {texts} = sink;
    let count = 0;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const node = top.dead ? null : top.take(texts);
      if (node === null) {
        stack.pop();
        sink.leave(top);
      } else if (node instanceof Element) this.element(node, top);
      else if (node instanceof Text) sink.text(node, top);
      if (++count % STRIDE !== 0) continue;
      if (enough()) this.stop();
      else if (performance.now() >= until) return false;
    }
    return true;
  }

  /** Stop ends the walk where it is; what was entered is left. */
  stop(): void {
    for (let top = this.stack.pop(); top !== undefined; top = this.stack.pop()) this.sink.leave(top);
  }

  private element(el: Element, parent: Visit<N> | null): void {
    const visit = this.visit(el, parent);
    if (visit === null || !this.sink.enter(visit)) return;
    if (isLeaf(el, visit.tag) || this.stack.length >= DEEPEST) {
      this.sink.leave(visit);
      return;
    }
    visit.begin(this.sink.texts);
    this.stack.push(visit);
  }

  private visit(el: Element, parent: Visit<N> | null): Visit<N> | null {
    const tag = el.localName;
    if (isSilent(el, tag)) return null;
    const {marks} = this;
    marks.tag = tag;
    marks.passedOver = parent?.passedOver === true;
    marks.barred = this.modal !== null && el !== this.modal && parent?.barred !== false;
    read(el, tag, marks);
    if (!marks.interactive && this.passable(el, tag)) return null;
    if ((marks.attributes & HAS.inert) !== 0) {
      this.sink.hidden(el);
      return null;
    }
    const visit = new Visit(el, parent, marks, this.sink.note(parent));
    if (!this.isShown(visit)) return null;
    if (this.options.cursor && !visit.interactive && !visit.barred) {
      visit.interactive = visit.style.cursor === 'pointer' && parent?.style.cursor !== 'pointer';
    }
    return visit;
  }

  // Whether the element or something below it may be painted. Without texts what merely holds others is not asked: when
  // one of those turns out to be hidden, it is seen how much around it is.
  private isShown(visit: Visit<N>): boolean {
    const {el, tag} = visit;
    if (!this.sink.texts && !visit.interactive && !this.options.cursor && tag !== 'iframe' && tag !== 'frame')
      return true;
    if (el.checkVisibility(PAINTED) || look(visit)) return true;
    const top = this.sink.texts ? null : bury(visit.parent);
    if (top !== null) this.sink.hidden(top);
    else if (el.firstChild !== null) this.sink.hidden(el);
    return false;
  }

  // Without texts an element that neither is anything nor holds an element is of no interest.
  private passable(el: Element, tag: string): boolean {
    if (this.sink.texts || this.options.cursor || el.firstElementChild !== null) return false;
    return tag !== 'iframe' && tag !== 'frame' && tag !== 'slot' && shadowOf(el, tag) === null;
  }
}

function isSilent(el: Element, tag: string): boolean {
  if (!SILENT.has(tag)) return false;
  // Where scripts are off, what stands in for them is part of the page.
  return tag !== 'noscript' || el.firstElementChild === null || !el.checkVisibility();
}

// Whether a transparent element is only fading in, or is within what is.
function fades<N>(visit: Visit<N>): boolean {
  const {parent} = visit;
  if (parent?.transparent === true) return false;
  if (visit.style.opacity === '0') return isFadingItself(visit.el);
  // It shows itself: what is transparent is around it, and was found to fade.
  return parent !== null;
}

// What keeps an element from being painted; false when nothing below it can be either.
function look<N>(visit: Visit<N>): boolean {
  const {el} = visit;
  if (el.checkVisibility()) {
    visit.transparent = !el.checkVisibility(OPAQUE) && !fades(visit);
    visit.unpainted = !el.checkVisibility(VISIBLE);
    return true;
  }
  // A file field is worked through a button beside it, and hidden as a rule.
  if (visit.tag === 'input' && el.getAttribute('type') === 'file') {
    visit.unpainted = true;
    return true;
  }
  const {display, visibility} = visit.style;
  visit.boxless = display === 'contents';
  visit.unpainted = visibility !== 'visible';
  return visit.boxless;
}

// Marks all around a hidden element that is hidden with it; the outermost of them, or null.
function bury<N>(around: Visit<N> | null): Visit<N>['el'] | null {
  const hidden: Visit<N>[] = [];
  let top = 0;
  for (let visit = around; visit?.dead === false && !visit.el.checkVisibility(); visit = visit.parent) {
    if (hidden.push(visit) && visit.style.display !== 'contents') top = hidden.length;
  }
  for (const visit of hidden.slice(0, top)) visit.dead = true;
  return hidden[top - 1]?.el ?? null;
}

// Fills in what tag and attributes tell.
function read(el: Element, tag: string, marks: Marks): void {
  const attributes = attributesOf(el);
  marks.attributes = attributes;
  marks.role = roleOf(el, tag, (attributes & HAS.role) === 0 ? '' : writtenRole(el));
  marks.passedOver ||= (attributes & HAS.hidden) !== 0 && el.ariaHidden === 'true';
  if (marks.barred) marks.interactive = false;
  else if (isWidget(marks.role)) marks.interactive = tag !== 'input' || el.getAttribute('type') !== 'hidden';
  else if (tag === 'summary') marks.interactive = el.parentElement?.localName === 'details';
  else marks.interactive = (attributes & REACHABLE) !== 0 && isReachable(el, attributes);
}
const REACHABLE = HAS.onclick | HAS.tabindex | HAS.contenteditable;

function isReachable(el: Element, attributes: number): boolean {
  if ((attributes & HAS.onclick) !== 0 || editingHost(el)) return true;
  const tabindex = el.getAttribute('tabindex');
  return tabindex !== null && Number(tabindex) >= 0;
}

function isLeaf(el: Element, tag: string): boolean {
  return LEAVES.has(tag) || (tag === 'svg' && el.querySelector('text,a,foreignObject') === null);
}

/**
 * IsListed tells whether an interactive element is told to agents: whether a person can see it, or sees a
 * stand-in by which it is worked (a label, a styled box over a transparent field).
 */
export function isListed<N>(visit: Visit<N>, names: Names): 'seen' | 'stand-in' | 'no' {
  if (visit.boxless) return 'seen';
  if (!visit.unpainted && visit.inSight) {
    if (!visit.transparent) return 'seen';
    return FIELDS.has(visit.tag) && !isOutOfReach(visit.el) ? 'stand-in' : 'no';
  }
  if (hasStandIn(visit, names)) return 'stand-in';
  if (visit.unpainted || visit.transparent) return 'no';
  if (visit.el === visit.el.ownerDocument.activeElement) return 'stand-in';
  return holdsBoxInSight(visit) ? 'seen' : 'no';
}
const FIELDS = new Set(['input', 'select', 'textarea']);

// A field is worked through its label too, and a file field through any button that the page made for it.
function hasStandIn<N>({el, tag}: Visit<N>, names: Names): boolean {
  if (tag !== 'input' && tag !== 'select') return false;
  if (el.getAttribute('type') === 'file') return true;
  return names.labelsOf(el).some((it) => it.checkVisibility(PAINTED));
}

// An inline box around blocks or floats has no size of its own.
function holdsBoxInSight<N>(visit: Visit<N>): boolean {
  const {rect} = visit;
  if (rect.right - rect.left > 0 && rect.bottom - rect.top > 0) return false;
  for (const child of visit.el.children) {
    if (child.checkVisibility(PAINTED) && new Place(child, visit).inSight) return true;
  }
  return false;
}

// The dialog on top, if it is modal: everything outside is inert.
function openModal(document: Document): Element | null {
  // A live collection costs nothing while the page stays as it is, a selector a search of all of it.
  return [...document.getElementsByTagName('dialog')].filter((it) => it.matches(':modal')).at(-1) ?? null;
}
