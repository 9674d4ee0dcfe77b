// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {roleOf, writtenRole} from './roles';

const roleIn = (html: string): string => {
  document.body.innerHTML = html;
  const el = document.querySelector('[data-t]');
  if (!el) throw new Error('no element with data-t');
  return roleOf(el, el.localName, writtenRole(el));
};

describe('roleOf', () => {
  it.each([
    ['<a data-t href="#">x</a>', 'link'],
    ['<a data-t>x</a>', 'generic'],
    ['<button data-t>x</button>', 'button'],
    ['<input data-t>', 'textbox'],
    ['<input data-t type="EMAIL">', 'textbox'],
    ['<input data-t type="password">', 'textbox'],
    ['<input data-t type="search">', 'searchbox'],
    ['<input data-t type="number">', 'spinbutton'],
    ['<input data-t type="range">', 'slider'],
    ['<input data-t type="checkbox">', 'checkbox'],
    ['<input data-t type="checkbox" role="switch">', 'switch'],
    ['<input data-t type="radio">', 'radio'],
    ['<input data-t type="submit">', 'button'],
    ['<input data-t type="image">', 'button'],
    ['<input data-t list="l">', 'combobox'],
    ['<select data-t></select>', 'combobox'],
    ['<select data-t multiple></select>', 'listbox'],
    ['<select data-t size="4"></select>', 'listbox'],
    ['<textarea data-t></textarea>', 'textbox'],
    ['<div data-t contenteditable></div>', 'textbox'],
    ['<div data-t contenteditable="false"></div>', 'generic'],
    ['<img data-t alt="x">', 'img'],
    ['<img data-t alt="">', 'none'],
    ['<details><summary data-t>x</summary></details>', 'button'],
    ['<header data-t>x</header>', 'banner'],
    ['<article><header data-t>x</header></article>', 'generic'],
    ['<footer data-t>x</footer>', 'contentinfo'],
    ['<section data-t>x</section>', 'generic'],
    ['<section data-t aria-label="News">x</section>', 'region'],
    ['<form data-t></form>', 'generic'],
    ['<form data-t aria-label="Log in"></form>', 'form'],
    ['<table><tr><th data-t>a</th><th>b</th></tr></table>', 'columnheader'],
    ['<table><tr><th data-t>a</th><td>b</td></tr></table>', 'rowheader'],
    ['<table><tr><th data-t scope="row">a</th></tr></table>', 'rowheader'],
    ['<div data-t role="tab">x</div>', 'tab'],
    ['<div data-t role="nonsense tab">x</div>', 'tab'],
    ['<div data-t role="nonsense">x</div>', 'generic'],
    ['<ul data-t role="presentation"></ul>', 'none'],
    ['<button data-t role="presentation">x</button>', 'button'],
    ['<div data-t role="none" tabindex="0">x</div>', 'generic'],
    ['<h3 data-t>x</h3>', 'heading'],
    ['<x-card data-t>x</x-card>', 'generic'],
  ])('of %s is %s', (html, want) => {
    expect(roleIn(html)).toBe(want);
  });
});
