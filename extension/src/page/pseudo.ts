/** What style sheets do to words: those that they paint before or after elements, and letters that they change. */

/** Styling is what the sheets of a tree (a document or a shadow root) may do to the words in it. */
export interface Styling {
  /** If true, words may stand before or after elements. */
  words: boolean;
  /** If true, letters may be shown as other ones (text-transform). */
  letters: boolean;
}

// By sheet: its number of rules when it was looked through, and what was found.
const known = new WeakMap<CSSStyleSheet, Styling & {rules: number}>();

/**
 * StylingOf tells what is to be asked of the elements of a tree. Asking each costs up to three computed styles, and most
 * pages paint nothing but icons. Sheets of other origins cannot be looked into and count as doing nothing.
 */
export function stylingOf(root: Node): Styling {
  const all = {words: false, letters: false};
  if (!(root instanceof Document || root instanceof ShadowRoot)) return all;
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) add(all, stylingBy(sheet));
  return all;
}

/** WithLetters is a text as an element shows it: in capitals, in small letters, or each word with a capital. */
export function withLetters(el: Element, text: string): string {
  switch (getComputedStyle(el).textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());
    default:
      return text;
  }
}

/** PseudoText is what a style sheet paints before or after an element, as far as it is words and can be seen. */
export function pseudoText(el: Element, which: '::before' | '::after'): string {
  const style = getComputedStyle(el, which);
  const {content} = style;
  if (!content.startsWith('"') || style.visibility === 'hidden' || style.display === 'none') return '';
  // `"* " / "alternative"`: what stands after the slash is what is spoken.
  const strings = content.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const spoken = content.includes('" / "') ? strings.slice(-1) : strings;
  return spoken.map((it) => it.slice(1, -1).replace(/\\(.)/g, '$1')).join('');
}

function add(all: Styling, {words, letters}: Styling): void {
  all.words ||= words;
  all.letters ||= letters;
}

function stylingBy(sheet: CSSStyleSheet): Styling {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return {words: false, letters: false};
  }
  const last = known.get(sheet);
  if (last?.rules === rules.length) return last;
  const found = {rules: rules.length, words: false, letters: false};
  search(rules, found);
  known.set(sheet, found);
  return found;
}

function search(rules: CSSRuleList, found: Styling): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      const {style} = rule;
      found.letters ||= CASES.has(style.textTransform);
      found.words ||= /:(before|after)/.test(rule.selectorText) && isWord(style.content);
      if (rule.cssRules.length > 0) search(rule.cssRules, found);
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null) add(found, stylingBy(rule.styleSheet));
    } else if (rule instanceof CSSGroupingRule) search(rule.cssRules, found);
    if (found.words && found.letters) return;
  }
}
const CASES = new Set(['uppercase', 'lowercase', 'capitalize']);

// Icon fonts use the private area; separators and empty boxes say nothing.
function isWord(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  return content.includes('attr(') || content.includes('var(') || /[^\s"'\ue000-\uf8ff]/u.test(content);
}
