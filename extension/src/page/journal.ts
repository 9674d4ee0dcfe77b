/**
 * The journal of a document: what an agent was told of it, and what has changed since. Nothing is ever walked
 * again as a whole: mutations say where to look, and what changes without one (what a style sheet hides or shows,
 * what a script puts into a field) is looked at element by element, within a time.
 */

import {composedParent, onShadow, shadowOf} from './composed';
import type {Delta, DeltaApi, Since, Stirred} from './deltaapi';
import {Findings, ancestorsOf, heldBy, rowOf} from './findings';
import {type Look, type Wants, look} from './look';
import {Names} from './names';
import {Pending} from './pending';
import {type Entry, type Registry, uidOf} from './registry';
import {rerendered} from './rerender';
import {namedByContent, roleOf, writtenRole} from './roles';
import {Scan, type Sighting, isTelling} from './scan';
import {conditionOf, statesOf, valueOf} from './states';
import {Stir} from './stir';
import {Walk} from './walk';

/** Milliseconds that a delta may look where something changed, and go through what was told: the rest has its turn the next time. */
const lookMs = 200;
const sweepMs = 8;

/** Milliseconds of the first look at a document that nobody has read. */
const baselineMs = 150;

/** What one delta tells at most: elements, UTF-16 units of theirs, and parts that do nothing but say something. */
const rowsMax = 40;
const unitsMax = 4000;
const sayingsMax = 3;

/** The most elements of a subtree that is looked through because an attribute of its root changed. */
const subtreeMax = 600;

/** The most hidden elements that are watched for coming up. */
const unseenMax = 3000;

/** How far up the elements are looked for that a text is the name of. */
const liftMax = 12;

const PAINTED: CheckVisibilityOptions = {opacityProperty: true, visibilityProperty: true};
const FIELDS = new Set(['input', 'select', 'textarea']);
const NEW: Wants = {controls: true, telling: true, words: true, revealed: false};

/** Journal keeps the account. */
export class Journal implements DeltaApi {
  readonly #registry: Registry;
  readonly #stir = new Stir();
  readonly #pending = new Pending();
  // If true, what is there is known, so that what is not known is new.
  #begun = false;
  #whole = false;
  // Controls that were there already, and were not told.
  readonly #listed = new WeakSet<Element>();
  // What nobody can see, and may come up by a style alone.
  readonly #unseen = new Set<Element>();
  // Parts to look at again: they are on their way, or behind a modal dialog.
  #later = new Set<Element>();
  // Where an agent has read since it changed.
  #read = new WeakSet<Node>();
  // What had changed when the whole document began to be walked.
  #reading: readonly Node[] = [];
  // If true, refs mean what their elements are called now.
  #renames = false;
  // How many of the told were gone through when time ran out.
  #swept = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
    onShadow((root) => {
      this.#stir.watch(root);
    });
  }

  /** Roots are the shadow trees that are known. */
  get roots(): ReadonlySet<ShadowRoot> {
    return this.#stir.roots;
  }

  /** Ready is called before an action: what changes from now on is told after it. */
  ready(): void {
    this.#stir.begin();
    if (!this.#begun) this.#baseline();
    this.#inspect();
  }

  /** Reading is called before the whole document is walked for an agent: what changed until now it will see. */
  reading(): void {
    this.part();
    this.#reading = this.#stir.places();
  }

  /**
   * Whole is called when the whole document was told.
   *
   * @param unseen what was not gone into because nobody can see it.
   */
  whole(unseen: readonly Element[]): void {
    this.#begun = true;
    this.#whole = true;
    this.#stir.drop(this.#reading);
    this.#stir.overflow = false;
    this.#reading = [];
    this.#later.clear();
    this.#pending.clear();
    this.#unseen.clear();
    this.#hide(unseen);
    this.#inspect();
  }

  /** Part is called when some of the document was told: what that said is not told again. */
  part(): void {
    this.#stir.begin();
    this.#stir.drain();
    for (const node of this.#stir.places()) this.#read.add(node);
  }

  stirred(): Stirred {
    const stirred = this.#begun && (this.#stir.any || this.#pending.any || this.#later.size > 0);
    return {stirred, url: location.href, title: document.title};
  }

  delta({mark, seen, renames}: Since): Delta {
    this.#renames = renames;
    this.#registry.raise(mark);
    this.#pending.seen(seen);
    if (this.#begun) this.#collect();
    else this.ready();
    return this.#pending.delta(this.#registry.next);
  }

  #baseline(): void {
    const names = new Names();
    const scan = new Scan(false, () => names, new WeakSet());
    const walk = new Walk(document.documentElement, scan, {cursor: false}, [], () => undefined);
    this.#whole = walk.run(performance.now() + baselineMs, () => false);
    if (!this.#whole) walk.stop();
    for (const {el} of scan.sightings) this.#listed.add(el);
    this.#hide(scan.unseen);
    this.#stir.drain();
    this.#stir.clear();
    this.#begun = true;
  }

  /** Inspect looks at what was told since the last time, as it is now. */
  #inspect(): void {
    for (const entry of this.#registry.takeNew()) {
      const el = entry.element.deref();
      if (!el) continue;
      entry.shown ??= el.checkVisibility(PAINTED);
      entry.held ??= heldBy(el, entry.role);
    }
  }

  #hide(elements: Iterable<Element>): void {
    for (const el of elements) if (this.#unseen.size < unseenMax) this.#unseen.add(el);
  }

  #collect(): void {
    const stir = this.#stir;
    stir.drain();
    const at = look(performance.now() + lookMs);
    const found = new Findings();
    if (stir.overflow) this.#missed();
    const there = [...stir.added].filter((el) => el.isConnected);
    const news = rerendered(stir.removed, there, (was, now) => {
      this.#copy(found, was, now);
    });
    const later = this.#later;
    this.#later = new Set();
    for (const el of [...news, ...later]) this.#part(at, found, el, NEW);
    for (const el of [...there, ...stir.moved]) this.#part(at, found, el, {...NEW, words: false});
    for (const el of this.#revealed()) this.#part(at, found, el, {...NEW, revealed: true});
    for (const el of stir.attributes) this.#restyled(at, found, el);
    for (const node of stir.texts) this.#reworded(at, found, node);
    for (const [el, {entry, sighting}] of found.revised) this.#revise(at, el, entry, sighting);
    if (at.cut) this.#missed();
    stir.clear();
    this.#read = new WeakSet();
    this.#tell(at, found);
    this.#sweep(at);
    this.#inspect();
  }

  // What is not known need not be new any more.
  #missed(): void {
    this.#pending.partial = true;
    this.#whole = false;
  }

  #copy(found: Findings, was: Element, now: Element): void {
    found.copies.add(now);
    const entry = this.#registry.known(was);
    if (entry) found.renewing.set(now, entry);
    else if (this.#listed.has(was)) this.#listed.add(now);
  }

  /** Part looks through a part of the document. */
  #part(at: Look, found: Findings, node: Element, wants: Wants): void {
    if (!node.isConnected) return;
    const above = ancestorsOf(node);
    const spoken = above.some((el) => namedByContent(this.#registry.known(el)?.role ?? ''));
    const seen = at.through(node, above, spoken);
    if (!seen) return;
    for (const sighting of seen.sightings) this.#sighted(found, sighting, wants, this.#read.has(node));
    for (const el of seen.offstage) this.#out(el);
    this.#hide(seen.unseen);
    if (seen.barred || (seen.offstage.length > 0 && isMoving(node))) this.#later.add(node);
    if (wants.words && seen.said && !spoken && !this.#read.has(node))
      found.sayings.push({sighting: seen.said, alone: seen.sightings.length === 0});
  }

  #sighted(found: Findings, sighting: Sighting, wants: Wants, read: boolean): void {
    const {el, words} = sighting;
    const entry = this.#registry.known(el);
    if (entry) {
      if (words ? entry.held !== words() : entry.held !== heldBy(el, entry.role))
        found.revised.set(el, {entry, sighting});
      return;
    }
    const was = found.renewing.get(el);
    if (was) {
      found.renewing.delete(el);
      this.#renew(was, sighting, words?.());
      return;
    }
    if (words) {
      if (wants.telling && !read && !found.copies.has(el) && (words() !== '' || el.localName === 'dialog'))
        found.fresh.push(sighting);
    } else if (wants.controls && (wants.revealed || !this.#listed.has(el))) found.fresh.push(sighting);
    else this.#listed.add(el);
  }

  #renew(was: Entry, {el, shown}: Sighting, words: string | undefined): void {
    const held = words ?? heldBy(el, was.role);
    this.#registry.lost(was);
    const number = this.#registry.tell(el, was.role, was.name, was.held ?? held);
    const now = this.#registry.known(el);
    if (now) {
      now.shown = shown;
      now.says = was.says;
    }
    this.#pending.renew(uidOf(was.number), uidOf(number));
  }

  /** Revealed are the elements that were hidden and are not any more. */
  #revealed(): Element[] {
    const up: Element[] = [];
    for (const el of this.#unseen) {
      if (el.isConnected && !el.checkVisibility(PAINTED)) continue;
      this.#unseen.delete(el);
      if (el.isConnected) up.push(el);
    }
    return up;
  }

  #restyled(at: Look, found: Findings, el: Element): void {
    if (!el.isConnected) return;
    const entry = this.#registry.known(el);
    if (entry) found.revised.set(el, {entry});
    shadowOf(el, el.localName);
    if (at.has(el) || el.getElementsByTagName('*').length > subtreeMax) return;
    this.#part(at, found, el, {controls: this.#whole, telling: false, words: false, revealed: false});
  }

  /** Reworded looks at whose name or word a text is that changed. */
  #reworded(at: Look, found: Findings, node: Node): void {
    const from = node instanceof Element ? node : node instanceof ShadowRoot ? node.host : null;
    if (!from?.isConnected) return;
    let spoken = false;
    let el: Element | null = from;
    for (let i = 0; el && i < liftMax; i++, el = composedParent(el)) {
      spoken = this.#renamed(found, el) || spoken;
      if (spoken || this.#read.has(node) || !isTelling(el, roleOf(el, el.localName, writtenRole(el)))) continue;
      at.again(el);
      this.#part(at, found, el, {...NEW, controls: this.#whole, words: false});
      return;
    }
    if (spoken || at.has(from) || !this.#stir.filled.has(node)) return;
    this.#part(at, found, from, {...NEW, controls: this.#whole});
  }

  /** Renamed has an element, and the one that it is the label of, looked at again if they were told. */
  #renamed(found: Findings, el: Element): boolean {
    const control = el instanceof HTMLLabelElement ? el.control : null;
    let any = false;
    for (const it of control ? [el, control] : [el]) {
      const entry = this.#registry.known(it);
      if (entry && !found.revised.has(it)) found.revised.set(it, {entry});
      any ||= entry !== undefined;
    }
    return any;
  }

  /** Revise tells of an element that is not what it was told as. */
  #revise(at: Look, el: Element, entry: Entry, sighting?: Sighting): void {
    if (!el.isConnected || this.#registry.known(el) !== entry) return;
    const role = roleOf(el, el.localName, writtenRole(el));
    const name = at.names.of(el, el.localName, role);
    const words = entry.says ? this.#saidBy(at, el, sighting) : undefined;
    if (entry.says && words === undefined) return;
    const value = words ?? valueOf(el, el.localName, role);
    const states = statesOf(el, el.localName);
    const held = words ?? conditionOf(value, states);
    const last = entry.called ?? entry;
    const renamed = role !== last.role || name !== last.name;
    if (!renamed && held === entry.held) return;
    if (renamed && !this.#renames) entry.called = {role, name};
    else if (renamed) this.#registry.tell(el, role, name, held);
    entry.held = held;
    this.#pending.alter(el, rowOf(entry.number, role, name, value, states));
  }

  /** SaidBy is what an element says that is told for that; undefined when there was no time to look. */
  #saidBy(at: Look, el: Element, sighting: Sighting | undefined): string | undefined {
    if (sighting?.words) return sighting.words();
    at.again(el);
    const seen = at.through(el, ancestorsOf(el), false);
    if (!seen) return undefined;
    return (seen.sightings.find((it) => it.el === el) ?? seen.said)?.words?.() ?? '';
  }

  /** Tell tells of what came up, as far as there is room: what is in view first. */
  #tell(at: Look, {fresh, sayings}: Findings): void {
    const controls = new Set(fresh.map(({el}) => el));
    let left = sayingsMax;
    for (const {sighting, alone} of sayings) {
      if (controls.has(sighting.el) || (alone && (!sighting.inView || left-- <= 0))) continue;
      fresh.push(sighting);
    }
    let units = unitsMax;
    for (const sighting of [...fresh.filter(({inView}) => inView), ...fresh.filter(({inView}) => !inView)]) {
      if (this.#registry.known(sighting.el)) continue;
      if (units > 0 && this.#pending.size < rowsMax) units -= this.#appear(at, sighting);
      else {
        this.#pending.partial = true;
        this.#listed.add(sighting.el);
      }
    }
  }

  /** Appear tells of an element, and answers how much that takes. */
  #appear(at: Look, {el, tag, role, attributes, shown, words}: Sighting): number {
    const name = at.names.of(el, tag, role, attributes);
    const states = statesOf(el, tag, attributes);
    const said = words?.();
    const value = said ?? valueOf(el, tag, role);
    const number = this.#registry.tell(el, role, name, said ?? conditionOf(value, states));
    const entry = this.#registry.known(el);
    if (entry) {
      entry.shown = shown;
      entry.says = words !== undefined;
    }
    this.#pending.appear(el, rowOf(number, role, name, value === name ? undefined : value, states));
    return 20 + name.length + (value?.length ?? 0);
  }

  /** Sweep goes through what was told, the newest first, and goes on the next time where time ran out. */
  #sweep(at: Look): void {
    const entries = [...this.#registry.entries].reverse();
    const end = performance.now() + sweepMs;
    const first = this.#swept;
    this.#swept = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[(first + i) % entries.length];
      if (entry) this.#check(at, entry);
      if (i % 64 < 63 || performance.now() < end) continue;
      this.#swept = (first + i + 1) % entries.length;
      return;
    }
  }

  #check(at: Look, entry: Entry): void {
    const el = entry.element.deref();
    if (!el?.isConnected) this.#lose(entry, el);
    else if (entry.shown === true && !el.checkVisibility(PAINTED)) {
      this.#lose(entry, el);
      this.#hide([el]);
    } else if (FIELDS.has(el.localName) && entry.held !== heldBy(el, entry.role)) this.#revise(at, el, entry);
  }

  #out(el: Element): void {
    const entry = this.#registry.known(el);
    if (entry?.shown === true) this.#lose(entry, el);
    this.#listed.delete(el);
  }

  #lose(entry: Entry, el: Element | undefined): void {
    this.#registry.lost(entry);
    this.#pending.lose(el, uidOf(entry.number));
  }
}

function isMoving(el: Element): boolean {
  return el.getAnimations({subtree: true}).length > 0;
}
