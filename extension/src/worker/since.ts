/** What changed from one snapshot of a tab to the next: of the lines of both, those that differ. */

import type {Snapshot} from '../protocol.gen';

/** How many snapshots of a tab are kept, and how large one may be, in UTF-16 units. */
const kept = 4;
const unitsMax = 2_000_000;

/** How many lines that went and have no ref are told, and how long one may be, in UTF-16 units. */
const wordsMax = 20;
const wordMax = 120;

/** Taken is a snapshot that was taken. */
interface Taken {
  readonly id: string;
  /** What was asked for: snapshots of other kinds cannot be compared. */
  readonly kind: string;
  readonly lines: readonly string[];
}

/** Snapshots keeps the last ones of each tab for as long as the worker lives. */
export class Snapshots {
  readonly #byTab = new Map<number, Taken[]>();
  // A worker that comes after this one must not give the same names.
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string = Math.random().toString(36).slice(2, 6)) {
    this.#prefix = prefix;
  }

  /** Keep keeps a snapshot and gives it its id; undefined when it is too large. */
  keep(tabId: number, action: Snapshot, lines: readonly string[]): string | undefined {
    let units = 0;
    for (const line of lines) units += line.length;
    if (units > unitsMax) return undefined;
    const id = `s${this.#prefix}${(++this.#count).toString()}`;
    const list = [...(this.#byTab.get(tabId) ?? []), {id, kind: kindOf(action), lines}];
    this.#byTab.set(tabId, list.slice(-kept));
    return id;
  }

  /** Get gives the lines of a snapshot of that name and kind, or a sentence that says why not. */
  get(tabId: number, action: Snapshot, id: string): {lines: readonly string[]} | {why: string} {
    const taken = this.#byTab.get(tabId)?.find((it) => it.id === id);
    if (!taken)
      return {why: `the snapshot ${JSON.stringify(id.slice(0, 40))} is not kept (any more): this is a whole one`};
    if (taken.kind === kindOf(action)) return taken;
    return {why: 'since names a snapshot that was asked for with other options: this is a whole one'};
  }

  /** Forget is called when a tab is gone. */
  forget(tabId: number): void {
    this.#byTab.delete(tabId);
  }
}

/** The snapshots of this worker. */
export const snapshots = new Snapshots();

function kindOf({interactive, compact, depth, selector, urls, cursor}: Snapshot): string {
  const flags = [interactive, compact, urls, cursor].map((it) => it === true);
  return JSON.stringify([flags, depth ?? null, selector ?? null]);
}

/**
 * Changes are the lines of a snapshot that an earlier one did not have, in their places: `+` for what is new, `~` for
 * what was told under the same ref in other words, and `-`, as ever, for what holds them. What is gone stands at the end.
 */
export function changes(before: readonly string[], now: readonly string[]): string[] {
  const old = new Account(before);
  const out: string[] = [];
  // The unchanged lines around the one at hand, the outermost first, that are not written yet.
  const around: {level: number; line: string}[] = [];
  for (const line of now) {
    const level = levelOf(line);
    while ((around.at(-1)?.level ?? -1) >= level) around.pop();
    const sign = old.take(line.trimStart());
    if (sign === undefined) {
      around.push({level, line});
      continue;
    }
    for (const holder of around.splice(0)) out.push(holder.line);
    out.push(`${line.slice(0, level)}${sign}${line.slice(level + 1)}`);
  }
  return [...out, ...old.gone()];
}

/** Account is what an earlier snapshot told and the next one may tell again. */
class Account {
  readonly #byRef = new Map<string, string>();
  readonly #words = new Map<string, number>();

  constructor(lines: readonly string[]) {
    for (const indented of lines) {
      const line = indented.trimStart();
      const ref = refOf(line);
      if (ref === undefined) this.#words.set(line, (this.#words.get(line) ?? 0) + 1);
      else this.#byRef.set(ref, line);
    }
  }

  /** Take takes a line off the account: undefined when it is as it was, else the sign of its change. */
  take(line: string): '+' | '~' | undefined {
    const ref = refOf(line);
    if (ref === undefined) {
      const left = this.#words.get(line) ?? 0;
      this.#words.set(line, left - 1);
      return left > 0 ? undefined : '+';
    }
    const before = this.#byRef.get(ref);
    this.#byRef.delete(ref);
    if (before === line) return undefined;
    return before === undefined ? '+' : '~';
  }

  /** Gone is what was not taken. */
  gone(): string[] {
    const refs = [...this.#byRef.keys()];
    const words = [...this.#words].filter(([line, left]) => left > 0 && line.startsWith('- text '));
    return [
      ...(refs.length === 0 ? [] : [`gone: ${refs.join(' ')}`]),
      ...words.slice(0, wordsMax).map(([line]) => `gone: ${line.slice(2, wordMax)}`),
      ...(words.length > wordsMax ? [`gone: ${(words.length - wordsMax).toString()} more texts`] : []),
    ];
  }
}

function levelOf(line: string): number {
  return line.length - line.trimStart().length;
}

function refOf(line: string): string | undefined {
  // What a page wrote stands in quotes, where it cannot hold a ref: `harmless` takes those apart.
  return /\[ref=(e\d+)\]/.exec(line)?.[1];
}
