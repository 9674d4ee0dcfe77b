// @vitest-environment jsdom
import {afterEach, describe, expect, it} from 'vitest';
import {isCheck, setTo} from './values';

function only(html: string): Element {
  document.body.innerHTML = html;
  const element = document.body.firstElementChild;
  if (!element) throw new Error('no element was made');
  return element;
}

describe('setTo', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });

  it.each([
    ['<input type=checkbox>', 'false'],
    ['<input type=checkbox checked value=x>', 'true'],
    ['<input type=radio checked>', 'true'],
    ['<div role=switch aria-checked=true>Wifi</div>', 'true'],
    ['<div role=checkbox aria-checked=mixed></div>', 'mixed'],
    ['<select multiple><option selected value=1>A<option selected>B<option>C</select>', '1, B'],
    ['<progress value=3 max=10></progress>', '3'],
    ['<div role=slider aria-valuenow=5 aria-valuetext="5 stars"></div>', '5 stars'],
    ['<div role=slider aria-valuenow=5></div>', '5'],
    ['<input type=file>', ''],
    ['<input value=text>', undefined],
    ['<input type=range value=7>', undefined],
    ['<select><option>A</select>', undefined],
    ['<div role=textbox>text</div>', undefined],
  ])('%s', (html, value) => {
    expect(setTo(only(html))).toBe(value);
  });

  it('takes no button for a check', () => {
    expect(isCheck(only('<button aria-pressed=true>b</button>'))).toBe(false);
  });
});
