/** The actions that make pictures and documents of a page. */

import type {Protocol} from 'devtools-protocol';
import type {TargetRef} from '../../page/actapi';
import type {ScreenshotResult} from '../../protocol.gen';
import type {Handler} from '../call';
import {type Box, elementBox} from '../elementbox';
import {ActionError} from '../errors';
import {imageSize} from '../imagesize';
import {type Tab, tabs} from '../tab';

type Format = 'png' | 'jpeg' | 'webp';

interface Shot {
  format: Format;
  quality: number;
  /** What to take, in CSS pixels of the document; absent: the viewport. */
  clip?: Protocol.Page.Viewport;
  /** If true, some of it may be outside of the viewport. */
  beyond: boolean;
}

/** Area is what to take, in CSS pixels of the document. */
interface Area extends Box {
  /** How many pixels of the screen a CSS pixel has. */
  ratio: number;
  /** How many pixels of the browser's own, in which pictures are cut out, a CSS pixel has. */
  zoom: number;
  beyond: boolean;
}

type Wanted = TargetRef & {fullPage?: boolean; format?: Format; quality?: number; longEdge?: number};

// Larger pictures are scaled down by the models themselves, and then the pixels are no longer those in which one clicks.
const defaultLongEdge = 1_568;
// Below this scale a line of text is a grey bar.
const legible = 0.4;
// Of a longer page only the beginning is taken: 70,000 pixels of the screen take 15 s (measured).
const tallest = 16_000;
// How long all of it may take: a picture that has not come by then does not come.
const captureMs = 5_000;

/** Screenshot takes a picture of the viewport, of the whole page or of one element, in CSS pixels. */
export const screenshot: Handler<'screenshot'> = async (action, call) => {
  const tab = await tabs.get(call.tabId, call.signal);
  const late = new AbortController();
  const timer = setTimeout(() => {
    const message = `the page gave no picture within ${captureMs / 1000} s; read it with snapshot or extract, or try again`;
    late.abort(new ActionError('timeout', message, {outcome: 'done'}));
  }, captureMs);
  try {
    return await take(tab, action, AbortSignal.any([call.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
};

async function take(tab: Tab, action: Wanted, signal: AbortSignal): Promise<ScreenshotResult> {
  const {format = 'png', quality = 80, longEdge = defaultLongEdge} = action;
  const area = await areaOf(tab, action, signal);
  const notes = tab.takeNotes();
  const most = Math.round(tallest / Math.max(1, area.ratio));
  if (area.height > most) {
    notes.push(`the page is ${Math.round(area.height)} pixels tall; the picture shows the first ${most}`);
    area.height = most;
  }
  // Pictures come in pixels of the screen, of which one CSS pixel may have several.
  const scale = Math.min(1, longEdge / Math.max(area.width, area.height)) / area.ratio;
  const {x, y, width, height, beyond, zoom} = area;
  // Without a clip the browser need not lay anything out anew, which the page would notice.
  const clip =
    beyond || scale !== 1 ? {x: x * zoom, y: y * zoom, width: width * zoom, height: height * zoom, scale} : undefined;
  const data = await shoot(tab, {format, quality, beyond, ...(clip === undefined ? {} : {clip})}, signal);
  const size = imageSize(data) ?? {width: Math.round(width * scale * area.ratio), height: Math.round(height)};
  if (scale * area.ratio < legible) {
    notes.push(
      'scaled down this far, text may not be legible: take one element, or scroll, or ask for a larger longEdge',
    );
  }
  return {
    data,
    mimeType: `image/${format}`,
    ...size,
    // Rounding to whole pixels is no scale.
    ...(Math.abs(size.width - width) <= 1 ? {} : {scale: size.width / width}),
    ...(notes.length === 0 ? {} : {notes}),
  };
}

/** AreaOf is what to take, laid out: in a hidden tab nothing is before somebody asks. */
async function areaOf(tab: Tab, action: Wanted, signal: AbortSignal): Promise<Area> {
  const isElement = action.uid !== undefined || action.selector !== undefined;
  if (action.fullPage === true && isElement) {
    throw new ActionError('invalid_action', 'fullPage and a target exclude each other; give one of them');
  }
  const box = isElement ? await elementBox(tab, action, signal) : undefined;
  const layOut = {
    expression: '[document.documentElement?.scrollHeight, devicePixelRatio, innerWidth, innerHeight]',
    returnByValue: true,
  };
  const [laidOut, metrics] = await Promise.all([
    tab.send('Runtime.evaluate', layOut, {signal, again: true}),
    tab.send('Page.getLayoutMetrics', undefined, {signal}),
  ]);
  const {cssVisualViewport: view, cssContentSize: content} = metrics;
  const {ratio, width, height} = screenOf(laidOut.result.value);
  const {zoom = 1} = view;
  if (action.fullPage === true) {
    return {x: 0, y: 0, width: content.width, height: content.height, ratio, zoom, beyond: true};
  }
  if (box) {
    return {...box, x: box.x + view.pageX, y: box.y + view.pageY, ratio, zoom, beyond: true};
  }
  return {x: view.pageX, y: view.pageY, width, height, ratio, zoom, beyond: false};
}

/** Shoot takes one picture; a hidden page draws nothing by itself, so a tiny screencast makes it do so meanwhile. */
async function shoot(tab: Tab, shot: Shot, signal: AbortSignal): Promise<string> {
  const tiny = {format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16} as const;
  const cast = tab.send('Page.startScreencast', tiny, {signal}).catch(() => undefined);
  const asked = {
    format: shot.format,
    ...(shot.format === 'png' ? {optimizeForSpeed: true} : {quality: shot.quality}),
    ...(shot.clip === undefined ? {} : {clip: shot.clip}),
    captureBeyondViewport: shot.beyond,
  };
  try {
    const {data} = await tab.send('Page.captureScreenshot', asked, {signal});
    return data;
  } finally {
    await cast;
    void tab.send('Page.stopScreencast', undefined, {timeoutMs: captureMs}).catch(() => undefined);
  }
}

/** ScreenOf checks what the page says of its viewport, scroll bars included: a lie may spoil its picture, no more. */
function screenOf(told: unknown): {ratio: number; width: number; height: number} {
  const numbers: unknown[] = Array.isArray(told) ? told : [];
  const [, ratio, width, height] = numbers;
  return {ratio: within(ratio, 0.1, 10, 1), width: within(width, 1, 1e5, 800), height: within(height, 1, 1e5, 600)};
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === 'number' && value >= least && value <= most ? value : otherwise;
}
