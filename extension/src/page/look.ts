/** The looks of one delta: walks through the parts of a document where something changed, in one time. */

import {Names} from './names';
import {Scan, type Sighting} from './scan';
import {Walk} from './walk';

/** Wants says what of a part is told. */
export interface Wants {
  /** If true, controls that nobody knew have appeared. */
  readonly controls: boolean;
  /** If true, so has what tells people something. */
  readonly telling: boolean;
  /** If true, what the part says beside its controls is told. */
  readonly words: boolean;
  /** If true, nobody could see the part before. */
  readonly revealed: boolean;
}

/** Seen is what a look at a part gave. */
export interface Seen {
  readonly sightings: readonly Sighting[];
  readonly unseen: readonly Element[];
  /** Controls where nobody can see them. */
  readonly offstage: readonly Element[];
  /** If true, a modal dialog stands before some of it. */
  readonly barred: boolean;
  /** The part itself, told for what it says beside its controls; undefined: nothing. */
  readonly said: Sighting | undefined;
}

/** Look is one delta's. */
export interface Look {
  readonly names: Names;
  /** If true, time ran out. */
  readonly cut: boolean;
  /** Has tells whether an element was met. */
  has(el: Element): boolean;
  /** Again has an element looked at once more, for a reason of its own. */
  again(el: Element): void;
  /** Through looks through a part; undefined when that was done, as part of another one, or time ran out. */
  through(root: Element, above: readonly Element[], spoken: boolean): Seen | undefined;
}

/** Look begins, and ends when `performance.now()` shows `end`. */
export function look(end: number): Look {
  return new Looking(end);
}

// So many parts are looked at whatever the time: a machine that is slow for a moment does not hide a small change.
const partsAnyway = 32;

class Looking implements Look {
  cut = false;
  #parts = 0;
  readonly #end: number;
  readonly #seen = new WeakSet<Element>();
  #names: Names | undefined;
  #scan: Scan | undefined;
  #walk: Walk<ReturnType<Scan['note']>> | undefined;

  constructor(end: number) {
    this.#end = end;
  }

  get names(): Names {
    this.#names ??= new Names();
    return this.#names;
  }

  has(el: Element): boolean {
    return this.#seen.has(el);
  }

  again(el: Element): void {
    this.#seen.delete(el);
  }

  through(root: Element, above: readonly Element[], spoken: boolean): Seen | undefined {
    if (this.#seen.has(root)) return undefined;
    if (this.cut || (++this.#parts > partsAnyway && performance.now() >= this.#end)) {
      this.cut = true;
      return undefined;
    }
    const scan = (this.#scan ??= new Scan(true, () => this.names, this.#seen));
    const from = {sightings: scan.sightings.length, unseen: scan.unseen.length, offstage: scan.offstage.length};
    scan.begin(spoken);
    if (this.#walk) this.#walk.go(root, above);
    else {
      this.#walk = new Walk(root, scan, {cursor: false}, above, (names) => {
        this.#names ??= names;
      });
    }
    if (!this.#walk.run(this.#end, () => false)) {
      this.#walk.stop();
      this.cut = true;
    }
    return {
      sightings: scan.sightings.slice(from.sightings),
      unseen: scan.unseen.slice(from.unseen),
      offstage: scan.offstage.slice(from.offstage),
      barred: scan.barred,
      said: scan.rootSighting(),
    };
  }
}
