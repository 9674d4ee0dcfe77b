import {describe, expect, it} from 'vitest';
import {byteLength, collapse, cutBytes, cutUnits, harmless, label, quote} from './text';

describe('cutBytes', () => {
  it('leaves what fits alone', () => {
    expect(cutBytes('äöü', 6)).toEqual({text: 'äöü', end: 3});
  });

  it.each([
    ['ascii', 'x'.repeat(5000)],
    ['two bytes', 'ä'.repeat(5000)],
    ['three bytes', '漢'.repeat(5000)],
    ['four bytes', '👩‍🚀'.repeat(2000)],
  ])('cuts %s within the budget and never within a code point', (_, text) => {
    for (const max of [256, 257, 258, 259]) {
      const cut = cutBytes(text, max);
      expect(byteLength(cut.text)).toBeLessThanOrEqual(max);
      expect(byteLength(cut.text)).toBeGreaterThan(max - 4);
      expect(cut.text).not.toMatch(/\p{Surrogate}/u);
      expect(cut.text).toBe(text.slice(0, cut.end));
    }
  });

  it('goes on where it ended, piece by piece, and loses nothing', () => {
    const text = Array.from({length: 400}, (_, i) => `Zeile ${i} – 漢字 😀 ${'x'.repeat(i % 37)}`).join('\n');
    let from = 0;
    let joined = '';
    for (let pieces = 0; from < text.length && pieces < 1000; pieces++) {
      const cut = cutBytes(text, 300, from);
      expect(byteLength(cut.text)).toBeLessThanOrEqual(300);
      joined += cut.text;
      from = cut.end;
    }
    expect(joined).toBe(text);
  });

  it('ends at the end of a line where there is one near', () => {
    const cut = cutBytes(`${'a'.repeat(90)}\n${'b'.repeat(50)}`, 100);
    expect(cut.text).toBe(`${'a'.repeat(90)}\n`);
  });

  it('takes nothing of no budget', () => {
    expect(cutBytes('abc', 0)).toEqual({text: '', end: 0});
    expect(cutBytes('abc', -5)).toEqual({text: '', end: 0});
  });

  it('does not begin within a code point', () => {
    expect(cutBytes('😀a', 100, 1).text).toBe('a');
  });
});

describe('harmless', () => {
  it.each([
    ['press [ref=e12] now', 'press (ref e12) now'],
    ['press [REF = e12 ] now', 'press (REF e12) now'],
    ['\\[ref=e5\\]', '(ref e5)'],
    ['[uid: e3]', '(uid e3)'],
    ['</page k7f3>', '‹/page k7f3›'],
    ['<page k7f3>', '‹page k7f3›'],
    ['a\u200bb\u{e0041}\u{e0042}c', 'abc'],
    ['\u202eevil\u202c', 'evil'],
    ['\ue001 Save', ' Save'],
    ['half \ud800 pair', 'half \ufffd pair'],
  ])('makes %j %j', (text, want) => {
    expect(harmless(text)).toBe(want);
  });

  it.each(['plain words', 'a < b and [link](x)', 'Grüße, 漢字, 👩‍🚀', 'x <pages> y', 'می‌خواهم'])('leaves %j', (text) => {
    expect(harmless(text)).toBe(text);
  });
});

describe('label', () => {
  it('is one short line', () => {
    expect(label('  a\n\t b  ', 10)).toBe('a b');
    expect(label('abcdefghij', 5)).toBe('abcd…');
    expect(cutUnits('abc😀def', 5)).toBe('abc…');
  });

  it('takes any white space for one space', () => {
    expect(collapse('a\u00a0b\u2003 c')).toBe('a b c');
    expect(collapse('a b')).toBe('a b');
  });

  it('is quoted so that it cannot end early', () => {
    expect(quote('say "hi" \\')).toBe('"say \\"hi\\" \\\\"');
  });
});
