/** What attributes an element has that matter here, from one look: asking for each by name costs more. */

/** The bits of {@link attributesOf}. */
export const HAS = {
  role: 1,
  tabindex: 2,
  onclick: 4,
  contenteditable: 8,
  inert: 16,
  hidden: 32,
  labelledby: 64,
  label: 128,
  title: 256,
  placeholder: 512,
  /** One of the ARIA states. */
  state: 1024,
} as const;

const BITS = new Map<string, number>([
  ['role', HAS.role],
  ['tabindex', HAS.tabindex],
  ['onclick', HAS.onclick],
  ['contenteditable', HAS.contenteditable],
  ['inert', HAS.inert],
  ['aria-hidden', HAS.hidden],
  ['aria-labelledby', HAS.labelledby],
  ['aria-label', HAS.label],
  ['title', HAS.title],
  ['placeholder', HAS.placeholder],
  ['aria-placeholder', HAS.placeholder],
  ['aria-checked', HAS.state],
  ['aria-current', HAS.state],
  ['aria-disabled', HAS.state],
  ['aria-expanded', HAS.state],
  ['aria-invalid', HAS.state],
  ['aria-pressed', HAS.state],
  ['aria-readonly', HAS.state],
  ['aria-required', HAS.state],
  ['aria-selected', HAS.state],
]);

/** AttributesOf gives the bits of {@link HAS} for the attributes that an element has. */
export function attributesOf(el: Element): number {
  if (!el.hasAttributes()) return 0;
  let bits = 0;
  for (const name of el.getAttributeNames()) bits |= BITS.get(name) ?? 0;
  return bits;
}
