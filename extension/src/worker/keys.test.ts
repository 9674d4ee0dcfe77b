import {describe, expect, it} from 'vitest';
import {KeyError, type KeyEvent, keyEvents, parseKey} from './keys';

function pressed(text: string, platform: 'mac' | 'other' = 'other'): string[] {
  return keyEvents(parseKey(text, platform), platform).map(
    ({type, key, code, modifiers, text: typed}: KeyEvent) =>
      `${type} ${key} ${code} ${modifiers}${typed === undefined ? '' : ` ${JSON.stringify(typed)}`}`,
  );
}

describe('keys', () => {
  it('types a letter', () => {
    expect(pressed('a')).toEqual(['keyDown a KeyA 0 "a"', 'keyUp a KeyA 0']);
  });

  it('types a capital with Shift, however it is asked for', () => {
    const capital = [
      'rawKeyDown Shift ShiftLeft 8',
      'keyDown A KeyA 8 "A"',
      'keyUp A KeyA 8',
      'keyUp Shift ShiftLeft 0',
    ];
    expect(pressed('A')).toEqual(capital);
    expect(pressed('Shift+a')).toEqual(capital);
    expect(pressed('Shift+A')).toEqual(capital);
  });

  it('leaves no letter behind a shortcut', () => {
    expect(pressed('Control+Shift+b')).toEqual([
      'rawKeyDown Control ControlLeft 2',
      'rawKeyDown Shift ShiftLeft 10',
      'rawKeyDown B KeyB 10',
      'keyUp B KeyB 10',
      'keyUp Shift ShiftLeft 2',
      'keyUp Control ControlLeft 0',
    ]);
    expect(pressed('Control+Shift+B')).toEqual(pressed('Control+Shift+b'));
    expect(pressed('Control+B')).toEqual(pressed('Control+b'));
    expect(pressed('Alt+1')).toContain('rawKeyDown 1 Digit1 1');
    expect(pressed('Control+s').join()).not.toContain('"s"');
  });

  it('gives Enter the carriage return that submits forms', () => {
    expect(pressed('Enter')).toEqual(['keyDown Enter Enter 0 "\\r"', 'keyUp Enter Enter 0']);
    expect(pressed('Control+Enter')).toContain('rawKeyDown Enter Enter 2');
  });

  it('knows the plus as a key and as what joins', () => {
    expect(pressed('+')).toContain('keyDown + Equal 8 "+"');
    expect(pressed('Control++')).toContain('rawKeyDown + Equal 10');
    expect(pressed('Shift+=')).toContain('keyDown + Equal 8 "+"');
  });

  it.each([
    ['esc', 'Escape'],
    ['return', 'Enter'],
    ['arrowdown', 'ArrowDown'],
    ['Down', 'ArrowDown'],
    ['F12', 'F12'],
    ['PGUP', 'PageUp'],
    ['KeyQ', 'q'],
    ['Space', ' '],
    [' ', ' '],
    ['Digit7', '7'],
  ])('takes %s for %s', (name, key) => {
    expect(parseKey(name, 'other').key.key).toBe(key);
  });

  it('types a character that no key has, whole', () => {
    expect(pressed('é')).toEqual(['keyDown é  0 "é"', 'keyUp é  0']);
    expect(pressed('𩸽')).toContain('keyDown 𩸽  0 "𩸽"');
  });

  it('means Command by ControlOrMeta on a Mac, and gives its editing commands', () => {
    expect(parseKey('ControlOrMeta+a', 'other').modifiers).toEqual(['Control']);
    const [, down] = keyEvents(parseKey('ControlOrMeta+a', 'mac'), 'mac');
    expect(down).toMatchObject({key: 'a', modifiers: 4, commands: ['selectAll']});
    expect(keyEvents(parseKey('Meta+a', 'other'), 'other').some((event) => event.commands)).toBe(false);
  });

  it('tells the number pad and the left keys apart', () => {
    expect(keyEvents(parseKey('Numpad5', 'other'), 'other')[0]).toMatchObject({
      code: 'Numpad5',
      location: 3,
      isKeypad: true,
    });
    expect(keyEvents(parseKey('Control+a', 'other'), 'other')[0]).toMatchObject({location: 1, isKeypad: false});
  });

  it('presses a modifier alone', () => {
    expect(pressed('Shift')).toEqual(['rawKeyDown Shift ShiftLeft 0', 'keyUp Shift ShiftLeft 0']);
  });

  it.each(['', 'Nope', 'Control+', 'Hyper+a', 'ab'])('refuses %j', (name) => {
    expect(() => parseKey(name, 'other')).toThrow(KeyError);
  });
});
