// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {rerendered} from './rerender';

function list(...items: string[]): Element {
  const ul = document.createElement('ul');
  ul.innerHTML = items.map((it) => `<li><span>${it}</span><button>Buy</button></li>`).join('');
  return ul;
}

function compared(was: Element[], now: Element[]): {pairs: string[]; news: string[]} {
  const pairs: string[] = [];
  const news = rerendered(was, now, (old, el) => {
    pairs.push(`${old.localName} ${el.textContent}`);
  });
  return {pairs, news: news.map((el) => `${el.localName} ${el.textContent}`)};
}

describe('rerendered', () => {
  it('pairs what is the same to the letter, all the way down', () => {
    const {pairs, news} = compared([list('Milk')], [list('Milk')]);
    expect(pairs).toEqual(['ul MilkBuy', 'li MilkBuy', 'span Milk', 'button Buy']);
    expect(news).toEqual([]);
  });

  it('goes into what differs, and leaves what is new', () => {
    const {pairs, news} = compared([list('Milk', 'Bread')], [list('Milk', 'Bread', 'Salt')]);
    expect(pairs.filter((it) => it.startsWith('li'))).toEqual(['li MilkBuy', 'li BreadBuy']);
    expect(news).toEqual(['li SaltBuy']);
  });

  it('never pairs what only looks alike', () => {
    const [was, now] = [list('Milk'), list('Milk')];
    now.firstElementChild?.setAttribute('data-id', '2');
    expect(compared([was], [now]).pairs.filter((it) => it.startsWith('li'))).toEqual([]);
  });

  it('has nothing to pair where nothing went', () => {
    expect(compared([], [list('Milk')])).toEqual({pairs: [], news: ['ul MilkBuy']});
  });
});
