/** select: options of native selects by script, those of ARIA lists by trusted clicks, read back. */

import type {Landed, Patience, Pointed, Scene} from '../../page/actapi';
import type {List, Offer} from '../../page/controlapi';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import type {Frame} from '../frames';
import {type Step, clickSteps, dispatch, textStep} from '../input';
import type {ModifierName} from '../keys';
import {pageworld} from '../pageworld';
import {type Changed, Settling, eager, sceneOf} from '../settle';
import {type Tab, tabs} from '../tab';
import {keySteps} from './keyboard';
import {verifyClick} from './pointer';
import {inFrames, throughFrames} from './target';

/** How long a list may take to open, and to fill after its field was typed into, in milliseconds. */
const openMs = 300;
const fillMs = 1_500;
const searchMs = 3_000;

/** Select chooses all of the values and no others, each by value or by visible label. */
export const select: Handler<'select'> = async ({uid, selector, values}, call) => {
  const {signal} = call;
  const tab = await tabs.get(call.tabId, signal);
  const settling = new Settling(tab);
  try {
    const order = {target: {uid, selector}, values};
    const {frame, answer: list} = await inFrames(tab, ({id}) => pageworld.call(tab, id, 'list', order, signal), signal);
    const before: Scene = frame.parentId === undefined ? list : await sceneOf(tab.tabId);
    const choice = new Choice(tab, call, settling, frame, list);
    const labels = await choice.make(values);
    const selected = await choice.readBack(labels);
    return {...(await choice.changed(before)), ok: true, selected};
  } finally {
    settling.end();
  }
};

/** Choice is one select under way, on a list that was found. */
class Choice {
  readonly #tab: Tab;
  readonly #call: Call;
  readonly #settling: Settling;
  readonly #frame: Frame;
  readonly #list: List;
  #landed: Landed | undefined;
  #stillLoading = false;
  // If true, the page did something at one of the clicks.
  #moved = false;
  // If true, a list that was closed was opened by us.
  #opened = false;
  // What the field that narrows the list held before we typed into it.
  #held: string | undefined;

  constructor(tab: Tab, call: Call, settling: Settling, frame: Frame, list: List) {
    this.#tab = tab;
    this.#call = call;
    this.#settling = settling;
    this.#frame = frame;
    this.#list = list;
  }

  /** Make chooses, and gives the labels of what was meant. */
  async make(values: readonly string[]): Promise<readonly string[]> {
    const {kind, what, shown, multiple} = this.#list;
    if (kind === 'native') return this.#native();
    const [first] = values;
    if (kind === 'popup' && first === undefined) {
      throw new ActionError(
        'invalid_action',
        `${what} needs a value to choose; give one, or clear it by its own button`,
      );
    }
    // Choosing what is chosen may take it away again.
    if (kind === 'popup' && values.length === 1 && first === shown) return [shown];
    try {
      return await this.#options(values, multiple);
    } catch (thrown) {
      if (!(thrown instanceof ActionError) || thrown.step === 'input' || thrown.step === 'verify') throw thrown;
      throw await this.#undone(thrown);
    }
  }

  /** ReadBack is what is chosen now; it refuses where the page took nothing of it. */
  async readBack(labels: readonly string[]): Promise<string[]> {
    if (this.#over()) return [...labels];
    const {kind, what} = this.#list;
    const {selected, shown, open, gone} = await pageworld.call(
      this.#tab,
      this.#frame.id,
      'chosen',
      {},
      this.#call.signal,
    );
    if (gone) return [...labels];
    // Of an open popup the marked option may be the one that keys would choose next: what the box shows counts as well.
    const told =
      kind === 'popup'
        ? labels.filter((label) => shown.includes(label) || (open && selected.includes(label)))
        : selected;
    if (open && this.#opened) await this.#send(keySteps('Escape', 'other'));
    const missing = labels.filter((label) => !told.includes(label));
    if (missing.length === 0) return told;
    const now = kind === 'popup' ? `it shows ${JSON.stringify(shown)}` : `it has ${JSON.stringify(told)}`;
    const message = `${what} did not keep ${missing.map((label) => JSON.stringify(label)).join(', ')}: ${now}`;
    if (!this.#moved) {
      throw new ActionError('invalid_action', `${message}; look at the page and at what it asks for first`, {
        outcome: 'done',
        step: 'verify',
      });
    }
    this.#settling.note(message);
    return told;
  }

  /** Changed is what all of it brought about. */
  async changed(before: Scene): Promise<Changed> {
    const settled = {landed: this.#landed, stillLoading: this.#stillLoading};
    return this.#settling.changed(before, this.#frame, this.#call.signal, settled);
  }

  async #native(): Promise<readonly string[]> {
    this.#call.started();
    try {
      await pageworld.call(this.#tab, this.#frame.id, 'choose', {}, this.#call.signal);
    } catch (thrown) {
      // The page asks something at once: what was chosen is so, and the answer is the caller's to give.
      if (!(thrown instanceof ActionError) || thrown.code !== 'dialog_open') throw thrown;
      return this.#list.labels;
    }
    await this.#rest(eager);
    return this.#list.labels;
  }

  async #options(values: readonly string[], listed: boolean): Promise<readonly string[]> {
    const labels: string[] = [];
    let multiple = listed;
    for (const [i, value] of values.entries()) {
      const offer = await this.#find(value);
      multiple ||= offer.multiple;
      labels.push(offer.label);
      // A value that cannot be chosen is refused before any is.
      if (i === 0 && values.length > 1) await this.#all(values.slice(1), offer);
      if (offer.chosen && (multiple || this.#list.kind === 'list')) continue;
      await this.#click(await pageworld.call(this.#tab, this.#frame.id, 'aimOption', {value}, this.#call.signal));
      if (this.#over()) return labels;
    }
    if (multiple) await this.#onlyThese(values);
    return labels;
  }

  /** Find brings an option to where it can be clicked: opened, narrowed by its field, scrolled. */
  async #find(value: string): Promise<Offer> {
    const {kind, what} = this.#list;
    let offer = await this.#offered(value, 0);
    if (!offer.found && !offer.open && kind === 'popup') {
      await this.#click(await pageworld.call(this.#tab, this.#frame.id, 'aimBox', {}, this.#call.signal));
      this.#opened = true;
      offer = await this.#offered(value, openMs);
      if (!offer.found && !offer.filters) offer = await this.#offered(value, fillMs);
    }
    if (!offer.found && offer.filters) {
      const {ready, held} = await pageworld.call(this.#tab, this.#frame.id, 'filter', {}, this.#call.signal);
      this.#held ??= held;
      if (ready) await this.#send([textStep(value)]);
      offer = await this.#offered(value, searchMs);
    }
    if (offer.found) return offer;
    const some = offer.options.length > 0 ? `it offers ${offer.options.join(', ')}` : 'it showed no options';
    throw new ActionError(
      'invalid_action',
      `${what} has no option ${JSON.stringify(value)}, so nothing was chosen; ${some}`,
      {
        outcome: 'not_sent',
        step: 'resolve',
      },
    );
  }

  async #all(values: readonly string[], {multiple, filters}: Offer): Promise<void> {
    // Few popups say that they take several: those that do not are tried, and what they keep is read back.
    if (!multiple && this.#list.kind === 'list') {
      throw new ActionError(
        'invalid_action',
        `${this.#list.what} holds one option at a time, and several values were given; give one`,
        {outcome: 'not_sent', step: 'resolve'},
      );
    }
    if (!filters) for (const value of values) await this.#find(value);
  }

  /** OnlyThese takes away what else is chosen, and chooses again what a plain click on another took away. */
  async #onlyThese(values: readonly string[]): Promise<void> {
    const {labels} = await pageworld.call(
      this.#tab,
      this.#frame.id,
      'strays',
      {values: [...values]},
      this.#call.signal,
    );
    const missing: string[] = [];
    for (const value of values) {
      const offer = await this.#offered(value, 0);
      if (offer.found && !offer.chosen) missing.push(value);
    }
    // A list where a click chooses one in place of another adds to them with Control.
    const modifiers: ModifierName[] = missing.length > 0 ? ['Control'] : [];
    for (const value of [...labels, ...missing]) {
      if (this.#over()) return;
      await this.#click(
        await pageworld.call(this.#tab, this.#frame.id, 'aimOption', {value}, this.#call.signal),
        modifiers,
      );
    }
  }

  /** Undone closes what was opened and puts back what was typed, since nothing came of it. */
  async #undone(thrown: ActionError): Promise<ActionError> {
    if (!this.#opened || this.#over() || this.#call.signal.aborted) return thrown;
    if (this.#held !== undefined) {
      await pageworld.call(this.#tab, this.#frame.id, 'filter', {}, this.#call.signal);
      await this.#send(this.#held === '' ? keySteps('Delete', 'other') : [textStep(this.#held)]);
    }
    await this.#send(keySteps('Escape', 'other'));
    const {code, message, step, elements} = thrown;
    return new ActionError(code, `${message} (its list was opened and closed again)`, {
      outcome: 'not_sent',
      ...(step === undefined ? {} : {step}),
      ...(elements === undefined ? {} : {elements}),
    });
  }

  #offered(value: string, waitMs: number): Promise<Offer> {
    return pageworld.call(this.#tab, this.#frame.id, 'offered', {value, waitMs}, this.#call.signal);
  }

  async #click(pointed: Pointed, modifiers: readonly ModifierName[] = []): Promise<void> {
    const point = await throughFrames(this.#tab, this.#frame, pointed, this.#call.signal);
    await this.#send(clickSteps({point, button: 'left', count: 1, modifiers}));
    if (this.#landed) verifyClick(this.#landed, pointed.what);
  }

  async #send(steps: readonly Step[]): Promise<void> {
    this.#call.started();
    const {dialog} = await dispatch(this.#tab, steps, {signal: this.#call.signal});
    this.#landed = undefined;
    if (!dialog) await this.#rest();
  }

  async #rest(wait: Partial<Patience> = {}): Promise<void> {
    const {landed, stillLoading} = await this.#settling.rest(this.#frame.id, this.#call.signal, wait);
    this.#landed = landed;
    this.#stillLoading = stillLoading;
    this.#moved ||= landed?.changed !== false;
  }

  /** Over tells that the page cannot be asked any more: another document, or a dialog. */
  #over(): boolean {
    return this.#settling.navigated || this.#tab.dialog !== undefined;
  }
}
