/** The page's part of select: which option is meant, where it is, and what is chosen afterwards. */

import type {Pointed} from './actapi';
import type {Acting} from './acting';
import {PageFault} from './api';
import {focusedElement} from './changes';
import type {Chosen, ControlsApi, List, Offer} from './controlapi';
import {focusField, heldBy, kindOf, readOnly, selectAll} from './edit';
import {
  type Box,
  type Option,
  around,
  asOption,
  boxOf,
  descendants,
  isCollapsed,
  isMultiple,
  listsOf,
  nativeOptions,
  optionsIn,
  scrollerOf,
  shownBy,
  shownLists,
  shownOptions,
} from './lists';
import {enabled, refuse, spoken} from './locate';
import {type Candidate, labelOf, matchOption, optionText} from './optionmatch';
import type {Registry} from './registry';
import {isOutOfReach} from './reach';
import {collapse} from './text';
import {Pulse, visible} from './waiting';

/** How many options an error names. */
const named = 20;

/** How long a list that scrolls is searched for an option that it does not hold yet, in milliseconds. */
const searchMs = 3_000;

/** How long a list may take to fill up after it was scrolled, in milliseconds: frames are rare in a hidden tab. */
const fillMs = 400;

interface Current {
  readonly box: Box;
  /** The lists and options that could be seen before anything was opened. */
  readonly before: ReadonlySet<Element>;
  /** What had the focus then. */
  readonly focus: Element | undefined;
  /** Of a native list: what is to be chosen. */
  readonly wanted: readonly HTMLOptionElement[];
  readonly what: string;
}

type Methods = 'list' | 'choose' | 'offered' | 'aimOption' | 'aimBox' | 'filter' | 'strays' | 'chosen';

/** Choosing is the part of a document's page API that select uses. What one call learned stays here for the next. */
export class Choosing implements Pick<ControlsApi, Methods> {
  readonly #acting: Acting;
  readonly #registry: Registry;
  #current: Current | undefined;

  constructor(acting: Acting, registry: Registry) {
    this.#acting = acting;
    this.#registry = registry;
  }

  /** List finds the list that a target stands for; of a native one it checks that all values can be chosen. */
  list({target, values}: Parameters<ControlsApi['list']>[0]): List {
    const element = this.#acting.take(target);
    const box = boxOf(element);
    if (!box) {
      const hint = element.hasAttribute('list')
        ? 'it has suggestions only: give it its text with fill'
        : 'choose another';
      throw new PageFault(
        'invalid_action',
        `${spoken(element, this.#registry)} is no select, combobox or listbox; ${hint}`,
        {step: 'resolve'},
      );
    }
    const what = spoken(box.element, this.#registry);
    const off = enabled(box.element, this.#registry);
    if (off) throw new PageFault(off.code, off.message, {step: off.step});
    const multiple = isMultiple(box);
    if (!multiple && values.length !== 1 && box.kind !== 'popup') {
      throw invalid(`${what} holds one option at a time, and ${values.length} values were given; give one`);
    }
    const wanted = box.kind === 'native' ? this.#checked(box.element, values, what) : [];
    const before = new Set(box.kind === 'popup' ? [...shownLists(), ...shownOptions()] : []);
    this.#acting.begin(box.element);
    this.#current = {box, before, focus: focusedElement(), wanted, what};
    return {
      kind: box.kind,
      multiple,
      shown: box.kind === 'popup' ? shownBy(box) : '',
      labels: wanted.map(labelled),
      what,
      ...scene(),
    };
  }

  /**
   * Choose chooses the checked values in a native list: all of them and no others. One input and one change event
   * tell the page, as they do for a person's choice; nothing does when nothing changes.
   */
  choose(): {done: boolean} {
    const {box, wanted, what} = this.#now();
    const select = box.element;
    if (!(select instanceof HTMLSelectElement) || wanted.some((option) => option.closest('select') !== select)) {
      throw new PageFault('element_stale', `${what} changed while its options were chosen; take a new snapshot`);
    }
    focusField(select);
    const set = new Set(wanted);
    const before = Array.from(select.options, ({selected}) => selected);
    if (select.multiple) for (const option of select.options) option.selected = set.has(option);
    else select.selectedIndex = wanted[0]?.index ?? -1;
    const changed = Array.from(select.options).some(({selected}, i) => selected !== before[i]);
    if (changed) {
      select.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
      select.dispatchEvent(new Event('change', {bubbles: true}));
    }
    return {done: changed};
  }

  /** Offered waits until an option is there. It scrolls a list that has more than it shows. */
  async offered({value, waitMs}: {value: string; waitMs: number}): Promise<Offer> {
    const found = await this.#await(waitMs, () => this.#option(value));
    const option = found ?? (await this.#searched(value));
    const shown = this.#options();
    return {
      found: option !== undefined,
      label: option ? labelOf(option) : '',
      chosen: option !== undefined && this.#isChosen(option),
      open: shown.length > 0 && !isCollapsed(this.#now().box),
      multiple: isMultiple(this.#now().box, this.#now().before),
      filters: this.#filterField() !== undefined,
      options: shown.slice(0, named).map(optionText),
    };
  }

  /** AimOption finds where to click an option, and guards the click. */
  async aimOption({value}: {value: string}): Promise<Pointed> {
    const option = this.#option(value);
    if (option) return this.#acting.aim(option.element, true);
    throw new PageFault('element_stale', `the option ${JSON.stringify(value)} went away; take a new snapshot`);
  }

  /** AimBox finds where to click a popup's box. */
  async aimBox(): Promise<Pointed> {
    let refused: unknown;
    // The field itself may be out of sight while its frame shows what was chosen, or lie under the tags of it.
    for (const at of around(this.#now().box.element)) {
      try {
        return await this.#acting.aim(at, true);
      } catch (error) {
        if (!(error instanceof PageFault) || !(error.fault.step === 'geometry' || error.fault.step === 'hit test'))
          throw refused ?? error;
        refused ??= error;
      }
    }
    throw refused;
  }

  /** Filter selects what the field that narrows the list holds, to be typed over. */
  filter(): {ready: boolean; held: string} {
    const field = this.#filterField();
    if (!field) return {ready: false, held: ''};
    const held = heldBy(field);
    selectAll(field);
    return {ready: true, held};
  }

  /** Strays are the chosen options of the list that are none of these. */
  strays({values}: {values: string[]}): {labels: string[]} {
    const wanted = new Set(values.flatMap((value) => this.#option(value)?.element ?? []));
    const strays = this.#options().filter((option) => this.#isChosen(option) && !wanted.has(option.element));
    return {labels: strays.map(labelOf)};
  }

  /** Chosen reads back what is chosen. */
  chosen(): Chosen {
    const {box} = this.#now();
    const gone = !box.element.isConnected;
    if (box.kind === 'native') {
      const selected = Array.from(box.element.selectedOptions, labelled);
      return {selected, shown: '', open: false, gone};
    }
    const shown = isCollapsed(box) ? [] : this.#options();
    const selected = shown.filter(({chosen}) => chosen).map(labelOf);
    return {selected, shown: box.kind === 'popup' && !gone ? shownBy(box) : '', open: shown.length > 0, gone};
  }

  #checked(select: HTMLSelectElement, values: readonly string[], what: string): HTMLOptionElement[] {
    if (!visible(select) || isOutOfReach(select)) {
      const message = `${what} is not shown: a person could not choose in it; select in what the page shows in its place`;
      throw new PageFault('element_blocked', message, {step: 'geometry'});
    }
    const options = nativeOptions(select);
    return values.map((value) => pick(options, value, what).option);
  }

  /** Option is the option that a value means now; it throws where that cannot be chosen. */
  #option(value: string): Option | undefined {
    const options = this.#options();
    const match = matchOption(options, value);
    if ('none' in match) return undefined;
    return pick(options, value, this.#now().what);
  }

  /** In a popup the marked option may only be the one that keys would choose next: chosen is what its box shows as well. */
  #isChosen(option: Option): boolean {
    const {box} = this.#now();
    return option.chosen && (box.kind !== 'popup' || shownBy(box).includes(labelOf(option)));
  }

  #options(): Option[] {
    const {box, before} = this.#now();
    const found = listsOf(box, before).flatMap(optionsIn);
    if (found.length > 0 || box.kind === 'list') return found;
    return shownOptions()
      .filter((at) => !before.has(at))
      .map(asOption);
  }

  /** A long list may hold only what it shows: so it is scrolled through from its beginning. */
  async #searched(value: string): Promise<Option | undefined> {
    const {box, before} = this.#now();
    const [list] = listsOf(box, before);
    const scroller = list && scrollerOf(list);
    if (!scroller) return undefined;
    const until = performance.now() + searchMs;
    const held = (): string => this.#options().map(labelOf).join('\n');
    let shown = held();
    scroller.scrollTop = 0;
    while (performance.now() < until) {
      const last = shown;
      const changed = await this.#await(fillMs, () => this.#option(value) ?? (held() === last ? undefined : 'changed'));
      // A list that holds all of its options from the beginning does not change.
      if (changed === undefined && scroller.scrollTop > 0) return undefined;
      if (changed !== undefined && changed !== 'changed') return changed;
      shown = held();
      const top = scroller.scrollTop;
      scroller.scrollTop += Math.max(scroller.clientHeight * 0.9, 1);
      if (Math.abs(scroller.scrollTop - top) < 1) return undefined;
      // The browser's own event comes with the next frame, which in a tab that nobody looks at may be a second away.
      scroller.dispatchEvent(new Event('scroll'));
    }
    return undefined;
  }

  /** The field that has the focus, if it is one of text and belongs to the box or came with its list. */
  #filterField(): Element | undefined {
    const field = focusedElement();
    if (!field || kindOf(field) !== 'text' || readOnly(field)) return undefined;
    const {box, focus} = this.#now();
    return field !== focus || [box.element, ...descendants(box.element)].includes(field) ? field : undefined;
  }

  /** Await looks at each change until something is there, or the time is over. */
  #await<T>(ms: number, look: () => T | undefined): Promise<T | undefined> {
    const now = look();
    if (now !== undefined || ms <= 0) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const finish = (take: () => T | undefined): void => {
        pulse.stop();
        clearTimeout(timer);
        try {
          resolve(take());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const pulse = new Pulse(() => {
        try {
          const found = look();
          if (found !== undefined) finish(() => found);
        } catch {
          finish(look);
        }
      });
      const timer = setTimeout(() => {
        finish(look);
      }, ms);
    });
  }

  #now(): Current {
    if (this.#current) return this.#current;
    throw new PageFault('element_stale', 'the page changed its document meanwhile; take a new snapshot');
  }
}

/** Pick is the one option that a value means. @throws PageFault where there is none, several, or it is disabled. */
function pick<C extends Candidate>(options: readonly C[], value: string, what: string): C {
  const match = matchOption(options, value);
  if ('found' in match) return match.found;
  const text = JSON.stringify(value);
  if ('disabled' in match) {
    const off = refuse(
      'element_blocked',
      'enabled',
      `the option ${text} of ${what} is disabled, so nothing was chosen`,
    );
    throw new PageFault(off.code, off.message, {step: off.step});
  }
  if ('several' in match) {
    const several = match.several.slice(0, named).map(optionText).join(', ');
    throw invalid(`${text} means several options of ${what}: ${several}; give what only one of them has`);
  }
  const some = options.slice(0, named).map(optionText).join(', ');
  const more = options.length > named ? ` and ${options.length - named} more` : '';
  throw invalid(`${what} has no option ${text}, so nothing was chosen; it has ${some}${more}`);
}

/** Labelled is the text of an option as the browser shows it. */
function labelled(option: HTMLOptionElement): string {
  return collapse(option.label);
}

function invalid(message: string): PageFault {
  return new PageFault('invalid_action', message, {step: 'resolve'});
}

function scene(): {url: string; title: string} {
  return {url: location.href, title: document.title};
}
