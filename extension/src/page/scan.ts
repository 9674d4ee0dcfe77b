/** A look at a part of the page for what an agent can be told of it: the sink of the walk that deltas are made by. */

import type {Names} from './names';
import {textInSight} from './outline';
import {isReadable} from './paint';
import {namedByContent} from './roles';
import {collapse, label} from './text';
import {isListed, type Sink, type Visit} from './walk';

/** Words gathers the text below one element that no name tells. */
interface Words {
  text: string;
}

interface Note {
  /** If true, the text below is told as somebody's name. */
  spoken: boolean;
  /** Who tells of the text below. */
  words: Words;
}

/** Sighting is an element that can be told. */
export interface Sighting {
  readonly el: Element;
  readonly tag: string;
  readonly role: string;
  readonly attributes: number;
  /** If true, some of it is in the viewport. */
  readonly inView: boolean;
  /** If true, a person sees it itself and no stand-in. */
  readonly shown: boolean;
  /** What it says, for one that is told for what it says; undefined for what is told because it can be acted on. */
  readonly words?: () => string;
}

/** What a page tells people with, in its own time: it counts as told when it comes up. */
const TELLING = new Set(['alert', 'alertdialog', 'dialog', 'log', 'status', 'tooltip']);

/** The longest text of an element that is told for what it says, in UTF-16 units. */
const WORDS_MAX = 120;

/** IsTelling tells the elements whose text is told as soon as it changes. */
export function isTelling(el: Element, role: string): boolean {
  if (TELLING.has(role)) return role !== 'dialog' && role !== 'alertdialog';
  const live = el.getAttribute('aria-live');
  return live === 'polite' || live === 'assertive';
}

/** Scan is the sink. With `texts` it also gathers what the parts say. */
export class Scan implements Sink<Note> {
  readonly texts: boolean;
  /** What can be told, in the order in which it was met. */
  readonly sightings: Sighting[] = [];
  /** Elements that may be told one day: nobody can see them now. */
  readonly unseen: Element[] = [];
  /** Elements that can be acted on and are where nobody can see them. */
  readonly offstage: Element[] = [];
  /** If true, a modal dialog kept the walk from some of it. */
  barred = false;
  private readonly names: () => Names;
  private readonly seen: WeakSet<Element>;
  private root: Visit<Note> | null = null;
  private words: Words = {text: ''};
  private spoken = false;

  /** @param seen takes in each element that was met. */
  constructor(texts: boolean, names: () => Names, seen: WeakSet<Element>) {
    this.texts = texts;
    this.names = names;
    this.seen = seen;
  }

  /**
   * Begin makes ready for another part: what it says is its root's to tell.
   *
   * @param spoken whether what it says is told already, as the name of what it is in.
   */
  begin(spoken: boolean): void {
    this.root = null;
    this.words = {text: ''};
    this.spoken = spoken;
    this.barred = false;
  }

  /** RootSighting is the part's root, told for what the part says beside its controls; undefined if that is nothing. */
  rootSighting(): Sighting | undefined {
    const {root, words} = this;
    if (root === null || root.unpainted || root.transparent || saying(words) === '') return undefined;
    return {...sightingOf(root, true), words: () => saying(words)};
  }

  note(parent: Visit<Note> | null): Note {
    return parent === null ? {spoken: this.spoken, words: this.words} : {...parent.note};
  }

  hidden(el: Element): void {
    this.unseen.push(el);
  }

  enter(visit: Visit<Note>): boolean {
    const {el, tag, role} = visit;
    this.root ??= visit;
    this.seen.add(el);
    if (tag === 'iframe' || tag === 'frame') return false;
    if (visit.barred) {
      this.barred = true;
      return false;
    }
    if (visit.interactive) return this.actionable(visit);
    if (tag === 'label') visit.note.spoken = true;
    if (this.texts && (TELLING.has(role) || isTelling(el, role)) && !visit.transparent) this.telling(visit);
    return true;
  }

  leave(): void {
    // What an element says is gathered on the way down.
  }

  text(node: Text, parent: Visit<Note>): void {
    const {spoken, words} = parent.note;
    if (spoken || words.text.length > WORDS_MAX || parent.unpainted || parent.transparent) return;
    if (node.data.trim() === '') words.text += ' ';
    else if (textInSight(node, parent) && isReadable(node, parent)) words.text += ` ${node.data}`;
  }

  private actionable(visit: Visit<Note>): boolean {
    const seen = isListed(visit, this.names());
    if (seen === 'no') {
      (visit.transparent || visit.unpainted ? this.unseen : this.offstage).push(visit.el);
      return !visit.transparent;
    }
    this.sightings.push(sightingOf(visit, seen === 'seen' && !visit.transparent && !visit.unpainted));
    const {role, tag, note} = visit;
    note.spoken ||= namedByContent(role) || role === 'textbox' || tag === 'summary';
    return true;
  }

  private telling(visit: Visit<Note>): void {
    const words = {text: ''};
    this.sightings.push({...sightingOf(visit, true), words: () => saying(words)});
    visit.note.words = words;
    visit.note.spoken = false;
  }
}

function saying({text}: Words): string {
  return label(collapse(text), WORDS_MAX);
}

function sightingOf({el, tag, role, attributes, rect}: Visit<Note>, shown: boolean): Sighting {
  const inView = rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
  return {el, tag, role, attributes, inView, shown};
}
