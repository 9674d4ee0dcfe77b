/** Which uid stands for which element of this document, and what was last told of it. */

/** Told is what an agent last heard of an element. */
export interface Told {
  role: string;
  name: string;
}

/** Found is what a uid stands for: `gone` once had an element here, `unknown` never had one in this document. */
export type Found = {state: 'live'; element: Element; told: Told} | {state: 'gone'; told: Told} | {state: 'unknown'};

/** Entry is an element that was told. */
export interface Entry extends Told {
  readonly number: number;
  readonly element: WeakRef<Element>;
  /** Its value and states as they were last told, in one string (`conditionOf`); undefined: not looked at yet. */
  held: string | undefined;
  /** What it was called in passing: told, and yet its ref means what it was told as before. */
  called: Told | undefined;
  /** If true, a person could see it itself, and not only a stand-in for it; undefined: not looked at yet. */
  shown: boolean | undefined;
  /** If true, it is told for what it says, and `held` is that. */
  says: boolean;
}

/**
 * Registry keeps uids for as long as the document lives. A number stands for the element itself, never for a
 * place or a selector: it is given once and to one element only, and no element is held alive by it.
 */
export class Registry {
  private readonly byElement = new WeakMap<Element, Entry>();
  private readonly byNumber = new Map<number, Entry>();
  private readonly present = new Set<Entry>();
  private news: Entry[] = [];
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

  /**
   * Tell gives the element's number, a new one if it has none, and notes the role and name as told.
   *
   * @param held its value and states, for those who have them at hand.
   */
  tell(element: Element, role: string, name: string, held?: string): number {
    let entry = this.byElement.get(element);
    if (entry === undefined) {
      entry = {
        number: this.mark++,
        element: new WeakRef(element),
        role,
        name,
        held,
        called: undefined,
        shown: undefined,
        says: false,
      };
      this.byElement.set(element, entry);
      this.byNumber.set(entry.number, entry);
    } else {
      entry.role = role;
      entry.name = name;
      entry.held = held;
      entry.called = undefined;
    }
    if (!this.present.has(entry)) {
      this.present.add(entry);
      entry.shown = undefined;
      this.news.push(entry);
    } else if (held === undefined) this.news.push(entry);
    return entry.number;
  }

  /** Known is what was told of an element that an agent believes to be there; undefined otherwise. */
  known(element: Element): Entry | undefined {
    const entry = this.byElement.get(element);
    return entry !== undefined && this.present.has(entry) ? entry : undefined;
  }

  /** Lost notes that the agent is told that an element is gone; telling it again brings it back. */
  lost(entry: Entry): void {
    this.present.delete(entry);
  }

  /** Entries are those that an agent believes to be there. */
  get entries(): ReadonlySet<Entry> {
    return this.present;
  }

  /** TakeNew gives the entries that came since it was last called. */
  takeNew(): Entry[] {
    const {news} = this;
    this.news = [];
    return news;
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
