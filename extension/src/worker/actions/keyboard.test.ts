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
    expect(told('a\r\nb\rc')).toEqual(['"a\\nb\\nc"']);
    expect(told('a\r\nb', {oneLine: true})).toEqual(['"a b"']);
  });

  it('ends a line of a rich editor by a key that sends nothing', () => {
    expect(told('a\n\nb', {kind: 'rich'})).toEqual([
      '"a"',
      ...Array.from({length: 2}, () => ['rawKeyDown Shift', 'keyDown Enter', 'keyUp Enter', 'keyUp Shift']).flat(),
      '"b"',
    ]);
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
