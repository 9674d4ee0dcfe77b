/** Putting text into controls: what kind of control it is, where the text goes, and what became of it. */

import type {EditKind, Verdict} from './actapi';
import {composedChildren} from './composed';
import {isFading} from './fading';
import {isOutOfReach} from './reach';
import {isCheck, setTo} from './values';

const typed = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

/** The form that the value of each kind of set control has, for error messages. */
const forms: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM',
  'datetime-local': 'YYYY-MM-DDTHH:MM',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
  color: '#rrggbb',
  range: 'a number',
};

/** KindOf tells what an element does with text. */
export function kindOf(element: Element): EditKind {
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLSelectElement) return 'select';
  if (element instanceof HTMLInputElement) {
    if (typed.has(element.type)) return 'text';
    if (element.type in forms) return 'set';
    if (isCheck(element)) return 'checkbox';
    return element.type === 'file' ? 'file' : 'none';
  }
  if (element instanceof HTMLElement && editable(element)) return 'rich';
  return isCheck(element) ? 'checkbox' : 'none';
}

/**
 * FieldOf is the field that a target stands for: itself, its label's control, the editing host around it, or
 * the one field inside of it (a design system's wrapper). Undefined if there is none, or more than one.
 */
export function fieldOf(target: Element): Element | undefined {
  const kind = kindOf(target);
  if (target instanceof HTMLLabelElement && target.control) return target.control;
  if (kind === 'rich') return editingHost(target);
  if (kind !== 'none') return target;
  const inside = [...fieldsIn(target, 2)];
  return inside.length === 1 ? inside[0] : undefined;
}

/** ReadOnly tells whether a field refuses text for now. */
export function readOnly(field: Element): boolean {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.readOnly;
  return field.getAttribute('aria-readonly') === 'true';
}

/** The sides of a box, in CSS pixels, in which nobody can read a word. */
const illegible = 4;

/**
 * PassesOn tells a field that is only there to catch keys: it cannot be seen, and what was typed is painted
 * elsewhere, as code editors and terminals do. What it holds says little of what the editor holds.
 */
export function passesOn(field: Element): boolean {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  if (!field.checkVisibility({visibilityProperty: true})) return true;
  if (!field.checkVisibility({opacityProperty: true}) && !isFading(field)) return true;
  const {width, height, right, bottom} = field.getBoundingClientRect();
  if (width <= illegible || height <= illegible || right + scrollX <= 0 || bottom + scrollY <= 0) return true;
  const around = field.parentElement;
  if (!around || getComputedStyle(around).overflow !== 'hidden') return false;
  return around.clientWidth <= illegible || around.clientHeight <= illegible;
}

/** HeldBy is what a field holds, whole, as a person would read it. */
export function heldBy(field: Element): string {
  const set = setTo(field);
  if (set !== undefined) return set;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
  if (field instanceof HTMLSelectElement) return field.value;
  if (!(field instanceof HTMLElement)) return '';
  return field.innerText.replaceAll('\u00a0', ' ').replace(/\n$/, '');
}

/** LimitOf is the most UTF-16 units that a field holds, where it has a limit. */
export function limitOf(field: Element): {maxLength?: number} {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.maxLength < 0) return {};
  return {maxLength: field.maxLength};
}

/** Focus gives a field the focus by script and tells whether it has it: a page may take it away again. */
export function focusField(field: Element): boolean {
  if (!(field instanceof HTMLElement || field instanceof SVGElement)) return false;
  // A second try: some pages hand the focus back once when they validate the field that loses it.
  for (let tries = 0; tries < 2 && !hasFocus(field); tries++) field.focus({preventScroll: true});
  return hasFocus(field);
}

/** HasFocus tells whether keys go to this field, as far as its document knows. */
export function hasFocus(field: Element): boolean {
  return field.matches(':focus');
}

/** SelectAll selects what a field holds, so that the next text replaces it. */
export function selectAll(field: Element): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  else getSelection()?.selectAllChildren(field);
}

/** CaretToEnd puts the caret behind what a field holds. */
export function caretToEnd(field: Element): void {
  if (field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.selectionStart !== null)) {
    field.setSelectionRange(field.value.length, field.value.length);
    return;
  }
  const selection = getSelection();
  if (field instanceof HTMLInputElement) {
    // Fields for numbers and e-mail addresses tell nothing of their selection, but it moves all the same.
    field.select();
    selection?.modify('move', 'forward', 'lineboundary');
    return;
  }
  selection?.selectAllChildren(field);
  selection?.collapseToEnd();
}

/** What became of setting a value by script. */
export type SetOutcome = {readonly ok: true} | {readonly ok: false; readonly expected: string};

/**
 * SetValue sets the value of a control that takes no typed text, and tells the page as a person's choice
 * would: one input and one change event. The setter is this world's own, so that a framework's tracker on
 * the element (React's) sees a value that it did not set. A value that the control does not take leaves it
 * as it was.
 */
export function setValue(field: HTMLInputElement, value: string): SetOutcome {
  const before = field.value;
  const wanted = field.type === 'color' ? value.trim().toLowerCase() : value.trim();
  field.value = wanted;
  const expected = forms[field.type] ?? 'another value';
  if (!sameValue(field.type, field.value, wanted)) {
    const limits =
      field.type === 'range'
        ? ` from ${field.min || '0'} to ${field.max || '100'} in steps of ${field.step || '1'}`
        : '';
    field.value = before;
    return {ok: false, expected: expected + limits};
  }
  if (field.value !== before) tellChanged(field);
  return {ok: true};
}

/** TellChanged sends the events of a person's change: input, then change. */
export function tellChanged(field: Element): void {
  field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
  field.dispatchEvent(new Event('change', {bubbles: true}));
}

/**
 * Judge compares what a field holds with what it was asked to hold, code point by code point.
 *
 * @param before what it held, empty when it was cleared first.
 * @param after what it holds.
 * @param text what was typed, behind what it held.
 */
export function judge(before: string, after: string, text: string, kind: EditKind): Verdict {
  if (kind === 'checkbox') return after === text.trim().toLowerCase() ? 'as asked' : 'refused';
  const wanted = plain(before + text, kind);
  const held = plain(after, kind);
  if (held === wanted) return 'as asked';
  return held === plain(before, kind) && text !== '' ? 'refused' : 'differs';
}

/** Line ends and, in rich editors, the spaces and empty lines around the text are not the person's to choose. */
function plain(text: string, kind: EditKind): string {
  const lines = text.normalize('NFC').replace(/\r\n?/g, '\n');
  return kind === 'rich'
    ? lines.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').replace(/\n+/g, '\n').trim()
    : lines;
}

function sameValue(type: string, held: string, wanted: string): boolean {
  if (held === wanted) return true;
  if (type === 'range') return wanted !== '' && Number(held) === Number(wanted);
  // A time may come back with or without its seconds.
  return (type === 'time' || type === 'datetime-local') && held !== '' && wanted.replace(' ', 'T').startsWith(held);
}

/** JSDOM, where this is tested, has no isContentEditable. */
function editable(element: HTMLElement): boolean {
  return (
    element.isContentEditable || (element.ownerDocument.designMode === 'on' && element === element.ownerDocument.body)
  );
}

function editingHost(element: Element): Element {
  let host = element;
  for (let at = element.parentElement; at instanceof HTMLElement && editable(at); at = at.parentElement) host = at;
  return host;
}

function* fieldsIn(element: Element, limit: number): Generator<Element> {
  let found = 0;
  for (const child of composedChildren(element)) {
    if (!(child instanceof Element)) continue;
    const kind = kindOf(child);
    const fields = kind === 'none' ? fieldsIn(child, limit) : [child];
    for (const field of fields) {
      if (!field.checkVisibility() || isOutOfReach(field)) continue;
      yield field;
      if (++found >= limit) return;
    }
  }
}
