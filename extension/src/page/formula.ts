/** Formulas as TeX: as their author wrote them, or else as their MathML says. */

/** Formula is a formula's TeX, and whether it stands on a line of its own. */
export interface Formula {
  tex: string;
  block: boolean;
}

const TEX = 'annotation[encoding="application/x-tex"], annotation[encoding="TeX"]';
// What renderers put around a formula; what they paint in it has no text of its own, or has it twice.
const RENDERED = /(^|\s)(katex|katex-display|MathJax|MathJax_Display|MathJax_SVG|MathJax_CHTML|mwe-math-element)(\s|$)/;
const PICTURES = /(^|[\s_-])(latex|tex|math|mwe-math-fallback-image-\w+)([\s_-]|$)/i;

/** FormulaOf reads a formula that begins at this element of the live page; undefined when none does. */
export function formulaOf(el: Element, tag: string): Formula | undefined {
  if (tag === 'img') return pictureOf(el);
  if (tag !== 'math' && tag !== 'mjx-container' && (!MAYBE.has(tag) || !RENDERED.test(el.className))) return undefined;
  const math = tag === 'math' ? el : el.querySelector('math');
  const written = el.querySelector(TEX)?.textContent ?? math?.getAttribute('alttext') ?? el.getAttribute('data-tex');
  const tex = (written ?? (math === null ? '' : texOf(math))).replace(/\s+/g, ' ').trim();
  if (tex === '') return undefined;
  return {tex: plain(tex), block: isBlock(el, math)};
}
const MAYBE = new Set(['div', 'span']);

function pictureOf(el: Element): Formula | undefined {
  const alt = (el.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
  if (alt === '' || !PICTURES.test(el.className) || !/[\\^_={}]/.test(alt)) return undefined;
  return {tex: plain(alt), block: /(^|[\s_-])(display|block)([\s_-]|$)/.test(el.className)};
}

// Wikipedia's wrapper says what was asked for anyway.
function plain(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

function isBlock(el: Element, math: Element | null): boolean {
  if (el.getAttribute('display') === 'true' || math?.getAttribute('display') === 'block') return true;
  return /(^|\s)(katex-display|MathJax_Display)(\s|$)/.test(el.className) || el.closest('.katex-display') !== null;
}

// Deeper than this no formula goes that a person reads.
const DEEPEST = 60;

// How an element of MathML is written, by what its children are.
type Writer = (children: readonly string[], el: Element) => string;
const text: Writer = (_, el) => el.textContent.trim();
const nothing: Writer = () => '';
const over: Writer = ([a = '', b = '']) => `${grouped(a)}^${braced(b)}`;
const under: Writer = ([a = '', b = '']) => `${grouped(a)}_${braced(b)}`;
const both: Writer = ([a = '', b = '', c = '']) => `${grouped(a)}_${braced(b)}^${braced(c)}`;
const WRITERS = new Map<string, Writer>([
  ['mi', text],
  ['mn', text],
  ['mo', text],
  ['ms', text],
  ['mtext', (_, el) => `\\text{${el.textContent.trim()}}`],
  ['semantics', ([a = '']) => a],
  ['annotation', nothing],
  ['annotation-xml', nothing],
  ['msup', over],
  ['mover', over],
  ['msub', under],
  ['munder', under],
  ['msubsup', both],
  ['munderover', both],
  ['mfrac', ([a = '', b = '']) => `\\frac{${a}}{${b}}`],
  ['msqrt', (all) => `\\sqrt{${all.join('')}}`],
  ['mroot', ([a = '', b = '']) => `\\sqrt[${b}]{${a}}`],
  ['mfenced', (all, el) => `${el.getAttribute('open') ?? '('}${all.join(', ')}${el.getAttribute('close') ?? ')'}`],
  ['mtr', (all) => all.join(' & ')],
  ['mtable', (all) => `\\begin{matrix}${all.join(' \\\\ ')}\\end{matrix}`],
]);

function texOf(el: Element, depth = 0): string {
  if (depth > DEEPEST) return '';
  const all = Array.from(el.children, (child) => texOf(child, depth + 1));
  return WRITERS.get(el.localName)?.(all, el) ?? all.join('');
}

function braced(tex: string): string {
  return Array.from(tex).length === 1 ? tex : `{${tex}}`;
}

function grouped(tex: string): string {
  return /^(\\?\w+|[^\s\w]|\(.*\))$/u.test(tex) ? tex : `{${tex}}`;
}
