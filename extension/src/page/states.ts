/** The value and the states of an element, as agents are told them. */

import {HAS, attributesOf} from './attributes';
import {hasInnerRole} from './strangers';
import {label} from './text';

/** The longest value that is told, in UTF-16 units. */
export const VALUE_MAX = 200;

// Fields that once hid what was typed, and those that a secret was entered into: a "show password" button turns them into
// plain ones, and they stay secret.
const secrets = new WeakSet<Element>();

/** Conceal makes a field one whose value is never told, whatever it looks like. */
export function conceal(el: Element): void {
  secrets.add(el);
}

/** IsSecret tells fields whose value is never told: passwords, also while the page shows them in clear, and one-time codes. */
export function isSecret(el: Element): boolean {
  if (secrets.has(el)) return true;
  if (!(el instanceof HTMLInputElement)) return false;
  if (el.type === 'password') secrets.add(el);
  return secrets.has(el) || SECRET_USES.test(el.autocomplete) || isCalledSecret(el);
}
const SECRET_USES = /password|one-time-code|cc-csc/;
const CODES = new Set(['number', 'tel', 'text']);
const SECRET_NAMES =
  /(?<![\p{L}\p{N}])(otp|totp|2fa|mfa|passwords?|passwd|passcode|passphrase|pwd|cvv2?|cvc2?|(one[-_ ]?time|security|verification|authentication|sms|two[-_ ]?factor)[-_ ]?(pass)?code)(?![\p{L}\p{N}])/iu;

// By what the page calls it. Only what holds something is asked: most fields of a large page are empty.
function isCalledSecret(el: HTMLInputElement): boolean {
  if (!CODES.has(el.type) || el.value === '') return false;
  const names = [
    el.name,
    el.id,
    el.placeholder,
    el.ariaLabel ?? '',
    ...Array.from(el.labels ?? [], (l) => l.textContent),
  ];
  return names.some((name) => SECRET_NAMES.test(name.replace(/([a-z])([A-Z])/g, '$1 $2')));
}

/** ValueOf is what a field holds, one line of at most {@link VALUE_MAX} units; undefined for what holds no value, and for secrets. */
export function valueOf(el: Element, tag: string, role: string): string | undefined {
  const held = contentsOf(el, tag, role);
  return held === undefined ? undefined : label(held, VALUE_MAX);
}

function contentsOf(el: Element, tag: string, role: string): string | undefined {
  if (isSecret(el)) return undefined;
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
  if (VALUELESS.has(el.type)) return undefined;
  return el.type === 'file' ? Array.from(el.files ?? [], (file) => file.name).join(', ') : el.value;
}

/** ConditionOf puts a value and states into one string, so that they can be compared with what they were. */
export function conditionOf(value: string | undefined, states: readonly string[]): string {
  return states.length === 0 ? (value ?? '') : `${value ?? ''}\n${states.join(' ')}`;
}

const NATIVE = new Set(['button', 'input', 'select', 'summary', 'textarea']);
const OFF = new Set<string | null>([null, '', 'false']);

/**
 * StatesOf lists what else there is to know of an element, in this order: checked or mixed, disabled, required,
 * readonly, expanded or collapsed, pressed or mixed, selected, invalid, current. Who has the focus is not among them.
 *
 * @param attributes what {@link attributesOf} answered, for those who know it.
 */
export function statesOf(el: Element, tag: string, attributes = attributesOf(el)): string[] {
  const states: string[] = [];
  if (NATIVE.has(tag)) native(el, tag, states);
  else if (hasInnerRole(tag)) inner(el, states);
  if ((attributes & HAS.state) !== 0) written(el, states);
  return states;
}

function native(el: Element, tag: string, states: string[]): void {
  if (tag === 'summary') {
    states.push(el.parentElement?.hasAttribute('open') === true ? 'expanded' : 'collapsed');
    return;
  }
  if (el instanceof HTMLInputElement && (el.type === 'checkbox' || el.type === 'radio')) {
    if (el.indeterminate) states.push('mixed');
    else if (el.checked) states.push('checked');
  }
  if (isDisabled(el)) states.push('disabled');
  if (tag === 'button') return;
  if (isField(el) && el.required) states.push('required');
  if (el.hasAttribute('readonly')) states.push('readonly');
}

// A class that keeps its role inside keeps its states there too; those that it has styles for can be asked for.
function inner(el: Element, states: string[]): void {
  for (const [state, selector] of INNER) if (el.matches(selector)) states.push(state);
}
const INNER: readonly [state: string, selector: string][] = [
  ['mixed', ':state(indeterminate)'],
  ['checked', ':state(checked)'],
  ['disabled', ':disabled'],
  ['required', ':state(required)'],
  ['expanded', ':state(expanded)'],
  ['pressed', ':state(pressed)'],
  ['selected', ':state(selected)'],
];

// A selector costs more than a property: it is asked only where a fieldset may disable what is in it.
function isDisabled(el: Element): boolean {
  if (isField(el) && el.disabled) return true;
  if (el instanceof HTMLButtonElement && el.disabled) return true;
  const nested = el.ownerDocument.getElementsByTagName('fieldset').length > 0 || el.getRootNode() !== el.ownerDocument;
  return nested && el.matches(':disabled');
}

function isField(el: Element): el is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement;
}

// By reflected properties: each costs a fraction of a selector. What a native control says already is not said twice.
function written(el: Element, states: string[]): void {
  const add = (state: string): void => {
    if (!states.includes(state)) states.push(state);
  };
  if (el.ariaChecked === 'mixed' || el.ariaPressed === 'mixed') add('mixed');
  if (el.ariaChecked === 'true') add('checked');
  if (el.ariaDisabled === 'true') add('disabled');
  if (el.ariaRequired === 'true') add('required');
  if (el.ariaReadOnly === 'true') add('readonly');
  if (el.ariaExpanded !== null) add(el.ariaExpanded === 'true' ? 'expanded' : 'collapsed');
  if (el.ariaPressed === 'true') add('pressed');
  if (el.ariaSelected === 'true') add('selected');
  if (!OFF.has(el.ariaInvalid)) add('invalid');
  if (!OFF.has(el.ariaCurrent)) add('current');
}
