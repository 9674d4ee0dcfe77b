/** The accessible name of an element, by W3C's accname 1.2 over the composed tree. */

import {HAS, attributesOf} from './attributes';
import {composedChildren} from './composed';
import {type Styling, pseudoText, stylingOf, withLetters} from './pseudo';
import {isSkippedInNames, namedByContent, roleOf, writtenRole} from './roles';
import {isSecret} from './states';
import {hasInnerRole} from './strangers';
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
// The child that names what holds it.
const CAPTIONS = new Map([
  ['fieldset', 'legend'],
  ['figure', 'figcaption'],
  ['table', 'caption'],
  ['svg', 'title'],
]);
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
  private readonly styling = new Map<Node, Styling>();
  // How many parts were passed over so far.
  private skipped = 0;

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
    const given = (attributes & HAS.label) === 0 ? null : givenName(el);
    if (given !== null) return given;
    const native = this.native(el, tag);
    if (native.trim() !== '') return native;
    if (namedByContent(role) || tag === 'summary' || (role === 'generic' && el.querySelector(ACTIVE) === null)) {
      const content = this.content(el);
      if (content.trim() !== '') return content;
    }
    return this.lastResort(el, tag, attributes);
  }

  private lastResort(el: Element, tag: string, attributes: number): string {
    const title = (attributes & HAS.title) === 0 ? null : el.getAttribute('title');
    if (title !== null && title.trim() !== '') return title;
    const hosted = LABELABLE.has(tag) ? this.hosted(el) : '';
    return hosted.trim() === '' ? hint(el, tag) : hosted;
  }

  // What a component is called is what the control in it is for.
  private hosted(el: Element): string {
    const root = el.getRootNode();
    if (!(root instanceof ShadowRoot)) return '';
    const labels = this.labelsOf(root.host).map((it) => this.labelText(it, root.host));
    return labels.length > 0 ? labels.join(' ') : (givenName(root.host) ?? '');
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
    return referencesOf(el)
      .map((target) => givenName(target) ?? this.spoken(target))
      .join(' ')
      .trim();
  }

  // What a referenced element says; one that is hidden as a whole is read as if it were shown.
  private spoken(target: Element): string {
    const native = this.native(target, target.localName);
    if (native !== '') return native;
    return embeddedValue(target, target.localName) ?? this.read(target, {hidden: !target.checkVisibility(SHOWN)});
  }

  private native(el: Element, tag: string): string {
    if (LABELABLE.has(tag) || hasInnerRole(tag)) {
      const labels = this.labelsOf(el);
      if (labels.length > 0) {
        const text = labels.map((it) => this.labelText(it, el)).join(' ');
        if (text.trim() !== '') return text;
      }
      return tag === 'input' ? buttonText(el) : '';
    }
    if (tag === 'img' || tag === 'area') return el.getAttribute('alt') ?? '';
    if (tag === 'option' || tag === 'optgroup') return el.getAttribute('label') ?? '';
    const caption = CAPTIONS.get(tag);
    return caption === undefined ? '' : this.firstChild(el, caption);
  }

  private firstChild(el: Element, tag: string): string {
    for (const child of el.children) if (child.localName === tag) return this.content(child);
    return '';
  }

  private labelText(it: Element, control: Element): string {
    return givenName(it) ?? this.read(it, {hidden: !it.checkVisibility(SHOWN), without: control});
  }

  // Text that a style sheet paints before and after: part of the name, and of what a person reads.
  private painted(el: Element, text: string): string {
    if (!this.stylingIn(el.getRootNode()).words) return text;
    const before = pseudoText(el, '::before');
    const after = pseudoText(el, '::after');
    return before === '' && after === '' ? text : `${before}${text}${after}`;
  }

  // A text node's words as they are shown: the style of letters is handed down, into shadow trees too.
  private lettered(el: Element, text: string): string {
    const root = el.getRootNode();
    const styled = this.stylingIn(root).letters || (root !== document && this.stylingIn(document).letters);
    return styled ? withLetters(el, text) : text;
  }

  private stylingIn(root: Node): Styling {
    let styling = this.styling.get(root);
    if (styling === undefined) {
      styling = stylingOf(root);
      this.styling.set(root, styling);
    }
    return styling;
  }

  /** Content is the text inside an element as a reader hears it, not yet collapsed. */
  content(el: Element): string {
    // A control that holds plain text and nothing else is by far the most common case.
    const only = el.firstChild;
    if (only instanceof Text && only.nextSibling === null && !el.localName.includes('-'))
      return this.painted(el, this.lettered(el, only.data));
    return this.read(el, {hidden: false, within: el});
  }

  // The text of an element with all that is painted around it. Better what names pass over than no name at all.
  private read(el: Element, how: Manner): string {
    const before = this.skipped;
    const content = this.painted(el, this.inside(el, how, 0));
    return this.skipped > before && content.trim() === '' ? this.inside(el, {...how, whole: true}, 0) : content;
  }

  private inside(el: Element, how: Manner, depth: number): string {
    let text = '';
    for (const node of composedChildren(el)) {
      if (node instanceof Text) text += this.lettered(el, node.data);
      else if (node instanceof Element && node !== how.without && depth < DEEPEST) {
        const part = this.part(node, how, depth + 1);
        text += part !== '' && isApart(node, text, part) ? ` ${part} ` : part;
      }
      if (text.length > NAME_MAX * 8) break;
    }
    return text;
  }

  private part(el: Element, how: Manner, depth: number): string {
    const tag = el.localName;
    if (SILENT.has(tag)) return '';
    if (tag === 'br') return ' ';
    if (!how.hidden && (el.getAttribute('aria-hidden') === 'true' || isHidden(el))) return '';
    const own = this.ownWords(el, tag, how, depth);
    if (own !== '') return own;
    const skipped = how.whole !== true && isSkippedInNames(el, tag);
    if (skipped) this.skipped++;
    // A control that holds nothing has no content to be named by.
    const inner = skipped || isControl(el, tag) ? '' : this.painted(el, this.inside(el, how, depth));
    return inner.trim() !== '' ? inner : (el.getAttribute('title') ?? inner);
  }

  // What stands for an element in place of its content.
  private ownWords(el: Element, tag: string, how: Manner, depth: number): string {
    if (how.within !== undefined && el.hasAttribute('aria-labelledby')) {
      const words = this.elsewhere(el, how.within, how, depth);
      if (words !== '') return words;
    }
    const value = embeddedValue(el, tag);
    if (value !== null && value !== '') return value;
    return givenName(el) ?? (LABELABLE.has(tag) ? '' : this.native(el, tag));
  }

  // What the references of an element within a name say, less what the name says anyway.
  private elsewhere(el: Element, within: Element, how: Manner, depth: number): string {
    const parts: string[] = [];
    for (const target of referencesOf(el)) {
      if (target === el) parts.push(givenName(el) ?? embeddedValue(el, el.localName) ?? this.inside(el, how, depth));
      else if (!within.contains(target)) parts.push(givenName(target) ?? this.spoken(target));
    }
    return parts.join(' ').trim();
  }
}

// Manner is how the inside of an element is read for a name.
interface Manner {
  /** If true, hidden content counts, because what refers to it is hidden as a whole. */
  hidden: boolean;
  /** If true, parts that names pass over count too. */
  whole?: boolean;
  /** A control that lies inside its own label: its value is no part of its name. */
  without?: Element;
  /** The element that is being named by its content; absent where a reference is followed: its own are not. */
  within?: Element;
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
  // An element without a box of its own shows its children all the same; what is slotted is the page's, and has a name
  // also where a component makes it invisible for a while.
  const {display, visibility} = getComputedStyle(el);
  if (el.localName === 'slot') return display === 'none';
  return display !== 'contents' || visibility !== 'visible';
}

// Whether white space parts this element's text from what stands before it.
function isApart(el: Element, before: string, part: string): boolean {
  if (!INLINE.has(el.localName)) return true;
  if (before === '' || before.endsWith(' ') || part.startsWith(' ')) return false;
  return getComputedStyle(el).display !== 'inline';
}

function givenName(el: Element): string | null {
  const given = el.getAttribute('aria-label');
  return given !== null && given.trim() !== '' ? given : null;
}

function referencesOf(el: Element): Element[] {
  const root = el.getRootNode();
  if (!(root instanceof Document || root instanceof DocumentFragment)) return [];
  const ids = (el.getAttribute('aria-labelledby') ?? '').split(/\s+/);
  return ids.flatMap((id) => (id === '' ? [] : (root.getElementById(id) ?? [])));
}

function isControl(el: Element, tag: string): boolean {
  return tag === 'input' || tag === 'textarea' || tag === 'select' || isFieldRole(el.getAttribute('role'));
}

function isFieldRole(role: string | null): boolean {
  return role === 'slider' || role === 'spinbutton';
}

// A control within a name counts by its value, as accname 2C says; null for what is no control.
function embeddedValue(el: Element, tag: string): string | null {
  if (isSecret(el)) return '';
  if (tag === 'input' && el instanceof HTMLInputElement) {
    if (PUSHED.has(el.type)) return buttonText(el);
    return VALUELESS.has(el.type) ? '' : el.value;
  }
  if (tag === 'textarea' && el instanceof HTMLTextAreaElement) return el.value;
  if (tag === 'select' && el instanceof HTMLSelectElement) {
    return Array.from(el.selectedOptions, (option) => option.text).join(' ');
  }
  const role = el.getAttribute('role');
  if (role === 'textbox' || role === 'searchbox') return el.textContent;
  if (!isFieldRole(role)) return null;
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
  const own = tag === 'input' || tag === 'textarea' ? el.getAttribute('placeholder') : null;
  const placeholder = own ?? el.getAttribute('aria-placeholder');
  if (placeholder !== null) return placeholder;
  if (tag !== 'input') return '';
  // The browser itself writes the first on the field; the dots of the second are as plain to a person.
  const type = (el.getAttribute('type') ?? '').toLowerCase();
  return type === 'file' ? 'Choose file' : type === 'password' ? 'Password' : '';
}
