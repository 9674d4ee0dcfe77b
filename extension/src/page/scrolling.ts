/** Which container scrolls, how far, and where it then stands. */

import type {ScrollOrder, Stand} from './actapi';
import {boxesOf, intersect, viewportBox} from './geometry';
import {flatAncestors} from './hittest';
import {bringIntoView} from './locate';

/** Where the container stands after it was scrolled, in CSS pixels. */
export interface Scrolled {
  readonly x: number;
  readonly y: number;
  /** It cannot be scrolled further that way. */
  readonly atEnd: boolean;
  /** If true, it moved. */
  readonly moved: boolean;
  /** The container that was scrolled; undefined for the page itself. */
  readonly container: Element | undefined;
  /** Stands tells where the container stands later on. */
  readonly stands: () => Stand;
}

/** How much of what is visible is kept when no distance is asked for, so that no line is missed. */
const page = 0.85;

/** Scroll scrolls the nearest container of the target that can go that way, or the page, at once and without animation. */
export function scroll(order: ScrollOrder, target: Element | undefined): Scrolled {
  const axis = order.direction === 'left' || order.direction === 'right' ? 'x' : 'y';
  const container = containerOf(target, axis);
  const before = {x: container.scrollLeft, y: container.scrollTop};
  const {scrollWidth, scrollHeight} = container;
  if (order.to === 'element' && target) bringIntoView(target, 'center');
  else container.scrollBy({...distance(order, container), behavior: 'instant'});
  const stands = (): Stand => ({
    x: round(container.scrollLeft),
    y: round(container.scrollTop),
    atEnd: atEnd(container, order),
    grew: container.scrollWidth > scrollWidth + 1 || container.scrollHeight > scrollHeight + 1,
  });
  const {x, y, atEnd: ended} = stands();
  return {
    x,
    y,
    atEnd: ended,
    moved: Math.abs(x - before.x) >= 1 || Math.abs(y - before.y) >= 1,
    container: container === pageScroller() ? undefined : container,
    stands,
  };
}

/**
 * ContainerOf is what scrolls for a target: the nearest ancestor, or itself, with more content than room.
 * Without a target it is the page, or, where the page itself has nothing to scroll, the largest scroller in
 * view: many applications scroll an inner column.
 */
export function containerOf(target: Element | undefined, axis: 'x' | 'y'): Element {
  const root = pageScroller();
  if (target) {
    for (const at of flatAncestors(target)) if (at !== root && scrolls(at, axis)) return at;
    return root;
  }
  if (room(root, axis) > 1 && !clips(root, axis)) return root;
  let best: Element = root;
  let largest = 0;
  for (const at of document.querySelectorAll('*')) {
    if (room(at, axis) <= 1 || !scrolls(at, axis)) continue;
    const [box] = boxesOf(at);
    const seen = box && intersect(box, viewportBox());
    const area = seen ? (seen.right - seen.left) * (seen.bottom - seen.top) : 0;
    if (area > largest) [best, largest] = [at, area];
  }
  return best;
}

function distance(order: ScrollOrder, container: Element): {left: number; top: number} {
  if (order.to === 'top') return {left: 0, top: -container.scrollHeight};
  if (order.to === 'bottom') return {left: 0, top: container.scrollHeight};
  const sideways = order.direction === 'left' || order.direction === 'right';
  const visible = sideways ? container.clientWidth : container.clientHeight;
  const pixels = order.pixels ?? Math.max(1, Math.floor(visible * page));
  const signed = order.direction === 'up' || order.direction === 'left' ? -pixels : pixels;
  return sideways ? {left: signed, top: 0} : {left: 0, top: signed};
}

function atEnd(container: Element, {direction, to}: ScrollOrder): boolean {
  const {scrollTop, scrollLeft, scrollHeight, clientHeight} = container;
  const way = to ?? direction;
  if (way === 'top' || way === 'up') return scrollTop <= 1;
  // In a container that runs from right to left the offsets are negative.
  const across = rightToLeft(container) ? room(container, 'x') + scrollLeft : scrollLeft;
  if (way === 'left') return across <= 1;
  if (way === 'right') return across >= room(container, 'x') - 1;
  return scrollTop >= scrollHeight - clientHeight - 1;
}

function scrolls(element: Element, axis: 'x' | 'y'): boolean {
  if (room(element, axis) <= 1) return false;
  const style = getComputedStyle(element);
  const overflow = axis === 'x' ? style.overflowX : style.overflowY;
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
}

/** The root's own overflow: hidden keeps a person from scrolling the page, though a script could. */
function clips(root: Element, axis: 'x' | 'y'): boolean {
  const style = getComputedStyle(root);
  const body = document.body instanceof HTMLElement ? getComputedStyle(document.body) : style;
  const overflow = axis === 'x' ? style.overflowX : style.overflowY;
  const inherited = axis === 'x' ? body.overflowX : body.overflowY;
  return overflow === 'hidden' || overflow === 'clip' || (overflow === 'visible' && /hidden|clip/.test(inherited));
}

function room(element: Element, axis: 'x' | 'y'): number {
  return axis === 'x' ? element.scrollWidth - element.clientWidth : element.scrollHeight - element.clientHeight;
}

function pageScroller(): Element {
  return document.scrollingElement ?? document.documentElement;
}

function rightToLeft(container: Element): boolean {
  return getComputedStyle(container).direction === 'rtl';
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
