/** Whether a field is one that people work at all. */

import {isFading} from './fading';

/**
 * IsOutOfReach tells a field that its page keeps for itself, behind a widget that stands in its place: nobody sees it
 * (it is transparent), points at it (it lets the pointer through) or tabs to it. What is put into it reaches the page's
 * form and not the widget, which would go on showing something else. Checkboxes, radios and file fields are not meant:
 * a label or a button works those.
 */
export function isOutOfReach(field: Element): boolean {
  if (!(field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement || isTyped(field))) return false;
  if (field.tabIndex >= 0 || field.checkVisibility({opacityProperty: true})) return false;
  return getComputedStyle(field).pointerEvents === 'none' && !isFading(field);
}

function isTyped(field: Element): field is HTMLInputElement {
  return field instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(field.type);
}
