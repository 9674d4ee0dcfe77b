// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {markdown} from './markdown';

const convert = (html: string): string => {
  const copy = document.implementation.createHTMLDocument('');
  copy.body.innerHTML = html;
  return markdown(copy.body);
};

describe('markdown', () => {
  it.each<[what: string, html: string, want: string]>([
    ['headings on one line', '<h1>Big<br>news</h1>', '# Big news'],
    ['an empty heading as nothing', '<h2> </h2><p>a</p>', 'a'],
    [
      'links around blocks',
      '<a href="https://a.test/x"><h3>Title</h3><p>Text</p></a>',
      '[Title Text](https://a.test/x)',
    ],
    ['addresses with brackets', '<a href="https://a.test/(x) y">l</a>', '[l](https://a.test/%28x%29%20y)'],
    ['links that say nothing', '<p>a<a href="https://a.test/"> </a>b</p>', 'a b'],
    ['images', '<img alt="A [b]" src="https://a.test/p.png">', '![A \\[b\\]](https://a.test/p.png)'],
    ['images without an address', '<img alt="A">', '![A]()'],
    ['numbers that begin elsewhere', '<ol start="9"><li>A</li><li>B</li></ol>', '9. A\n10. B'],
    ['numbers that jump', '<ol><li value="5">a</li><li>b</li></ol>', '5. a\n6. b'],
    [
      'nesting by the width of the marker',
      '<ol start="9"><li>A<ul><li>B<ol><li>C</li></ol></li></ul></li><li>D</li></ol>',
      '9. A\n   - B\n     1. C\n10. D',
    ],
    ['two paragraphs in an item', '<ul><li><p>p1</p><p>p2</p></li></ul>', '- p1\n\n  p2'],
    [
      'task lists',
      '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
      '- [x]  done\n- [ ]  open',
    ],
    [
      'code with its language',
      '<pre data-lang="go">func main() {\n\tx &lt; y\n}\n</pre>',
      '```go\nfunc main() {\n\tx < y\n}\n```',
    ],
    ['a fence that is longer than what is inside', '<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
    ['definition lists', '<dl><dt>Term</dt><dd>Def</dd></dl>', '**Term**\n: Def'],
    ['deleted words', '<p><del>old</del> new</p>', '~~old~~ new'],
    ['emphasis', '<p><b>bold</b> <em>soft</em> <code>x*y</code></p>', '**bold** *soft* `x*y`'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['rules', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
    ['names of things as they are', '<p>a snake_case_name, 2 * 3 * 4</p>', 'a snake_case_name, 2 * 3 * 4'],
    [
      'tags and entities as text',
      '<p>&lt;b&gt; and &amp;lt; and ~~kept~~</p>',
      '\\<b> and \\&lt; and \\~\\~kept\\~\\~',
    ],
    ['lists that count down', '<ol reversed><li>b</li><li>a</li></ol>', '2. b\n1. a'],
    [
      'formulas',
      '<p>so <code data-math="inline">x_1^2</code></p><code data-math="block">y</code>',
      'so $x_1^2$\n\n$$y$$',
    ],
    ['what would pass for markup', '<p>* not a list, _not_ emphasis</p>', '\\* not a list, \\_not\\_ emphasis'],
  ])('writes %s', (_, html, want) => {
    expect(convert(html)).toBe(want);
  });

  it.each<[what: string, html: string, want: string[]]>([
    [
      'a header row of th',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
    ],
    [
      'an empty header where there is none',
      '<table><tr><td>1</td><td>2</td></tr></table>',
      ['|  |  |', '| --- | --- |', '| 1 | 2 |'],
    ],
    [
      'a thead',
      '<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
      ['| a |', '| --- |', '| 1 |'],
    ],
    [
      'empty cells',
      '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td></td><td>2</td><td></td></tr></table>',
      ['| a | b | c |', '| --- | --- | --- |', '|  | 2 |  |'],
    ],
    [
      'a cell over two columns',
      '<table><tr><th>a</th><th>b</th></tr><tr><td colspan="2">w</td></tr></table>',
      ['| a | b |', '| --- | --- |', '| w |  |'],
    ],
    [
      'a cell over two rows',
      '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">r</td><td>1</td></tr><tr><td>2</td></tr></table>',
      ['| a | b |', '| --- | --- |', '| r | 1 |', '|  | 2 |'],
    ],
    [
      'a cell over all rows of its part',
      '<table><tbody><tr><td rowspan="0">r</td><td>1</td></tr><tr><td>2</td></tr></tbody><tbody><tr><td>3</td></tr></tbody></table>',
      ['|  |  |', '| --- | --- |', '| r | 1 |', '|  | 2 |', '| 3 |  |'],
    ],
    [
      'code in a cell',
      '<table><tr><th>a</th></tr><tr><td><pre>if a\n  b | `c`</pre></td></tr></table>',
      ['| a |', '| --- |', '| `if a`<br>``   b \\| `c` `` |'],
    ],
    [
      'rows that are too short',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>',
      ['| a | b |', '| --- | --- |', '| 1 |  |'],
    ],
    [
      'blocks in a cell',
      '<table><tr><th>a</th></tr><tr><td><p>one</p><p>two | three</p><ul><li>l</li></ul></td></tr></table>',
      ['| a |', '| --- |', '| one<br>two \\| three<br>- l |'],
    ],
  ])('writes a table with %s', (_, html, want) => {
    expect(convert(html)).toBe(want.join('\n'));
  });

  it('puts the caption before the table', () => {
    expect(convert('<table><caption>Sums</caption><tr><th>a</th></tr></table>')).toBe('Sums\n\n| a |\n| --- |');
  });
});
