// @vitest-environment jsdom
import {beforeEach, describe, expect, it} from 'vitest';
import {accepts, flatAncestors, layerOf} from './hittest';

function page(html: string): (selector: string) => Element {
  document.body.innerHTML = html;
  return (selector) => {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`no ${selector}`);
    return element;
  };
}

describe('accepts', () => {
  beforeEach(() => {
    document.body.replaceChildren();
  });

  it('takes the target and what is in it, and no plain ancestor', () => {
    const at = page('<p><a href="#"><b>x</b></a></p>');
    expect(accepts(at('a'), at('a'))).toBe('target');
    expect(accepts(at('b'), at('a'))).toBe('descendant');
    expect(accepts(at('p'), at('a'))).toBeUndefined();
  });

  it('takes the label of a control, but no link in that label', () => {
    const at = page('<label><input type=checkbox> I agree to <a href="#">the terms</a> <i>now</i></label>');
    expect(accepts(at('label'), at('input'))).toBe('label');
    expect(accepts(at('i'), at('input'))).toBe('label');
    expect(accepts(at('a'), at('input'))).toBeUndefined();
  });

  it('takes the button that an icon is the inside of', () => {
    const at = page('<button><svg><path /></svg></button><a href="#" id=a><button id=b><i></i></button></a>');
    expect(accepts(at('button'), at('path'))).toBe('activator');
    expect(accepts(at('#b'), at('i'))).toBe('activator');
    expect(accepts(at('#a'), at('i'))).toBeUndefined();
  });

  it('takes the host of the shadow tree that the target lives in, and what is slotted into the target', () => {
    const at = page('<div id=host><i>slotted</i></div>');
    const root = at('#host').attachShadow({mode: 'open'});
    root.innerHTML = '<button>Open <slot></slot></button>';
    const button = root.querySelector('button');
    if (!button) throw new Error('no button');
    expect(accepts(at('#host'), button)).toBe('host');
    expect(accepts(at('i'), button)).toBe('descendant');
    expect([...flatAncestors(at('i'))].map(({localName}) => localName)).toEqual([
      'i',
      'slot',
      'button',
      'div',
      'body',
      'html',
    ]);
  });
});

describe('layerOf', () => {
  it('is the dialog or the outermost part that does not hold the target', () => {
    const at = page(
      '<main><button>x</button></main><div id=banner><p><i></i></p></div><section><div role=dialog><b></b></div></section>',
    );
    expect(layerOf(at('i'), at('button'))).toBe(at('#banner'));
    expect(layerOf(at('b'), at('button'))).toBe(at('[role=dialog]'));
    expect(layerOf(at('main'), at('button'))).toBe(at('main'));
  });
});
