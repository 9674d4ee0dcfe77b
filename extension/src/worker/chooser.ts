/** The file chooser of a page: held back while an upload waits for it, and at no other time. */

import type {Protocol} from 'devtools-protocol';
import {abortedBy} from './errors';
import type {Frame} from './frames';
import type {Tab} from './tab';

/** OpenChooser is a file chooser that was asked for: by an input, or by a script if there is no node. */
export type OpenChooser = Pick<Protocol.Page.FileChooserOpenedEvent, 'frameId' | 'backendNodeId'>;

/** How long a click may take to ask for a file, in milliseconds. */
const openMs = 1_500;

/** How long letting go may take, in milliseconds. */
const endMs = 2_000;

/**
 * Chooser holds back the file choosers of a frame and of the top of its tab, and tells of the first. End it
 * whatever happens: until then no person can choose a file in the tab.
 */
export class Chooser {
  readonly #tab: Tab;
  readonly #sessions: ReadonlySet<string | undefined>;
  readonly #off: () => void;
  #opened: OpenChooser | undefined;
  #wake: (() => void) | undefined;

  private constructor(tab: Tab, frame: Frame) {
    this.#tab = tab;
    this.#sessions = new Set([undefined, frame.session]);
    this.#off = tab.on('Page.fileChooserOpened', (event) => {
      this.#opened ??= event;
      this.#wake?.();
    });
  }

  /** Watch begins to hold choosers back. */
  static async watch(tab: Tab, frame: Frame, signal: AbortSignal): Promise<Chooser> {
    const chooser = new Chooser(tab, frame);
    try {
      const sent = [...chooser.#sessions].map((session) =>
        tab.send('Page.setInterceptFileChooserDialog', {enabled: true}, {session, signal}),
      );
      await Promise.all(sent);
    } catch (thrown) {
      chooser.end();
      throw thrown;
    }
    return chooser;
  }

  /** Opened waits for a chooser; undefined when none comes. */
  async opened(signal: AbortSignal): Promise<OpenChooser | undefined> {
    if (!this.#opened) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, openMs);
        signal.addEventListener('abort', wake);
        this.#wake = wake;
      });
    }
    if (signal.aborted) throw abortedBy(signal);
    return this.#opened;
  }

  /** End lets choosers open again. */
  end(): void {
    this.#off();
    for (const session of this.#sessions) {
      const options = {session, timeoutMs: endMs, pastDialog: true};
      void this.#tab.send('Page.setInterceptFileChooserDialog', {enabled: false}, options).catch(() => undefined);
    }
  }
}
