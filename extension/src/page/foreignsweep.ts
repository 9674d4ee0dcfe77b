/**
 * The sweep that removes other extensions' frames. The function is sent into pages as text: it may use nothing
 * of this module but its own body. The page's types are declared here as far as it needs them, since the worker,
 * which sends it, has no DOM.
 */

interface PageNode {
  readonly isConnected: boolean;
  querySelectorAll?(selectors: string): Iterable<PageElement>;
}

interface PageElement extends PageNode {
  readonly localName: string;
  getAttribute(name: string): string | null;
  remove(): void;
}

interface PageMutation {
  readonly target: PageNode;
  readonly addedNodes: Iterable<PageNode>;
}

declare const document: PageNode;
declare const MutationObserver: new (callback: (records: PageMutation[]) => void) => {
  observe(
    target: PageNode,
    options: {childList: boolean; subtree: boolean; attributes: boolean; attributeFilter: string[]},
  ): void;
};
// What the first sweep leaves in our isolated world of a document.
declare const drawbridgeSweep: (() => string[]) | undefined;
declare const chrome: {
  dom?: {openOrClosedShadowRoot(element: PageElement): PageNode | null};
  runtime: {sendMessage(message: unknown): Promise<unknown>};
};

/**
 * Sweep removes the frames whose address is another extension's from this document, and goes on doing so.
 *
 * @param ours the beginning of our own addresses, which stay.
 * @param messageType the type of the message by which later removals are told.
 * @param look if true, only look: remove nothing, now or later.
 * @returns the ids of the extensions whose frames were found now.
 */
export function sweep(ours: string, messageType: string, look: boolean): string[] {
  const scheme = 'chrome-extension://';
  const frameTags = ['iframe', 'frame', 'embed', 'object'];
  const observed = new WeakSet<PageNode>();

  const removeOne = (element: PageElement): string | undefined => {
    const src = (element.getAttribute('src') ?? element.getAttribute('data') ?? '').trim().toLowerCase();
    if (!src.startsWith(scheme) || src.startsWith(ours)) return undefined;
    if (!look) element.remove();
    return src.slice(scheme.length).split('/')[0];
  };
  const isElement = (node: PageNode): node is PageElement => 'localName' in node;

  const below = (node: PageNode, selectors: string): PageElement[] => {
    const found = [...(node.querySelectorAll?.(selectors) ?? [])];
    return isElement(node) ? [node, ...found] : found;
  };
  const rootOf = (host: PageElement): PageNode | undefined => {
    try {
      return chrome.dom?.openOrClosedShadowRoot(host) ?? undefined;
    } catch {
      return undefined; // no HTML element, so no host
    }
  };

  // Everything at and below a node, shadow roots too, open or closed.
  const sweepBelow = (node: PageNode): string[] => {
    const gone: string[] = [];
    for (const frame of below(node, frameTags.join())) {
      const id = frameTags.includes(frame.localName) ? removeOne(frame) : undefined;
      if (id !== undefined) gone.push(id);
    }
    for (const host of below(node, '*')) {
      const root = rootOf(host);
      if (!root) continue;
      if (!look) watch(root);
      gone.push(...sweepBelow(root));
    }
    return gone;
  };

  const tell = (ids: string[]): void => {
    if (ids.length === 0) return;
    // The extension may have been updated or removed meanwhile: then nobody listens.
    void chrome.runtime.sendMessage({type: messageType, ids: [...new Set(ids)]}).catch(() => undefined);
  };

  const observer = new MutationObserver((records) => {
    const gone: string[] = [];
    const added: PageNode[] = [];
    for (const record of records) {
      if (isElement(record.target) && frameTags.includes(record.target.localName)) added.push(record.target);
      for (const node of record.addedNodes) if (isElement(node)) added.push(node);
    }
    for (const node of added) if (node.isConnected) gone.push(...sweepBelow(node));
    tell(gone);
    // A host gets its shadow root after it was added, which is no mutation: look once more.
    if (added.length > 0) {
      setTimeout(() => {
        tell(added.filter((node) => node.isConnected).flatMap(sweepBelow));
      }, 50);
    }
  });
  const watch = (root: PageNode): void => {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, {childList: true, subtree: true, attributes: true, attributeFilter: ['src', 'data']});
  };

  if (look) return sweepBelow(document);
  // One watch for a document is enough: a later sweep of the same document lends the first one's.
  if (typeof drawbridgeSweep === 'function') return drawbridgeSweep();
  const all = (): string[] => {
    watch(document);
    return sweepBelow(document);
  };
  Object.assign(globalThis, {drawbridgeSweep: all});
  return all();
}
