/** The pruned copy of the composed tree from which Markdown is made: in an inert document, out of the page's sight. */

import {formulaOf} from './formula';
import type {Names} from './names';
import {isBlock} from './paint';
import type {Visit} from './walk';

/** CopyNote is what the copy keeps with an element of the page. */
export interface CopyNote {
  /** Where in the copy the element's content goes; null: it is left out. */
  into: Element | null;
  /** Where it would go if it were not left out. */
  near: Element;
  /** The code block that the element is in, or null. */
  pre: Code | null;
  /** If true, the table around it only lays things out. */
  layout: boolean;
  /** If true, what is below is left out as a duplicate, not as something hidden. */
  quietly: boolean;
}

interface Code {
  readonly opener: Element;
  readonly element: Element;
  text: string;
}

// Elements that mean the same in the copy.
const KEPT = new Set(
  'a b blockquote br caption code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p s strike strong table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const STANDS_FOR = new Map([
  ['kbd', 'code'],
  ['samp', 'code'],
  ['menu', 'ul'],
]);
// The attributes that the copy keeps.
const NUMBERS = new Map([
  ['li', ['value']],
  ['ol', ['start', 'reversed']],
  ['td', ['colspan', 'rowspan']],
  ['th', ['colspan', 'rowspan']],
]);
const TABLE = new Set('caption table tbody td tfoot th thead tr'.split(' '));
// In these a block would break what is around it.
const LINES = 'table,pre,a,h1,h2,h3,h4,h5,h6';
const ASIDE = new Set(['complementary', 'contentinfo', 'navigation']);
const LINE_NUMBERS =
  /(^|[\s_-])(line-?(no|nos|num|number|numbers)|lineno|linenos|gutter|hljs-ln-numbers|ln-num)([\s_-]|$)/i;
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:?)[-\s]?([\w+#-]+)/;

/** Copy builds the copy while the walk goes on. */
export class Copy {
  /** The copy's root, for the converter. */
  readonly root: HTMLElement;
  /** At least how long its Markdown will be, in UTF-16 units. */
  units = 0;
  private readonly document: Document;
  private readonly everything: boolean;
  private readonly names: () => Names;

  /** @param everything whether nav, footer, aside and fixed boxes are copied too. */
  constructor(everything: boolean, names: () => Names) {
    // No browsing context: nothing here loads, runs or is upgraded to a custom element.
    this.document = document.implementation.createHTMLDocument('');
    this.root = this.document.body;
    this.everything = everything;
    this.names = names;
  }

  /** Note is the note of an element below `parent`. */
  note(parent: CopyNote | null): CopyNote {
    if (parent === null) return {into: this.root, near: this.root, pre: null, layout: false, quietly: false};
    const {into, near, pre, layout, quietly} = parent;
    return {into, near, pre, layout, quietly};
  }

  /** Enter begins an element: its note says where its content goes. */
  enter<N extends CopyNote>(visit: Visit<N>): void {
    const {note, tag} = visit;
    if (note.into === null) return;
    if (note.pre !== null) this.inCode(visit, note.pre);
    else if ((!this.everything && isBeside(visit)) || isLineNumbers(visit) || this.formula(visit, note.into))
      note.into = null;
    else if (tag === 'img') this.image(visit, note.into);
    else if (tag === 'a') this.link(visit, note.into);
    else if (tag === 'select' || tag === 'textarea') note.into.append(' ');
    else if (tag === 'input') this.checkbox(visit, note.into);
    else if (tag === 'pre' || isCodeBox(visit)) this.code(visit, note.into);
    else note.into = this.wrap(visit, note.into);
    note.near = note.into ?? note.near;
  }

  /** Mark puts a word of ours where a frame is, by itself: behind what can hold no block. */
  mark(word: string, {near}: CopyNote): void {
    let holder = near;
    for (let at = near.closest(LINES); at !== null; at = holder.closest(LINES)) holder = at.parentElement ?? this.root;
    const made = this.document.createElement('div');
    made.append(word);
    // What it is behind is still being copied, and so the last there.
    holder.append(made);
  }

  /** Leave ends an element. */
  leave<N extends CopyNote>({el, tag, note}: Visit<N>): void {
    const {pre} = note;
    if (pre?.opener === el) {
      pre.element.textContent = pre.text;
      return;
    }
    if (pre !== null && note.into !== null && (tag === 'div' || tag === 'li' || tag === 'tr')) newLine(pre);
    if (tag === 'summary' && note.into !== null && el.parentElement?.hasAttribute('open') === false) {
      note.into.append(' (collapsed)');
    }
  }

  /** Text puts a text into the copy. */
  text<N extends CopyNote>(data: string, {note}: Visit<N>): void {
    if (note.into === null) return;
    this.units += note.pre === null ? data.trim().length : data.length;
    if (note.pre === null) note.into.append(data);
    else note.pre.text += data;
  }

  private wrap<N extends CopyNote>(visit: Visit<N>, into: Element): Element {
    const {el, note} = visit;
    if (el instanceof HTMLTableElement) note.layout = isLayout(el);
    const name = copiedAs(visit, into);
    if (!KEPT.has(name) && !isBlock(visit)) return into;
    const made = this.document.createElement(KEPT.has(name) ? name : 'div');
    for (const attribute of NUMBERS.get(name) ?? []) {
      const value = el.getAttribute(attribute);
      if (value !== null) made.setAttribute(attribute, value);
    }
    into.append(made);
    return made;
  }

  private link<N extends CopyNote>(visit: Visit<N>, into: Element): void {
    const {el, note} = visit;
    if (!(el instanceof HTMLAnchorElement) || !/^(https?|mailto|tel|ftp):/.test(el.href)) return;
    const words = el.textContent.trim();
    // The permalink beside a heading says nothing.
    if (el.getAttribute('href')?.startsWith('#') === true && /^[#¶§🔗]?$/u.test(words)) {
      note.into = null;
      note.quietly = true;
      return;
    }
    const made = this.document.createElement('a');
    made.setAttribute('href', el.href);
    this.units += el.href.length;
    into.append(made);
    note.into = made;
    if (words === '' && el.querySelector('img') === null) made.append(this.names().of(el, 'a', 'link'));
  }

  private image<N extends CopyNote>(visit: Visit<N>, into: Element): void {
    const {el, rect} = visit;
    if (!(el instanceof HTMLImageElement) || visit.unpainted || visit.transparent || !visit.inSight) return;
    const alt = (el.getAttribute('alt') ?? el.getAttribute('aria-label') ?? '').trim();
    // Without words it is worth a line only where it is large enough to show something.
    const small = rect.right - rect.left < 64 || rect.bottom - rect.top < 64;
    if (alt === '' && (small || el.hasAttribute('alt'))) return;
    const src = addressOf(el);
    const made = this.document.createElement('img');
    made.setAttribute('alt', alt);
    if (src !== '') made.setAttribute('src', src);
    this.units += alt.length + src.length;
    into.append(made);
  }

  // A box at the beginning of a list item makes it a task.
  private checkbox<N extends CopyNote>({el}: Visit<N>, into: Element): void {
    if (!(el instanceof HTMLInputElement) || el.type !== 'checkbox' || into.closest('li') === null) {
      into.append(' ');
      return;
    }
    const made = this.document.createElement('input');
    made.setAttribute('type', 'checkbox');
    if (el.checked) made.setAttribute('checked', '');
    into.append(made);
  }

  private code<N extends CopyNote>(visit: Visit<N>, into: Element): void {
    const made = this.document.createElement('pre');
    const language = languageOf(visit.el);
    if (language !== '') made.setAttribute('data-lang', language);
    into.append(made);
    visit.note.into = made;
    visit.note.pre = {opener: visit.el, element: made, text: ''};
  }

  private inCode<N extends CopyNote>(visit: Visit<N>, pre: Code): void {
    const {el, tag, note} = visit;
    if (tag === 'br') pre.text += '\n';
    else if (LINE_NUMBERS.test(el.className) || visit.style.userSelect === 'none') {
      note.into = null;
      note.quietly = true;
    } else if (tag === 'div' || tag === 'li' || tag === 'tr') newLine(pre);
  }

  // Whether the element is a formula; then it is copied whole.
  private formula<N extends CopyNote>(visit: Visit<N>, into: Element): boolean {
    const {el, tag, note} = visit;
    const formula = formulaOf(el, tag);
    if (formula === undefined || visit.unpainted || visit.transparent || !visit.inSight) return false;
    const made = this.document.createElement('code');
    made.setAttribute('data-math', formula.block ? 'block' : 'inline');
    made.append(formula.tex);
    this.units += formula.tex.length;
    into.append(made);
    note.quietly = true;
    return true;
  }
}

// The name of an element's copy; one that is not KEPT becomes a div or nothing.
function copiedAs<N extends CopyNote>({tag, el, role, note}: Visit<N>, into: Element): string {
  if (note.layout && TABLE.has(tag)) return '';
  if (role === 'heading' && !/^h[1-6]$/.test(tag)) return `h${headingLevel(el)}`;
  if (tag === 'li' && into.localName !== 'ul' && into.localName !== 'ol') return '';
  return STANDS_FOR.get(tag) ?? tag;
}

// A column of line numbers beside code.
function isLineNumbers<N>({tag, el}: Visit<N>): boolean {
  return (tag === 'td' || tag === 'pre') && LINE_NUMBERS.test(el.className);
}

function newLine(code: Code): void {
  if (code.text !== '' && !code.text.endsWith('\n')) code.text += '\n';
}

// Navigation, footers, asides and what floats over the page: not what the page is about.
function isBeside<N>(visit: Visit<N>): boolean {
  const {tag, role, el} = visit;
  if (ASIDE.has(role) || tag === 'nav' || tag === 'aside') return true;
  if (tag === 'footer') return el.closest('blockquote, figure') === null;
  if (!isBlock(visit)) return false;
  const {position} = visit.style;
  if (position === 'fixed') return !fillsView(visit);
  return position === 'sticky' && isBar(visit);
}

// The page's own frame may be fixed: then it holds the page, and floats over nothing.
function fillsView<N>({el, rect}: Visit<N>): boolean {
  const view = el.ownerDocument.documentElement;
  const covers = rect.right - rect.left >= view.clientWidth * 0.9 && rect.bottom - rect.top >= view.clientHeight * 0.9;
  return covers && !el.matches('dialog,[role="dialog"],[role="alertdialog"],[aria-modal="true"]');
}

// Headers of tables and of sections stick too, and belong to the content.
function isBar<N>(visit: Visit<N>): boolean {
  if (TABLE.has(visit.tag) || /^h[1-6]$/.test(visit.tag)) return false;
  const {rect, el} = visit;
  const view = el.ownerDocument.documentElement;
  return rect.right - rect.left >= view.clientWidth * 0.8 && rect.bottom - rect.top <= view.clientHeight * 0.3;
}

function isLayout(table: HTMLTableElement): boolean {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none') return true;
  if (table.querySelector('table') !== null) return true;
  // Line numbers beside code.
  if (table.rows.length === 1 && table.querySelector('pre') !== null) return true;
  if (table.querySelector('th,caption,thead') !== null) return false;
  const row = table.querySelector('tr');
  return row === null || row.children.length < 2;
}

// Pictures that wait to be scrolled to keep their address in an attribute of their own.
function addressOf(img: HTMLImageElement): string {
  const lazy = img.getAttribute('data-src') ?? '';
  const later = lazy !== '' && URL.canParse(lazy, img.baseURI) ? new URL(lazy, img.baseURI).href : '';
  return [img.currentSrc, img.src, later].find((it) => /^https?:/.test(it)) ?? '';
}

function headingLevel(el: Element): string {
  const level = Number(el.getAttribute('aria-level') ?? '2');
  return Number.isInteger(level) && level >= 1 && level <= 6 ? level.toString() : '6';
}

// Code that is shown without a pre: a block that keeps its spaces and has letters of one width.
function isCodeBox<N>(visit: Visit<N>): boolean {
  if (visit.tag !== 'div' || visit.style.whiteSpaceCollapse !== 'preserve') return false;
  return visit.style.fontFamily.includes('mono') && isBlock(visit);
}

function languageOf(el: Element): string {
  const candidates = [el, el.querySelector('code'), el.closest('[data-lang],[data-language],[class*="highlight-"]')];
  for (const it of candidates) {
    if (it === null) continue;
    const given = it.getAttribute('data-lang') ?? it.getAttribute('data-language');
    if (given !== null && given !== '') return given.replace(/[^\w+#-]/g, '');
    const found = LANGUAGE.exec(it.className)?.[1];
    if (found !== undefined) return found;
  }
  return '';
}
