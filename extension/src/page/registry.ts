/** Which uid stands for which element of this document, and what was last told of it. */

/** Told is what an agent last heard of an element. */
export interface Told {
  role: string;
  name: string;
}

/** Found is what a uid stands for: `gone` once had an element here, `unknown` never had one in this document. */
export type Found = {state: 'live'; element: Element; told: Told} | {state: 'gone'; told: Told} | {state: 'unknown'};

interface Entry extends Told {
  readonly number: number;
  readonly element: WeakRef<Element>;
}

/**
 * Registry keeps uids for as long as the document lives. A number stands for the element itself, never for a
 * place or a selector: it is given once and to one element only, and no element is held alive by it.
 */
export class Registry {
  private readonly byElement = new WeakMap<Element, Entry>();
  private readonly byNumber = new Map<number, Entry>();
  private mark = 0;

  /**
   * Raise makes sure that the next new number is at least `mark`: numbers rise for the life of the tab, over
   * documents and frames, so that an old uid can never come to mean something new.
   */
  raise(mark: number): void {
    if (mark > this.mark) this.mark = mark;
  }

  /** Next is the number that the next new element gets. */
  get next(): number {
    return this.mark;
  }

  /** Tell gives the element's number, a new one if it has none, and notes the role and name as told. */
  tell(element: Element, role: string, name: string): number {
    const known = this.byElement.get(element);
    if (known !== undefined) {
      known.role = role;
      known.name = name;
      return known.number;
    }
    const entry = {number: this.mark++, element: new WeakRef(element), role, name};
    this.byElement.set(element, entry);
    this.byNumber.set(entry.number, entry);
    return entry.number;
  }

  /** Uid is the element's uid, or undefined when it was never told. */
  uid(element: Element): string | undefined {
    const entry = this.byElement.get(element);
    return entry === undefined ? undefined : uidOf(entry.number);
  }

  /** Find is what a uid stands for now. An element that is no longer in the document is `gone`. */
  find(uid: string): Found {
    const entry = this.byNumber.get(Number(uid.slice(1)));
    if (entry === undefined) return {state: 'unknown'};
    const element = entry.element.deref();
    const told = {role: entry.role, name: entry.name};
    return element?.isConnected === true ? {state: 'live', element, told} : {state: 'gone', told};
  }
}

/** UidOf writes a number as a uid, `e7`. */
export function uidOf(number: number): string {
  return `e${number.toString()}`;
}
