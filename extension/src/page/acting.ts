/**
 * The page's part of the acting actions: one call before the input and one after it. What the first one
 * learned stays here for the second, as element objects, since only one action runs on a tab at a time.
 */

import type {
  ActingApi,
  GetOrder,
  Got,
  Landed,
  Looked,
  Patience,
  Pointed,
  Ready,
  Scene,
  ScrollOrder,
  ScrolledTo,
  Stand,
  TargetRef,
  ToldElement,
  Typed,
  Wish,
} from './actapi';
import {PageFault} from './api';
import {Arrival} from './arrival';
import {turn} from './beginnings';
import {Watch, focusedElement} from './changes';
import {
  caretToEnd,
  fieldOf,
  focusField,
  hasFocus,
  heldBy,
  judge,
  kindOf,
  limitOf,
  passesOn,
  readOnly,
  selectAll,
  setValue,
} from './edit';
import type {Point} from './geometry';
import {Guard, accepts, elementAt, flatAncestors} from './hittest';
import {type Refusal, bringIntoView, describe, enabled, inView, locate, refuse, resolve, spoken} from './locate';
import {read} from './getting';
import type {Journal} from './journal';
import type {Since} from './deltaapi';
import {type Registry, uidOf} from './registry';
import {scroll} from './scrolling';
import {isOutOfReach} from './reach';
import {barredFrom, enterSecret, gone} from './secrets';
import {stable} from './stability';
import {conceal, conditionOf, isSecret, statesOf, valueOf} from './states';
import {isChecked} from './values';
import {waitUntil} from './waiting';

/** The most that the end of a guarded click is waited for, in milliseconds. */
const releaseMs = 300;

interface Current {
  readonly target: Element | undefined;
  readonly guard: Guard | undefined;
  /** In a frame that input may miss: whether the pointer has come to the point. */
  readonly arrival: Arrival | undefined;
  readonly watch: Watch;
  readonly focus: Element | undefined;
  /** The target's value and states before. */
  readonly state: string;
  /** What a field held before text was typed, empty if that was selected. */
  readonly held: string;
  /** Where the target was pointed at. */
  readonly point: Point | undefined;
}

/** Acting is the acting half of a document's page API. */
export class Acting implements Omit<ActingApi, 'wait'> {
  readonly #registry: Registry;
  #current: Current | undefined;
  #waiting: AbortController | undefined;
  // Where the container that was scrolled stands by now.
  #stands: (() => Stand) | undefined;
  readonly #journal: Journal;

  constructor(registry: Registry, journal: Journal) {
    this.#registry = registry;
    this.#journal = journal;
  }

  /**
   * Point finds where to point at a target. For a click it refuses what is disabled, and guards the point
   * until {@link landed}.
   */
  async point(order: {target: TargetRef; guard: boolean; presses?: number}): Promise<Pointed> {
    if (order.guard) await turn();
    return this.aim(this.take(order.target), order.guard, order.presses);
  }

  /** Take gives the element that a target names now, and ends what an earlier action left behind. */
  take(target: TargetRef): Element {
    this.#end();
    const found = resolve(target, this.#registry);
    if (!found.ok) throw fault(found);
    return found.element;
  }

  /** Begin begins an action on an element without pointing at it: it is what {@link landed} then speaks of. */
  begin(target: Element): void {
    this.#end();
    this.#begin(target, undefined, '');
  }

  /** Aim finds where to point at an element; see {@link point}. */
  async aim(target: Element, guard: boolean, presses = 1): Promise<Pointed> {
    this.#end();
    const why = guard ? enabled(target, this.#registry) : undefined;
    if (why) throw fault(why);
    const aim = await locate(target, this.#registry);
    if (!aim.ok) throw fault(aim);
    this.#begin(target, guard ? new Guard(target, aim.point, presses) : undefined, '', aim.point);
    return {point: aim.point, via: aim.via, what: spoken(target, this.#registry), ...scene()};
  }

  /** Reached waits until the pointer has come to the place of {@link point}, and tells whether it has. */
  async reached(order: {timeoutMs: number}): Promise<{reached: boolean}> {
    return {reached: (await this.#current?.arrival?.within(order.timeoutMs)) ?? true};
  }

  /** Look begins an action without a target. */
  look(): Looked {
    this.#end();
    this.#begin(undefined, undefined, '');
    return {...scene(), frames: window.length};
  }

  /** Landed waits until what the input set in motion rests, and says what became of it. */
  async landed({mark, seen: told, renames, ...patience}: Patience & Since): Promise<Landed> {
    const current = this.#current;
    const since = {mark, seen: told, renames};
    if (!current) {
      // A new document: nothing of the old one's action is known here.
      const delta = this.#journal.delta(since);
      return {...scene(), arrived: true, fresh: true, changed: true, restless: false, hovered: true, delta};
    }
    await current.guard?.done(releaseMs);
    const {changed, restless} = await current.watch.rest(patience);
    const seen = current.guard?.release();
    current.arrival?.release();
    const delta = this.#journal.delta(since);
    const differences = this.#differences(current);
    return {
      ...scene(),
      arrived: seen?.arrived ?? true,
      fresh: false,
      ...(seen?.missed ? {missed: spoken(seen.missed, this.#registry)} : {}),
      changed,
      restless,
      ...differences,
      hovered: hovered(current),
      ...(this.#stands ? {stand: this.#stands()} : {}),
      delta: {...delta, next: this.#registry.next},
    };
  }

  #differences({target, state, focus: before}: Current): Pick<Landed, 'focus' | 'altered'> {
    const altered = target?.isConnected === true && stateOf(target) !== state ? this.#tell(target) : undefined;
    // What the agent acts on it knows by whatever name that gives it.
    if (!altered && target?.isConnected && this.#registry.known(target)?.called) this.#tell(target);
    const now = focusedElement();
    const focus = now === undefined || now === before ? undefined : this.#tell(now);
    return {...(focus ? {focus} : {}), ...(altered ? {altered} : {})};
  }

  /** Edit gets a field ready for text: focused, and what it holds selected, or the caret behind it. */
  async edit(order: Parameters<ActingApi['edit']>[0]): Promise<Ready> {
    const named = this.take(order.target);
    const barred = order.onlyOn && barredFrom(order.onlyOn);
    if (barred) throw fault(barred);
    const what = spoken(named, this.#registry);
    const field = fieldOf(named);
    if (!field) {
      throw fault(
        refuse(
          'invalid_action',
          'resolve',
          `${what} is no field that takes text; choose a text field, or use click or press`,
        ),
      );
    }
    const why = this.#closed(field);
    if (why) throw fault(why);
    if (!inView(field)) bringIntoView(field, 'center');
    await stable(field);
    const kind = kindOf(field);
    const typing = kind === 'text' || kind === 'rich';
    const focused = !typing || focusField(field);
    const holds = heldBy(field);
    if (typing && focused) {
      if (order.clear) selectAll(field);
      else caretToEnd(field);
    }
    this.#begin(field, undefined, order.clear ? '' : holds);
    return {
      kind,
      oneLine: field instanceof HTMLInputElement,
      selected: order.clear && (holds !== '' || passesOn(field)),
      passesOn: typing && passesOn(field),
      ...limitOf(field),
      checked: isChecked(field),
      focused,
      what,
      ...scene(),
    };
  }

  /** Select puts the caret or the selection where text is to go, in the field of {@link edit} that was clicked since. */
  select(order: {clear: boolean}): {focused: boolean} {
    const field = this.#current?.target;
    if (!field) return {focused: false};
    const focused = hasFocus(field) || focusField(field);
    if (order.clear) selectAll(field);
    else caretToEnd(field);
    return {focused};
  }

  /** Enter puts a secret into the field of {@link edit}, in this document or not at all. */
  enter(order: Parameters<ActingApi['enter']>[0]): {ok: true} {
    const refused = enterSecret(this.#current?.target, order);
    if (refused) throw fault(refused);
    return {ok: true};
  }

  /** Set sets the value of the field of {@link edit} by script, for those that take no typed text. */
  set(order: Parameters<ActingApi['set']>[0]): {ok: true} {
    const field = this.#current?.target;
    if (!(field instanceof HTMLInputElement)) throw fault(gone());
    const barred = order.onlyOn && barredFrom(order.onlyOn);
    if (barred) throw fault(barred);
    if (order.onlyOn) conceal(field);
    const done = setValue(field, order.value);
    if (done.ok) return done;
    const [given, holds] = isSecret(field)
      ? ['the secret', '']
      : [order.value, field.value].map((v) => JSON.stringify(v));
    const still = holds === '' ? '' : `; it still holds ${holds}`;
    const what = `${spoken(field, this.#registry)} does not take ${given}: expected ${done.expected}${still}`;
    throw fault(refuse('invalid_action', 'input', what));
  }

  /** Typed compares what the field of {@link edit} holds with what was typed. */
  typed(order: {text: string; replace: boolean}): Typed {
    const current = this.#current;
    const field = current?.target;
    if (!current || !field) return {verdict: 'differs', focused: false, what: 'the field'};
    const kind = kindOf(field);
    const after = heldBy(field);
    const judged = kind === 'set' ? 'as asked' : judge(order.replace ? '' : current.held, after, order.text, kind);
    const verdict = judged !== 'as asked' && passesOn(field) ? 'passed on' : judged;
    return {
      verdict,
      ...(isSecret(field) || verdict === 'passed on' ? {} : {value: after}),
      ...limitOf(field),
      focused: hasFocus(field),
      what: spoken(field, this.#registry),
    };
  }

  /** FocusOn gives an element the focus, for keys. */
  focusOn(order: {target: TargetRef}): Scene & {what: string} {
    const target = this.take(order.target);
    const why = enabled(target, this.#registry);
    if (why) throw fault(why);
    const what = spoken(target, this.#registry);
    if (!inView(target)) bringIntoView(target, 'center');
    if (!hasFocus(target) && !focusField(target)) {
      throw fault(
        refuse(
          'element_blocked',
          'input',
          `${what} does not take the focus, so no key was pressed; press without a target, or click it`,
        ),
      );
    }
    this.#begin(target, undefined, '');
    return {what, ...scene()};
  }

  /** Scroll scrolls the target's container, or the page's. */
  scroll(order: ScrollOrder & {target?: TargetRef | undefined}): ScrolledTo {
    this.#end();
    const target = order.target ? this.take(order.target) : undefined;
    this.#begin(undefined, undefined, '');
    const {container, stands, ...where} = scroll(order, target);
    this.#stands = stands;
    return {...where, ...(container ? {container: spoken(container, this.#registry)} : {}), ...scene()};
  }

  /** Wait waits until a wish is met. */
  async wait({timeoutMs, ...wish}: Wish & {timeoutMs: number}, signal: AbortSignal): Promise<{met: boolean}> {
    this.#end();
    this.#waiting = new AbortController();
    const ended = AbortSignal.any([this.#waiting.signal, signal]);
    const answer = await waitUntil(wish, this.#registry, timeoutMs, ended);
    if (typeof answer !== 'boolean') throw fault(answer);
    return {met: answer};
  }

  /** Get reads one thing of the page or of an element. */
  get(order: GetOrder): Got {
    const target = order.target ? this.take(order.target) : undefined;
    return read(order, target);
  }

  #begin(target: Element | undefined, guard: Guard | undefined, held: string, point?: Point): void {
    this.#journal.ready();
    const roots = new Set(this.#journal.roots);
    for (const at of target ? flatAncestors(target) : []) {
      const root = at.getRootNode();
      if (root instanceof ShadowRoot) roots.add(root);
    }
    const state = target ? stateOf(target) : '';
    const arrival = point && window !== window.top ? new Arrival(point) : undefined;
    this.#current = {target, guard, arrival, watch: new Watch(roots), focus: focusedElement(), state, held, point};
  }

  /** A new action ends what an earlier one left behind, such as a wait whose caller gave up. */
  #end(): void {
    this.#waiting?.abort();
    this.#current?.guard?.release();
    this.#current?.arrival?.release();
    this.#current?.watch.stop();
    this.#current = undefined;
    this.#stands = undefined;
  }

  #closed(field: Element): Refusal | undefined {
    return enabled(field, this.#registry) ?? this.#outOfReach(field) ?? this.#readOnly(field);
  }

  #outOfReach(field: Element): Refusal | undefined {
    if (!isOutOfReach(field)) return undefined;
    return refuse(
      'element_blocked',
      'geometry',
      `${spoken(field, this.#registry)} is not shown: a person could not type in it, so nothing was typed; type in what the page shows in its place`,
    );
  }

  #readOnly(field: Element): Refusal | undefined {
    if (!readOnly(field)) return undefined;
    const described = describe(field, this.#registry);
    return refuse(
      'element_blocked',
      'enabled',
      `${spoken(field, this.#registry)} is read-only, so nothing was typed; find what makes it editable`,
      described.uid === undefined ? [] : [described],
    );
  }

  /** What is told here is what the agent knows from now on. */
  #tell(element: Element): ToldElement {
    const {role, name} = describe(element, this.#registry);
    const value = valueOf(element, element.localName, role);
    const states = statesOf(element, element.localName);
    const uid = uidOf(this.#registry.tell(element, role, name, conditionOf(value, states)));
    return {uid, role, name, ...(value === undefined ? {} : {value}), ...(states.length === 0 ? {} : {states})};
  }
}

function fault({code, message, step, elements}: Refusal): PageFault {
  const told = elements.flatMap(({uid, role, name}) => (uid === undefined ? [] : [{uid, role, name}]));
  return new PageFault(code, message, {step, ...(told.length === 0 ? {} : {elements: told})});
}

/** The pointer's own state (:hover) follows a frame later; what lies under it now does not. */
function hovered({target, point}: Current): boolean {
  if (!target || !point) return true;
  const hit = elementAt(point);
  return hit !== null && accepts(hit, target) !== undefined;
}

function scene(): Scene {
  return {url: location.href, title: document.title};
}

function stateOf(element: Element): string {
  const states = statesOf(element, element.localName).filter((state) => state !== 'focused');
  return JSON.stringify([states, valueFieldOf(element)]);
}

function valueFieldOf(element: Element): string {
  if (element instanceof HTMLSelectElement) return Array.from(element.selectedOptions, ({index}) => index).join();
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : '';
}
