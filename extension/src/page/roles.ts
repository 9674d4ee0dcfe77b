/** Which ARIA role an element has: the role attribute where it is valid, else the mapping of W3C's HTML-AAM. */

import {innerRole} from './strangers';

/** The roles whose elements a person acts on: they get a ref. */
const WIDGETS = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
]);

/** The other roles of WAI-ARIA 1.2 that an author may write; one that stands in neither set is ignored. */
const STRUCTURE = new Set(
  (
    'alert alertdialog application article banner blockquote caption cell code columnheader comment complementary ' +
    'contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group ' +
    'heading img image insertion list listitem log main mark marquee math menu menubar meter navigation note paragraph ' +
    'progressbar radiogroup region row rowgroup rowheader scrollbar search separator status strong subscript ' +
    'suggestion superscript table tablist tabpanel term time timer toolbar tooltip tree treegrid none presentation'
  ).split(' '),
);

/** Roles whose name may come from what stands inside, as WAI-ARIA says. */
const NAMED_BY_CONTENT = new Set([
  'button',
  'cell',
  'checkbox',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'row',
  'rowheader',
  'switch',
  'tab',
  'tooltip',
  'treeitem',
]);

/**
 * Roles whose content is no part of the name of what they stand in, since they speak for themselves. Chromium passes
 * over these; the specification leaves it open.
 */
const SKIPPED = new Set(
  (
    'alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog document ' +
    'feed figure form grid group img listbox log main marquee menu menubar meter navigation note progressbar radiogroup ' +
    'row rowgroup scrollbar search separator status suggestion table tablist tabpanel timer toolbar tree treegrid'
  ).split(' '),
);
const SKIPPED_TAGS = new Set(
  'article aside blockquote details dialog fieldset figure form header hgroup main meter nav output progress search'.split(
    ' ',
  ),
);

const TAGS = new Map<string, string>(
  Object.entries({
    address: 'group',
    article: 'article',
    aside: 'complementary',
    blockquote: 'blockquote',
    button: 'button',
    caption: 'caption',
    code: 'code',
    datalist: 'listbox',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    dt: 'term',
    em: 'emphasis',
    fieldset: 'group',
    figure: 'figure',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hgroup: 'group',
    hr: 'separator',
    html: 'document',
    ins: 'insertion',
    li: 'listitem',
    main: 'main',
    mark: 'mark',
    math: 'math',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    search: 'search',
    strong: 'strong',
    sub: 'subscript',
    summary: 'button',
    sup: 'superscript',
    svg: 'img',
    table: 'table',
    tbody: 'rowgroup',
    td: 'cell',
    textarea: 'textbox',
    tfoot: 'rowgroup',
    thead: 'rowgroup',
    time: 'time',
    tr: 'row',
    ul: 'list',
  }),
);

const INPUTS = new Map<string, string>(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    file: 'button',
    image: 'button',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
  }),
);

/** IsWidget tells the roles that a person acts on. */
export function isWidget(role: string): boolean {
  return WIDGETS.has(role);
}

/** NamedByContent tells the roles whose name may come from the text inside. */
export function namedByContent(role: string): boolean {
  return NAMED_BY_CONTENT.has(role);
}

/** IsSkippedInNames tells the elements whose content is no part of the name of what they stand in. */
export function isSkippedInNames(el: Element, tag: string): boolean {
  const written = el.hasAttribute('role') ? writtenRole(el) : '';
  return written === '' ? SKIPPED_TAGS.has(tag) : SKIPPED.has(written);
}

/**
 * WrittenRole is the first valid token of the role attribute, or the empty string. `none` and
 * `presentation` are answered as `none`.
 */
export function writtenRole(el: Element): string {
  const attribute = el.getAttribute('role');
  if (attribute === null) return '';
  for (const token of attribute.toLowerCase().split(/\s+/)) {
    const role = knownRole(token);
    if (role !== '') return role;
  }
  return '';
}

/** KnownRole is a role as this program spells it, or the empty string for what is no role. */
export function knownRole(token: string): string {
  if (WIDGETS.has(token)) return token;
  if (token === 'presentation') return 'none';
  if (token === 'image') return 'img';
  return STRUCTURE.has(token) ? token : '';
}

/**
 * RoleOf is an element's role: `generic` where it has none of its own, `none` where it is presentational.
 *
 * @param tag the element's local name, which every caller has at hand.
 * @param written what {@link writtenRole} answered; empty when there is no role attribute.
 */
export function roleOf(el: Element, tag: string, written: string): string {
  if (written !== '' && !(written === 'none' && isFocusableTag(el, tag))) return written;
  return nativeRole(el, tag);
}

function nativeRole(el: Element, tag: string): string {
  const special = SPECIAL.get(tag);
  if (special !== undefined) return special(el);
  if (editingHost(el)) return 'textbox';
  const role = TAGS.get(tag);
  if (role !== undefined) return role;
  return (tag.includes('-') && innerRole(el, tag)) || 'generic';
}

// The elements whose role hangs on more than their tag.
const SPECIAL = new Map<string, (el: Element) => string>(
  Object.entries({
    a: linkRole,
    area: linkRole,
    input: inputRole,
    select: selectRole,
    img: imageRole,
    th: headerCellRole,
    header: (el: Element) => (isPagewide(el) ? 'banner' : 'generic'),
    footer: (el: Element) => (isPagewide(el) ? 'contentinfo' : 'generic'),
    section: (el: Element) => (hasAuthorName(el) ? 'region' : 'generic'),
    form: (el: Element) => (hasAuthorName(el) ? 'form' : 'generic'),
  }),
);

// Without an address it is a link where it looks like one: a script makes it lead somewhere.
function linkRole(el: Element): string {
  return el.hasAttribute('href') || getComputedStyle(el).cursor === 'pointer' ? 'link' : 'generic';
}

function selectRole(el: Element): string {
  return el.hasAttribute('multiple') || Number(el.getAttribute('size') ?? '0') > 1 ? 'listbox' : 'combobox';
}

function imageRole(el: Element): string {
  return el.getAttribute('alt') === '' && !el.hasAttribute('aria-label') ? 'none' : 'img';
}

function inputRole(el: Element): string {
  const type = (el.getAttribute('type') ?? 'text').toLowerCase();
  if (type === 'checkbox' && el.hasAttribute('switch')) return 'switch';
  const role = INPUTS.get(type) ?? 'textbox';
  return (role === 'textbox' || role === 'searchbox') && el.hasAttribute('list') ? 'combobox' : role;
}

function headerCellRole(el: Element): string {
  const scope = el.getAttribute('scope');
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope !== null) return 'columnheader';
  const row = el.parentElement;
  const inHead = row?.parentElement?.localName === 'thead';
  return !inHead && row?.querySelector('td') !== null ? 'rowheader' : 'columnheader';
}

/** EditingHost tells whether the element is itself the root of a contenteditable region. */
export function editingHost(el: Element): boolean {
  const editable = el.getAttribute('contenteditable');
  return editable !== null && editable.toLowerCase() !== 'false' && editable.toLowerCase() !== 'inherit';
}

// header and footer are landmarks only when no sectioning content holds them.
function isPagewide(el: Element): boolean {
  return el.closest('article, aside, main, nav, section') === null;
}

function hasAuthorName(el: Element): boolean {
  return el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') || el.hasAttribute('title');
}

// The presentational role is void on what can have the focus: that would hide a control.
function isFocusableTag(el: Element, tag: string): boolean {
  if (el.hasAttribute('tabindex')) return true;
  if (tag === 'a') return el.hasAttribute('href');
  return tag === 'button' || tag === 'input' || tag === 'select' || tag === 'textarea';
}
