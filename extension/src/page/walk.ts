/** The one walk: through the composed tree of a document, once, only reading, in slices that can be given up. */

import {shadowOf, slotted} from './composed';
import {Names} from './names';
import {editingHost, isWidget, roleOf, writtenRole} from './roles';
import {Place} from './visibility';

/** Visit is one element while the walk is at it or below it. N is what the walk's sink keeps with it. */
export class Visit<N> extends Place {
  declare readonly parent: Visit<N> | null;
  readonly tag: string;
  readonly role: string;
  /** If true, an agent may act on it: it gets a uid. Known before its children are walked. */
  readonly interactive: boolean;
  /** If true, its own text is not painted (visibility: hidden); its children's may be. */
  readonly unpainted: boolean;
  /** If true, it or something around it has the opacity 0. */
  readonly transparent: boolean;
  /** If true, assistive software is told to pass over it (aria-hidden), although it may be seen. */
  readonly passedOver: boolean;
  /** If true, a modal dialog keeps everybody from it. */
  readonly barred: boolean;
  /** What the sink keeps with it. */
  note: N;
  private following: Node | null = null;
  private readonly list: readonly Node[] | null = null;
  private index = 0;

  constructor(el: Element, parent: Visit<N> | null, facts: Facts, note: N, leaf: boolean) {
    super(el, parent, facts.boxless);
    this.tag = facts.tag;
    this.role = facts.role;
    this.interactive = facts.interactive;
    this.unpainted = facts.unpainted;
    this.transparent = facts.transparent;
    this.passedOver = facts.passedOver;
    this.barred = facts.barred;
    this.note = note;
    if (leaf) return;
    this.list = slotted(el, facts.tag);
    if (this.list === null) this.following = (shadowOf(el, facts.tag) ?? el).firstChild;
  }

  /** Take gives the next child in the composed tree, null after the last. */
  take(): Node | null {
    if (this.list !== null) return this.list[this.index++] ?? null;
    const node = this.following;
    if (node !== null) this.following = node.nextSibling;
    return node;
  }
}

interface Facts {
  tag: string;
  role: string;
  interactive: boolean;
  boxless: boolean;
  unpainted: boolean;
  transparent: boolean;
  passedOver: boolean;
  barred: boolean;
}

/** Sink is told what the walk meets, in document order. */
export interface Sink<N> {
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
const MARKED = '[role],[tabindex],[contenteditable],[onclick],[inert],[aria-hidden="true"]';
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
    let parent: Visit<N> | null = null;
    for (const el of above) parent = this.visit(el, parent, true) ?? parent;
    this.element(root, parent);
  }

  /**
   * Run goes on until the clock (`performance.now()`) shows `until`; true when the walk is at its end, or the
   * sink has enough.
   */
  run(until: number, enough: () => boolean): boolean {
    const {stack, sink} = this;
    let count = 0;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const node = top.take();
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
    const visit = this.visit(el, parent, false);
    if (visit === null || !this.sink.enter(visit)) return;
    if (this.stack.length < DEEPEST) this.stack.push(visit);
    else this.sink.leave(visit);
  }

  private visit(el: Element, parent: Visit<N> | null, above: boolean): Visit<N> | null {
    const tag = el.localName;
    if (SILENT.has(tag)) return null;
    const facts = this.facts(el, tag, parent);
    if (facts === null) return null;
    const leaf = above || isLeaf(el, tag);
    const visit = new Visit(el, parent, facts, this.sink.note(parent), leaf);
    if (!this.options.cursor || facts.interactive || above) return visit;
    if (facts.barred || visit.style.cursor !== 'pointer' || parent?.style.cursor === 'pointer') return visit;
    facts.interactive = true;
    return new Visit(el, parent, facts, visit.note, leaf);
  }

  // What is so of an element, or null when nothing of it is shown to anybody.
  private facts(el: Element, tag: string, parent: Visit<N> | null): Facts | null {
    const facts: Facts = {
      tag,
      role: '',
      interactive: false,
      boxless: false,
      unpainted: false,
      transparent: false,
      passedOver: parent?.passedOver === true,
      barred: this.modal !== null && el !== this.modal && parent?.barred !== false,
    };
    const marked = el.matches(MARKED);
    if ((!el.checkVisibility(PAINTED) && !look(el, facts)) || (marked && el.hasAttribute('inert'))) {
      if (el.firstChild !== null) this.sink.hidden(el);
      return null;
    }
    facts.passedOver ||= marked && el.getAttribute('aria-hidden') === 'true';
    facts.role = roleOf(el, tag, marked ? writtenRole(el) : '');
    facts.interactive = isInteractive(el, facts, marked);
    return facts;
  }
}

// What keeps an element from being painted; false when nothing below it can be either.
function look(el: Element, facts: Facts): boolean {
  if (el.checkVisibility()) {
    facts.transparent = !el.checkVisibility(OPAQUE);
    facts.unpainted = !el.checkVisibility(VISIBLE);
    return true;
  }
  // A file field is worked through a button beside it, and hidden as a rule.
  if (el instanceof HTMLInputElement && el.type === 'file') {
    facts.unpainted = true;
    return true;
  }
  const {display, visibility} = getComputedStyle(el);
  facts.boxless = display === 'contents';
  facts.unpainted = visibility !== 'visible';
  return facts.boxless;
}

function isInteractive(el: Element, facts: Facts, marked: boolean): boolean {
  const {tag, role} = facts;
  if (facts.barred) return false;
  if (isWidget(role)) return tag !== 'input' || el.getAttribute('type') !== 'hidden';
  if (tag === 'summary') return el.parentElement?.localName === 'details';
  if (!marked) return false;
  if (el.hasAttribute('onclick') || editingHost(el)) return true;
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
    return FIELDS.has(visit.tag) ? 'stand-in' : 'no';
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
    if (child.checkVisibility(PAINTED) && new Place(child, visit, false).inSight) return true;
  }
  return false;
}

// The dialog on top, if it is modal: everything outside is inert.
function openModal(document: Document): Element | null {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? null;
}
