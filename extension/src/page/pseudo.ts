/** Whether a style sheet of a tree paints words before or after elements. */

// By sheet: its number of rules when it was looked through, and what was found.
const known = new WeakMap<CSSStyleSheet, {rules: number; words: boolean}>();
/**
 * PaintsText tells whether elements of a tree (a document or a shadow root) may have words before or after them.
 * Asking each element costs two computed styles, and most pages paint nothing but icons. Sheets of other origins
 * cannot be looked into and count as icons.
 */
export function paintsText(root: Node): boolean {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
  return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) => hasWords(sheet));
}

function hasWords(sheet: CSSStyleSheet): boolean {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return false;
  }
  const last = known.get(sheet);
  if (last?.rules === rules.length) return last.words;
  const words = search(rules);
  known.set(sheet, {rules: rules.length, words});
  return words;
}

function search(rules: CSSRuleList): boolean {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      if (/:(before|after)/.test(rule.selectorText) && isWord(rule.style.content)) return true;
      if (rule.cssRules.length > 0 && search(rule.cssRules)) return true;
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null && hasWords(rule.styleSheet)) return true;
    } else if (rule instanceof CSSGroupingRule && search(rule.cssRules)) return true;
  }
  return false;
}

// Icon fonts use the private area; separators and empty boxes say nothing.
function isWord(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  return content.includes('attr(') || content.includes('var(') || /[^\s"'\ue000-\uf8ff]/u.test(content);
}
