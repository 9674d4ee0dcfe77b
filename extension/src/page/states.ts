/** The value and the states of an element, as agents are told them. */

import {label} from './text';

/** The longest value that is told, in UTF-16 units. */
export const VALUE_MAX = 200;

// Fields that once hid what was typed: a "show password" button turns them into plain ones, and they stay secret.
const secrets = new WeakSet<Element>();

/** IsSecret tells fields whose value is never told: passwords, also while the page shows them in clear. */
export function isSecret(el: Element): boolean {
  if (!(el instanceof HTMLInputElement)) return false;
  if (el.type === 'password') secrets.add(el);
  return secrets.has(el) || el.autocomplete.includes('password');
}

/** ValueOf is what a field holds, one line of at most {@link VALUE_MAX} units; undefined for what holds no value, and for secrets. */
export function valueOf(el: Element, tag: string, role: string): string | undefined {
  const held = heldBy(el, tag, role);
  return held === undefined ? undefined : label(held, VALUE_MAX);
}

function heldBy(el: Element, tag: string, role: string): string | undefined {
  if (tag === 'input' && el instanceof HTMLInputElement) return inputValue(el);
  if (tag === 'textarea' && el instanceof HTMLTextAreaElement) return el.value;
  if (tag === 'select' && el instanceof HTMLSelectElement) {
    return Array.from(el.selectedOptions, (option) => option.text).join(', ');
  }
  if (RANGES.has(role)) return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
  if (!TEXTS.has(role) || tag === 'button') return undefined;
  return el instanceof HTMLElement && el.isContentEditable ? el.textContent : undefined;
}
const RANGES = new Set(['slider', 'spinbutton']);
const TEXTS = new Set(['combobox', 'searchbox', 'textbox']);
const VALUELESS = new Set(['button', 'checkbox', 'image', 'radio', 'reset', 'submit']);

function inputValue(el: HTMLInputElement): string | undefined {
  if (VALUELESS.has(el.type) || isSecret(el)) return undefined;
  return el.type === 'file' ? Array.from(el.files ?? [], (file) => file.name).join(', ') : el.value;
}

// One look whether there is anything to say: most elements have no state at all.
const STATEFUL =
  'input,textarea,select,summary,:disabled,:focus,[aria-checked],[aria-selected],[aria-expanded],[aria-pressed],' +
  '[aria-disabled],[aria-required],[aria-readonly],[aria-invalid],[aria-haspopup],[aria-current]';

// What else is said, in this order, by the selector that finds it. `details` says of its summary whether it is open.
const FLAGS: readonly (readonly [state: string, selector: string])[] = [
  ['disabled', ':disabled,[aria-disabled="true"]'],
  ['expanded', '[aria-expanded="true"],details[open]>summary'],
  ['collapsed', '[aria-expanded="false"],details:not([open])>summary'],
  ['pressed', '[aria-pressed="true"]'],
  ['mixed', '[aria-pressed="mixed"]'],
  ['selected', '[aria-selected="true"]'],
  ['required', ':required,[aria-required="true"]'],
  ['readonly', '[aria-readonly="true"],input[readonly],textarea[readonly]'],
  ['invalid', '[aria-invalid]:not([aria-invalid="false"],[aria-invalid=""])'],
  ['current', '[aria-current]:not([aria-current="false"],[aria-current=""])'],
  ['focused', ':focus'],
];

/**
 * StatesOf lists what else there is to know of an element, in this order: checked or mixed, disabled,
 * expanded or collapsed, pressed, selected, required, readonly, invalid, current, focused.
 */
export function statesOf(el: Element, tag: string): string[] {
  if (!el.matches(STATEFUL)) return [];
  const checked = checkedOf(el, tag);
  const states = checked === '' ? [] : [checked];
  for (const [state, selector] of FLAGS) if (el.matches(selector)) states.push(state);
  return states;
}

function checkedOf(el: Element, tag: string): string {
  if (tag === 'input' && el instanceof HTMLInputElement && (el.type === 'checkbox' || el.type === 'radio')) {
    if (el.indeterminate) return 'mixed';
    return el.checked ? 'checked' : '';
  }
  const checked = el.getAttribute('aria-checked');
  if (checked === 'mixed') return 'mixed';
  return checked === 'true' ? 'checked' : '';
}
