/** Finding the lists of options in a document: what a target stands for, which lists it opens, and what they offer. */

import type {ListKind} from './controlapi';
import {composedChildren, shadowOf} from './composed';
import {flatAncestors} from './hittest';
import {disabled} from './locate';
import {nameOf} from './names';
import type {Candidate} from './optionmatch';
import {isOutOfReach} from './reach';
import {roleOf, writtenRole} from './roles';
import {collapse} from './text';
import {visible} from './waiting';

/** Box is what a target stands for: a select, a listbox, or what opens one. */
export type Box =
  | {readonly kind: 'native'; readonly element: HTMLSelectElement}
  | {readonly kind: Exclude<ListKind, 'native'>; readonly element: Element};

/** Option is one that the page shows. */
export interface Option extends Candidate {
  readonly element: Element;
  readonly chosen: boolean;
}

const lists = new Set(['listbox', 'menu', 'tree']);
const options = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem']);

/** What lists and options of a whole document are found by. */
const listSelector = '[role~=listbox],[role~=menu],[role~=tree]';
const optionSelector = '[role~=option],[role~=menuitemradio],[role~=treeitem]';

/** BoxOf is the list that a target stands for: itself, its label's control, what it is inside of, or the one inside of it. */
export function boxOf(target: Element): Box | undefined {
  if (target instanceof HTMLLabelElement && target.control) return boxOf(target.control);
  const own = asBox(target);
  if (own) return own;
  const inner = [...descendants(target)].map(asBox).filter((box) => box !== undefined);
  const shown = inner.filter(({element}) => visible(element) && !isOutOfReach(element));
  const [first] = shown.length > 0 ? shown : inner;
  if (first) return first;
  for (const at of flatAncestors(target)) {
    const box = asBox(at);
    if (box) return box;
  }
  return undefined;
}

function asBox(element: Element): Box | undefined {
  if (element instanceof HTMLSelectElement) return {kind: 'native', element};
  if (element instanceof HTMLOptionElement) {
    const select = element.closest('select');
    return select ? {kind: 'native', element: select} : undefined;
  }
  const role = listRole(element);
  if (lists.has(role)) return {kind: 'list', element};
  const popup = element.getAttribute('aria-haspopup');
  const opens = role === 'combobox' || (popup !== null && popup !== 'false' && popup !== 'dialog');
  // A text field with suggestions of the browser's own has no list in the page.
  return opens && !element.hasAttribute('list') ? {kind: 'popup', element} : undefined;
}

/** IsMultiple tells whether several options of a list may be chosen at a time. */
export function isMultiple(box: Box, before?: ReadonlySet<Element>): boolean {
  if (box.kind === 'native') return box.element.multiple;
  return [box.element, ...listsOf(box, before)].some((at) => at.getAttribute('aria-multiselectable') === 'true');
}

/** NativeOptions are those of a select. */
export function nativeOptions(select: HTMLSelectElement): (Candidate & {option: HTMLOptionElement})[] {
  return Array.from(select.options, (option) => {
    const group = option.parentElement;
    const names = [option.label, option.text].map(collapse);
    const off = option.disabled || (group instanceof HTMLOptGroupElement && group.disabled);
    return {option, names: [...new Set(names)], values: [option.value], disabled: off};
  });
}

/** ShownLists are all lists that the document shows now, shadow trees included. */
export function shownLists(): Element[] {
  return everywhere(listSelector).filter(visible);
}

/** ShownOptions are all options that the document shows now outside of any list. */
export function shownOptions(): Element[] {
  return everywhere(optionSelector).filter(visible);
}

/**
 * ListsOf are the lists that can be seen of a box: the list itself; those that a combobox names or holds; else
 * those that came since `before` was noted. Without `before` only what the box itself tells of is looked at.
 */
export function listsOf(box: Box, before?: ReadonlySet<Element>): Element[] {
  if (box.kind === 'list') return [box.element];
  const named = [...around(box.element)].flatMap((at) =>
    ['aria-controls', 'aria-owns', 'aria-activedescendant'].flatMap((attribute) =>
      byIds(at, at.getAttribute(attribute)),
    ),
  );
  const told = named.map((at) => listAround(at) ?? at).filter(visible);
  if (told.length > 0) return [...new Set(told)];
  const held = [...around(box.element)]
    .flatMap((at) => [...descendants(at)])
    .filter((at) => lists.has(listRole(at)) && !(at instanceof HTMLSelectElement));
  const shown = held.filter(visible);
  if (shown.length > 0 || !before) return [...new Set(shown)];
  return shownLists().filter((at) => !before.has(at));
}

/** OptionsIn are the options that a list shows, in order. */
export function optionsIn(list: Element): Option[] {
  const found = [...descendants(list)].filter(
    (at) => options.has(listRole(at)) && !(at instanceof HTMLOptionElement) && visible(at),
  );
  return (found.length > 0 || !options.has(listRole(list)) ? found : [list]).map(asOption);
}

/** AsOption reads an option of the page. */
export function asOption(element: Element): Option {
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  const names = [nameOf(element), text, element.textContent].map(collapse).filter((name) => name !== '');
  const values = ['value', 'data-value'].flatMap((name) => element.getAttribute(name) ?? []);
  const chosen = (element.ariaSelected ?? element.ariaChecked) === 'true';
  return {element, names: [...new Set(names)], values, disabled: disabled(element) !== undefined, chosen};
}

/** IsCollapsed tells that a popup says that it is closed, whatever can be seen of lists in it. */
export function isCollapsed({kind, element}: Box): boolean {
  return kind === 'popup' && element.getAttribute('aria-expanded') === 'false';
}

/** ShownBy is what the box of a popup shows as its value. */
export function shownBy(box: Box): string {
  for (const at of [box.element, ...descendants(box.element)]) {
    if (at instanceof HTMLInputElement && at.type !== 'hidden' && at.value !== '') return collapse(at.value);
  }
  for (const at of around(box.element)) {
    const text = at instanceof HTMLElement ? collapse(at.innerText) : '';
    if (text !== '') return text;
  }
  return '';
}

/** ScrollerOf is what scrolls in or around a list, if anything does. */
export function scrollerOf(list: Element): Element | undefined {
  for (const at of [list, ...descendants(list), ...flatAncestors(list)]) {
    if (at === document.body || at === document.documentElement) continue;
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return undefined;
}

/** Descendants are the elements below one in the composed tree, in order. */
export function* descendants(element: Element): Generator<Element> {
  for (const child of composedChildren(element)) {
    if (!(child instanceof Element)) continue;
    yield child;
    yield* descendants(child);
  }
}

/** Around are a combobox and what may be its frame: the wrapper that holds the field, the custom element that it is the inside of. */
export function* around(box: Element): Generator<Element> {
  let steps = 0;
  for (const at of flatAncestors(box)) {
    if (at === document.body || at.localName === 'form' || steps > 2) return;
    yield at;
    if (!(at.parentNode instanceof ShadowRoot)) steps++;
  }
}

function byIds(from: Element, ids: string | null): Element[] {
  const root = from.getRootNode();
  if (ids === null || !(root instanceof Document || root instanceof ShadowRoot)) return [];
  return ids.split(/\s+/).flatMap((id) => (id === '' ? [] : (root.getElementById(id) ?? [])));
}

function listAround(element: Element): Element | undefined {
  for (const at of flatAncestors(element)) if (lists.has(listRole(at))) return at;
  return undefined;
}

function listRole(element: Element): string {
  const tag = element.localName;
  const role = roleOf(element, tag, writtenRole(element));
  if (role !== 'generic' || !tag.includes('-')) return role;
  if (tag.endsWith('-option')) return 'option';
  return tag.endsWith('-listbox') ? 'listbox' : role;
}

function everywhere(selector: string): Element[] {
  return [...rootsIn(document)].flatMap((root) => [...root.querySelectorAll(selector)]);
}

function* rootsIn(root: Document | ShadowRoot): Generator<Document | ShadowRoot> {
  yield root;
  for (const at of root.querySelectorAll('*')) {
    const inner = shadowOf(at, at.localName);
    if (inner) yield* rootsIn(inner);
  }
}
