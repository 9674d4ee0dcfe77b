/** How an element is painted: whether as a block, and whether its text can be told from what is behind it. */

import type {Place, Rect} from './visibility';
import type {Visit} from './walk';

const blocks = new WeakMap<Place, boolean>();

/** IsBlock tells whether an element begins and ends a line. */
export function isBlock<N>(visit: Visit<N>): boolean {
  let block = blocks.get(visit);
  if (block === undefined) {
    const {display} = visit.style;
    block = !visit.boxless && !display.startsWith('inline') && display !== 'none' && !display.startsWith('ruby');
    blocks.set(visit, block);
  }
  return block;
}

interface Colour {
  r: number;
  g: number;
  b: number;
  a: number;
}

const colours = new Map<string, Colour | null>();

function parse(text: string): Colour | null {
  let colour = colours.get(text);
  if (colour === undefined) {
    const [r, g, b, a] = (/^rgba?\(([\d.,\s]+)\)$/.exec(text)?.[1] ?? '').split(',').map(Number);
    colour = r === undefined || g === undefined || b === undefined ? null : {r, g, b, a: a ?? 1};
    colours.set(text, colour);
  }
  return colour;
}

const backdrops = new WeakMap<Place, string | null>();

// The colour behind an element's text, null where a picture, a gradient or something else may be.
function backdrop(place: Place): string | null {
  const known = backdrops.get(place);
  if (known !== undefined) return known;
  const {backgroundColor, backgroundImage} = place.style;
  let behind: string | null;
  if (backgroundImage !== 'none') behind = null;
  else if ((parse(backgroundColor)?.a ?? 0.5) === 1) behind = backgroundColor;
  else if ((parse(backgroundColor)?.a ?? 0.5) > 0) behind = null;
  else if (place.parent !== null) behind = backdrop(place.parent);
  // The canvas is white, but for pages that have a dark scheme.
  else behind = place.style.colorScheme.includes('dark') ? null : 'rgb(255, 255, 255)';
  backdrops.set(place, behind);
  return behind;
}

const veils = new WeakMap<Place, boolean>();

// Whether an element's own text is skipped although its box is there: elements in it say so by themselves.
function isShut<N>({tag, el, style}: Visit<N>): boolean {
  return (tag === 'details' && !el.hasAttribute('open')) || style.contentVisibility === 'hidden';
}

// Whether a clip path or a filter on the way up leaves nothing of what is inside.
function isVeiled(place: Place): boolean {
  let veiled = veils.get(place);
  if (veiled === undefined) {
    const {clipPath, filter} = place.style;
    veiled =
      (clipPath !== 'none' &&
        /^(inset\((50|100)%|circle\(0|polygon\(0(px|%)? 0(px|%)?(, 0(px|%)? 0(px|%)?)*\))/.test(clipPath)) ||
      (filter !== 'none' && /opacity\(0(\.0\d*)?\)/.test(filter)) ||
      (place.parent !== null && isVeiled(place.parent));
    veils.set(place, veiled);
  }
  return veiled;
}

// Less than this in every channel, out of 255, and nobody can tell two colours apart on a screen.
const JUST_NOTICEABLE = 4;

/**
 * IsReadable tells whether text in this element stands out from what is behind it. When in doubt it does:
 * where pictures, gradients or other boxes may lie behind, the text is kept.
 */
export function isReadable<N>(node: Text, visit: Visit<N>): boolean {
  const {style} = visit;
  if (isVeiled(visit) || isShut(visit)) return false;
  const ink = parse(style.webkitTextFillColor);
  if (ink === null) return true;
  if (ink.a > 0.05) {
    const behind = backdrop(visit);
    const ground = behind === null ? null : parse(behind);
    if (ground === null || distance(ink, ground) >= JUST_NOTICEABLE) {
      // What has the opacity 0 and yet is not transparent is on its way to being seen.
      return Number(style.opacity) > 0.02 || (style.opacity === '0' && !visit.transparent);
    }
  }
  if (style.backgroundClip === 'text' || style.textShadow !== 'none' || style.webkitTextStrokeWidth !== '0px')
    return true;
  return ink.a > 0.05 && somethingBehind(node, visit);
}

function distance(a: Colour, b: Colour): number {
  return Math.max(Math.abs(a.r - b.r), Math.abs(a.g - b.g), Math.abs(a.b - b.b));
}

// Whether a box that is no ancestor may lie behind: a picture, or something positioned beside the way up.
function somethingBehind<N>(node: Text, visit: Visit<N>): boolean {
  const range = node.ownerDocument.createRange();
  range.selectNode(node);
  const rect = range.getBoundingClientRect();
  let looked = 0;
  for (let place: Place | null = visit; place !== null; place = place.parent) {
    const above = place.el.parentElement;
    if (above === null) break;
    for (const sibling of above.children) {
      if (sibling === place.el || ++looked > 200) continue;
      if (overlaps(sibling.getBoundingClientRect(), rect) && paints(sibling)) return true;
    }
    if ((parse(place.style.backgroundColor)?.a ?? 1) === 1) break;
  }
  return false;
}

function paints(el: Element): boolean {
  if (/^(img|picture|video|canvas|svg|iframe|object)$/.test(el.localName)) return true;
  if (el.querySelector('img,picture,video,canvas,svg,iframe,object') !== null) return true;
  const style = getComputedStyle(el);
  return style.backgroundImage !== 'none' || (parse(style.backgroundColor)?.a ?? 1) > 0;
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
