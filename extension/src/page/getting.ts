/** Reading one thing of the page or of an element, for `get`. */

import type {GetOrder, Got} from './actapi';
import {PageFault} from './api';
import {heldBy} from './edit';
import {isSecret} from './states';

/** The most that is read of a text or of HTML, in UTF-16 units. */
const longest = 50_000;

/**
 * Read gives what was asked for. What no person can see is not left out here: the agent named the element.
 *
 * @throws PageFault `invalid_action` where a target or a name is missing, or the value is a secret.
 */
export function read(order: GetOrder, target: Element | undefined): Got {
  switch (order.what) {
    case 'title':
      return {value: document.title};
    case 'url':
      return {value: location.href};
    case 'text':
      return {value: clip(textOf(target ?? document.body))};
    case 'html':
      return {value: clip(htmlOf(target ?? document.documentElement))};
    case 'box': {
      const {x, y, width, height} = needed(order, target).getBoundingClientRect();
      return {box: {x, y, width, height}};
    }
    case 'value':
      return {value: clip(heldBy(tellable(needed(order, target))))};
    case 'attribute': {
      const element = needed(order, target);
      if (order.name === undefined) {
        throw new PageFault('invalid_action', 'get with what=attribute needs the name of the attribute');
      }
      const value = (order.name.toLowerCase() === 'value' ? tellable(element) : element).getAttribute(order.name);
      return value === null ? {} : {value: clip(value)};
    }
  }
}

function needed(order: GetOrder, target: Element | undefined): Element {
  if (target) return target;
  throw new PageFault('invalid_action', `get with what=${order.what} needs a target; give uid or selector`);
}

function tellable(field: Element): Element {
  if (!isSecret(field)) return field;
  throw new PageFault(
    'invalid_action',
    'the value of a field for a password, a one-time code or a secret is never told',
  );
}

/** HtmlOf is an element's HTML, in which the fields whose value is never told say no value. */
function htmlOf(element: Element): string {
  const fields = [element, ...element.querySelectorAll('input[value]')];
  if (!fields.some((field) => field.hasAttribute('value') && isSecret(field))) return element.outerHTML;
  // In a document without life: the elements of the page's own classes do nothing there.
  const copy = document.implementation.createHTMLDocument('').importNode(element, true);
  const copies = [copy, ...copy.querySelectorAll('input[value]')];
  fields.forEach((field, i) => {
    if (field.hasAttribute('value') && isSecret(field)) copies[i]?.setAttribute('value', '[masked]');
  });
  return copy.outerHTML;
}

function textOf(element: Element | null): string {
  if (element instanceof HTMLElement) return element.innerText;
  return element?.textContent ?? '';
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…[truncated ${text.length - longest} chars]`;
}
