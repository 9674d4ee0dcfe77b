/**
 * Where an element can be pointed at: boxes and points in CSS pixels of the frame's own viewport.
 *
 * The centre of a bounding box is no good measure: for a link that wraps over two lines it lies on the
 * paragraph between them (FAULTS B028). So points are taken from the line boxes, the largest first.
 */

/** A place in the frame's viewport, in CSS pixels from its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in the frame's viewport, in CSS pixels; right and bottom lie outside it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Smaller than this in either direction, in CSS pixels, a box cannot be hit on purpose. */
const smallest = 0.5;

/** A box at least this large, in CSS pixels, is worth trying in more places than its centre. */
const roomy = 6;

/** Where in a box to look, as parts of its width and height, after the centre. */
const elsewhere = [
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.08, 0.5],
  [0.92, 0.5],
  [0.5, 0.08],
  [0.5, 0.92],
  [0.08, 0.08],
  [0.92, 0.08],
  [0.08, 0.92],
  [0.92, 0.92],
] as const;

/** Intersect is the part that two boxes share; nothing if it is too small to be hit. */
export function intersect(a: Box, b: Box): Box | undefined {
  const box = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
  return box.right - box.left >= smallest && box.bottom - box.top >= smallest ? box : undefined;
}

/**
 * CandidatePoints lists where to try to hit something that paints these boxes, best first: the centres of
 * all boxes, largest box first, then other places of the roomy ones, so that what a header covers in part is
 * still hit where it is free. Points outside clip are left out; at most limit are given.
 */
export function candidatePoints(boxes: readonly Box[], clip: Box, limit = 40): Point[] {
  const seen = boxes
    .map((box) => intersect(box, clip))
    .filter((box) => box !== undefined)
    .sort((a, b) => areaOf(b) - areaOf(a));
  const points = seen.map((box) => pointIn(box, 0.5, 0.5));
  for (const box of seen) {
    if (box.right - box.left < roomy || box.bottom - box.top < roomy) continue;
    points.push(...elsewhere.map(([x, y]) => pointIn(box, x, y)));
  }
  return points.slice(0, limit);
}

/** BoundsOf is the smallest box around all of them; nothing for none. */
export function boundsOf(boxes: readonly Box[]): Box | undefined {
  const [first, ...rest] = boxes;
  if (!first) return undefined;
  return rest.reduce(
    (all, box) => ({
      left: Math.min(all.left, box.left),
      top: Math.min(all.top, box.top),
      right: Math.max(all.right, box.right),
      bottom: Math.max(all.bottom, box.bottom),
    }),
    first,
  );
}

/** SameBoxes tells whether nothing moved by as much as a tenth of a pixel. */
export function sameBoxes(a: readonly Box[], b: readonly Box[]): boolean {
  return (
    a.length === b.length &&
    a.every((box, i) => {
      const other = b[i];
      return (
        other !== undefined &&
        (['left', 'top', 'right', 'bottom'] as const).every((s) => Math.abs(box[s] - other[s]) < 0.1)
      );
    })
  );
}

/** BoxesOf is what an element paints: its line boxes, or what stands for them. Empty when it paints nothing. */
export function boxesOf(element: Element): Box[] {
  if (element instanceof HTMLAreaElement) return areaBoxes(element);
  const own = hittable(element.getClientRects());
  if (own.length > 0) return own;
  // display: contents has no box of its own, and an inline element around a block has empty ones.
  const range = document.createRange();
  range.selectNodeContents(element);
  const inner = hittable(range.getClientRects());
  return inner.length > 0 ? inner : pseudoBoxes(element);
}

/** ViewportBox is what the frame shows of its document. */
export function viewportBox(): Box {
  // Without a scrollbar's width: a point on it would scroll instead of click.
  const root = document.documentElement;
  const inner = {right: window.innerWidth, bottom: window.innerHeight};
  const quirks = document.compatMode === 'BackCompat';
  return {
    left: 0,
    top: 0,
    right: quirks || root.clientWidth === 0 ? inner.right : Math.min(inner.right, root.clientWidth),
    bottom: quirks || root.clientHeight === 0 ? inner.bottom : Math.min(inner.bottom, root.clientHeight),
  };
}

function pointIn(box: Box, alongX: number, alongY: number): Point {
  return {
    x: whole(box.left, box.right, box.left + (box.right - box.left) * alongX),
    y: whole(box.top, box.bottom, box.top + (box.bottom - box.top) * alongY),
  };
}

/** Mouse events carry whole pixels: a fraction that rounds out of the box would be seen outside it. */
function whole(from: number, to: number, at: number): number {
  const floor = Math.floor(at);
  return floor >= from && floor < to ? floor : at;
}

function areaOf(box: Box): number {
  return (box.right - box.left) * (box.bottom - box.top);
}

function hittable(rects: DOMRectList): Box[] {
  return Array.from(rects, ({left, top, right, bottom}) => ({left, top, right, bottom})).filter(
    (box) => box.right - box.left >= smallest && box.bottom - box.top >= smallest,
  );
}

/** An area has no box: its shape lies on the image that uses its map. */
function areaBoxes(area: HTMLAreaElement): Box[] {
  const map = area.closest('map');
  const root = area.getRootNode();
  if (!map || !(root instanceof Document || root instanceof ShadowRoot)) return [];
  const image = Array.from(root.querySelectorAll('img[usemap]')).find(
    (img) => img.getAttribute('usemap')?.replace(/^#/, '') === map.name,
  );
  if (!(image instanceof HTMLImageElement)) return [];
  const box = image.getBoundingClientRect();
  const style = getComputedStyle(image);
  const left = box.left + image.clientLeft + pixels(style.paddingLeft);
  const top = box.top + image.clientTop + pixels(style.paddingTop);
  const [a = 0, b = 0, c = 0, d = 0, ...rest] = area.coords.split(',').map(Number);
  switch (area.shape.toLowerCase()) {
    case 'default':
      return [{left: box.left, top: box.top, right: box.right, bottom: box.bottom}];
    case 'circle':
    case 'circ':
      // The square inside the circle.
      return [squareAround(left + a, top + b, c * Math.SQRT1_2)];
    case 'poly':
    case 'polygon': {
      const all = [a, b, c, d, ...rest];
      const xs = all.filter((_, i) => i % 2 === 0);
      const ys = all.filter((_, i) => i % 2 === 1);
      return [
        {
          left: left + Math.min(...xs),
          top: top + Math.min(...ys),
          right: left + Math.max(...xs),
          bottom: top + Math.max(...ys),
        },
      ];
    }
    default:
      return [
        {
          left: left + Math.min(a, c),
          top: top + Math.min(b, d),
          right: left + Math.max(a, c),
          bottom: top + Math.max(b, d),
        },
      ];
  }
}

function squareAround(x: number, y: number, half: number): Box {
  return {left: x - half, top: y - half, right: x + half, bottom: y + half};
}

/**
 * A label without any text whose box is drawn by ::before or ::after (FAULTS B035) has no rectangle, and the
 * platform does not say where a pseudo element lies. Its computed size and insets give a guess; the hit test
 * then decides.
 */
function pseudoBoxes(element: Element): Box[] {
  const anchor = element.getBoundingClientRect();
  return ['::before', '::after'].flatMap((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (style.content === 'none' || style.display === 'none') return [];
    const width = pixels(style.width);
    const height = pixels(style.height);
    if (width < smallest || height < smallest) return [];
    const left = anchor.left + pixels(style.left) + pixels(style.marginLeft);
    const top = anchor.top + pixels(style.top) + pixels(style.marginTop);
    return [{left, top, right: left + width, bottom: top + height}];
  });
}

function pixels(length: string): number {
  const n = Number.parseFloat(length);
  return Number.isFinite(n) ? n : 0;
}
