/** The extract: elements, plain text and the pruned copy for Markdown, all from one walk. */

import type {ElementRow, Part, Start, Strand} from './api';
import {markdown} from './markdown';
import type {Names} from './names';
import {textInSight} from './outline';
import {isReadable} from './paint';
import type {Registry} from './registry';
import {uidOf} from './registry';
import {harmless} from './text';
import {conditionOf, statesOf, valueOf} from './states';
import {Copy, type CopyNote} from './copy';
import {FrameMarks, type Marked} from './framemarks';
import {PlainText} from './plain';
import {isCaptcha} from './signals';
import type {Rect} from './visibility';
import {isListed, type Sink, type Visit} from './walk';

/** ExtractOptions say what is wanted, and how much. */
export interface ExtractOptions {
  /** Where each part begins that is wanted. */
  from: Record<Part, Start>;
  /** UTF-16 units from there after which the pruned copy is full, and the plain text. */
  markdownUnits: number;
  textUnits: number;
  /** How many elements are wanted from there. */
  elementsMax: number;
  /** If true, nav, footer, aside and fixed boxes are copied too. */
  everything: boolean;
}

function inView({left, top, right, bottom}: Rect): boolean {
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

/** Extract is the sink that gathers an extract. */
export class Extract implements Sink<CopyNote> {
  readonly texts = true;
  readonly elements: ElementRow[] = [];
  /** The iframe elements that a person can see, in document order. */
  readonly frameElements: Element[] = [];
  hiddenDropped = 0;
  /** If true, a captcha's frame is on the page for people to see. */
  captchaFrame = false;
  /** If true, more elements follow than were asked for. */
  moreElements = false;
  private count = 0;
  private readonly placesOfElements: number[] = [];
  private readonly marks = new FrameMarks();
  // Where each part begins; unknown until the frame is met behind which it does.
  private readonly begins: Record<Part, number>;
  private readonly options: ExtractOptions;
  private readonly registry: Registry;
  private readonly names: () => Names;
  private readonly copy: Copy;
  private readonly plain = new PlainText();

  constructor(options: ExtractOptions, registry: Registry, names: () => Names) {
    this.options = options;
    this.registry = registry;
    this.names = names;
    this.copy = new Copy(options.everything, names);
    const known = (start: Start): number => ('after' in start ? Infinity : start.offset);
    const {markdown: ofMarkdown, text, elements} = options.from;
    this.begins = {markdown: known(ofMarkdown), text: known(text), elements: known(elements)};
  }

  /** If true, nothing that the walk can still find is wanted. */
  get full(): boolean {
    return this.moreElements && this.copyFull && this.textFull;
  }

  /** If true, the copy was cut: the Markdown's end is not the page's. */
  get copyFull(): boolean {
    return this.copy.units > this.begins.markdown + this.options.markdownUnits;
  }

  /** If true, the text was cut. */
  get textFull(): boolean {
    return this.plain.units > this.begins.text + this.options.textUnits;
  }

  /** The page's text as a person sees it, up to where it was full, and where in it the frames are. */
  get said(): Marked {
    return this.marks.taken(this.plain.text, this.frameElements.length);
  }

  /** The elements that were asked for. */
  get listed(): Strand<ElementRow[]> {
    const {elements} = this.begins;
    const next = this.moreElements ? elements + this.elements.length : -1;
    return {piece: this.elements, from: elements, next, places: this.placesOfElements};
  }

  /** How much of the text that a person sees is in the copy, in UTF-16 units. */
  get kept(): number {
    return this.copy.units;
  }

  /** How much text a person sees, as far as it was gathered, in UTF-16 units. */
  get seen(): number {
    return this.plain.units;
  }

  /** Markdown is the copy's, and where in it the frames are. It uses the copy up. */
  markdown(): Marked {
    return this.marks.taken(harmless(markdown(this.copy.root)), this.frameElements.length);
  }

  note(parent: Visit<CopyNote> | null): CopyNote {
    return this.copy.note(parent?.note ?? null);
  }

  hidden(): void {
    this.hiddenDropped++;
  }

  enter(visit: Visit<CopyNote>): boolean {
    if (visit.tag === 'iframe' || visit.tag === 'frame') {
      this.frame(visit);
      return false;
    }
    if (visit.interactive) this.actionable(visit);
    if (!this.textFull) this.plain.open(visit);
    if (!this.copyFull) this.copy.enter(visit);
    return true;
  }

  leave(visit: Visit<CopyNote>): void {
    if (!this.textFull) this.plain.close(visit);
    if (!this.copyFull) this.copy.leave(visit);
  }

  text(node: Text, parent: Visit<CopyNote>): void {
    const wantsText = !this.textFull;
    const wantsCopy = !this.copyFull && parent.note.into !== null;
    if (!wantsText && !wantsCopy) return;
    if (node.data.trim() === '') {
      if (wantsText) this.plain.space(node.data, parent);
      if (wantsCopy) this.copy.text(node.data, parent);
      return;
    }
    if (parent.unpainted || parent.transparent || !textInSight(node, parent) || !isReadable(node, parent)) {
      if (!parent.note.quietly) this.hiddenDropped++;
      return;
    }
    if (wantsText) this.plain.add(node.data, parent);
    if (wantsCopy) this.copy.text(node.data, parent);
  }

  private frame(visit: Visit<CopyNote>): void {
    if (visit.unpainted || visit.transparent || !visit.inSight) return;
    const index = this.frameElements.push(visit.el) - 1;
    this.captchaFrame ||= isCaptcha(visit.el, visit.rect);
    const word = this.marks.word(index);
    if (!this.textFull) this.plain.mark(word);
    if (!this.copyFull) this.copy.mark(word, visit.note);
    this.placesOfElements.push(this.moreElements ? -1 : this.count);
    const {from} = this.options;
    const met = (start: Start): boolean => 'after' in start && start.after === index;
    if (met(from.markdown)) this.begins.markdown = this.copy.units;
    if (met(from.text)) this.begins.text = this.plain.units;
    if (met(from.elements)) this.begins.elements = this.count;
  }

  private actionable(visit: Visit<CopyNote>): void {
    if (this.moreElements || this.options.elementsMax === 0) return;
    const seen = isListed(visit, this.names());
    if (seen === 'no') {
      if (visit.transparent) this.hiddenDropped++;
      return;
    }
    if (this.count++ < this.begins.elements) return;
    if (this.elements.length >= this.options.elementsMax) {
      this.moreElements = true;
      return;
    }
    const {el, tag, role} = visit;
    const name = this.names().of(el, tag, role, visit.attributes);
    const value = valueOf(el, tag, role);
    const states = statesOf(el, tag, visit.attributes);
    const row: ElementRow = {uid: uidOf(this.registry.tell(el, role, name, conditionOf(value, states))), role};
    if (name !== '') row.name = name;
    if (value !== undefined && value !== '') row.value = value;
    if (states.length > 0) row.states = states;
    if (seen !== 'seen' || !inView(visit.rect)) row.visible = false;
    this.elements.push(row);
  }
}
