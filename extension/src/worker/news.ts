/** What changed in a tab's documents, told once: with the result of the action that did it, or the next one. */

import type {Landed, Patience, Scene} from '../page/actapi';
import type {Delta, Since} from '../page/deltaapi';
import type {ClickResult} from '../protocol.gen';
import {guard} from './guard';
import {pageworld} from './pageworld';
import {timeout} from './race';
import {sessions} from './sessions';
import type {Tab} from './tab';

/** Changed is what an action brought about, each field only if it happened. */
export type Changed = Omit<ClickResult, 'ok'>;

/** Other frames that are asked what changed in them, at most, and how long they have, in milliseconds. */
const framesMax = 12;
const framesMs = 2000;

/** Account is what agents were told of one tab. */
interface Account {
  scene: {url: string; title: string | undefined} | undefined;
  /** By document: the last delta of it that went out with a result. */
  readonly seen: Map<string, number>;
  /** Documents that did not answer in time and have not answered yet: nobody waits for them again. */
  readonly mute: Set<string>;
}

const accounts = new Map<number, Account>();

function accountOf(tabId: number): Account {
  let account = accounts.get(tabId);
  if (!account) {
    account = {scene: undefined, seen: new Map(), mute: new Set()};
    accounts.set(tabId, account);
  }
  return account;
}

/** Forget is called when a tab is gone. */
export function forget(tabId: number): void {
  accounts.delete(tabId);
}

/** Told notes that an agent knows the address and title of a tab's top document. */
export function told(tabId: number, {url, title}: Scene): void {
  // Of a page without a title Chrome says its address.
  accountOf(tabId).scene = {url, title: title === '' || url.includes(title) ? undefined : title};
}

/** Moved is what is new in the address and title of the top document, for an agent that was told of its last ones. */
export function moved(tabId: number, before: Scene, after: Scene): Pick<Changed, 'url' | 'title'> {
  const account = accountOf(tabId);
  const last = account.scene;
  account.scene = {url: after.url, title: after.title};
  return {
    ...(after.url === (last?.url ?? before.url) && after.url === before.url ? {} : {url: after.url}),
    ...(after.title === (last?.title ?? before.title) && after.title === before.title ? {} : {title: after.title}),
  };
}

/** Gathered are the deltas that one result tells. */
export class Gathered {
  readonly #tab: Tab;
  readonly #renames: boolean;
  readonly #deltas = new Map<string, Delta>();

  /** @param renames as `Since` has it. */
  constructor(tab: Tab, renames: boolean) {
    this.#tab = tab;
    this.#renames = renames;
  }

  /** Landed asks a frame what became of an input there, once it came to rest. */
  async landed(frameId: string, patience: Patience, signal: AbortSignal): Promise<Landed> {
    const landed = await pageworld.call(this.#tab, frameId, 'landed', {...patience, ...this.#since(frameId)}, signal);
    await this.#take(frameId, landed.delta);
    return landed;
  }

  /**
   * Others asks the frames that were not asked yet, those that an agent was told of before; one that does not answer
   * in time tells it the next time. It gives what the top document says of itself if that was among them.
   */
  async others(signal: AbortSignal): Promise<Scene | undefined> {
    const tab = this.#tab;
    const {mute} = accountOf(tab.tabId);
    const frames = tab.frames.all().filter(({id, url}) => {
      const key = keyOf(tab, id);
      return !this.#deltas.has(key) && !mute.has(key) && tab.frames.ours(id) !== undefined && guard.frameAllowed(url);
    });
    if (frames.length === 0 || tab.dialog) return undefined;
    let scene: Scene | undefined;
    const stirred: string[] = [];
    const asked = frames.slice(0, framesMax).map(async ({id, parentId}) => {
      const answer = await this.#inTime(id, pageworld.call(tab, id, 'stirred', {}, signal));
      if (answer?.stirred === true) stirred.push(id);
      if (answer && parentId === undefined) scene = {url: answer.url, title: answer.title};
    });
    await Promise.all(asked);
    // One after the other: each goes on with the numbers where the last one ended.
    for (const id of stirred) {
      const delta = await this.#inTime(id, pageworld.call(tab, id, 'delta', this.#since(id), signal));
      if (delta) await this.#take(id, delta);
    }
    return scene;
  }

  /** InTime is what a frame answers; undefined when it fails, or when that takes too long. */
  async #inTime<T>(frameId: string, answer: Promise<T>): Promise<T | undefined> {
    const {mute} = accountOf(this.#tab.tabId);
    const key = keyOf(this.#tab, frameId);
    const settled = answer.then(
      (value) => ({value}),
      () => ({value: undefined}),
    );
    const first = await Promise.race([settled, timeout(framesMs)]);
    if (first) return first.value;
    mute.add(key);
    void settled.then(() => mute.delete(key));
    return undefined;
  }

  /** Tell puts what was gathered into a result, and counts it as told. */
  tell(changed: Changed): void {
    const account = accountOf(this.#tab.tabId);
    for (const [key, delta] of this.#deltas) {
      account.seen.delete(key);
      account.seen.set(key, delta.seq);
      add(changed, delta);
    }
    for (const key of account.seen.keys()) {
      if (account.seen.size <= 4 * framesMax) break;
      account.seen.delete(key);
    }
    this.#deltas.clear();
  }

  #since(frameId: string): Since {
    const {tabId} = this.#tab;
    const seen = accountOf(tabId).seen.get(keyOf(this.#tab, frameId)) ?? 0;
    return {mark: sessions.uidMark(tabId), seen, renames: this.#renames};
  }

  async #take(frameId: string, delta: Delta): Promise<void> {
    this.#deltas.set(keyOf(this.#tab, frameId), delta);
    // Before anything of it leaves: a worker that dies must not give these numbers again.
    await sessions.setUidMark(this.#tab.tabId, delta.next);
  }
}

/** Late is what changed in a tab without a doing of the call that asks: it never fails, and takes no longer than it may. */
export async function late(tab: Tab, signal: AbortSignal): Promise<Changed> {
  const gathered = new Gathered(tab, false);
  const scene = await gathered.others(signal).catch(() => undefined);
  const changed: Changed = scene ? moved(tab.tabId, scene, scene) : {};
  gathered.tell(changed);
  return changed;
}

function keyOf(tab: Tab, frameId: string): string {
  return `${frameId} ${tab.frames.get(frameId)?.loaderId ?? ''}`;
}

function add(changed: Changed, {appeared, altered, gone, renewed, partial}: Delta): void {
  if (appeared.length > 0) changed.appeared = [...(changed.appeared ?? []), ...appeared];
  if (altered.length > 0) changed.altered = [...(changed.altered ?? []), ...altered];
  if (gone.length > 0) changed.gone = [...(changed.gone ?? []), ...gone];
  if (renewed.length > 0) changed.renewed = [...(changed.renewed ?? []), ...renewed.map(([was, now]) => ({was, now}))];
  if (partial) changed.partial = true;
}
