/** Finding: the elements of a document that match, by the same walk as snapshot, so that names and refs agree. */

import type {ElementRow, FindPart} from './api';
import type {Names} from './names';
import {textInSight} from './outline';
import type {Registry} from './registry';
import {uidOf} from './registry';
import {isWidget, namedByContent} from './roles';
import {conditionOf, statesOf, valueOf} from './states';
import {collapse, label} from './text';
import {isListed, type Sink, type Visit} from './walk';

/** Wanted is what to look for; each part that is given must match. Words are compared in any case. */
export interface Wanted {
  /** The whole role. */
  role: string | null;
  /** A part of the accessible name. */
  name: string | null;
  /** A part of the text that a person sees. */
  text: string | null;
  /** How many elements are told at most; the others are only counted. */
  limit: number;
  /** If true, the rows carry no uid and nothing counts as told: somebody other than an agent looks. */
  quiet: boolean;
}

interface Note {
  /** Where the element's text begins among the pieces. */
  readonly start: number;
  /** The element's place in document order. */
  readonly order: number;
  /** If true, something below it was found by its text already. */
  found: boolean;
}

interface Match {
  readonly visit: Visit<Note>;
  /** What the element says, for one that has no name. */
  readonly words: string;
}

// What a person reads as one word even where tags part it.
const INLINE = new Set('a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup u var'.split(' '));

// As much as one line of an answer needs of what an element without a name says, in UTF-16 units.
const WORDS_MAX = 80;

/** Finder is the sink that gathers matches. */
export class Finder implements Sink<Note> {
  readonly texts: boolean;
  /** The child documents that a person can see. */
  readonly frames: FindPart['frames'] = [];
  /** The elements of `frames`, in the same order. */
  readonly frameElements: Element[] = [];
  private readonly wanted: Wanted;
  private readonly registry: Registry;
  private readonly names: () => Names;
  private readonly matches = new Map<Element, Match>();
  private readonly pieces: string[] = [];
  private readonly byText: boolean;
  private entered = 0;

  constructor(wanted: Wanted, registry: Registry, names: () => Names) {
    this.wanted = {
      ...wanted,
      role: lower(wanted.role),
      name: lower(wanted.name),
      text: lower(wanted.text),
    };
    this.registry = registry;
    this.names = names;
    const {role, name, text} = this.wanted;
    this.byText = role === null && name === null;
    // Without text the walk passes plain elements over: what is not a widget would not be met.
    this.texts = text !== null || role === null || !isWidget(role);
  }

  /** How many elements match. */
  get total(): number {
    return this.matches.size;
  }

  note(): Note {
    return {start: this.pieces.length, order: this.entered++, found: false};
  }

  hidden(): void {
    // What no person can see is not found.
  }

  enter(visit: Visit<Note>): boolean {
    if (visit.tag === 'iframe' || visit.tag === 'frame') {
      this.frame(visit);
      return false;
    }
    if (this.wanted.text === null) return true;
    this.edge(visit);
    const value = valueOf(visit.el, visit.tag, visit.role);
    if (value !== undefined && value !== '' && visit.el.childElementCount === 0) this.pieces.push(value);
    return true;
  }

  leave(visit: Visit<Note>): void {
    const {note, parent} = visit;
    this.look(visit);
    if (this.wanted.text !== null) this.edge(visit);
    if (note.found && parent) parent.note.found = true;
  }

  text(node: Text, parent: Visit<Note>): void {
    if (this.wanted.text === null || parent.unpainted || parent.transparent || node.data.trim() === '') {
      if (this.wanted.text !== null) this.pieces.push(' ');
      return;
    }
    if (parent.inSight || textInSight(node, parent)) this.pieces.push(node.data);
  }

  /** Rows tells of the first matches in document order, and gives each its uid. */
  rows(): ElementRow[] {
    const first = [...this.matches.values()].sort((a, b) => a.visit.note.order - b.visit.note.order);
    return first.slice(0, this.wanted.limit).map((match) => this.row(match));
  }

  private frame({unpainted, transparent, barred, inSight, rect, el}: Visit<Note>): void {
    if (unpainted || transparent || barred || !inSight) return;
    const [width, height] = [Math.round(rect.right - rect.left), Math.round(rect.bottom - rect.top)];
    this.frames.push({index: this.frameElements.length, width, height});
    this.frameElements.push(el);
  }

  private look(visit: Visit<Note>): void {
    const {role, text} = this.wanted;
    if ((role !== null && visit.role !== role) || (this.byText && visit.note.found)) return;
    const words = text === null ? '' : this.wordsOf(visit);
    if (text !== null && !words.toLowerCase().includes(text)) return;
    if (this.byText) this.innermost(visit, words);
    else if (this.isCalled(visit)) this.add(visit, words);
  }

  // A descendant's hit is this one's as well, and must not be told twice.
  private innermost(visit: Visit<Note>, words: string): void {
    visit.note.found = true;
    const it = carrier(visit);
    if (this.isSeen(it)) this.add(it, words);
  }

  private isCalled(visit: Visit<Note>): boolean {
    const {role, name} = this.wanted;
    if ((role === null && !isNamed(visit)) || !this.isSeen(visit)) return false;
    return name === null || this.names().of(visit.el, visit.tag, visit.role).toLowerCase().includes(name);
  }

  private isSeen(visit: Visit<Note>): boolean {
    if (visit.interactive) return isListed(visit, this.names()) !== 'no';
    return !visit.unpainted && !visit.transparent && visit.inSight;
  }

  private add(visit: Visit<Note>, words: string): void {
    if (!this.matches.has(visit.el)) this.matches.set(visit.el, {visit, words});
  }

  private wordsOf(visit: Visit<Note>): string {
    return collapse(this.pieces.slice(visit.note.start).join(''));
  }

  private edge(visit: Visit<Note>): void {
    if (!INLINE.has(visit.tag)) this.pieces.push(' ');
  }

  private row({visit: {el, tag, role}, words}: Match): ElementRow {
    const name = this.names().of(el, tag, role);
    const held = valueOf(el, tag, role);
    const states = statesOf(el, tag);
    const uid = this.wanted.quiet ? '' : uidOf(this.registry.tell(el, role, name, conditionOf(held, states)));
    const row: ElementRow = {uid, role};
    if (name !== '') row.name = name;
    const value = held ?? (name === '' ? label(words, WORDS_MAX) : '');
    if (value !== '') row.value = value;
    if (states.length > 0) row.states = states;
    return row;
  }
}

// The control that a text belongs to (the button around a span), or the element itself.
function carrier(visit: Visit<Note>): Visit<Note> {
  for (let at: Visit<Note> | null = visit; at !== null; at = at.parent) {
    if (at.interactive && (at === visit || namedByContent(at.role) || at.tag === 'summary')) return at;
  }
  return visit;
}

// What people call by a name: the rest is named by all that stands in it, and would be found for each word.
function isNamed({interactive, role, el}: Visit<Note>): boolean {
  if (interactive || role === 'heading' || role === 'img') return true;
  return el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby');
}

function lower(words: string | null): string | null {
  return words === null ? null : collapse(words).toLowerCase();
}
