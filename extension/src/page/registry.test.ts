// @vitest-environment jsdom
import {beforeEach, describe, expect, it} from 'vitest';
import {Registry} from './registry';
import {isSecret, statesOf, valueOf} from './states';

beforeEach(() => {
  document.body.innerHTML = '<button>a</button><button>b</button>';
});

const buttons = (): Element[] => [...document.querySelectorAll('button')];
const [first, second] = [(): Element => buttons()[0] ?? document.body, (): Element => buttons()[1] ?? document.body];

describe('Registry', () => {
  it('gives a number once, and to one element only', () => {
    const registry = new Registry();
    expect(registry.tell(first(), 'button', 'a')).toBe(0);
    expect(registry.tell(second(), 'button', 'b')).toBe(1);
    expect(registry.tell(first(), 'button', 'a2')).toBe(0);
    expect(registry.next).toBe(2);
    expect(registry.uid(second())).toBe('e1');
    expect(registry.uid(document.body)).toBeUndefined();
  });

  it("goes on from the tab's mark, and never back", () => {
    const registry = new Registry();
    registry.raise(40);
    expect(registry.tell(first(), 'button', 'a')).toBe(40);
    registry.raise(7);
    expect(registry.tell(second(), 'button', 'b')).toBe(41);
    expect(registry.tell(first(), 'button', 'a')).toBe(40);
  });

  it('finds what it told, as it told it last', () => {
    const registry = new Registry();
    registry.tell(first(), 'button', 'a');
    registry.tell(first(), 'link', 'b');
    expect(registry.find('e0')).toEqual({state: 'live', element: first(), told: {role: 'link', name: 'b'}});
  });

  it('tells what is gone from what never was', () => {
    const registry = new Registry();
    const el = first();
    registry.tell(el, 'button', 'a');
    el.remove();
    expect(registry.find('e0')).toEqual({state: 'gone', told: {role: 'button', name: 'a'}});
    expect(registry.find('e1')).toEqual({state: 'unknown'});
    document.body.append(el);
    expect(registry.find('e0').state).toBe('live');
  });
});

describe('secrets', () => {
  it('are not told, also after the page shows them in clear', () => {
    document.body.innerHTML =
      '<input type="password" value="s3cret"><input autocomplete="new-password" value="s3cret">';
    for (const el of document.querySelectorAll('input')) {
      expect(isSecret(el)).toBe(true);
      el.type = 'text';
      expect(isSecret(el)).toBe(true);
      expect(valueOf(el, 'input', 'textbox')).toBeUndefined();
    }
  });

  it.each([
    '<input autocomplete="one-time-code" value="123456">',
    '<input name="otpCode" value="123456">',
    '<input placeholder="Verification code" value="123456">',
    '<input aria-label="CVV" value="123">',
    '<label>One-time code <input inputmode="numeric" value="123456"></label>',
  ])('are one-time codes too: %s', (html) => {
    document.body.innerHTML = html;
    const el = document.querySelector('input');
    expect(el && isSecret(el)).toBe(true);
  });

  it.each(['<input name="postcode" value="12345">', '<label>Coupon code <input value="X"></label>'])(
    'are not whatever has a code in its name: %s',
    (html) => {
      document.body.innerHTML = html;
      const el = document.querySelector('input');
      expect(el && isSecret(el)).toBe(false);
    },
  );

  it('are not what other fields hold', () => {
    document.body.innerHTML =
      '<input value=" bob "><textarea>a\nb</textarea><select><option>x<option selected>y</select>';
    const values = [...document.body.children].map((el) => valueOf(el, el.localName, 'textbox'));
    expect(values).toEqual(['bob', 'a b', 'y']);
  });
});

describe('statesOf', () => {
  it.each([
    ['<input type="checkbox" checked disabled>', ['checked', 'disabled']],
    ['<fieldset disabled><input required></fieldset>', ['disabled', 'required']],
    ['<fieldset disabled><button>x</button></fieldset>', ['disabled']],
    ['<input readonly>', ['readonly']],
    ['<div role="checkbox" aria-checked="mixed"></div>', ['mixed']],
    ['<button aria-expanded="false">x</button>', ['collapsed']],
    ['<button aria-expanded="true" aria-pressed="true">x</button>', ['expanded', 'pressed']],
    ['<div role="tab" aria-selected="true" aria-disabled="true"></div>', ['disabled', 'selected']],
    ['<details open><summary>x</summary></details>', ['expanded']],
    ['<details><summary>x</summary></details>', ['collapsed']],
    ['<button>x</button>', []],
  ])('of %s are %j', (html, want) => {
    document.body.innerHTML = html;
    const el = document.querySelector('input,button,summary,[role]');
    expect(el && statesOf(el, el.localName)).toEqual(want);
  });
});
