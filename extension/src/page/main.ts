/** The entry of page.js: puts our world into a document, once, and answers the worker's calls. */

import {Acting} from './acting';
import {BUILD, type Envelope, type PageApi, PageFault} from './api';
import {readBlob} from './blobs';
import {Choosing} from './choosing';
import {deepQuery} from './composed';
import {Dragging} from './dragging';
import {Reading} from './document';
import {Journal} from './journal';
import {Registry} from './registry';
import {knownRole} from './roles';
import {areStrangers, learn, strangers} from './strangers';
import {Uploading} from './uploading';
import {Waits, untilShown} from './waiting';

/** World is what the worker finds in the isolated world of a document. No page script can reach it. */
interface World {
  /** Which page.js made it: a worker of another build does not speak to it. */
  readonly build: string;
  /** Call runs a page method on JSON and answers JSON: an Envelope. */
  call(method: string, args: string): Promise<string>;
  /** Element is the live element of a uid or a selector, or null. */
  element(target: {uid?: string; selector?: string}): Element | null;
  /** Adopt takes the input that a file chooser was opened for as the target of the upload under way. */
  adopt(element: Element): void;
  /** Frame is the iframe element of that number in the last walk. */
  frame(index: number): Element | null;
  /** Strangers are custom elements, one of each kind, whose role only the browser can tell. */
  strangers(): readonly Element[];
  /** Learn takes the browser's roles of the elements that strangers gave last, in their order. */
  learn(roles: readonly string[]): void;
  /**
   * Shown waits at most so many milliseconds until a person can see a frame's element, and tells whether one can. Cancel
   * ends it by the call's name.
   */
  shown(frame: Element, timeoutMs: number, call: string): Promise<boolean>;
}

declare global {
  var drawbridge: World | undefined;
}

function world(): World {
  const registry = new Registry();
  const journal = new Journal(registry);
  const reading = new Reading(registry, journal);
  const acting = new Acting(registry, journal);
  const choosing = new Choosing(acting, registry);
  const dragging = new Dragging(registry);
  const uploading = new Uploading(acting, registry);
  const waits = new Waits();
  const methods: PageApi = {
    snapshot: (args) => reading.snapshot(args),
    extract: (args) => reading.extract(args),
    find: (args) => reading.find(args),
    changed: (args) => reading.changed(args),
    cancel(args) {
      waits.cancel(args.call);
      return reading.cancel(args);
    },
    point: (order) => acting.point(order),
    reached: (order) => acting.reached(order),
    look: () => acting.look(),
    landed: (order) => acting.landed(order),
    edit: (order) => acting.edit(order),
    select: (order) => acting.select(order),
    enter: (order) => acting.enter(order),
    set: (order) => acting.set(order),
    typed: (order) => acting.typed(order),
    focusOn: (order) => acting.focusOn(order),
    scroll: (order) => acting.scroll(order),
    wait: ({call, ...order}) => waits.run(call, (signal) => acting.wait(order, signal)),
    get: (order) => acting.get(order),
    list: (order) => choosing.list(order),
    choose: () => choosing.choose(),
    offered: (order) => choosing.offered(order),
    aimOption: (order) => choosing.aimOption(order),
    aimBox: () => choosing.aimBox(),
    filter: () => choosing.filter(),
    strays: (order) => choosing.strays(order),
    chosen: () => choosing.chosen(),
    spot: (order) => dragging.spot(order),
    watchDrag: (order) => dragging.watchDrag(order),
    dragBegan: () => dragging.dragBegan(),
    dragEnded: (order) => dragging.dragEnded(order),
    receive: (order) => uploading.receive(order),
    adopted: (order) => uploading.adopted(order),
    stage: (part) => uploading.stage(part),
    give: () => uploading.give(),
    blob: readBlob,
    stirred: () => journal.stirred(),
    delta: (since) => journal.delta(since),
  };
  const byName = new Map<string, (args: never) => unknown>(Object.entries(methods));
  return {
    build: BUILD,
    async call(method, args) {
      let answer: Envelope;
      try {
        answer = {ok: await run(byName.get(method), method, args)};
      } catch (error) {
        if (!(error instanceof PageFault)) throw error;
        answer = {fault: error.fault};
      }
      if (areStrangers()) answer.strangers = true;
      return JSON.stringify(answer);
    },
    element(target) {
      if (target.selector !== undefined) return deepQuery(document, target.selector);
      const found = registry.find(target.uid ?? '');
      return found.state === 'live' ? found.element : null;
    },
    adopt(element) {
      uploading.adopt(element);
    },
    frame(index) {
      return reading.frameElements[index] ?? null;
    },
    strangers,
    learn(roles) {
      learn(roles.map(knownRole));
    },
    shown: (frame, timeoutMs, call) => waits.run(call, (signal) => untilShown(frame, timeoutMs, signal)),
  };
}

function run(method: ((args: never) => unknown) | undefined, name: string, args: string): unknown {
  if (method === undefined) throw new Error(`the page has no method ${name}`);
  // The worker is of the same build and types its calls: what comes in is what the method takes.
  return Reflect.apply(method, undefined, [JSON.parse(args)]);
}

globalThis.drawbridge ??= world();
