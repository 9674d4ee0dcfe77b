import {describe, expect, it} from 'vitest';
import {keySteps, textSteps} from './keyboard';

function told(text: string, field: Partial<Parameters<typeof textSteps>[1]> = {}): string[] {
  const whole = {kind: 'text' as const, oneLine: false, selected: false, passesOn: false, ...field};
  return textSteps(text, whole, 'other').map(({params}) => {
    if ('text' in params && !('type' in params)) return JSON.stringify(params.text);
    return 'type' in params && 'key' in params ? `${params.type} ${params.key}` : '?';
  });
}

describe('textSteps', () => {
  it('gives text whole, so that no character is taken apart', () => {
    expect(told('👨‍👩‍👧 𩸽')).toEqual(['"👨‍👩‍👧 𩸽"']);
  });

  it('keeps the lines of a text area and joins those of a one-line field', () => {
    expect(told('a\r\nb\rc!')).toEqual(['"a\\nb\\nc!"']);
    expect(told('a\r\nb!', {oneLine: true})).toEqual(['"a b!"']);
  });

  it('ends a line of a rich editor by a key that sends nothing', () => {
    expect(told('a\n\nb', {kind: 'rich'})).toEqual([
      '"a"',
      ...Array.from({length: 2}, () => ['rawKeyDown Shift', 'keyDown Enter', 'keyUp Enter', 'keyUp Shift']).flat(),
      'keyDown b',
      'keyUp b',
    ]);
  });

  it('lets the page hear a key at the end, where one gives that character and no other', () => {
    expect(told('cat')).toEqual(['"ca"', 'keyDown t', 'keyUp t']);
    expect(told('2')).toEqual(['keyDown 2', 'keyUp 2']);
    expect(told('B')).toEqual(['rawKeyDown Shift', 'keyDown B', 'keyUp B', 'keyUp Shift']);
    expect(told('a\nb c ')).toEqual(['"a\\nb c"', 'keyDown  ', 'keyUp  ']);
    for (const whole of ['f(', '"', 'é', '猫', 'a\n', '👍']) expect(told(whole)).toEqual([JSON.stringify(whole)]);
  });

  it('keeps text together that does not fit or that an editor takes over', () => {
    expect(told('1234', {maxLength: 4})).toEqual(['"123"', 'keyDown 4', 'keyUp 4']);
    expect(told('123456', {maxLength: 1})).toEqual(['"123456"']);
    expect(told('abc', {passesOn: true})).toEqual(['"abc"']);
  });

  it('deletes what is selected when there is no text to replace it', () => {
    expect(told('', {selected: true})).toEqual(['rawKeyDown Delete', 'keyUp Delete']);
    expect(told('')).toEqual([]);
  });
});

describe('keySteps', () => {
  it('refuses a key that there is not as the call that it spoils', () => {
    expect(() => keySteps('Nope', 'other')).toThrow(expect.objectContaining({code: 'invalid_action'}));
  });
});
