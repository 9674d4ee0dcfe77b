/**
 * The waker's document (src/waker): it is there while the link is up or trying, so that a worker which Chrome ended is
 * started again within a moment; an alarm would take up to half a minute. A worker that has no link to keep may rest.
 */

import {messageOf} from './errors';
import {warn} from './log';

/** What the waker needs of the browser. */
export interface WakerBrowser {
  /** Whether the document is there; earlier workers may have made it. */
  isOpen(): Promise<boolean>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Waker keeps the document as it was last wanted. */
export class Waker {
  readonly #browser: WakerBrowser;
  #wanted: boolean | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(browser: WakerBrowser = chromeBrowser) {
    this.#browser = browser;
  }

  /** Want says whether the document shall be there. It returns at once. */
  want(wanted: boolean): void {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    // One after the other: Chrome refuses a second document, also while the first is being made.
    this.#last = this.#last
      .then(() => this.#settle())
      .catch((thrown: unknown) => {
        warn(`the document that wakes the worker was not ${wanted ? 'made' : 'closed'}: ${messageOf(thrown)}`);
      });
  }

  async #settle(): Promise<void> {
    const wanted = this.#wanted === true;
    if ((await this.#browser.isOpen()) === wanted) return;
    await (wanted ? this.#browser.open() : this.#browser.close());
  }
}

const chromeBrowser: WakerBrowser = {
  isOpen: async () => (await chrome.runtime.getContexts({contextTypes: ['OFFSCREEN_DOCUMENT']})).length > 0,
  open: () =>
    chrome.offscreen.createDocument({
      url: 'waker.html',
      reasons: ['WORKERS'],
      justification:
        'Starts the service worker again when Chrome has ended it, so that the link to the server comes back at once.',
    }),
  close: () => chrome.offscreen.closeDocument(),
};
