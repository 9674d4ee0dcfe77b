/** What is to be told of a document's changes, kept until an agent has got it. */

import type {ElementRow} from './api';
import type {Delta} from './deltaapi';

/** How many are told to be gone, or to be others now, at most. */
const goneMax = 500;

/** Pending gathers changes; later ones take up earlier ones that were not got yet. */
export class Pending {
  /** If true, there is more than this. */
  partial = false;
  readonly #rows = new Map<Element, {fresh: boolean; row: ElementRow}>();
  readonly #gone = new Set<string>();
  #renewed: [was: string, now: string][] = [];
  #seq = 0;

  /** Any tells whether there is anything to tell. */
  get any(): boolean {
    return this.partial || this.#rows.size + this.#gone.size + this.#renewed.length > 0;
  }

  /** Size is how many elements are to be told. */
  get size(): number {
    return this.#rows.size;
  }

  /** Seen drops what an agent has got: the delta of that number, when nothing was made since. */
  seen(seq: number): void {
    if (seq === this.#seq) this.clear();
  }

  /** Clear drops everything. */
  clear(): void {
    this.#rows.clear();
    this.#gone.clear();
    this.#renewed = [];
    this.partial = false;
  }

  /** Appear tells of an element that came up. One that went and came back before anybody heard of it did not. */
  appear(el: Element, row: ElementRow): void {
    if (this.#gone.delete(row.uid)) return;
    this.#rows.set(el, {fresh: true, row});
  }

  /** Alter tells of an element that is not what it was. */
  alter(el: Element, row: ElementRow): void {
    this.#rows.set(el, {fresh: this.#rows.get(el)?.fresh === true, row});
  }

  /** Lose tells that an element is gone. One that nobody has heard of yet is passed over in silence. */
  lose(el: Element | undefined, uid: string): void {
    const row = el && this.#rows.get(el);
    if (el) this.#rows.delete(el);
    if (row?.fresh !== true) this.#gone.add(uid);
  }

  /** Renew tells that an element was replaced by its like. */
  renew(was: string, now: string): void {
    const earlier = this.#renewed.find(([, then]) => then === was);
    if (earlier) earlier[1] = now;
    else this.#renewed.push([was, now]);
  }

  /** Delta is all that there is to tell, in document order. */
  delta(next: number): Delta {
    const rows = [...this.#rows].sort(([a], [b]) => (isBefore(a, b) ? -1 : 1)).map(([, told]) => told);
    return {
      appeared: rows.flatMap(({fresh, row}) => (fresh ? [row] : [])),
      altered: rows.flatMap(({fresh, row}) => (fresh ? [] : [row])),
      gone: [...this.#gone].slice(0, goneMax),
      renewed: this.#renewed.slice(0, goneMax),
      partial: this.partial || this.#gone.size > goneMax || this.#renewed.length > goneMax,
      seq: ++this.#seq,
      next,
    };
  }
}

function isBefore(a: Element, b: Element): boolean {
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
