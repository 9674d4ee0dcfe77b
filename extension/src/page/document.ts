/** The reading half of a document's page API: snapshot and extract, each one walk in slices. */

import {
  type Done,
  type ExtractArgs,
  type ExtractPart,
  type FindArgs,
  type FindPart,
  type PageFacts,
  PageFault,
  type ReadApi,
  type SnapshotArgs,
  type SnapshotPart,
  type Start,
  type Strand,
  type WalkArgs,
} from './api';
import {Watch} from './changes';
import {composedParent, deepQuery} from './composed';
import {Extract} from './extract';
import {Finder} from './find';
import type {Names} from './names';
import {Outline} from './outline';
import type {Journal} from './journal';
import type {Registry} from './registry';
import {cutBytes, harmless} from './text';
import type {Marked} from './framemarks';
import {type Sink, Walk, type WalkOptions} from './walk';

// How long a walk goes on before it lets the page, and a cancel, have a turn: in milliseconds.
const SLICE = 200;

// A change is told after this long without another one, and at the latest after the cap: in milliseconds.
const REST = 200;
const REST_CAP = 1000;

// How much of the Markdown the search for obstacles looks at, in UTF-16 units.
const HEAD = 4000;

const BEGINNING: Start = {offset: 0};

/** Reading reads one document. */
export class Reading implements ReadApi {
  /** The iframe elements of the last walk: what the numbers of frames stand for. */
  frameElements: readonly Element[] = [];
  private readonly registry: Registry;
  private readonly journal: Journal;
  private readonly running = new Set<string>();

  constructor(registry: Registry, journal: Journal) {
    this.registry = registry;
    this.journal = journal;
  }

  async snapshot(args: SnapshotArgs): Promise<SnapshotPart> {
    this.registry.raise(args.mark);
    const {root, above} = scope(args.selector);
    const whole = args.selector === null;
    if (whole) this.journal.reading();
    const held: {names: Names | null} = {names: null};
    const outline = new Outline(args, this.registry, () => ready(held.names));
    const walk = new Walk(root, outline, args, above, (names) => {
      held.names = names;
    });
    const cut = await this.walk(walk, args);
    outline.finish();
    if (whole && !cut) this.journal.whole(outline.unseen);
    this.frameElements = outline.frameElements;
    const {lines, refs, frames, elements, hiddenDropped} = outline;
    const end = lastLine(lines, args.fromLine, args.maxBytes);
    return {
      outline: (end < lines.length ? lines.slice(0, end) : lines).join('\n'),
      lines: lines.length,
      refs,
      frames,
      elements,
      hiddenDropped,
      next: this.registry.next,
      cut,
      page: facts(),
    };
  }

  async extract(args: ExtractArgs): Promise<ExtractPart> {
    this.registry.raise(args.mark);
    if (args.quiet !== true) this.journal.part();
    const first = await this.gather(args, false);
    // Where what is left out is nearly all that there is, it is the page: a site in one big aside, an app in one fixed box.
    const starved = first.it.said.text.length > 200 && first.it.kept < first.it.seen * 0.05;
    const {it, cut} = starved ? await this.gather(args, true) : first;
    if (args.quiet !== true) this.frameElements = it.frameElements;
    const wants = new Set(args.parts);
    const written = it.markdown();
    const {said} = it;
    const {from} = args;
    const listed = it.listed;
    if (wants.has('elements') && listed.from === Infinity) throw frameGone();
    return {
      markdown: wants.has('markdown') ? strand(written, from.markdown, args.markdownBytes, it.copyFull) : nothing(''),
      text: wants.has('text') ? strand(said, from.text, args.textBytes, it.textFull) : nothing(''),
      elements: wants.has('elements') ? listed : nothing([]),
      frames: it.frameElements.length,
      head: written.text.slice(0, HEAD),
      length: said.text.length,
      captchaFrame: it.captchaFrame,
      hiddenDropped: it.hiddenDropped,
      next: this.registry.next,
      cut,
      page: facts(),
    };
  }

  async find(args: FindArgs): Promise<FindPart> {
    this.registry.raise(args.mark);
    const held: {names: Names | null} = {names: null};
    if (!args.quiet) this.journal.part();
    const finder = new Finder(args, this.registry, () => ready(held.names));
    const walk = new Walk(rootElement(), finder, {cursor: false}, [], (names) => {
      held.names = names;
    });
    const cut = await this.walk(walk, args);
    if (!args.quiet) this.frameElements = finder.frameElements;
    return {elements: finder.rows(), frames: finder.frames, total: finder.total, next: this.registry.next, cut};
  }

  async changed({timeoutMs}: {timeoutMs: number}): Promise<{changed: boolean}> {
    const watch = new Watch();
    try {
      const {changed} = await watch.rest({graceMs: timeoutMs, frameMs: 0, quietMs: 0, capMs: timeoutMs + REST_CAP});
      if (changed) await watch.rest({graceMs: 0, frameMs: 0, quietMs: REST, capMs: REST_CAP});
      return {changed};
    } finally {
      watch.stop();
    }
  }

  cancel({call}: {call: string}): Promise<Done> {
    return Promise.resolve({done: this.running.delete(call)});
  }

  private async gather(args: ExtractArgs, everything: boolean): Promise<{it: Extract; cut: boolean}> {
    const wants = new Set(args.parts);
    const held: {names: Names | null} = {names: null};
    const options = {
      from: {
        markdown: wants.has('markdown') ? args.from.markdown : BEGINNING,
        text: wants.has('text') ? args.from.text : BEGINNING,
        elements: args.from.elements,
      },
      // The head is wanted in any case, for obstacles.
      markdownUnits: wants.has('markdown') ? args.markdownBytes : HEAD,
      textUnits: wants.has('text') ? args.textBytes : HEAD,
      elementsMax: wants.has('elements') ? args.elementsMax : 0,
      everything,
    };
    const it = new Extract(options, this.registry, () => ready(held.names));
    const walk = new Walk(rootElement(), it, {cursor: false}, [], (names) => {
      held.names = names;
    });
    return {it, cut: await this.walk(walk, args, () => it.full)};
  }

  // True when time ran out before the end.
  private async walk<N>(walk: Walk<N>, args: WalkArgs, enough: () => boolean = () => false): Promise<boolean> {
    this.running.add(args.call);
    try {
      const end = performance.now() + args.budgetMs;
      for (;;) {
        const now = performance.now();
        if (walk.run(Math.min(now + SLICE, end), enough)) return false;
        if (performance.now() >= end) {
          walk.stop();
          return true;
        }
        await turn();
        if (!this.running.has(args.call))
          throw new PageFault('cancelled', 'the caller gave up while the page was read');
      }
    } finally {
      this.running.delete(args.call);
    }
  }
}

// The piece of a text that was asked for, and how it lies in the whole.
function strand({text, places}: Marked, start: Start, maxBytes: number, full: boolean): Strand<string> {
  const from = 'after' in start ? (places[start.after] ?? -1) : start.offset;
  if (from < 0) throw frameGone();
  const {text: piece, end} = cutBytes(text, maxBytes, from);
  return {piece, from, next: full || end < text.length ? end : -1, places};
}

function nothing<T>(piece: T): Strand<T> {
  return {piece, from: 0, next: -1, places: []};
}

function frameGone(): PageFault {
  return new PageFault(
    'invalid_action',
    'the frames of the page changed since from was given: extract anew, without it',
  );
}

function ready(names: Names | null): Names {
  if (names === null) throw new Error('the walk told of an element before it had names');
  return names;
}

// A turn of the event loop: messages to this world come in between. Timers would be throttled in a hidden tab.
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

// A document that its own page emptied (document.open) has no root for a while: then it is read as an empty one.
function rootElement(): Element {
  return document.querySelector(':root') ?? document.implementation.createHTMLDocument('').documentElement;
}

function scope(selector: string | null): {root: Element; above: Element[]} {
  if (selector === null) return {root: rootElement(), above: []};
  let root: Element | null;
  try {
    root = deepQuery(document, selector);
  } catch {
    throw new PageFault('invalid_action', `${JSON.stringify(selector)} is no valid CSS selector; mend it`);
  }
  if (root === null) {
    throw new PageFault(
      'element_not_found',
      `nothing in the page matches the selector ${JSON.stringify(selector)}; take a snapshot without it`,
    );
  }
  const above: Element[] = [];
  for (let el = composedParent(root); el !== null; el = composedParent(el)) above.unshift(el);
  return {root, above};
}

// The worker cuts the joined outline; a line of ours never moves forward when those of frames are put in before it, so
// that what lies beyond this can never be wanted.
function lastLine(lines: readonly string[], from: number, maxBytes: number): number {
  let left = maxBytes;
  for (let i = from; i < lines.length; i++) {
    left -= lines[i]?.length ?? 0;
    if (left < 0) return i + 1;
  }
  return lines.length;
}

function facts(): PageFacts {
  return {
    url: location.href,
    title: harmless(document.title),
    origin: location.origin,
    viewport: {width: innerWidth, height: innerHeight, scrollX, scrollY},
  };
}

export type {Sink, WalkOptions};
