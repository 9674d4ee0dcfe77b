/** Which option of a list a value means: by value or visible label, exactly, or not at all. Free of the DOM. */

import {collapse} from './text';

/** Candidate is one option as far as matching goes. */
export interface Candidate {
  /** The texts that people read it by, white space collapsed; the first is its label. */
  readonly names: readonly string[];
  /** What the page sends or keeps for it. */
  readonly values: readonly string[];
  readonly disabled: boolean;
}

/** Match is the option that is meant, or why none can be. */
export type Match<C extends Candidate> =
  {readonly found: C} | {readonly none: true} | {readonly disabled: C} | {readonly several: readonly C[]};

/**
 * MatchOption finds the one option that has the wanted text as its value or its label. A text that means two
 * different options is refused and not guessed, but for a disabled one beside one that is not; options of the
 * same label and value are the same choice.
 */
export function matchOption<C extends Candidate>(candidates: readonly C[], wanted: string): Match<C> {
  const name = collapse(wanted);
  const hits = candidates.filter(({names, values}) => values.includes(wanted) || names.includes(name));
  const [first] = hits;
  if (!first) return {none: true};
  const enabled = hits.filter(({disabled}) => !disabled);
  const [found, ...rest] = enabled;
  if (!found) return {disabled: first};
  return rest.every((other) => same(found, other)) ? {found} : {several: enabled};
}

/** LabelOf is an option as a person reads it. */
export function labelOf({names, values}: Candidate): string {
  return names[0] ?? values[0] ?? '';
}

/** OptionText is an option in an error: its label, and the value where that says something else. */
export function optionText(option: Candidate): string {
  const label = JSON.stringify(labelOf(option));
  const value = option.values.find((text) => text !== labelOf(option));
  return value === undefined ? label : `${label} (value ${JSON.stringify(value)})`;
}

function same(a: Candidate, b: Candidate): boolean {
  // Without a value there is no telling: two rows of the same name may be two things.
  return a.values.length > 0 && labelOf(a) === labelOf(b) && a.values.join('\n') === b.values.join('\n');
}
