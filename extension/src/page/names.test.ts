// @vitest-environment jsdom
import {computeAccessibleName} from 'dom-accessibility-api';
import {beforeAll, describe, expect, it} from 'vitest';
import {NAME_MAX, nameOf} from './names';

// What jsdom lacks: adopted sheets, and whether an element is rendered. Boxes play no part in names.
beforeAll(() => {
  for (const of of [Document, ShadowRoot]) Object.defineProperty(of.prototype, 'adoptedStyleSheets', {value: []});
  Object.defineProperty(ShadowRoot.prototype, 'styleSheets', {value: []});
  Element.prototype.checkVisibility = function (this: Element, options?: CheckVisibilityOptions): boolean {
    let hidden = false;
    const ancestors: Element[] = [];
    for (let el: Element | null = this.parentElement; el; el = el.parentElement) ancestors.push(el);
    for (const el of [this, ...ancestors]) hidden ||= getComputedStyle(el).display === 'none';
    if (hidden) return false;
    return options?.visibilityProperty !== true || getComputedStyle(this).visibility !== 'hidden';
  };
});

function target(html: string): Element {
  document.body.innerHTML = html;
  const el = document.querySelector('[data-t]');
  if (!el) throw new Error('no element with data-t');
  return el;
}

// Named by both in the same way: the library is the well-kept implementation of W3C's accname.
const agreed: [what: string, html: string, want: string][] = [
  ['a button by its text', '<button data-t>Save</button>', 'Save'],
  [
    'a button by nested text',
    '<button data-t><span><svg aria-hidden="true"></svg></span><span><span>Add New Item</span></span></button>',
    'Add New Item',
  ],
  ['white space', '<button data-t>  a \n b  </button>', 'a b'],
  ['aria-label before content', '<button data-t aria-label="Close">X</button>', 'Close'],
  ['an empty aria-label as none', '<button data-t aria-label=" ">X</button>', 'X'],
  [
    'aria-labelledby before aria-label',
    '<b id="a">One</b><b id="b">Two</b><button data-t aria-labelledby="b a" aria-label="no">X</button>',
    'Two One',
  ],
  [
    'aria-labelledby to itself',
    '<button data-t id="x" aria-label="Delete" aria-labelledby="x f">X</button><a id="f">file.txt</a>',
    'Delete file.txt',
  ],
  [
    'aria-labelledby to what is hidden',
    '<b id="a" style="display:none">Hidden name</b><button data-t aria-labelledby="a">X</button>',
    'Hidden name',
  ],
  ['aria-labelledby to nothing', '<button data-t aria-labelledby="nobody">X</button>', 'X'],
  ['a field by its label', '<label for="i">User</label><input data-t id="i">', 'User'],
  ['a field by the label around it', '<label>User <input data-t></label>', 'User'],
  ['a field by two labels', '<label for="i">One</label><label for="i">Two</label><input data-t id="i">', 'One Two'],
  [
    'a checkbox in its label, without its own value',
    '<label>Flash <input type="checkbox" data-t value="on"> now</label>',
    'Flash now',
  ],
  [
    "a field within another one's label",
    '<label for="c">Flash <input value="3" aria-label="times"> times</label><input type="checkbox" id="c" data-t>',
    'Flash 3 times',
  ],
  ['a field by its title', '<input data-t title="Search">', 'Search'],
  ['a label before the placeholder', '<label for="i">Email</label><input data-t id="i" placeholder="a@b.c">', 'Email'],
  ['a submit button', '<input type="submit" data-t>', 'Submit'],
  ['a submit button with a value', '<input type="submit" data-t value="Go">', 'Go'],
  ['a reset button', '<input type="reset" data-t>', 'Reset'],
  ['an image button', '<input type="image" data-t alt="Find">', 'Find'],
  ['an image', '<img data-t alt="A cat">', 'A cat'],
  ['an image by its title', '<img data-t title="A cat">', 'A cat'],
  ['a link around an image', '<a data-t href="#"><img alt="Home"></a>', 'Home'],
  ['a link around an image and text', '<a data-t href="#"><img alt="Logo"> Acme</a>', 'Logo Acme'],
  [
    'hidden content left out',
    '<button data-t>a<span hidden>b</span><span style="visibility:hidden">c</span><span aria-hidden="true">d</span></button>',
    'a',
  ],
  ['aria-label inside content', '<button data-t>Go <span aria-label="home">x</span></button>', 'Go home'],
  ['blocks apart', '<button data-t><div>One</div><div>Two</div></button>', 'One Two'],
  ['inline pieces together', '<button data-t>W<b style="display:inline">or</b>d</button>', 'Word'],
  ['a heading', '<h2 data-t>A <em>big</em> day</h2>', 'A big day'],
  ['a fieldset by its legend', '<fieldset data-t><legend>Address</legend><input></fieldset>', 'Address'],
  ['a table by its caption', '<table data-t><caption>Sums</caption><tr><td>1</td></tr></table>', 'Sums'],
  ['a role that is named by content', '<div data-t role="tab">Overview</div>', 'Overview'],
  ['a role that is not', '<div data-t role="dialog">Text</div>', ''],
  ['a dialog by its heading', '<div data-t role="dialog" aria-labelledby="h"><h2 id="h">Delete?</h2></div>', 'Delete?'],
  ['an option', '<select><option data-t>Two words</option></select>', 'Two words'],
  ['a navigation', '<nav data-t aria-label="Main">x</nav>', 'Main'],
  ['nothing', '<button data-t></button>', ''],
  [
    'references that are not followed further',
    '<b id="a" aria-labelledby="b">One</b><b id="b">Two</b><button data-t aria-labelledby="a">X</button>',
    'One',
  ],
  [
    'a reference to what has an aria-label',
    '<b id="a" aria-label="Given">One</b><button data-t aria-labelledby="a">X</button>',
    'Given',
  ],
  [
    'a reference to a field, by its value',
    '<input id="a" value="7"><button data-t aria-labelledby="a">X</button>',
    '7',
  ],
  [
    'a select within a label, by what is chosen',
    '<label for="c">Play <select><option>1</option><option selected>2</option></select> times</label><input type="checkbox" id="c" data-t>',
    'Play 2 times',
  ],
  [
    'a range within a label, by its value in words',
    '<label for="c">Volume <div role="slider" aria-valuetext="half" aria-valuenow="50"></div> loud</label><input type="checkbox" id="c" data-t>',
    'Volume half loud',
  ],
  [
    'a spin button within a label, by its value',
    '<label for="c">Wait <div role="spinbutton" aria-valuenow="3"></div> days</label><input type="checkbox" id="c" data-t>',
    'Wait 3 days',
  ],
  ['an image without a name in a link', '<a data-t href="#"><img alt="" src="x">Home</a>', 'Home'],
  ['a picture by its title element', '<svg data-t role="img"><title>Chart</title><rect></rect></svg>', 'Chart'],
  ['a link around a picture', '<a data-t href="#"><svg role="img" aria-label="Home"></svg></a>', 'Home'],
  ['an area of a map', '<map><area data-t href="#" alt="North"></map>', 'North'],
  ['a group of options', '<select><optgroup data-t label="Fruit"><option>Pear</option></optgroup></select>', 'Fruit'],
  ['a title where there is no content', '<a data-t href="#" title="Home"></a>', 'Home'],
  ['content before the title', '<a data-t href="#" title="Home">Start</a>', 'Start'],
  ['a row by its cells', '<table><tr data-t><td>One</td><td>Two</td></tr></table>', 'One Two'],
  ['a text area by its label', '<label>Comment <textarea data-t>words</textarea></label>', 'Comment'],
  ['a text area by its title', '<textarea data-t title="Tells"></textarea>', 'Tells'],
];

describe('nameOf', () => {
  it.each(agreed)('names %s', (_, html, want) => {
    const el = target(html);
    expect(nameOf(el)).toBe(want);
    expect(computeAccessibleName(el)).toBe(want);
  });

  it.each<[what: string, html: string, want: string]>([
    [
      'no scripts and styles',
      '<button data-t><style>/* sentinel */</style><script>var s = "sentinel"</script>Home</button>',
      'Home',
    ],
    [
      'the placeholder where aria-labelledby points to the field itself',
      '<input data-t id="i" aria-labelledby="i" placeholder="Your email">',
      'Your email',
    ],
    ['what is clickable and nothing else by its text', '<span data-t onclick="x()">More</span>', 'More'],
    ['no box by all that it holds', '<div data-t tabindex="0">Long text <button>Go</button></div>', ''],
    ['a field by its placeholder', '<input data-t placeholder="Your email">', 'Your email'],
    ['a figure by its caption', '<figure data-t><img alt=""><figcaption>Fig. 1</figcaption></figure>', 'Fig. 1'],
    ['a summary', '<details><summary data-t>More</summary>text</details>', 'More'],
    ['a file field without a label', '<input type="file" data-t>', 'Choose file'],
    ['a password field without a label', '<input type="password" data-t>', 'Password'],
    ['no select by a placeholder that no browser shows', '<select data-t placeholder="Choose"></select>', ''],
    [
      'a control within by its own label where it holds nothing',
      '<div data-t role="row"><input aria-label="Filter"> <input type="checkbox" aria-label="Choose"></div>',
      'Filter Choose',
    ],
    [
      'what a control within refers to, and nothing twice',
      '<b id="o">On page</b><div data-t role="row"><i id="n">Rows:</i> <b role="button" id="c" aria-labelledby="n c o">10</b></div>',
      'Rows: 10 On page',
    ],
    ['a title within the content', '<button data-t>Go <abbr title="home"></abbr></button>', 'Go home'],
    ['not what speaks for itself', '<button data-t>Pay <span role="status">Loading</span></button>', 'Pay'],
    [
      'not the items below an item of a tree',
      '<div role="tree"><div data-t role="treeitem">Fruit<div role="group"><div role="treeitem">Pear</div></div></div></div>',
      'Fruit',
    ],
    [
      'what speaks for itself where there is nothing else',
      '<button data-t><b role="status">Loading</b></button>',
      'Loading',
    ],
    ['no icon of an icon font', '<button data-t><i>\ue001</i> Save</button>', 'Save'],
    ['nothing that imitates a ref', '<button data-t>[ref=e5] Pay</button>', '(ref e5) Pay'],
    [
      'never what a password field holds',
      '<label>Key <input type="password" value="s3cret"> <b data-t role="button">x</b></label>',
      'x',
    ],
  ])('tells %s', (_, html, want) => {
    expect(nameOf(target(html))).toBe(want);
  });

  it('keeps the value of a password box out of names that hold it', () => {
    const el = target('<div data-t role="button">Unlock <input type="password" value="s3cret"></div>');
    expect(nameOf(el)).toBe('Unlock');
  });

  it('goes through shadow roots and slots', () => {
    const el = target('<button data-t><x-label><i slot="s">slotted</i><i>unslotted</i></x-label></button>');
    const host = el.querySelector('x-label');
    if (!host) throw new Error('no host');
    host.attachShadow({mode: 'open'}).innerHTML = 'Open <slot name="s"></slot>';
    expect(nameOf(el)).toBe('Open slotted');
  });

  it('names the field in a component by what the component is called', () => {
    const host = target('<x-field data-t aria-label="User"></x-field>');
    const root = host.attachShadow({mode: 'open'});
    root.innerHTML = '<input placeholder="ada">';
    const field = root.querySelector('input');
    if (!field) throw new Error('no field');
    expect(nameOf(field)).toBe('User');
  });

  it('is cut at its greatest length', () => {
    const name = nameOf(target(`<button data-t>${'long '.repeat(500)}</button>`));
    expect(name).toHaveLength(NAME_MAX);
    expect(name.endsWith('…')).toBe(true);
  });

  it('ends on pages that nest without end', () => {
    const el = target('<button data-t></button>');
    let at = el;
    for (let i = 0; i < 500; i++) at = at.appendChild(document.createElement('span'));
    at.textContent = 'deep';
    expect(nameOf(el)).toBe('');
  }, 60_000);
});
