/** The accessible name of an element, by W3C's accname 1.2 over the composed tree. */

import {HAS, attributesOf} from './attributes';
import {composedChildren} from './composed';
import {namedByContent, roleOf, writtenRole} from './roles';
import {paintsText} from './pseudo';
import {label} from './text';

/** The longest name that is told, in UTF-16 units. */
export const NAME_MAX = 160;

// What is never text, whatever its style says.
const SILENT = new Set(['head', 'link', 'meta', 'noscript', 'script', 'source', 'style', 'template', 'track']);
const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const INLINE = new Set(
  (
    'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rp rt s samp slot small span ' +
    'strike strong sub sup time tt u var wbr'
  ).split(' '),
);
const SHOWN: CheckVisibilityOptions = {visibilityProperty: true};
// What can be acted on by itself: what holds it is not named by all that it holds.
const ACTIVE = 'a[href],button,input,select,textarea,[role],[tabindex],[contenteditable]';
// Deeper than any real label; a bound for what a page could build on purpose.
const DEEPEST = 64;

/**
 * Names computes accessible names. One lives as long as one walk: it remembers which labels belong to which
 * control, since asking the browser for each control's labels again costs a search of the whole document.
 */
export class Names {
  private readonly labels = new Map<Node, Map<Element, Element[]>>();
  private readonly painting = new Map<Node, boolean>();

  /**
   * Of is the name of an element: one line, harmless, at most {@link NAME_MAX} units, empty when there is none.
   *
   * @param tag the local name, as the caller has it at hand; so the role, and what {@link attributesOf} answered.
   */
  of(el: Element, tag: string, role: string, attributes = attributesOf(el)): string {
    return label(this.raw(el, tag, role, attributes), NAME_MAX);
  }

  private raw(el: Element, tag: string, role: string, attributes: number): string {
    if ((attributes & HAS.labelledby) !== 0) {
      const referenced = this.referenced(el);
      if (referenced !== '') return referenced;
    }
    const given = (attributes & HAS.label) === 0 ? null : el.getAttribute('aria-label');
    if (given !== null && given.trim() !== '') return given;
    const native = this.native(el, tag);
    if (native.trim() !== '') return native;
    if (namedByContent(role) || tag === 'summary' || (role === 'generic' && el.querySelector(ACTIVE) === null)) {
      const content = this.content(el);
      if (content.trim() !== '') return content;
    }
    const title = (attributes & HAS.title) === 0 ? null : el.getAttribute('title');
    return title !== null && title.trim() !== '' ? title : hint(el, tag);
  }

  /** LabelsOf are the label elements of a control. */
  labelsOf(el: Element): readonly Element[] {
    const root = el.getRootNode();
    let byControl = this.labels.get(root);
    if (byControl === undefined) {
      byControl = new Map();
      this.labels.set(root, byControl);
      if (root instanceof Document || root instanceof DocumentFragment) {
        for (const it of root.querySelectorAll('label')) {
          if (it.control === null) continue;
          const known = byControl.get(it.control);
          if (known === undefined) byControl.set(it.control, [it]);
          else known.push(it);
        }
      }
    }
    return byControl.get(el) ?? [];
  }

  private referenced(el: Element): string {
    const root = el.getRootNode();
    if (!(root instanceof Document || root instanceof DocumentFragment)) return '';
    const parts: string[] = [];
    for (const id of (el.getAttribute('aria-labelledby') ?? '').split(/\s+/)) {
      const target = id === '' ? null : root.getElementById(id);
      if (target === null) continue;
      const given = target.getAttribute('aria-label');
      parts.push(given !== null && given.trim() !== '' ? given : this.spoken(target));
    }
    return parts.join(' ').trim();
  }

  // What a referenced element says; one that is hidden as a whole is read as if it were shown.
  private spoken(target: Element): string {
    const native = this.native(target, target.localName);
    if (native !== '') return native;
    const embedded = embeddedValue(target, target.localName);
    if (embedded !== null) return embedded;
    return this.inside(target, !target.checkVisibility(SHOWN), 0);
  }

  private native(el: Element, tag: string): string {
    if (LABELABLE.has(tag)) {
      const labels = this.labelsOf(el);
      if (labels.length > 0) {
        const text = labels.map((it) => this.labelText(it, el)).join(' ');
        if (text.trim() !== '') return text;
      }
      return tag === 'input' ? buttonText(el) : '';
    }
    switch (tag) {
      case 'img':
      case 'area':
        return el.getAttribute('alt') ?? '';
      case 'fieldset':
        return this.firstChild(el, 'legend');
      case 'figure':
        return this.firstChild(el, 'figcaption');
      case 'table':
        return this.firstChild(el, 'caption');
      case 'svg':
        return this.firstChild(el, 'title');
      case 'optgroup':
      case 'option':
        return el.getAttribute('label') ?? '';
      default:
        return '';
    }
  }

  private firstChild(el: Element, tag: string): string {
    for (const child of el.children) if (child.localName === tag) return this.content(child);
    return '';
  }

  private labelText(it: Element, control: Element): string {
    const given = it.getAttribute('aria-label');
    if (given !== null && given.trim() !== '') return given;
    return this.inside(it, !it.checkVisibility(SHOWN), 0, control);
  }

  // Text that a style sheet paints before and after: part of the name, and of what a person reads.
  private painted(el: Element, text: string): string {
    if (!this.paintsText(el)) return text;
    const before = pseudoText(el, '::before');
    const after = pseudoText(el, '::after');
    return before === '' && after === '' ? text : `${before}${text}${after}`;
  }

  private paintsText(el: Element): boolean {
    const root = el.getRootNode();
    let words = this.painting.get(root);
    if (words === undefined) {
      words = paintsText(root);
      this.painting.set(root, words);
    }
    return words;
  }

  /** Content is the text inside an element as a reader hears it, not yet collapsed. */
  content(el: Element): string {
    // A control that holds plain text and nothing else is by far the most common case.
    const only = el.firstChild;
    if (only instanceof Text && only.nextSibling === null && !el.localName.includes('-'))
      return this.painted(el, only.data);
    return this.painted(el, this.inside(el, false, 0));
  }

  /**
   * @param hidden whether hidden content counts, because what refers to it is hidden as a whole.
   * @param without a control that lies inside its own label: its value is no part of its name.
   */
  private inside(el: Element, hidden: boolean, depth: number, without?: Element): string {
    let text = '';
    for (const node of composedChildren(el)) {
      if (node instanceof Text) text += node.data;
      else if (node instanceof Element && node !== without && depth < DEEPEST) {
        const part = this.part(node, hidden, depth + 1, without);
        text += part !== '' && isApart(node, text, part) ? ` ${part} ` : part;
      }
      if (text.length > NAME_MAX * 8) break;
    }
    return text;
  }

  private part(el: Element, hidden: boolean, depth: number, without?: Element): string {
    const tag = el.localName;
    if (SILENT.has(tag)) return '';
    if (tag === 'br') return ' ';
    if (!hidden && (el.getAttribute('aria-hidden') === 'true' || isHidden(el))) return '';
    const embedded = embeddedValue(el, tag);
    if (embedded !== null) return embedded;
    const given = el.getAttribute('aria-label');
    if (given !== null && given.trim() !== '') return given;
    const native = LABELABLE.has(tag) ? '' : this.native(el, tag);
    if (native !== '') return native;
    const inner = this.inside(el, hidden, depth, without);
    if (inner.trim() !== '') return this.painted(el, inner);
    return this.painted(el, el.getAttribute('title') ?? inner);
  }
}

/** IsInline tells the tags that do not end a line by themselves. */
export function isInline(tag: string): boolean {
  return INLINE.has(tag);
}

/** NameOf is the name of one element, for those that do not walk: role and all else is worked out here. */
export function nameOf(el: Element): string {
  const tag = el.localName;
  return new Names().of(el, tag, roleOf(el, tag, writtenRole(el)));
}

function isHidden(el: Element): boolean {
  if (el.checkVisibility(SHOWN)) return false;
  // An element without a box of its own shows its children all the same.
  const style = getComputedStyle(el);
  return style.display !== 'contents' || style.visibility !== 'visible';
}

// Whether white space parts this element's text from what stands before it.
function isApart(el: Element, before: string, part: string): boolean {
  if (!INLINE.has(el.localName)) return true;
  if (before === '' || before.endsWith(' ') || part.startsWith(' ')) return false;
  return getComputedStyle(el).display !== 'inline';
}

// A control within a name counts by its value, as accname 2C says; null for what is no control.
function embeddedValue(el: Element, tag: string): string | null {
  if (tag === 'input' && el instanceof HTMLInputElement) {
    if (PUSHED.has(el.type)) return buttonText(el);
    return VALUELESS.has(el.type) ? '' : el.value;
  }
  if (tag === 'textarea' && el instanceof HTMLTextAreaElement) return el.value;
  if (tag === 'select' && el instanceof HTMLSelectElement) {
    return Array.from(el.selectedOptions, (option) => option.text).join(' ');
  }
  const role = el.getAttribute('role');
  if (role !== 'slider' && role !== 'spinbutton') return null;
  return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
}
const PUSHED = new Set(['button', 'reset', 'submit']);
const VALUELESS = new Set(['checkbox', 'file', 'hidden', 'image', 'password', 'radio']);

function buttonText(el: Element): string {
  switch ((el.getAttribute('type') ?? '').toLowerCase()) {
    case 'submit':
      return el.getAttribute('value') ?? 'Submit';
    case 'reset':
      return el.getAttribute('value') ?? 'Reset';
    case 'button':
      return el.getAttribute('value') ?? '';
    case 'image':
      return el.getAttribute('alt') ?? el.getAttribute('title') ?? 'Submit';
    default:
      return '';
  }
}

// The last resort: what an empty field says of itself.
function hint(el: Element, tag: string): string {
  const placeholder = el.getAttribute('placeholder') ?? el.getAttribute('aria-placeholder');
  if (placeholder !== null) return placeholder;
  if (tag !== 'input') return '';
  // The browser itself writes the first on the field; the dots of the second are as plain to a person.
  const type = (el.getAttribute('type') ?? '').toLowerCase();
  return type === 'file' ? 'Choose file' : type === 'password' ? 'Password' : '';
}

function pseudoText(el: Element, which: '::before' | '::after'): string {
  const content = getComputedStyle(el, which).content;
  if (!content.startsWith('"')) return '';
  // `"* " / "alternative"`: what stands after the slash is what is spoken.
  const strings = content.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const spoken = content.includes('" / "') ? strings.slice(-1) : strings;
  return spoken.map((it) => it.slice(1, -1).replace(/\\(.)/g, '$1')).join('');
}
