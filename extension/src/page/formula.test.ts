// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {formulaOf} from './formula';

const read = (html: string): ReturnType<typeof formulaOf> => {
  document.body.innerHTML = html;
  const el = document.body.firstElementChild;
  if (el === null) throw new Error('no element');
  return formulaOf(el, el.localName);
};

describe('formulaOf', () => {
  it.each<[what: string, html: string, tex: string, block?: boolean]>([
    [
      'its TeX',
      '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
      'x^2',
    ],
    ['its alternative text', '<math alttext="a+b"><mi>a</mi></math>', 'a+b'],
    ['powers and indices', '<math><msubsup><mi>x</mi><mn>1</mn><mn>12</mn></msubsup></math>', 'x_1^{12}'],
    ['fractions and roots', '<math><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac></math>', '\\frac{1}{\\sqrt{x}}'],
    ['a line of its own', '<math display="block"><mi>z</mi></math>', 'z', true],
    [
      'what KaTeX painted, once',
      '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span><span class="katex-html">x</span></span>',
      'x',
    ],
    [
      'what MathJax painted',
      '<mjx-container display="true"><mjx-math></mjx-math><mjx-assistive-mml><math><mi>y</mi><mo>=</mo><mn>2</mn></math></mjx-assistive-mml></mjx-container>',
      'y=2',
      true,
    ],
    ['a picture of one', '<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^{2}}">', 'E=mc^{2}'],
  ])('reads %s', (_, html, tex, block = false) => {
    expect(read(html)).toEqual({tex, block});
  });

  it.each(['<img class="math" alt="A teacher">', '<span>x^2</span>', '<math></math>'])('finds none in %s', (html) => {
    expect(read(html)).toBeUndefined();
  });
});
