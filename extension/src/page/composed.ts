/** The composed tree: what is really rendered, through open and closed shadow roots and slots. */

// The one thing of chrome.* that page code uses: isolated worlds of extensions have it, and nothing else opens a closed
// root. Absent in tests.
declare const chrome: {dom?: {openOrClosedShadowRoot(host: Element): ShadowRoot | null}} | undefined;

// The built-in elements that may have a shadow root, by the DOM standard; beside them only names with a dash.
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

let opener = typeof chrome === 'undefined' ? undefined : chrome.dom;

// How many more built-in elements with children are asked for a closed root. Asking costs as much as a computed style,
// and pages of thousands of rows have thousands of div; custom elements and empty ones are always asked.
let spare = 0;
const ALLOWANCE = 200;

let discovered: (root: ShadowRoot) => void = () => undefined;

/** OnShadow has a listener told of each shadow root that is come across, each time; there is one listener. */
export function onShadow(listener: (root: ShadowRoot) => void): void {
  discovered = listener;
}

/** RenewAllowance is called when a walk begins. */
export function renewAllowance(): void {
  spare = ALLOWANCE;
}

/** ShadowOf is an element's shadow root, open or closed, or null. */
export function shadowOf(el: Element, tag: string): ShadowRoot | null {
  const root = findShadow(el, tag);
  if (root !== null) discovered(root);
  return root;
}

function findShadow(el: Element, tag: string): ShadowRoot | null {
  const custom = tag.includes('-');
  if (!custom && !HOSTS.has(tag)) return null;
  if (opener === undefined || el.shadowRoot !== null || !(el instanceof HTMLElement)) return el.shadowRoot;
  if (!custom && el.firstChild !== null && spare-- <= 0) return null;
  try {
    return opener.openOrClosedShadowRoot(el);
  } catch (thrown) {
    if (!(thrown instanceof Error) || !/context invalidated/i.test(thrown.message)) throw thrown;
    // The extension was loaded anew. This world and its refs outlive that, but closed roots are closed to it now.
    opener = undefined;
    return null;
  }
}

/**
 * Slotted are the nodes that a slot of a shadow tree shows: those assigned to it, or null when its own
 * children (the fallback) or a slot outside of any shadow tree are what is shown.
 */
export function slotted(el: Element, tag: string): readonly Node[] | null {
  if (tag !== 'slot' || !(el instanceof HTMLSlotElement)) return null;
  const nodes = el.assignedNodes();
  return nodes.length === 0 ? null : nodes;
}

/** ComposedParent is the element that holds this one in the composed tree, or null at the root. */
export function composedParent(el: Element): Element | null {
  // assignedSlot is null for slots of closed roots, whose host then stands in for the slot: good enough for styles and boxes.
  if (el.assignedSlot !== null) return el.assignedSlot;
  if (el.parentElement !== null) return el.parentElement;
  const root = el.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** ComposedChildren are the nodes below an element in the composed tree. */
export function composedChildren(el: Element): Iterable<Node> {
  const tag = el.localName;
  return slotted(el, tag) ?? (shadowOf(el, tag) ?? el).childNodes;
}

/** DeepQuery is the first match of a CSS selector in the document or, after that, in its shadow trees. */
export function deepQuery(root: Document | ShadowRoot, selector: string): Element | null {
  const match = root.querySelector(selector);
  if (match !== null) return match;
  for (const el of root.querySelectorAll('*')) {
    const shadow = shadowOf(el, el.localName);
    const inner = shadow === null ? null : deepQuery(shadow, selector);
    if (inner !== null) return inner;
  }
  return null;
}
