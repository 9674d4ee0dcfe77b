/** What the looks of one delta bring up, and how an element is told. */

import type {ElementRow} from './api';
import {attributesOf} from './attributes';
import {composedParent} from './composed';
import {type Entry, uidOf} from './registry';
import type {Sighting} from './scan';
import {conditionOf, statesOf, valueOf} from './states';

/** Findings are what the looks of one delta brought up. */
export class Findings {
  readonly fresh: Sighting[] = [];
  readonly sayings: {sighting: Sighting; alone: boolean}[] = [];
  readonly revised = new Map<Element, {entry: Entry; sighting?: Sighting}>();
  /** By the element that came in its place: what was told and went. */
  readonly renewing = new Map<Element, Entry>();
  /** Elements that are the same as others that went. */
  readonly copies = new WeakSet<Element>();
}

/** RowOf is how an element is told: what is empty is left out. */
export function rowOf(
  number: number,
  role: string,
  name: string,
  value: string | undefined,
  states: string[],
): ElementRow {
  const row: ElementRow = {uid: uidOf(number), role};
  if (name !== '') row.name = name;
  if (value !== undefined && value !== '') row.value = value;
  if (states.length > 0) row.states = states;
  return row;
}

/** HeldBy is the value and the states of an element in one string, to compare with. */
export function heldBy(el: Element, role: string): string {
  return conditionOf(valueOf(el, el.localName, role), statesOf(el, el.localName, attributesOf(el)));
}

/** AncestorsOf are the elements above one in the composed tree, the outermost first. */
export function ancestorsOf(el: Element): Element[] {
  const above: Element[] = [];
  for (let at = composedParent(el); at !== null; at = composedParent(at)) above.unshift(at);
  return above;
}
