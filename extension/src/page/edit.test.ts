// @vitest-environment jsdom
import {beforeEach, describe, expect, it} from 'vitest';
import {fieldOf, judge, kindOf, readOnly, setValue} from './edit';

function input(type: string, attributes: Record<string, string> = {}): HTMLInputElement {
  const element = document.createElement('input');
  element.type = type;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}

function found(selector: string): Element {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`no ${selector}`);
  return element;
}

describe('judge', () => {
  it.each([
    ['', 'abc', 'abc', 'text', 'as asked'],
    ['old', 'oldabc', 'abc', 'text', 'as asked'],
    ['', 'e\u0301', '\u00e9', 'text', 'as asked'],
    ['', 'abc', 'abcdef', 'text', 'differs'],
    ['', '', 'abc', 'text', 'refused'],
    ['old', 'old', 'abc', 'text', 'refused'],
    ['', '', '', 'text', 'as asked'],
    ['', 'a\nb', 'a\r\nb', 'text', 'as asked'],
    ['', 'a\n\nb\n', 'a\nb', 'rich', 'as asked'],
    ['', 'a\u00a0b', 'a b', 'rich', 'as asked'],
    ['', 'a\u00a0b', 'a b', 'text', 'differs'],
  ] as const)('from %j to %j after typing %j into %s: %s', (before, after, text, kind, verdict) => {
    expect(judge(before, after, text, kind)).toBe(verdict);
  });
});

describe('fields', () => {
  beforeEach(() => {
    document.body.replaceChildren();
  });

  it.each([
    ['text', 'text'],
    ['number', 'text'],
    ['date', 'set'],
    ['color', 'set'],
    ['checkbox', 'checkbox'],
    ['file', 'file'],
    ['submit', 'none'],
  ])('an input of type %s is of kind %s', (type, kind) => {
    expect(kindOf(input(type))).toBe(kind);
  });

  it('stand behind their labels', () => {
    document.body.innerHTML = '<label for=i>Name</label><input id=i>';
    expect(fieldOf(found('label'))).toBe(found('input'));
  });

  it('tell when they are read-only', () => {
    expect(readOnly(input('text', {readonly: ''}))).toBe(true);
    expect(readOnly(input('text'))).toBe(false);
  });
});

describe('setValue', () => {
  beforeEach(() => {
    document.body.replaceChildren();
  });

  function events(element: HTMLInputElement): string[] {
    const heard: string[] = [];
    for (const type of ['input', 'change']) element.addEventListener(type, () => heard.push(type));
    return heard;
  }

  it('sets a date and says so as a person would: one input, one change', () => {
    const date = input('date');
    const heard = events(date);
    expect(setValue(date, '2026-10-01')).toEqual({ok: true});
    expect(date.value).toBe('2026-10-01');
    expect(heard).toEqual(['input', 'change']);
  });

  it('leaves the control as it was when it does not take the value, and tells the form of one that it takes', () => {
    const date = input('date', {value: '2026-01-01'});
    const heard = events(date);
    expect(setValue(date, '31.12.2026')).toEqual({ok: false, expected: 'YYYY-MM-DD'});
    expect(date.value).toBe('2026-01-01');
    expect(heard).toEqual([]);
    expect(setValue(input('color'), 'red')).toEqual({ok: false, expected: '#rrggbb'});
    expect(setValue(input('range', {max: '10'}), '70')).toMatchObject({ok: false});
  });
});
