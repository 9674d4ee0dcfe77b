/** A tab's JavaScript dialogs: which one is open, and who answers it. */

import type {Protocol} from 'devtools-protocol';
import type {Call} from './call';
import type {Send} from './cdp';
import {ActionError} from './errors';
import {isRecord} from './storage';

/** OpenDialog is a dialog that the page waits for. */
export interface OpenDialog {
  kind: Protocol.Page.DialogType;
  /** The page's own words; empty for beforeunload. */
  message: string;
  /** What a prompt starts out with. */
  defaultPrompt?: string | undefined;
  /** The address of the document that opened it. */
  url: string;
}

/** IsOpenDialog tells whether what comes out of storage is a dialog. */
export function isOpenDialog(value: unknown): value is OpenDialog {
  if (!isRecord(value) || typeof value.message !== 'string' || typeof value.url !== 'string') return false;
  const {kind} = value;
  return kind === 'alert' || kind === 'confirm' || kind === 'prompt' || kind === 'beforeunload';
}

/** AnsweredDialog is a dialog that was answered for the page. */
export interface AnsweredDialog extends OpenDialog {
  accepted: boolean;
}

/** A page whose dialogs are answered for it and that asks this often asks without end. */
const endlessly = 20;

/**
 * Dialogs knows the one dialog that a tab may have open. It stands outside of every queue: while a dialog is
 * open the renderer answers nothing, so that nobody who waits for the renderer could ever answer the dialog.
 */
export class Dialogs {
  #current: OpenDialog | undefined;
  // Calls of answering() that run, each with its first place in #answered; several may overlap.
  readonly #policies = new Map<AbortController, number>();
  #answered: AnsweredDialog[] = [];
  // Set while the dialog is one that only we ask: what accepting it does.
  #held: ((call: Call) => Promise<void>) | undefined;
  // If true, what was held is being done.
  #leaving = false;
  readonly #send: Send;
  readonly #opened: (dialog: OpenDialog) => void;
  readonly #changed: (dialog: OpenDialog | undefined) => void;

  /**
   * @param send sends to the tab.
   * @param opened is told of a dialog that nobody here answers: it ends what waits for the renderer.
   * @param changed is told of each change of {@link current}, so that it can be kept for the next worker.
   */
  constructor(send: Send, opened: (dialog: OpenDialog) => void, changed: (dialog: OpenDialog | undefined) => void) {
    this.#send = send;
    this.#opened = opened;
    this.#changed = changed;
  }

  /** Current is the dialog that is open and that nobody here answers. */
  get current(): OpenDialog | undefined {
    return this.#current;
  }

  /** Restore takes over what the last worker knew. */
  restore(dialog: OpenDialog): void {
    this.#current ??= dialog;
  }

  /** Open handles Page.javascriptDialogOpening of the tab's own session: a tab has at most one dialog. */
  open(event: Protocol.Page.JavascriptDialogOpeningEvent): void {
    const dialog: OpenDialog = {
      kind: event.type,
      message: event.message,
      url: event.url,
      ...(event.defaultPrompt === undefined ? {} : {defaultPrompt: event.defaultPrompt}),
    };
    // The one of before a new worker is told of again.
    if (this.#current?.message === dialog.message && this.#current.kind === dialog.kind) return;
    if (this.#leaving && dialog.kind === 'beforeunload') {
      // It was asked and answered in the browser's place already.
      void this.#send('Page.handleJavaScriptDialog', {accept: true}, {pastDialog: true}).catch(() => undefined);
      return;
    }
    if (this.#policies.size > 0) {
      this.#answered.push({...dialog, accepted: accepts(dialog)});
      for (const [endless, from] of this.#policies) {
        if (this.#answered.length - from >= endlessly) endless.abort();
      }
      void this.#dismiss(dialog).catch(() => undefined);
      return;
    }
    this.#current = dialog;
    this.#changed(dialog);
    this.#opened(dialog);
  }

  /**
   * Hold asks the page's question "leave?" in the browser's place, until it is answered or the page is left.
   *
   * @param go is what accepting does, in the call that accepts.
   */
  hold(url: string, go: (call: Call) => Promise<void>): OpenDialog {
    this.#current = {kind: 'beforeunload', message: '', url};
    this.#held = go;
    return this.#current;
  }

  /** Left handles that the top frame shows another document: whether to leave is no question any more. */
  left(): void {
    if (this.#held) this.closed();
  }

  /** Closed handles the end of a dialog: answered here, by the user, by a navigation, or gone with its tab. */
  closed(): void {
    if (this.#current === undefined) return;
    this.#current = undefined;
    if (!this.#held) this.#changed(undefined);
    this.#held = undefined;
  }

  /**
   * Answering does work while the page's dialogs are answered for it: alert and beforeunload accepted, confirm
   * and prompt dismissed. It tells which ones there were. A dialog that was open before is not touched.
   *
   * @param work is given a signal that is aborted when the page asks again and again, without end.
   */
  async answering<T>(work: (endless: AbortSignal) => Promise<T>): Promise<{value: T; answered: AnsweredDialog[]}> {
    const from = this.#answered.length;
    const endless = new AbortController();
    this.#policies.set(endless, from);
    try {
      const value = await work(endless.signal);
      return {value, answered: this.#answered.slice(from)};
    } finally {
      this.#policies.delete(endless);
      if (this.#policies.size === 0) this.#answered = [];
    }
  }

  /** Dismiss answers the dialog that is open for the page, as {@link answering} does those that open. */
  async dismiss(): Promise<void> {
    const dialog = this.#current;
    if (!dialog) return;
    // First: its like may follow before the answer is acknowledged.
    this.closed();
    await this.#dismiss(dialog);
  }

  /**
   * Answer answers the open dialog as a person would.
   *
   * @param text what is put into a prompt; absent: what the prompt came with.
   * @param call the call that answers.
   * @throws {@link ActionError} `invalid_action` when no dialog is open.
   */
  async answer(accept: boolean, text: string | undefined, call: Call): Promise<OpenDialog> {
    const dialog = this.#current;
    if (!dialog) {
      throw new ActionError('invalid_action', 'no dialog is open in this tab; there is nothing to answer', {
        outcome: 'not_sent',
      });
    }
    const held = this.#held;
    if (held) {
      this.closed();
      if (accept) await this.#leave(held, call);
      return dialog;
    }
    const promptText = text ?? dialog.defaultPrompt;
    const answer = {accept, ...(promptText === undefined ? {} : {promptText})};
    await this.#send('Page.handleJavaScriptDialog', answer, {pastDialog: true, signal: call.signal});
    // The page may show its next one by now.
    if (this.#current === dialog) this.closed();
    return dialog;
  }

  async #dismiss(dialog: OpenDialog): Promise<void> {
    await this.#send('Page.handleJavaScriptDialog', {accept: accepts(dialog)}, {pastDialog: true});
  }

  async #leave(held: (call: Call) => Promise<void>, call: Call): Promise<void> {
    this.#leaving = true;
    try {
      await held(call);
    } finally {
      this.#leaving = false;
    }
  }
}

/** Accepts tells how a dialog is answered for the page. */
function accepts({kind}: OpenDialog): boolean {
  return kind === 'alert' || kind === 'beforeunload';
}

/** DialogOpen is the error of whatever cannot go on before the dialog is answered. */
export function dialogOpen(dialog: OpenDialog): ActionError {
  const words = dialog.message === '' ? '' : ` ${JSON.stringify(clip(dialog.message))}`;
  return new ActionError(
    'dialog_open',
    `the page shows a ${dialog.kind} dialog${words} and does nothing until it is answered; answer it with the action dialog`,
  );
}

function clip(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
