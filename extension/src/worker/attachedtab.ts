/** The one class that owns a tab's CDP attachment. */

import type {Protocol} from 'devtools-protocol';
import {attach} from './attach';
import {
  type Args,
  CdpError,
  type DetachReason,
  type EventName,
  type EventParams,
  type Method,
  type Result,
  type SendOptions,
  type Wire,
  isEvent,
} from './cdp';
import {Dialogs, type OpenDialog, dialogOpen, isOpenDialog} from './dialogs';
import {ActionError, asActionError} from './errors';
import {foreignError, foreignFrames, isForeign, removeForeignFrames, removedNote} from './foreign';
import {Flood} from './flood';
import {FrameTree} from './frames';
import {crashed, frameGone, isLost, lostAttachment, tabGone} from './losses';
import {race, timeout} from './race';
import {PrintOpen, Printing} from './printing';
import {type Pending, Sender} from './sender';
import {perSession} from './storage';
import {applyState, takeOff} from './tabstate';

/** Why a tab is no longer attached. */
export type Loss = 'canceled_by_user' | 'lost' | 'closed';

/** TabEars hears what happens to a tab unasked. */
export interface TabEars {
  /** The attachment ended. */
  lost(tab: Tab, loss: Loss): void;
  /** A dialog opened; `idle` when no command of ours was under way. */
  dialog(tab: Tab, dialog: OpenDialog, idle: boolean): void;
}

type Listener = (method: string, params: unknown, session: string | undefined) => void;

// Children that were there at the attach are waited for, but one hung frame must not hold up the tab.
const childrenMs = 1_000;
const regainMs = 5_000;
const lossMs = 10;
// An extension that puts its frame back at once is cleaned up after this often for one command.
const tries = 5;

// Commands that change nothing in the page, so that they may be sent twice.
const onlyAsks = /^(Accessibility|CSS|DOM|DOMSnapshot|Emulation)\.|^Page\.(capture|get|startScreencast|stopScreencast)/;

/**
 * Tab owns the CDP attachment of one tab. Get one by `tabs.get`, which attaches. Chrome is the truth about
 * the attachment (it outlives this worker); this class follows its events.
 */
export class Tab implements Wire {
  readonly tabId: number;
  /** The tab's frames, kept up to date while attached. */
  readonly frames: FrameTree;
  /** The tab's JavaScript dialogs. */
  readonly dialogs: Dialogs;
  /** The browser's print dialog. */
  readonly printing = new Printing(() => {
    this.#sender.fail(new PrintOpen(), (pending) => !pending.pastDialog && !pending.pastCrash);
  });
  /** If true, the tab is one of the agent window's: ours to clean, always treated as visible and focused. */
  agentOwned = false;

  #state: 'detached' | 'attached' | 'gone' = 'detached';
  #attaching: Promise<void> | undefined;
  // If true, this attachment has our whole state.
  #applied = false;
  #applying: Promise<void> | undefined;
  // Set while an agent's tab that was taken from us is attached again; it never rejects.
  #regaining: Promise<void> | undefined;
  // If true, an earlier worker made this attachment, and its state is still on.
  #adopted = false;
  #crashed = false;
  #focusEmulated = false;
  #notes: string[] = [];
  readonly #sender: Sender;
  readonly #flood: Flood;
  readonly #listeners = new Set<Listener>();
  readonly #children = new Map<string, Promise<void>>();
  // What others want done in every session.
  readonly #wanted = new Set<(session: string | undefined) => Promise<unknown>>();
  readonly #told: TabEars;

  constructor(tabId: number, told: TabEars) {
    this.tabId = tabId;
    this.#told = told;
    this.#sender = new Sender(
      tabId,
      (pending) => this.#refusal(pending),
      () => {
        if (this.attached) this.detached('target_closed');
      },
    );
    this.#flood = new Flood({
      send: this.#direct.bind(this),
      rearm: (session) => void this.#arm(session).catch(() => undefined),
      recorded: () => this.#wanted.size > 0,
      note: this.note.bind(this),
      letGo: () => void this.detach(),
    });
    this.frames = new FrameTree(this.send.bind(this), `chrome-extension://${chrome.runtime.id}`);
    this.dialogs = new Dialogs(
      this.send.bind(this),
      (dialog) => {
        this.#told.dialog(this, dialog, this.#sender.idle);
        this.#sender.fail(dialogOpen(dialog), (pending) => !pending.pastDialog);
      },
      (dialog) => void perSession.set({[dialogKey(tabId)]: dialog ?? null}),
    );
  }

  /** Attached tells whether commands can be sent now. */
  get attached(): boolean {
    return this.#state === 'attached';
  }

  /** Dialog is the dialog that is open now, if any. */
  get dialog(): OpenDialog | undefined {
    return this.dialogs.current;
  }

  /** Note keeps a sentence for the next result of this tab ("removed a frame of the extension …"). */
  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  /** TakeNotes gives the sentences that were kept, once. */
  takeNotes(): string[] {
    return this.#notes.splice(0);
  }

  /**
   * Send sends one command. It is on its way when this returns, so that several in a row arrive in order and
   * need not wait for each other.
   *
   * @throws {@link ActionError} the signal's reason; `timeout`; `dialog_open` when a dialog is open or opens
   *   meanwhile; `tab_not_found` when the tab closes; `internal` (after_refresh) when the attachment or the
   *   page's process is lost, and, as {@link CdpError}, what CDP itself answers.
   */
  send<M extends Method>(method: M, ...args: Args<M>): Promise<Result<M>>;
  send(method: Method, ...[params, options = {}]: [params?: object, options?: SendOptions]): Promise<unknown> {
    const send = (): Promise<unknown> => this.#sender.send(method, params, options);
    // While an agent's tab is attached again commands wait, in their order.
    if (this.#regaining) return this.#regaining.then(send);
    const asks = options.again ?? (onlyAsks.test(method) || this.frames.isOurs(params));
    return send().catch((thrown: unknown) => this.#again(thrown, asks, send));
  }

  /**
   * On calls a listener for each event of one name, from every session of the tab, until the function that it
   * returns is called. Listeners stay over a re-attach.
   */
  on<E extends EventName>(
    name: E,
    listener: (params: EventParams<E>, session: string | undefined) => void,
  ): () => void {
    const wrapped: Listener = (method, params, session) => {
      if (isEvent(name, method, params)) listener(params, session);
    };
    this.#listeners.add(wrapped);
    return () => void this.#listeners.delete(wrapped);
  }

  /**
   * Ensure attaches the tab when it is not attached, and applies our whole state to it.
   *
   * @throws {@link ActionError} `tab_not_found`, `foreign_extension`, `invalid_action` for pages where Chrome
   *   lets no extension act, `timeout`.
   */
  async ensure(signal: AbortSignal): Promise<void> {
    for (let n = 1; ; n++) {
      try {
        await this.#whole(signal);
        return;
      } catch (thrown) {
        // Another extension may come in, or take the tab away again, before all is applied.
        if (isRefused(thrown)) {
          if (!this.agentOwned || n === tries)
            throw foreignError(this.tabId, await foreignFrames(this.tabId), this.agentOwned);
          for (const id of await removeForeignFrames(this.tabId)) this.note(removedNote(id));
        } else if (!isLost(thrown) || !this.agentOwned || n === tries) throw thrown;
      }
    }
  }

  async #whole(signal: AbortSignal): Promise<void> {
    await this.reach(signal);
    if (this.#applied) return;
    if (this.dialogs.current) throw dialogOpen(this.dialogs.current);
    if (this.#adopted) takeOff(this.#direct.bind(this));
    this.#adopted = false;
    this.#applying ??= this.#apply(undefined)
      .then(() => {
        this.#applied = true;
        // The children were announced before setAutoAttach was answered.
        return Promise.race([Promise.allSettled(this.#children.values()), timeout(childrenMs)]);
      })
      .then(() => undefined)
      .finally(() => {
        this.#applying = undefined;
      });
    await race(this.#applying, signal);
  }

  /** Reach attaches the tab and no more: enough to answer a dialog, during which our state cannot be applied. */
  async reach(signal: AbortSignal): Promise<void> {
    if (this.#state === 'gone') throw tabGone(this.tabId);
    if (this.#state === 'attached') return;
    this.#attaching ??= this.#attach().finally(() => {
      this.#attaching = undefined;
    });
    await race(this.#attaching, signal);
  }

  /**
   * EmulateFocus makes the page believe that it is shown and focused, or ends that; kept over a re-attach.
   * A hidden page gets no animation frames, one timer a second, and hangs on mouse moves.
   */
  async emulateFocus(on: boolean, signal: AbortSignal): Promise<void> {
    if (this.#focusEmulated === on) return;
    this.#focusEmulated = on;
    await Promise.allSettled(
      this.sessions().map((session) =>
        this.send('Emulation.setFocusEmulationEnabled', {enabled: on}, {session, signal, timeoutMs: childrenMs}),
      ),
    );
  }

  /** Sessions are the tab's own CDP session (undefined) and those of its out-of-process frames. */
  sessions(): (string | undefined)[] {
    return [undefined, ...this.#children.keys()];
  }

  /**
   * Everywhere does a job in each session of the tab, now, in those that come later and after a re-attach, until
   * `end` is called. `done` resolves when it was done in those that are there now; that one failed is no failure.
   */
  everywhere(job: (session: string | undefined) => Promise<unknown>): {done: Promise<void>; end: () => void} {
    this.#wanted.add(job);
    const now = this.attached ? this.sessions().map(job) : [];
    const done = Promise.allSettled(now).then(() => undefined);
    return {done, end: () => void this.#wanted.delete(job)};
  }

  /** TellWorlds has Chrome tell of the worlds in a frame, where it is not asked to tell by itself (see {@link Flood}). */
  tellWorlds(frameId: string, signal: AbortSignal): Promise<void> {
    return this.#flood.tellWorlds(this.frames.get(frameId)?.session, signal);
  }

  /** Detach lets go of the tab: the debugging bar goes, and so does our state in it. */
  async detach(): Promise<void> {
    if (this.#state !== 'attached') return;
    this.#down(lostAttachment('it was let go'));
    await chrome.debugger.detach({tabId: this.tabId}).catch(() => undefined);
  }

  /** Event takes a CDP event in; cdp.ts calls it. */
  event(method: string, params: unknown, session: string | undefined): void {
    if (this.#flood.takes(method, params, session)) return;
    this.#follow(method, params, session);
    for (const listener of [...this.#listeners]) listener(method, params, session);
  }

  /** Detached takes in that Chrome ended the attachment; cdp.ts calls it. */
  detached(reason: DetachReason): void {
    if (reason === 'canceled_by_user') {
      this.#down(new ActionError('stopped', 'the user ended debugging in the browser: stop, and ask the user'));
      this.#told.lost(this, 'canceled_by_user');
      return;
    }
    this.#down(lostAttachment('Chrome ended it'));
    if (!this.agentOwned) {
      this.#told.lost(this, 'lost');
      return;
    }
    this.#regaining ??= this.#regain().finally(() => {
      this.#regaining = undefined;
    });
  }

  /** Closed takes in that the tab is gone. */
  closed(): void {
    this.#state = 'gone';
    this.#down(tabGone(this.tabId));
    this.#state = 'gone';
    void perSession.remove([dialogKey(this.tabId)]);
    this.#told.lost(this, 'closed');
  }

  /** Direct sends at once, also while the tab is attached again. */
  #direct<M extends Method>(method: M, ...args: Args<M>): Promise<Result<M>>;
  #direct(method: Method, ...[params, options = {}]: [params?: object, options?: SendOptions]): Promise<unknown> {
    return this.#sender.send(method, params, options);
  }

  /** Regain attaches an agent's tab again at once; only what another extension keeps from us is told as lost. */
  async #regain(): Promise<void> {
    const thrown = await this.ensure(AbortSignal.timeout(regainMs)).then(
      () => undefined,
      (error: unknown) => asActionError(error),
    );
    // On a page of the browser's own there is nothing to attach to, and the next page can be had again.
    if (thrown?.code === 'foreign_extension') this.#told.lost(this, 'lost');
  }

  async #attach(): Promise<void> {
    const {adopted, notes} = await attach(this.tabId, this.agentOwned);
    for (const sentence of notes) this.note(sentence);
    this.frames.clear();
    this.#children.clear();
    this.#flood.clear();
    this.#crashed = false;
    this.#state = 'attached';
    if (this.agentOwned) this.#focusEmulated = true;
    this.#applied = false;
    this.#adopted = adopted;
    if (!adopted) return;
    const dialog = await perSession.get(dialogKey(this.tabId));
    if (isOpenDialog(dialog)) this.dialogs.restore(dialog);
  }

  /**
   * Again sends a command another time after another extension's frame was removed: when Chrome refused it for
   * that frame, and when the attachment was lost under it and it only asks.
   */
  async #again(thrown: unknown, asks: boolean, send: () => Promise<unknown>): Promise<unknown> {
    for (let n = 1; this.agentOwned ? n <= tries : n === 1; n++) {
      if (isRefused(thrown)) {
        if (!this.agentOwned) break;
        for (const id of await removeForeignFrames(this.tabId)) this.note(removedNote(id));
      } else if (asks && this.agentOwned && isLost(thrown)) {
        // The command hears of the loss before we do.
        for (let waits = 0; this.attached && waits < 10; waits++) await timeout(lossMs);
        await this.#regaining;
      } else {
        throw thrown;
      }
      try {
        return await send();
      } catch (again) {
        thrown = again;
      }
    }
    if (!isRefused(thrown)) throw thrown;
    throw foreignError(this.tabId, await foreignFrames(this.tabId), this.agentOwned);
  }

  /** Apply puts our whole state into one session, all commands at once. */
  async #apply(session: string | undefined): Promise<void> {
    const send = this.#direct.bind(this);
    const sent = applyState(send, session, {
      focus: this.#focusEmulated,
      neverAsks: this.agentOwned,
      learn: (tree) => {
        this.frames.learn(tree, session);
      },
    });
    sent.push(this.#arm(session));
    // Sent with the rest: a request of the page must not come before it is recorded.
    const asked = [...this.#wanted].map((job) => job(session).catch(() => undefined));
    // While the tab is attached again these wait for that, and must not be waited for.
    await Promise.all(this.#regaining ? sent : [...sent, ...asked]);
  }

  #arm(session: string | undefined): Promise<void> {
    return this.printing.arm(this.#direct.bind(this), {session, timeoutMs: 10_000});
  }

  #follow(method: string, params: unknown, session: string | undefined): void {
    const {frames, dialogs} = this;
    this.printing.follow(method, params);
    // Every session of a tab tells of its dialogs, at its own time: only the tab's own counts.
    if (isEvent('Page.javascriptDialogOpening', method, params)) {
      if (session === undefined) dialogs.open(params);
    } else if (isEvent('Page.javascriptDialogClosed', method, params)) {
      if (session === undefined) dialogs.closed();
    } else if (isEvent('Inspector.targetCrashed', method, params)) this.#crash(session);
    else if (isEvent('Inspector.targetReloadedAfterCrash', method, params)) this.#crashed = false;
    else if (isEvent('Target.attachedToTarget', method, params)) this.#childAttached(params);
    else if (isEvent('Target.detachedFromTarget', method, params)) this.#childGone(params.sessionId);
    else {
      frames.follow(method, params, session);
      if (isEvent('Page.frameNavigated', method, params) && params.frame.parentId === undefined) dialogs.left();
    }
  }

  #childAttached({sessionId, targetInfo}: Protocol.Target.AttachedToTargetEvent): void {
    if (targetInfo.type !== 'iframe' || this.#state !== 'attached') return;
    // It may be gone before it is set up: then its frames are gone as well.
    this.#children.set(
      sessionId,
      this.#apply(sessionId).catch(() => undefined),
    );
  }

  #childGone(sessionId: string): void {
    this.#children.delete(sessionId);
    this.frames.sessionGone(sessionId);
    // Chrome may answer nothing to what was on its way there.
    this.#sender.fail(frameGone(), ({session}) => session === sessionId);
  }

  #crash(session: string | undefined): void {
    if (session !== undefined) return;
    this.#crashed = true;
    this.dialogs.closed();
    this.#sender.fail(crashed(), (pending) => !pending.pastCrash);
  }

  #refusal({pastDialog, pastCrash}: Pending): ActionError | undefined {
    if (this.#state === 'gone') return tabGone(this.tabId);
    if (this.#state === 'detached') return lostAttachment('the tab is not attached');
    if (this.#crashed && !pastCrash) return crashed();
    if (!pastDialog && this.dialogs.current) return dialogOpen(this.dialogs.current);
    if (!pastDialog && !pastCrash && this.printing.open) return new PrintOpen();
    return undefined;
  }

  #down(error: ActionError): void {
    if (this.#state === 'attached') this.#state = 'detached';
    this.#children.clear();
    this.frames.clear();
    this.dialogs.closed();
    this.printing.end();
    this.#sender.fail(error, () => true);
  }
}

function isRefused(thrown: unknown): boolean {
  return thrown instanceof CdpError && isForeign(thrown.cdpMessage);
}

function dialogKey(tabId: number): string {
  return `dialog.${tabId.toString()}`;
}
