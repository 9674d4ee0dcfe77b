/** The browser's print dialog: while it is open the page's process answers nothing, and no event of CDP says so. */

import type {Args, Method} from './cdp';
import {isEvent} from './cdp';
import {ActionError} from './errors';
import {watchWorld} from './unload';

// By a name that only that world has: the page does not see it.
const binding = 'drawbridgePrinting';
const script = `for (const when of ['beforeprint', 'afterprint'])
  addEventListener(when, () => ${binding}(when), {capture: true, passive: true});`;

// Without a window to show a dialog in, printing begins and ends at once.
const graceMs = 600;

/** Printing knows whether a tab stands still under the print dialog. */
export class Printing {
  readonly #opened: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = false;
  // How many documents we are printing ourselves.
  #own = 0;

  /** @param opened is called when the dialog is open and the page stands still. */
  constructor(opened: () => void) {
    this.#opened = opened;
  }

  /** Open tells whether the page stands still. */
  get open(): boolean {
    return this.#open;
  }

  /** Arm makes the documents of one session tell, those that come later too. Runtime and Page are enabled before it. */
  async arm(send: <M extends Method>(method: M, ...args: Args<M>) => Promise<unknown>, options: object): Promise<void> {
    await Promise.all([
      send('Runtime.addBinding', {name: binding, executionContextName: watchWorld}, options),
      send(
        'Page.addScriptToEvaluateOnNewDocument',
        {source: script, worldName: watchWorld, runImmediately: true},
        options,
      ),
    ]);
  }

  /** Own does work that prints the page without any dialog, of which its documents tell all the same. */
  async own<T>(work: () => Promise<T>): Promise<T> {
    this.#own++;
    try {
      return await work();
    } finally {
      this.#own--;
    }
  }

  /** Follow takes in any event of the tab, and leaves those that do not concern it. */
  follow(method: string, params: unknown): void {
    if (isEvent('Page.frameNavigated', method, params) && params.frame.parentId === undefined) this.end();
    if (!isEvent('Runtime.bindingCalled', method, params) || params.name !== binding) return;
    if (params.payload === 'afterprint') this.end();
    else if (params.payload === 'beforeprint' && this.#own === 0)
      this.#timer ??= setTimeout(() => {
        this.#open = true;
        this.#opened();
      }, graceMs);
  }

  /** End takes in that the dialog is gone. It may be called at any time. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#open = false;
  }
}

/** PrintOpen is the error of whatever cannot go on before the user closes the print dialog. */
export class PrintOpen extends ActionError {
  constructor() {
    super(
      'timeout',
      'the page opened the print dialog of the browser and stands still until it is closed, which only the user can ' +
        'do: call handoff so that they close it, or navigate away or close_tab; for a page as a document there is pdf',
      {outcome: 'unknown', retryable: 'no'},
    );
  }
}
