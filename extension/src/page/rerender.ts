/** Pairing what a page took away with what it put in its place, where both are the same to the letter. */

/** The most HTML that is compared, in UTF-16 units, and how deep it is gone into where it differs. */
const unitsMax = 400_000;
const deepest = 6;

/** What is told of each element that went and the one that came in its place. */
type Paired = (was: Element, now: Element) => void;

/**
 * Rerendered pairs elements that went with those that came and are the same to the letter, their descendants
 * too. What differs is gone into, so that of a list only the rows that changed are left. The same HTML several times
 * over is paired in order.
 *
 * @returns the elements that came and are no copies, as far down as it was looked.
 */
export function rerendered(was: Iterable<Element>, now: Iterable<Element>, paired: Paired): Element[] {
  const news: Element[] = [];
  let left = unitsMax;
  const htmlOf = (el: Element): string => {
    const html = left > 0 ? el.outerHTML : '';
    left -= html.length;
    return html;
  };
  const match = (olds: Iterable<Element>, come: Iterable<Element>, depth: number): void => {
    const byHtml = grouped(olds, htmlOf);
    if (byHtml.size === 0) {
      news.push(...come);
      return;
    }
    const rest: Element[] = [];
    for (const el of come) {
      const html = htmlOf(el);
      const old = html === '' ? undefined : byHtml.get(html)?.shift();
      if (old) pairAll(old, el, paired);
      else rest.push(el);
    }
    const gone = [...byHtml.values()].flat();
    for (const [i, el] of rest.entries()) {
      const old = gone.length === rest.length ? gone[i] : undefined;
      const alike = old?.localName === el.localName && old.id === el.id;
      if (old && alike && depth > 0 && el.firstElementChild) match(old.children, el.children, depth - 1);
      else news.push(el);
    }
  };
  match(was, now, deepest);
  return news;
}

function grouped(elements: Iterable<Element>, htmlOf: (el: Element) => string): Map<string, Element[]> {
  const byHtml = new Map<string, Element[]>();
  for (const el of elements) {
    const html = htmlOf(el);
    const same = byHtml.get(html);
    if (same) same.push(el);
    else byHtml.set(html, [el]);
  }
  return byHtml;
}

function pairAll(was: Element, now: Element, paired: Paired): void {
  paired(was, now);
  const [olds, news] = [was.getElementsByTagName('*'), now.getElementsByTagName('*')];
  for (let i = 0; i < olds.length; i++) {
    const [old, el] = [olds[i], news[i]];
    if (old && el) paired(old, el);
  }
}
