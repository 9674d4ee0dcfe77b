/** What stirred in a document since it was last looked at: where to look, gathered while mutations come in. */

const everything = {subtree: true, childList: true, attributes: true, characterData: true};

// What an element tells of itself to those that it is part of.
const NAMING = new Set<string | null>(['alt', 'aria-label', 'aria-labelledby', 'title', 'value']);

/** The most places that are kept; beyond them it is only known that there were too many. */
const most = 4000;

/** Stir watches a document and its known shadow trees from `begin` on, for as long as the document lives. */
export class Stir {
  /** Nodes that came, and are new to the document. */
  readonly added = new Set<Element>();
  /** Elements that are in another place now. */
  readonly moved = new Set<Element>();
  /** Elements that went, and were there before. */
  readonly removed = new Set<Element>();
  /** Elements one of whose attributes changed. */
  readonly attributes = new Set<Element>();
  /** Nodes whose content changed, or what their name is made of. */
  readonly texts = new Set<Node>();
  /** Elements that held no text of their own before and hold some now. */
  readonly filled = new Set<Node>();
  /** If true, more happened than was kept. */
  overflow = false;
  readonly #emptied = new Set<Node>();
  readonly #roots = new Set<ShadowRoot>();
  readonly #watched = new WeakSet<Node>();
  #observer: MutationObserver | undefined;

  /** Begin begins to watch; it may be called again. */
  begin(): void {
    if (this.#observer) return;
    this.#observer = new MutationObserver((records) => {
      this.#take(records);
    });
    this.#observer.observe(document, everything);
    for (const root of this.#roots) this.#observer.observe(root, everything);
  }

  /** Roots are the shadow trees that are watched. */
  get roots(): ReadonlySet<ShadowRoot> {
    return this.#roots;
  }

  /** Any tells whether there is anywhere to look. */
  get any(): boolean {
    this.drain();
    return this.overflow || this.#size > 0;
  }

  get #size(): number {
    return this.added.size + this.moved.size + this.removed.size + this.attributes.size + this.texts.size;
  }

  /** Watch adds a shadow tree; nothing happens when it is watched already. */
  watch(root: ShadowRoot): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.#roots.add(root);
    this.#observer?.observe(root, everything);
  }

  /** Drain takes in what was not delivered yet. */
  drain(): void {
    const records = this.#observer?.takeRecords() ?? [];
    if (records.length > 0) this.#take(records);
  }

  /** Places are all the nodes that are kept. */
  places(): Node[] {
    const {added, moved, removed, attributes, texts, filled} = this;
    return [...added, ...moved, ...removed, ...attributes, ...texts, ...filled];
  }

  /** Drop forgets some nodes, whatever happened to them. */
  drop(nodes: Iterable<Node>): void {
    for (const node of nodes) {
      this.texts.delete(node);
      this.filled.delete(node);
      if (!(node instanceof Element)) continue;
      for (const set of [this.added, this.moved, this.removed, this.attributes]) set.delete(node);
    }
  }

  /** Clear forgets where to look. */
  clear(): void {
    this.added.clear();
    this.moved.clear();
    this.removed.clear();
    this.attributes.clear();
    this.texts.clear();
    this.filled.clear();
    this.#emptied.clear();
    this.overflow = false;
    for (const root of this.#roots) if (!root.host.isConnected) this.#roots.delete(root);
  }

  #take(records: readonly MutationRecord[]): void {
    for (const record of records) {
      if (this.overflow) return;
      this.#note(record);
      if (this.#size <= most) continue;
      // What is kept here keeps nodes alive.
      this.clear();
      this.overflow = true;
    }
  }

  #note({type, target, attributeName, addedNodes, removedNodes}: MutationRecord): void {
    if (type === 'attributes') {
      if (target instanceof Element) this.attributes.add(target);
      if (NAMING.has(attributeName)) this.texts.add(target);
      return;
    }
    if (type === 'characterData') {
      if (target.parentNode) this.texts.add(target.parentNode);
      return;
    }
    this.texts.add(target);
    for (const node of removedNodes) {
      if (node instanceof Text) this.#text(target, node, false);
      else if (node instanceof Element && !this.added.delete(node)) {
        this.moved.delete(node);
        this.removed.add(node);
      }
    }
    for (const node of addedNodes) {
      if (node instanceof Text) this.#text(target, node, true);
      else if (node instanceof Element) (this.removed.delete(node) ? this.moved : this.added).add(node);
    }
  }

  #text(target: Node, {data}: Text, came: boolean): void {
    if (data.trim() === '') return;
    if (!came) {
      this.#emptied.add(target);
      this.filled.delete(target);
    } else if (!this.#emptied.has(target)) this.filled.add(target);
  }
}
