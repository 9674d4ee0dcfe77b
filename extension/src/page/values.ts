/** What a control is set to, of every kind: what `fill` sets is what `get` reads. */

import {hasInnerRole, innerRole} from './strangers';

const checks = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio']);

/** IsCheck tells what is set by true or false: checkboxes, radios and switches, native or by role. */
export function isCheck(element: Element): boolean {
  if (element instanceof HTMLInputElement) return element.type === 'checkbox' || element.type === 'radio';
  const tag = element.localName;
  const written = element.getAttribute('role')?.trim().toLowerCase() ?? '';
  return checks.has(written === '' && tag.includes('-') ? innerRole(element, tag) : written);
}

/** IsChecked tells whether such a control is on. */
export function isChecked(element: Element): boolean {
  return element instanceof HTMLInputElement ? element.checked : isSo(element, 'true', ':state(checked)');
}

// A class that keeps its role inside keeps its state there too.
function isSo(element: Element, written: string, inner: string): boolean {
  if (element.getAttribute('aria-checked') === written) return true;
  return hasInnerRole(element.localName) && element.matches(inner);
}

/**
 * SetTo is what a control is set to where that is not its text: true or false, the labels or names that were chosen,
 * the number of a range. Undefined for everything else.
 */
export function setTo(element: Element): string | undefined {
  if (isCheck(element)) {
    const mixed =
      element instanceof HTMLInputElement ? element.indeterminate : isSo(element, 'mixed', ':state(indeterminate)');
    return mixed ? 'mixed' : String(isChecked(element));
  }
  if (element instanceof HTMLSelectElement && element.multiple) {
    return Array.from(element.selectedOptions, ({value}) => value).join(', ');
  }
  if (element instanceof HTMLInputElement && element.type === 'file') {
    return Array.from(element.files ?? [], ({name}) => name).join(', ');
  }
  if (element instanceof HTMLProgressElement || element instanceof HTMLMeterElement) return String(element.value);
  return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? undefined;
}
