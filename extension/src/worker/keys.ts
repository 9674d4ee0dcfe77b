/**
 * The keys of a US keyboard, and how a name such as "Control+Shift+K" becomes the events that
 * `Input.dispatchKeyEvent` wants. Pure: no browser in it.
 */

/** Bits of `Input.dispatch*Event`'s `modifiers`. */
export const modifierBits = {Alt: 1, Control: 2, Meta: 4, Shift: 8} as const;

/** A key that is held while others are pressed. */
export type ModifierName = keyof typeof modifierBits;

/** One key as the page sees it. */
export interface Key {
  /** `KeyboardEvent.key` without Shift. */
  readonly key: string;
  /** `KeyboardEvent.code`; empty for a character that no key of a US keyboard has. */
  readonly code: string;
  /** `KeyboardEvent.keyCode`. */
  readonly keyCode: number;
  /** `KeyboardEvent.key` with Shift, where it differs. */
  readonly shifted?: string;
  /** What it types, where that is not its key: Enter types a carriage return. */
  readonly text?: string;
  /** `KeyboardEvent.location`: 1 left, 2 right, 3 the number pad. Absent: 0. */
  readonly location?: 1 | 2 | 3;
}

/** A parsed combination. */
export interface Combination {
  /** What is held, in the order in which it is pressed. */
  readonly modifiers: readonly ModifierName[];
  /** What is pressed then. */
  readonly key: Key;
}

/** Parameters of `Input.dispatchKeyEvent`. */
export interface KeyEvent {
  type: 'keyDown' | 'rawKeyDown' | 'keyUp';
  modifiers: number;
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  text?: string;
  unmodifiedText?: string;
  location?: number;
  isKeypad?: boolean;
  commands?: string[];
}

/** Platform says whose shortcuts the browser has. */
export type Platform = 'mac' | 'other';

/** KeyError says what is wrong with a key's name. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

const modifiers: Readonly<Record<ModifierName, Key>> = {
  Alt: {key: 'Alt', code: 'AltLeft', keyCode: 18, location: 1},
  Control: {key: 'Control', code: 'ControlLeft', keyCode: 17, location: 1},
  Meta: {key: 'Meta', code: 'MetaLeft', keyCode: 91, location: 1},
  Shift: {key: 'Shift', code: 'ShiftLeft', keyCode: 16, location: 1},
};

/** Other names that people use, in lower case. */
const aliases: Readonly<Record<string, string>> = {
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ins: 'Insert',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pgup: 'PageUp',
  pgdn: 'PageDown',
  pagedn: 'PageDown',
  spacebar: 'Space',
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  super: 'Meta',
  win: 'Meta',
  windows: 'Meta',
  option: 'Alt',
  opt: 'Alt',
  plus: '+',
  menu: 'ContextMenu',
};

/** Names that mean Command on a Mac and Control elsewhere, in lower case. */
const platformModifiers = new Set(['controlormeta', 'ctrlorcmd', 'commandorcontrol', 'cmdorctrl', 'mod']);

const named: readonly Key[] = [
  {key: 'Enter', code: 'Enter', keyCode: 13, text: '\r'},
  {key: 'Tab', code: 'Tab', keyCode: 9},
  {key: 'Escape', code: 'Escape', keyCode: 27},
  {key: 'Backspace', code: 'Backspace', keyCode: 8},
  {key: 'Delete', code: 'Delete', keyCode: 46},
  {key: 'Insert', code: 'Insert', keyCode: 45},
  {key: 'Home', code: 'Home', keyCode: 36},
  {key: 'End', code: 'End', keyCode: 35},
  {key: 'PageUp', code: 'PageUp', keyCode: 33},
  {key: 'PageDown', code: 'PageDown', keyCode: 34},
  {key: 'ArrowLeft', code: 'ArrowLeft', keyCode: 37},
  {key: 'ArrowUp', code: 'ArrowUp', keyCode: 38},
  {key: 'ArrowRight', code: 'ArrowRight', keyCode: 39},
  {key: 'ArrowDown', code: 'ArrowDown', keyCode: 40},
  {key: 'CapsLock', code: 'CapsLock', keyCode: 20},
  {key: 'NumLock', code: 'NumLock', keyCode: 144},
  {key: 'ScrollLock', code: 'ScrollLock', keyCode: 145},
  {key: 'Pause', code: 'Pause', keyCode: 19},
  {key: 'PrintScreen', code: 'PrintScreen', keyCode: 44},
  {key: 'ContextMenu', code: 'ContextMenu', keyCode: 93},
  {key: ' ', code: 'Space', keyCode: 32},
  ...Array.from({length: 24}, (_, i) => ({key: `F${i + 1}`, code: `F${i + 1}`, keyCode: 112 + i})),
  ...Object.values(modifiers),
];

const punctuation: readonly Key[] = [
  {key: '`', shifted: '~', code: 'Backquote', keyCode: 192},
  {key: '-', shifted: '_', code: 'Minus', keyCode: 189},
  {key: '=', shifted: '+', code: 'Equal', keyCode: 187},
  {key: '[', shifted: '{', code: 'BracketLeft', keyCode: 219},
  {key: ']', shifted: '}', code: 'BracketRight', keyCode: 221},
  {key: '\\', shifted: '|', code: 'Backslash', keyCode: 220},
  {key: ';', shifted: ':', code: 'Semicolon', keyCode: 186},
  {key: "'", shifted: '"', code: 'Quote', keyCode: 222},
  {key: ',', shifted: '<', code: 'Comma', keyCode: 188},
  {key: '.', shifted: '>', code: 'Period', keyCode: 190},
  {key: '/', shifted: '?', code: 'Slash', keyCode: 191},
];

const digits: readonly Key[] = Array.from(')!@#$%^&*(', (shifted, i) => ({
  key: `${i}`,
  shifted,
  code: `Digit${i}`,
  keyCode: 48 + i,
}));

const letters: readonly Key[] = Array.from('abcdefghijklmnopqrstuvwxyz', (key) => ({
  key,
  shifted: key.toUpperCase(),
  code: `Key${key.toUpperCase()}`,
  keyCode: key.toUpperCase().charCodeAt(0),
}));

const numpad: readonly Key[] = [
  ...Array.from({length: 10}, (_, i) => ({key: `${i}`, code: `Numpad${i}`, keyCode: 96 + i, location: 3 as const})),
  {key: '*', code: 'NumpadMultiply', keyCode: 106, location: 3},
  {key: '+', code: 'NumpadAdd', keyCode: 107, location: 3},
  {key: '-', code: 'NumpadSubtract', keyCode: 109, location: 3},
  {key: '.', code: 'NumpadDecimal', keyCode: 110, location: 3},
  {key: '/', code: 'NumpadDivide', keyCode: 111, location: 3},
  {key: 'Enter', code: 'NumpadEnter', keyCode: 13, text: '\r', location: 3},
];

/** Names in any case: what people write beside single characters. `KeyA`, `Digit1`, `Numpad5` are codes. */
const byName = new Map<string, Key>();
/** Single characters, with or without Shift. */
const byCharacter = new Map<string, {key: Key; shift: boolean}>();

for (const key of [...named, ...punctuation, ...digits, ...letters, ...numpad]) {
  byName.set(key.code.toLowerCase(), key);
  if (key.location === 3) continue;
  if (key.key.length > 1) byName.set(key.key.toLowerCase(), key);
  else byCharacter.set(key.key, {key, shift: false});
  if (key.shifted !== undefined) byCharacter.set(key.shifted, {key, shift: true});
}

/**
 * ParseKey reads a key's name ("Enter", "a", "é") or a combination ("Control+a", "Shift+Tab", "Control++").
 * Names are taken in any case; a single character means itself, so "A" is Shift+a. In a shortcut a capital letter is
 * the letter's key, as menus write it: "Control+B" holds no Shift.
 * It throws KeyError, saying what was not understood.
 */
export function parseKey(text: string, platform: Platform): Combination {
  const parts = split(text);
  const last = parts.pop() ?? '';
  const held = new Set<ModifierName>();
  for (const part of parts) held.add(modifierOf(part, platform));
  const {key, shift} = keyOf(last, platform);
  const shortcut = held.has('Control') || held.has('Alt') || held.has('Meta');
  if (shift && !(shortcut && /^[A-Z]$/.test(last))) held.add('Shift');
  if (isModifier(key.key)) held.delete(key.key);
  return {modifiers: [...held], key};
}

/**
 * KeyEvents are the events of pressing a combination once: each modifier down, the key down and up, each
 * modifier up in reverse. With Control, Alt or Meta held no text is typed, so that a shortcut leaves no
 * stray letter.
 */
export function keyEvents({modifiers: held, key}: Combination, platform: Platform): KeyEvent[] {
  const events: KeyEvent[] = [];
  let bits = 0;
  for (const name of held) {
    bits |= modifierBits[name];
    events.push({type: 'rawKeyDown', ...face(modifiers[name], bits)});
  }
  const down: KeyEvent = {type: 'rawKeyDown', ...face(key, bits)};
  const text = textOf(key, bits);
  if (text !== undefined) {
    down.type = 'keyDown';
    down.text = text;
    down.unmodifiedText = text;
  }
  if (platform === 'mac') {
    const commands = macCommands[commandKey(held, key)];
    if (commands) down.commands = [...commands];
  }
  events.push(down, {type: 'keyUp', ...face(key, bits)});
  for (const name of [...held].reverse()) {
    bits &= ~modifierBits[name];
    events.push({type: 'keyUp', ...face(modifiers[name], bits)});
  }
  return events;
}

/** BitsOf is the mask for `Input.dispatchMouseEvent`. */
export function bitsOf(names: readonly ModifierName[]): number {
  return names.reduce((bits, name) => bits | modifierBits[name], 0);
}

/** ModifierEvents press (or let go of) modifiers around a click. */
export function modifierEvents(held: readonly ModifierName[]): {down: KeyEvent[]; up: KeyEvent[]} {
  let bits = 0;
  const down = held.map((name): KeyEvent => {
    bits |= modifierBits[name];
    return {type: 'rawKeyDown', ...face(modifiers[name], bits)};
  });
  const up = [...held].reverse().map((name): KeyEvent => {
    bits &= ~modifierBits[name];
    return {type: 'keyUp', ...face(modifiers[name], bits)};
  });
  return {down, up};
}

/** The editing commands that macOS, not Blink, gives to keys: without them Meta+a selects nothing. */
const macCommands: Readonly<Record<string, readonly string[]>> = {
  'Meta+a': ['selectAll'],
  'Meta+c': ['copy'],
  'Meta+x': ['cut'],
  'Meta+v': ['paste'],
  'Meta+z': ['undo'],
  'Meta+Shift+z': ['redo'],
  'Meta+ArrowLeft': ['moveToLeftEndOfLine'],
  'Meta+ArrowRight': ['moveToRightEndOfLine'],
  'Meta+ArrowUp': ['moveToBeginningOfDocument'],
  'Meta+ArrowDown': ['moveToEndOfDocument'],
  'Meta+Shift+ArrowLeft': ['moveToLeftEndOfLineAndModifySelection'],
  'Meta+Shift+ArrowRight': ['moveToRightEndOfLineAndModifySelection'],
  'Meta+Shift+ArrowUp': ['moveToBeginningOfDocumentAndModifySelection'],
  'Meta+Shift+ArrowDown': ['moveToEndOfDocumentAndModifySelection'],
  'Meta+Backspace': ['deleteToBeginningOfLine'],
  'Alt+ArrowLeft': ['moveWordLeft'],
  'Alt+ArrowRight': ['moveWordRight'],
  'Alt+Shift+ArrowLeft': ['moveWordLeftAndModifySelection'],
  'Alt+Shift+ArrowRight': ['moveWordRightAndModifySelection'],
  'Alt+Backspace': ['deleteWordBackward'],
  'Alt+Delete': ['deleteWordForward'],
  'Control+a': ['moveToBeginningOfParagraph'],
  'Control+e': ['moveToEndOfParagraph'],
  'Control+k': ['deleteToEndOfParagraph'],
  ArrowLeft: ['moveLeft'],
  ArrowRight: ['moveRight'],
  ArrowUp: ['moveUp'],
  ArrowDown: ['moveDown'],
  'Shift+ArrowLeft': ['moveLeftAndModifySelection'],
  'Shift+ArrowRight': ['moveRightAndModifySelection'],
  'Shift+ArrowUp': ['moveUpAndModifySelection'],
  'Shift+ArrowDown': ['moveDownAndModifySelection'],
  Home: ['scrollToBeginningOfDocument'],
  End: ['scrollToEndOfDocument'],
  Backspace: ['deleteBackward'],
  Delete: ['deleteForward'],
  Enter: ['insertNewline'],
  'Shift+Enter': ['insertNewline'],
};

function commandKey(held: readonly ModifierName[], key: Key): string {
  const order = ['Control', 'Alt', 'Meta', 'Shift'] as const;
  return [...order.filter((name) => held.includes(name)), key.key].join('+');
}

function face(key: Key, bits: number): Omit<KeyEvent, 'type'> {
  const shifted = (bits & modifierBits.Shift) !== 0 ? (key.shifted ?? key.key) : key.key;
  return {
    modifiers: bits,
    key: shifted,
    code: key.code,
    windowsVirtualKeyCode: key.keyCode,
    ...(key.location === undefined ? {} : {location: key.location, isKeypad: key.location === 3}),
  };
}

function textOf(key: Key, bits: number): string | undefined {
  if ((bits & ~modifierBits.Shift) !== 0) return undefined;
  if (key.text !== undefined) return key.text;
  const shown = (bits & modifierBits.Shift) !== 0 ? (key.shifted ?? key.key) : key.key;
  return Array.from(shown).length === 1 ? shown : undefined;
}

/** A "+" separates, unless it stands where a key is wanted: "+", "Control++". */
function split(text: string): string[] {
  if (text === '+') return ['+'];
  const parts = text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  return parts.map((part) => (part.trim() === '' && part !== '' ? ' ' : part.trim()));
}

function modifierOf(part: string, platform: Platform): ModifierName {
  const lower = part.toLowerCase();
  if (platformModifiers.has(lower)) return platform === 'mac' ? 'Meta' : 'Control';
  const name = (aliases[lower] ?? part).toLowerCase();
  const found = (['Alt', 'Control', 'Meta', 'Shift'] as const).find((modifier) => modifier.toLowerCase() === name);
  if (found) return found;
  throw new KeyError(
    `"${part}" is no modifier: expected Control, Shift, Alt, Meta or ControlOrMeta before the last "+"`,
  );
}

function keyOf(part: string, platform: Platform): {key: Key; shift: boolean} {
  if (part === '') throw new KeyError('a key is missing: expected one such as "Enter", "a" or "Control+a"');
  const character = byCharacter.get(part);
  if (character) return character;
  const lower = part.toLowerCase();
  if (platformModifiers.has(lower)) return {key: modifiers[modifierOf(part, platform)], shift: false};
  const name = aliases[lower] ?? part;
  const found = byName.get(name.toLowerCase());
  if (found) return {key: found, shift: false};
  const alias = byCharacter.get(name);
  if (alias) return alias;
  if (Array.from(part).length === 1) return {key: {key: part, code: '', keyCode: 0}, shift: false};
  throw new KeyError(
    `no key is called "${part}": expected one character, or a name such as Enter, Tab, Escape, ArrowDown, PageUp, F5`,
  );
}

function isModifier(name: string): name is ModifierName {
  return name in modifierBits;
}
