/**
 * Roles that custom elements keep inside: those of their ElementInternals, which no script can see from outside and
 * which the browser tells assistive software. The worker asks the browser, once for each tag of a document.
 */

import {shadowOf} from './composed';

// What was learnt of each tag; the empty string where it has no role of its own.
const learnt = new Map<string, string>();
// The first shown element of each tag that nothing is known of yet.
const met = new Map<string, Element>();
// How many are asked about at a time.
const MOST = 100;
let asked: readonly Element[] = [];

/** InnerRole is the role that an element's class gives to it; empty when it has none, or none is known yet. */
export function innerRole(el: Element, tag: string): string {
  const role = learnt.get(tag);
  if (role !== undefined) return role;
  if (met.get(tag)?.checkVisibility() !== true) met.set(tag, el);
  return '';
}

/** HasInnerRole tells whether an element's role is one that only the browser could tell. */
export function hasInnerRole(tag: string): boolean {
  return (learnt.get(tag) ?? '') !== '';
}

/** Strangers are elements that the browser is to be asked about, one of each tag. */
export function strangers(): readonly Element[] {
  asked = [...met.values()].filter(isWorthAsking).slice(0, MOST);
  for (const el of asked) met.delete(el.localName);
  return asked;
}

/** AreStrangers tells whether there is anything to ask. */
export function areStrangers(): boolean {
  return [...met.values()].some(isWorthAsking);
}

/** Learn takes the roles of the elements that {@link strangers} gave last, in their order; empty for none. */
export function learn(roles: readonly string[]): void {
  for (const [i, el] of asked.entries()) learnt.set(el.localName, roles[i] ?? '');
  asked = [];
}

// A class that has a role to give has a shadow tree too, as good as always. What nobody is shown is not in the
// browser's tree either: it is asked about when it is.
function isWorthAsking(el: Element): boolean {
  if (!el.isConnected || !el.checkVisibility() || !el.matches(':defined')) return false;
  return shadowOf(el, el.localName) !== null && el.closest('[aria-hidden="true"],[inert]') === null;
}
