// @vitest-environment jsdom
import {beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {roleOf} from './roles';
import {statesOf} from './states';
import {areStrangers, learn, strangers} from './strangers';

let shown = true;

beforeAll(() => {
  Element.prototype.checkVisibility = () => shown;
});

beforeEach(() => {
  shown = true;
});

let made = 0;

// A component of a kind of its own.
function component(shadow = true): Element {
  const tag = `x-kind-${(made++).toString()}`;
  customElements.define(tag, class extends HTMLElement {});
  const el = document.body.appendChild(document.createElement(tag));
  if (shadow) el.attachShadow({mode: 'open'});
  return el;
}

const role = (el: Element): string => roleOf(el, el.localName, '');

describe('the roles that components keep inside', () => {
  it('are asked for once for each kind', () => {
    const el = component();
    const other = document.body.appendChild(document.createElement(el.localName));
    expect([role(el), role(other)]).toEqual(['generic', 'generic']);
    expect(areStrangers()).toBe(true);
    expect(strangers()).toEqual([el]);
    learn(['switch']);
    expect([role(el), role(other), areStrangers()]).toEqual(['switch', 'switch', false]);
  });

  it('may be none', () => {
    const el = component();
    role(el);
    expect(strangers()).toEqual([el]);
    learn(['']);
    expect([role(el), areStrangers()]).toEqual(['generic', false]);
  });

  it('are asked for when one is shown', () => {
    const el = component();
    shown = false;
    role(el);
    expect([areStrangers(), strangers()]).toEqual([false, []]);
    shown = true;
    role(el);
    expect(strangers()).toEqual([el]);
    learn(['button']);
  });

  it('are not asked for where there is no shadow tree, and not of what is hidden from all readers', () => {
    role(component(false));
    const el = component();
    el.setAttribute('aria-hidden', 'true');
    role(el);
    expect(strangers()).toEqual([]);
  });

  it('are asked for in portions', () => {
    const all = Array.from({length: 130}, () => component());
    for (const el of all) role(el);
    expect(strangers()).toEqual(all.slice(0, 100));
    learn(all.slice(0, 100).map(() => 'tab'));
    for (const el of all) role(el);
    expect(strangers()).toEqual(all.slice(100));
    learn([]);
  });

  it('come with the states that style sheets can ask for', () => {
    const el = component();
    role(el);
    strangers();
    learn(['checkbox']);
    Object.defineProperty(el, 'matches', {value: (selector: string) => selector === ':state(checked)'});
    expect(statesOf(el, el.localName)).toEqual(['checked']);
  });
});
