/** What a person can see: boxes, clips and scrolled-away places, worked out once for each element on the way down. */

/** Rect is a rectangle in viewport coordinates, CSS pixels. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Region says where something may show: within `clip` (null: anywhere), and right of and below the origin. */
interface Region {
  readonly clip: Rect | null;
  /** What lies left of or above this cannot be scrolled to. */
  readonly x: number;
  readonly y: number;
}

/**
 * Place is an element on the way from the root down to where the walk is, with what is known of its box.
 * Everything here is read at most once, and only where something below escapes a box above it.
 */
export class Place {
  readonly el: Element;
  readonly parent: Place | null;
  /** If true, the element has no box of its own (display: contents): its parent's counts. */
  boxless = false;
  private box: Rect | null = null;
  private area: Region | null = null;
  private computed: CSSStyleDeclaration | null = null;
  private kind: Overflow | null = null;
  private holder: Place | null | undefined;

  constructor(el: Element, parent: Place | null) {
    this.el = el;
    this.parent = parent;
  }

  /** The element's computed style: live, so hold no reading of it over a change. */
  get style(): CSSStyleDeclaration {
    this.computed ??= getComputedStyle(this.el);
    return this.computed;
  }

  /** The element's border box. */
  get rect(): Rect {
    if (this.box !== null) return this.box;
    if (this.boxless && this.parent !== null) this.box = this.parent.rect;
    else if (isRoot(this.el)) this.box = EVERYWHERE;
    else this.box = this.el.getBoundingClientRect();
    return this.box;
  }

  /** What becomes of content that sticks out of the box. */
  get overflow(): Overflow {
    this.kind ??= this.boxless ? 'visible' : overflowOf(this);
    return this.kind;
  }

  /** The nearest element above that does not just let its content stick out: the root element at last. */
  get clipper(): Place | null {
    if (this.holder !== undefined) return this.holder;
    const above = this.parent;
    this.holder = above?.overflow === 'visible' ? above.clipper : above;
    return this.holder;
  }

  /** Where this element may show. */
  get region(): Region {
    if (this.area === null) {
      const root = this.overflow === 'root';
      this.area = root ? {clip: null, ...originOf(this.el)} : regionOf(this.rect, this.clipper, this);
    }
    return this.area;
  }

  /** If true, a person can see some of the element's box, or can scroll to it. */
  get inSight(): boolean {
    return shows(this.rect, this.region);
  }

  /** HoldsInSight tells whether a piece of this element's content, such as a line of text, can be seen or scrolled to. */
  holdsInSight(rect: Rect): boolean {
    return shows(rect, regionOf(rect, this.overflow === 'visible' ? this.clipper : this, this));
  }
}

type Overflow = 'visible' | 'clip' | 'scroll' | 'root';

const EVERYWHERE: Rect = {left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity};

// A clip that leaves less than this shows nothing: the 1 px boxes that hide text for screen readers only.
const LEAST = 1.5;

function shows({left, top, right, bottom}: Rect, {clip, x, y}: Region): boolean {
  if (right - left <= 0 || bottom - top <= 0 || right <= x || bottom <= y) return false;
  if (clip === null) return true;
  const width = Math.min(right, clip.right) - Math.max(left, clip.left);
  const height = Math.min(bottom, clip.bottom) - Math.max(top, clip.top);
  return width >= Math.min(LEAST, right - left) && height >= Math.min(LEAST, bottom - top);
}

// The region of a box that is, or lies in, `self`. What lies within the box of a clipping element is clipped by no more
// than that element itself is.
function regionOf(rect: Rect, clipper: Place | null, self: Place): Region {
  let clip: Rect | null = null;
  for (let place = clipper; place !== null; place = place.clipper) {
    if (place.overflow === 'root' || contains(place.rect, rect)) {
      const outer = place.region;
      return clip === null ? outer : {clip: intersect(clip, outer.clip), x: outer.x, y: outer.y};
    }
    if (escapes(self, place)) continue;
    if (place.overflow === 'scroll') {
      const {el} = place;
      return {
        clip,
        x: place.rect.left + el.clientLeft - el.scrollLeft,
        y: place.rect.top + el.clientTop - el.scrollTop,
      };
    }
    clip = intersect(place.rect, clip);
  }
  return {clip, x: -Infinity, y: -Infinity};
}

// One reading of a style for each element that holds something: cheaper than its box.
function overflowOf(place: Place): Overflow {
  const {el} = place;
  // The body's overflow is the viewport's, unless the root element has one of its own.
  if (isRoot(el)) return 'root';
  const {overflowX} = place.style;
  if (overflowX === 'visible' || el.localName === 'body') return 'visible';
  if (isScrolling(overflowX) || isScrolling(place.style.overflowY)) {
    if (el.scrollWidth > el.clientWidth || el.scrollHeight > el.clientHeight) return 'scroll';
  }
  return place.style.display === 'inline' ? 'visible' : 'clip';
}

function isScrolling(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
}

// Whether an element's overflow does not concern what lies below it, because that is positioned against something
// farther out: fixed boxes, and absolute ones whose containing block is an ancestor of the clipping element.
function escapes(from: Place, clipping: Place): boolean {
  for (let place: Place | null = from; place !== null && place !== clipping; place = place.parent) {
    if (place.boxless) continue;
    const {position} = place.style;
    if (position === 'fixed') return true;
    if (position !== 'absolute') continue;
    let block = place.parent;
    while (block !== null && block !== clipping && !isContainingBlock(block)) block = block.parent;
    if (block === clipping && !isContainingBlock(clipping)) return true;
  }
  return false;
}

function isContainingBlock(place: Place): boolean {
  const {position, transform} = place.style;
  return position !== 'static' || transform !== 'none';
}

function originOf(root: Element): {x: number; y: number} {
  const view = root.ownerDocument.defaultView;
  if (view === null) return {x: -Infinity, y: -Infinity};
  // In a document that runs from right to left the left side can be scrolled to.
  const x = getComputedStyle(root).direction === 'rtl' ? -Infinity : -view.scrollX;
  return {x, y: -view.scrollY};
}

function isRoot(el: Element): boolean {
  return el.localName === 'html';
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    inner.left >= outer.left - 1 &&
    inner.top >= outer.top - 1 &&
    inner.right <= outer.right + 1 &&
    inner.bottom <= outer.bottom + 1
  );
}

function intersect(a: Rect, b: Rect | null): Rect {
  if (b === null) return a;
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}
