/** Cutting and cleaning text on its way out of a page: UTF-8 budgets, whole code points, no false marks. Free of the DOM: the worker cuts by it too. */

const encoder = new TextEncoder();

/** ByteLength is the length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Cut is a piece of a text. */
export interface Cut {
  text: string;
  /** Where the piece ends in the whole text, in UTF-16 units; equal to its length when nothing follows. */
  end: number;
}

/**
 * CutBytes takes the piece of a text that begins at `from` (UTF-16 units) and has at most `max` bytes of
 * UTF-8. It never ends within a code point; where a line ends in the last fifth of the piece it ends there.
 */
export function cutBytes(text: string, max: number, from = 0): Cut {
  const start = isLowSurrogate(text, from) ? from + 1 : from;
  const rest = text.slice(start);
  // No code point takes fewer than one byte a unit, and none more than three.
  if (rest.length * 3 <= max) return {text: rest, end: text.length};
  const {read} = encoder.encodeInto(rest, new Uint8Array(Math.max(0, max)));
  if (read === rest.length) return {text: rest, end: text.length};
  const line = rest.lastIndexOf('\n', read - 1);
  const end = line > read * 0.8 ? line + 1 : read;
  return {text: rest.slice(0, end), end: start + end};
}

/** CutUnits shortens a text to at most `max` UTF-16 units, the last of them an ellipsis where something went. */
export function cutUnits(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isLowSurrogate(text, max - 1) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Collapse makes each run of white space one space, and takes it off both ends. */
export function collapse(text: string): string {
  // Most texts need nothing: a test is cheaper than a copy.
  return UNTIDY.test(text) ? text.replace(SPACES, ' ').trim() : text;
}
const SPACES = /\s+/g;
const UNTIDY = /^\s|\s$|\s\s|[^\S ]/;

// What no reader sees but a model does: bidirectional overrides, tag characters (a whole hidden alphabet),
// zero-width characters that are no joiners, variation selectors of the supplement, control characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;
// Characters of icon fonts mean nothing outside their font.
const PRIVATE_USE = /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu;
// With the u flag only halves without their other half match.
const LONE = /\p{Surrogate}/gu;
// A ref as a snapshot writes it, and the fence that parts the page's words from ours.
const REF = /\\?\[\s*(ref|uid)\s*[=:]\s*(e\d+)\s*\\?\]/gi;
const FENCE = /<(\/?)\s*page\b([^>\n]{0,40})>/gi;
const SUSPECT =
  /[^\n\t\u0020-\u003b\u003d-\u005a\u005c-\u007e\u00a0-\u00ac\u00ae-\u1fff\u2010-\u2029\u202f-\u205f\u2070-\ud7ff]/;

/**
 * Harmless takes out of a page's text what only a model would read (invisible characters) and what would
 * pass for our own marks (refs, fences); all else stays as it is. Lone surrogates become U+FFFD.
 */
export function harmless(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(LONE, '\ufffd')
    .replace(INVISIBLE, '')
    .replace(PRIVATE_USE, '')
    .replace(REF, '($1 $2)')
    .replace(FENCE, '‹$1page$2›');
}

/** Label is a page's text as one short, harmless line: a name, a value, a title. At most `max` UTF-16 units. */
export function label(text: string, max: number): string {
  return cutUnits(collapse(harmless(text.length > max * 8 ? text.slice(0, max * 8) : text)), max);
}

/** Quote puts a one-line text in double quotes, as the lines of a snapshot have it. */
export function quote(text: string): string {
  return `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
