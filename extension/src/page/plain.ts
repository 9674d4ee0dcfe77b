/** The page's text, line by line as innerText has it, less what no person can see. */

import {isBlock} from './paint';
import {collapse, harmless} from './text';
import type {Visit} from './walk';

/** PlainText gathers the text of a walk. */
export class PlainText {
  /** How much there is, in UTF-16 units, not yet tidied. */
  units = 0;
  private readonly done: string[] = [];
  private line = '';
  // If true, the line holds text whose spaces count.
  private exact = false;
  private blank = false;

  /** The text gathered so far. */
  get text(): string {
    this.end();
    return this.done.join('\n').replace(/^\n+|\n+$/g, '');
  }

  /** Open begins an element. */
  open<N>(visit: Visit<N>): void {
    if (visit.tag === 'br') {
      if (this.line.trim() === '') this.done.push('');
      this.end();
    } else if (CONTROLS.has(visit.tag)) this.line += ' ';
    else this.edge(visit);
  }

  /** Close ends an element. */
  close<N>(visit: Visit<N>): void {
    if (visit.tag === 'td' || visit.tag === 'th') this.line += '\t';
    else this.edge(visit);
  }

  /** Mark puts a word of ours on a line by itself. */
  mark(word: string): void {
    this.end();
    this.done.push(word);
    this.blank = false;
  }

  /** Add takes text that a person can see. */
  add<N>(text: string, parent: Visit<N>): void {
    this.units += text.length;
    if (!preserves(parent)) {
      this.line += text;
      return;
    }
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const it of lines) {
      this.done.push(harmless(this.line + it).trimEnd());
      this.line = '';
      this.blank = false;
    }
    this.line += last;
    this.exact = last !== '';
  }

  /** Space takes a text node of white space alone. */
  space<N>(text: string, parent: Visit<N>): void {
    if (preserves(parent)) this.add(text, parent);
    else if (this.line !== '') this.line += ' ';
  }

  private edge<N>(visit: Visit<N>): void {
    if (visit.tag === 'td' || visit.tag === 'th' || !isBlock(visit)) return;
    this.end();
    if (visit.tag !== 'p' || this.blank || this.done.length === 0) return;
    this.done.push('');
    this.blank = true;
  }

  private end(): void {
    const text = this.exact ? harmless(this.line).trimEnd() : tidy(this.line);
    this.line = '';
    this.exact = false;
    if (text === '') return;
    this.done.push(text);
    this.blank = false;
  }
}

const CONTROLS = new Set(['input', 'select', 'textarea', 'button', 'img']);

// Cells keep the tab between them.
function tidy(line: string): string {
  const cells = line.split('\t').map((it) => collapse(harmless(it)));
  return cells.join('\t').replace(/\t+$/, '').trimStart();
}

function preserves<N>(visit: Visit<N>): boolean {
  return visit.tag === 'pre' || visit.style.whiteSpaceCollapse === 'preserve';
}
