/** Markdown of a pruned copy: turndown with rules for what real pages do to tables, code, links and images. */

import {strikethrough, taskListItems} from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/**
 * Markdown converts an element of an inert document. It may change that element; never hand it one of the
 * live page, whose custom elements and images would notice.
 */
export function markdown(root: HTMLElement): string {
  service ??= build();
  for (const table of root.querySelectorAll('table')) square(table);
  return service
    .turndown(root)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
}

let service: TurndownService | undefined;

function build(): TurndownService {
  const built = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  built.use([strikethrough, taskListItems]);
  for (const [name, rule] of Object.entries(RULES)) built.addRule(name, rule);
  const escape = built.escape.bind(built);
  built.escape = (text) => escaped(escape(text));
  return built;
}

// Turndown leaves alone what only readers of HTML or of GitHub's Markdown take for markup, and marks underscores and
// stars that no reader takes for emphasis: names of things must come out as they are.
function escaped(text: string): string {
  return text
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/~~/g, '\\~\\~')
    .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
    .replace(/(?<=\S )\\\*(?= )/g, '*');
}

// Turndown hands its rules nodes of its own copy of ours.
const RULES: Record<string, TurndownService.Rule> = {
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => {
      const text = oneLine(content);
      return text === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${text}\n\n`;
    },
  },
  link: {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) => {
      const text = oneLine(content).replace(/^#+ /, '');
      const href = node instanceof Element ? (node.getAttribute('href') ?? '') : '';
      return text === '' ? '' : `[${text}](${destination(href)})`;
    },
  },
  image: {
    filter: 'img',
    replacement: (_, node) => {
      if (!(node instanceof Element)) return '';
      const alt = oneLine(node.getAttribute('alt') ?? '').replace(/[[\]\\]/g, '\\$&');
      const src = node.getAttribute('src') ?? '';
      return alt === '' && src === '' ? '' : `![${alt}](${destination(src)})`;
    },
  },
  code: {
    filter: 'pre',
    replacement: (_, node) => {
      const text = node.textContent.replace(/^\n|\s+$/g, '');
      if (text === '') return '';
      // A row of a table is one line: there each line of the code is code by itself.
      if (node instanceof Element && node.closest('td,th') !== null)
        return text.split('\n').map(inlineCode).join('<br>');
      const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
      const fence = '`'.repeat(longest + 1);
      const language = node instanceof Element ? (node.getAttribute('data-lang') ?? '') : '';
      return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
    },
  },
  formula: {
    filter: (node) => node.nodeName === 'CODE' && node.hasAttribute('data-math'),
    replacement: (_, node) => {
      const tex = node.textContent.trim();
      const block = node instanceof Element && node.getAttribute('data-math') === 'block';
      return block && node.parentElement?.closest('td,th,a,h1,h2,h3,h4,h5,h6') === null
        ? `\n\n$$${tex}$$\n\n`
        : `$${tex}$`;
    },
  },
  listItem: {
    filter: 'li',
    replacement: (content, node) => {
      const marker = markerOf(node);
      // What continues an item stands under its text: the indentation is the marker's width.
      const body = content.replace(/^\n+|\n+$/g, '').replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`);
      return `${marker}${body}${node.nextSibling === null ? '' : '\n'}`;
    },
  },
  term: {filter: 'dt', replacement: (content) => `\n\n**${oneLine(content)}**\n`},
  definition: {filter: 'dd', replacement: (content) => `\n: ${content.trim().replace(/\n(?=.)/g, '\n  ')}\n`},
  cell: {
    filter: ['th', 'td'],
    replacement: (content, node) => {
      const text = content
        .trim()
        .replace(/\|/g, '\\|')
        .replace(/\s*\n+\s*/g, '<br>');
      const span = node instanceof Element ? spanOf(node, 'colspan') : 1;
      return ` ${text} |${'  |'.repeat(span - 1)}`;
    },
  },
  row: {
    filter: 'tr',
    replacement: (content, node) => {
      if (!(node instanceof Element)) return content;
      return `\n|${content}${isHeaderRow(node) ? `\n|${' --- |'.repeat(widthOf(node))}` : ''}`;
    },
  },
  section: {filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content},
  caption: {filter: 'caption', replacement: () => ''},
  table: {
    filter: 'table',
    replacement: (content, node) => {
      if (!(node instanceof Element)) return content;
      const rows = content.replace(/\n+/g, '\n').trim();
      if (rows === '') return '';
      const caption = oneLine(node.querySelector('caption')?.textContent ?? '');
      const first = node.querySelector('tr');
      // A table needs a header to be one: an empty row where the page has none.
      const width = first === null ? 0 : widthOf(first);
      const head = first !== null && isHeaderRow(first) ? '' : `|${'  |'.repeat(width)}\n|${' --- |'.repeat(width)}\n`;
      return `\n\n${caption === '' ? '' : `${caption}\n\n`}${head}${rows}\n\n`;
    },
  },
};

function markerOf(node: Node): string {
  const list = node.parentElement;
  if (list?.nodeName !== 'OL' || !(node instanceof Element)) return '- ';
  const items = Array.from(list.children).filter((item) => item.nodeName === 'LI');
  const step = list.hasAttribute('reversed') ? -1 : 1;
  let number = Number(list.getAttribute('start') ?? (step === 1 ? '1' : items.length.toString()));
  for (const item of items) {
    if (item.hasAttribute('value')) number = Number(item.getAttribute('value'));
    if (item === node) break;
    number += step;
  }
  return `${Number.isInteger(number) ? number.toString() : '1'}. `;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function inlineCode(line: string): string {
  if (line.trim() === '') return line;
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `${marks}${line}${marks}` : `${marks} ${line} ${marks}`;
}

function destination(address: string): string {
  return address.replace(/[\s<>()\\]/g, (it) => `%${it.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
}

function spanOf(cell: Element, attribute: 'colspan' | 'rowspan'): number {
  const span = Number(cell.getAttribute(attribute) ?? '1');
  return Number.isInteger(span) && span > 1 ? Math.min(span, attribute === 'colspan' ? 100 : 65_534) : 1;
}

function widthOf(row: Element): number {
  let width = 0;
  for (const cell of row.children) width += spanOf(cell, 'colspan');
  return width;
}

function isHeaderRow(row: Element): boolean {
  const first = row.closest('table')?.querySelector('tr');
  if (first !== row) return false;
  return row.parentElement?.nodeName === 'THEAD' || Array.from(row.children).every((cell) => cell.nodeName === 'TH');
}

/**
 * Square gives every row of a table the same number of cells: a cell that spans rows leaves empty ones
 * below it, and short rows are filled up, so that no column shifts.
 */
function square(table: HTMLTableElement): void {
  const document = table.ownerDocument;
  const rows = Array.from(table.querySelectorAll('tr'));
  // Column → how many more rows a cell above covers.
  const covered = new Map<number, number>();
  let widest = 0;
  let section: Element | null = null;
  for (const row of rows) {
    // No cell reaches beyond its part of the table.
    if (row.parentElement !== section) covered.clear();
    section = row.parentElement;
    let column = 0;
    for (const cell of Array.from(row.children)) {
      column = fill(row, cell, column, covered);
      const width = spanOf(cell, 'colspan');
      const down = cell.getAttribute('rowspan') === '0' ? Infinity : spanOf(cell, 'rowspan') - 1;
      for (let i = 0; down > 0 && i < width; i++) covered.set(column + i, down);
      column += width;
    }
    column = fill(row, null, column, covered);
    widest = Math.max(widest, column);
  }
  for (const row of rows) {
    for (let width = widthOf(row); width < widest; width++) row.append(document.createElement('td'));
  }
}

function fill(row: Element, before: Element | null, column: number, covered: Map<number, number>): number {
  let at = column;
  for (let left = covered.get(at) ?? 0; left > 0; left = covered.get(at) ?? 0) {
    covered.set(at, left - 1);
    row.insertBefore(row.ownerDocument.createElement('td'), before);
    at++;
  }
  return at;
}
