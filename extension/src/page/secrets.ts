/** Entering secrets: on their own origins only, and in one turn with the check. */

import {hasFocus} from './edit';
import {type Refusal, refuse} from './locate';
import {conceal} from './states';

/** BarredFrom refuses a secret where the document, whatever its address says, is not of one of the secret's origins. */
export function barredFrom(onlyOn: readonly string[]): Refusal | undefined {
  if (onlyOn.includes(origin)) return undefined;
  return refuse(
    'invalid_action',
    'resolve',
    `the secret may be entered on ${onlyOn.join(', ')} only, and this document is of ${origin}: nothing was typed; do not look for another way, tell the user`,
  );
}

/** Gone refuses to go on with a field that went away. */
export function gone(): Refusal {
  return refuse('element_stale', 'input', 'the field is gone since it was found; take a new snapshot');
}

/**
 * EnterSecret puts a secret where the caret or selection of a focused field is, at once and in this document: keys would go
 * to whatever the tab shows when they arrive. The page hears of it as of text from an input method.
 */
export function enterSecret(
  field: Element | undefined,
  {text, onlyOn}: {text: string; onlyOn: readonly string[]},
): Refusal | undefined {
  if (!field) return gone();
  const barred = barredFrom(onlyOn);
  if (barred) return barred;
  if (!hasFocus(field)) {
    return refuse('element_blocked', 'input', 'the page took the focus off the field, so nothing was typed; try again');
  }
  conceal(field);
  const line = field instanceof HTMLInputElement ? text.replace(/\r\n|\r|\n/g, ' ') : text;
  // No standard replaces it: nothing else edits as a person does, with trusted events and the page's own undo.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('insertText', false, line);
  return undefined;
}
