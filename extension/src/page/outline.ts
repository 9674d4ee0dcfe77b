/** The snapshot: the page's accessibility tree as indented lines, built while the walk goes on. */

import type {FramePlace, RefRow} from './api';
import {HAS} from './attributes';
import {focusedElement} from './changes';
import {isReadable} from './paint';
import type {Registry} from './registry';
import {uidOf} from './registry';
import {namedByContent, roleOf, writtenRole} from './roles';
import {conditionOf, statesOf, valueOf} from './states';
import {collapse, cutUnits, harmless, label, quote} from './text';
import {type Names, isInline} from './names';
import {isListed, type Sink, type Visit} from './walk';

/** OutlineOptions are a snapshot's, as the action has them. */
export interface OutlineOptions {
  interactive: boolean;
  compact: boolean;
  /** How deep the tree goes at most. */
  depth: number;
  urls: boolean;
}

interface Note {
  /** The indentation of what is below; −1 until somebody below needs it. */
  level: number;
  /** If true, the element's own line is written as soon as something below is. */
  pending: boolean;
  /** If true, the text below is already told, as somebody's name. */
  spoken: boolean;
}

// What holds others together and tells where they are: kept also when only the interactive is asked for.
const PLACES = new Set(
  (
    'alert alertdialog banner complementary contentinfo dialog form grid main menu menubar navigation radiogroup ' +
    'region row search table tablist tabpanel toolbar tree treegrid'
  ).split(' '),
);
// Structure that says nothing by itself: dropped by `compact` where it has no name.
const BARE = new Set(
  (
    'article blockquote cell code columnheader definition deletion emphasis feed figure gridcell group insertion list ' +
    'listitem mark paragraph row rowgroup rowheader strong subscript superscript table term time'
  ).split(' '),
);
// Structure whose name is what stands inside.
const CELLS = new Set('cell columnheader gridcell rowheader'.split(' '));
// Roles that are no more than the way a word is set.
const WORDING = new Set('code deletion emphasis insertion mark strong subscript superscript term time'.split(' '));
// A line of text longer than this is cut: extract is for reading.
const TEXT_MAX = 400;

/** Outline is the sink that writes a snapshot. */
export class Outline implements Sink<Note> {
  readonly lines: string[] = [];
  readonly refs: RefRow[] = [];
  readonly frames: FramePlace[] = [];
  /** The elements of `frames`, in the same order. */
  readonly frameElements: Element[] = [];
  /** How many elements can be acted on, written or not. */
  elements = 0;
  /** How many pieces were left out because no person can see them. */
  hiddenDropped = 0;
  /** Those that were not gone into for that reason. */
  readonly unseen: Element[] = [];
  private readonly options: OutlineOptions;
  private readonly registry: Registry;
  private readonly names: () => Names;
  readonly texts: boolean;
  private words = '';
  private wordsOf: Visit<Note> | null = null;
  // The cell whose line was written last, and the number of that line.
  private cell: {visit: Visit<Note>; line: number} | null = null;
  private readonly focused = focusedElement();

  constructor(options: OutlineOptions, registry: Registry, names: () => Names) {
    this.options = options;
    this.texts = !options.interactive;
    this.registry = registry;
    this.names = names;
  }

  note(parent: Visit<Note> | null): Note {
    return {level: -1, pending: false, spoken: parent?.note.spoken === true};
  }

  hidden(el: Element): void {
    this.hiddenDropped++;
    this.unseen.push(el);
  }

  enter(visit: Visit<Note>): boolean {
    const {tag, role, note} = visit;
    this.begin(visit);
    if (tag === 'iframe' || tag === 'frame') return this.frame(visit);
    // A modal dialog makes all around it inert: no part of the tree, as long as it is open.
    if (visit.barred) return true;
    if (visit.interactive) {
      const seen = isListed(visit, this.names());
      if (seen !== 'no') {
        this.actionable(visit);
        return true;
      }
      if (visit.transparent) this.hidden(visit.el);
      return !visit.transparent;
    }
    if (role === 'generic' || role === 'none' || role === 'document') return true;
    if (this.options.interactive) note.pending = PLACES.has(role) || (role === 'group' && isNamedGroup(visit));
    else this.structure(visit);
    return true;
  }

  leave(visit: Visit<Note>): void {
    if (this.words === '') return;
    // What stands in an element with a line of its own belongs below that line.
    if (!isInline(visit.tag) || visit.note.level > (visit.parent?.note.level ?? 0)) this.flush();
    else if (this.wordsOf === visit) this.wordsOf = visit.parent;
  }

  text(node: Text, parent: Visit<Note>): void {
    if (this.options.interactive || parent.barred || parent.note.spoken || parent.unpainted || parent.transparent)
      return;
    const {data} = node;
    if (data.length < 4 && data.trim() === '') {
      if (this.words !== '') this.words += ' ';
      return;
    }
    if (!textInSight(node, parent) || !isReadable(node, parent)) {
      if (data.trim() !== '') this.hiddenDropped++;
      return;
    }
    this.words += data;
    this.wordsOf ??= parent;
  }

  /** Finish writes what is still held back. */
  finish(): void {
    this.flush();
  }

  private flush(): void {
    const text = cutUnits(collapse(harmless(this.words)), TEXT_MAX);
    const holder = this.wordsOf;
    this.words = '';
    this.wordsOf = null;
    if (text !== '') this.write(this.levelBelow(holder), `text ${quote(text)}`);
  }

  private actionable(visit: Visit<Note>): void {
    const {el, tag, role, note, attributes} = visit;
    this.flush();
    this.elements++;
    const name = this.names().of(el, tag, role, attributes);
    const value = valueOf(el, tag, role);
    const states = statesOf(el, tag, attributes);
    const number = this.registry.tell(el, role, name, conditionOf(value, states));
    this.instead(el, name);
    const base = this.levelBelow(visit.parent);
    note.level = base + 1;
    note.spoken ||= name !== '' && (namedByContent(role) || role === 'generic' || tag === 'summary');
    if (base >= this.options.depth) return;
    this.refs.push([number, role, name]);
    let line = name === '' ? `${role} [ref=${uidOf(number)}]` : `${role} ${quote(name)} [ref=${uidOf(number)}]`;
    for (const state of states) line += ` ${state}`;
    if (el === this.focused) line += ' focused';
    if (visit.passedOver) line += ' aria-hidden';
    const contents = this.contents(visit, name, value);
    note.spoken ||= contents.includes(' value=');
    this.write(base, line + contents);
  }

  // A cell that says no more than what it holds needs no line of its own.
  private instead(el: Element, name: string): void {
    const {cell} = this;
    this.cell = null;
    if (cell?.line !== this.lines.length - 1 || !cell.visit.el.contains(el)) return;
    // A name that was cut is not all that stands inside.
    if (name.endsWith('…') || this.lines[cell.line]?.trimStart() !== `- ${cell.visit.role} ${quote(name)}`) return;
    this.lines.pop();
    cell.visit.note.level--;
  }

  // What a field holds, what an empty one says of itself, and where a link leads.
  private contents({el, tag, attributes}: Visit<Note>, name: string, value: string | undefined): string {
    let said = tag === 'input' ? typeOf(el) : '';
    if (value !== undefined && value !== '') said += ` value=${quote(value)}`;
    if (el instanceof HTMLSelectElement) said += ` options=${quote(optionsOf(el))}`;
    if ((attributes & HAS.placeholder) !== 0) {
      const placeholder = label(el.getAttribute('placeholder') ?? '', 80);
      if (placeholder !== '' && placeholder !== name) said += ` placeholder=${quote(placeholder)}`;
    }
    if (this.options.urls && el instanceof HTMLAnchorElement) said += ` url=${quote(cutUnits(harmless(el.href), 500))}`;
    return said;
  }

  private begin({el, tag, note}: Visit<Note>): void {
    if (this.words !== '' && !isInline(tag)) this.flush();
    if (tag === 'label' && el instanceof HTMLLabelElement && this.isTold(el)) note.spoken = true;
  }

  // Whether a label says what its control's own line will say, or has said.
  private isTold(labelled: HTMLLabelElement): boolean {
    const {control} = labelled;
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return false;
    if (this.options.interactive || !control.checkVisibility() || control.closest('[inert]') !== null) return false;
    const tag = control.localName;
    return (
      this.names().of(control, tag, roleOf(control, tag, writtenRole(control))) === label(labelled.textContent, 1000)
    );
  }

  private structure(visit: Visit<Note>): void {
    const {role, note} = visit;
    if (WORDING.has(role) || note.spoken || (this.options.compact && BARE.has(role))) return;
    const own = role === 'heading' || role === 'img' || CELLS.has(role);
    if (own ? !this.hasWords(visit) : this.options.compact || !visit.inSight) {
      // Its line is written when something below turns out to be worth one.
      note.pending = !own;
      return;
    }
    this.flush();
    const base = this.levelBelow(visit.parent);
    note.level = base + 1;
    const line = this.describe(visit);
    // A name that was cut is not all that stands inside.
    note.spoken = own && !line.includes('…"');
    this.write(base, line);
    if (base < this.options.depth && (role === 'cell' || role === 'gridcell'))
      this.cell = {visit, line: this.lines.length - 1};
  }

  // Whether a heading or a picture can be seen, and has something to say.
  private hasWords(visit: Visit<Note>): boolean {
    if (visit.unpainted || visit.transparent || !visit.inSight) return false;
    return visit.role !== 'img' || this.names().of(visit.el, visit.tag, visit.role) !== '';
  }

  private frame(visit: Visit<Note>): boolean {
    if (visit.unpainted || visit.transparent || visit.barred || !visit.inSight) {
      this.hiddenDropped++;
      return false;
    }
    this.flush();
    const {rect, el} = visit;
    const level = this.levelBelow(visit.parent);
    const name = label(el.getAttribute('title') ?? el.getAttribute('aria-label') ?? '', 80);
    this.write(level, name === '' ? 'frame' : `frame ${quote(name)}`);
    this.frames.push({
      index: this.frameElements.length,
      line: this.lines.length - 1,
      level: level + 1,
      width: Math.round(rect.right - rect.left),
      height: Math.round(rect.bottom - rect.top),
    });
    this.frameElements.push(el);
    return false;
  }

  // The indentation below an element; writes the lines of those above that waited for something to hold.
  private levelBelow(visit: Visit<Note> | null): number {
    if (visit === null) return 0;
    const {note} = visit;
    if (note.level >= 0) return note.level;
    const base = this.levelBelow(visit.parent);
    note.level = note.pending ? base + 1 : base;
    if (note.pending) this.write(base, this.describe(visit));
    return note.level;
  }

  private describe(visit: Visit<Note>): string {
    const {el, tag, role} = visit;
    // What stands in a row is told below it, unless only the interactive is.
    const name = role === 'row' && this.texts ? '' : this.names().of(el, tag, role);
    let line = role;
    if (name !== '') line += ` ${quote(name)}`;
    if (role === 'heading')
      line += ` level=${el.getAttribute('aria-level') ?? (/^h\d$/.test(tag) ? tag.slice(1) : '2')}`;
    if (visit.passedOver) line += ' aria-hidden';
    return line;
  }

  private write(level: number, line: string): void {
    if (level < this.options.depth) this.lines.push(`${'  '.repeat(level)}- ${line}`);
  }
}

// Fields that take their text in a form of their own, or hide it.
const TYPES = new Set(['color', 'date', 'datetime-local', 'file', 'month', 'password', 'time', 'week']);

function typeOf(el: Element): string {
  const type = (el.getAttribute('type') ?? '').toLowerCase();
  return TYPES.has(type) ? ` type=${type}` : '';
}

const OPTIONS_MAX = 12;

function optionsOf(el: HTMLSelectElement): string {
  const {options} = el;
  const told = Array.from(options).slice(0, OPTIONS_MAX);
  const more = options.length > told.length ? `, and ${(options.length - told.length).toString()} more` : '';
  return told.map((option) => label(option.text, 40)).join(', ') + more;
}

function isNamedGroup({el, tag}: Visit<Note>): boolean {
  return tag === 'fieldset' || el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby');
}

/** TextInSight tells whether a person can see some of a text node, or can scroll to it. */
export function textInSight<N>(node: Text, parent: Visit<N>): boolean {
  const range = node.ownerDocument.createRange();
  range.selectNode(node);
  return parent.holdsInSight(range.getBoundingClientRect());
}
