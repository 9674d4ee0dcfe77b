/** Bringing a tab to an address and waiting until what it shows can be used. */

import type {DownloadInfo} from '../protocol.gen';
import type {Call} from './call';
import {CdpError} from './cdp';
import {endProcess} from './crash';
import {type OpenDialog, dialogOpen} from './dialogs';
import {type Follow, downloads} from './downloads';
import {ActionError, abortedBy} from './errors';
import {needsUser} from './needs';
import {requestBuffers} from './netlog';
import type {Tab} from './tab';
import {wantsToAsk} from './unload';

/** Arrival is how a navigation that went well ended. */
export interface Arrival {
  /** What the agent should know, one sentence each. */
  notes: string[];
  /** The document had not finished loading. */
  stillLoading: boolean;
  /** The address was a download; the page stayed. */
  download?: DownloadInfo;
}

/** Way is what sets a tab in motion: an address, or a step in its history that needs the browser to be asked. */
export type Way = {url: string} | {entryId: number; url: string} | 'reload';

/** PdfNote says of a PDF document what an agent should know. */
export const pdfNote =
  'the address is a PDF document: it has no DOM to read or act on; get its bytes by the action pdf, or take a screenshot';

// After DOMContentLoaded pictures and the like are waited for no longer than this.
const loadMs = 2_000;
// A document that does not even reach DOMContentLoaded is handed over as it is after this.
const readyMs = 15_000;
// What is left of the caller's time for the answer itself.
const reserveMs = 700;
const afterMs = 5_000;
// A page that was in a dialog may go on for so long before it is left as it is.
const busyMs = 1_000;
// What the browser has told already reaches us within this, or never.
const wordMs = 500;
// A page that says it will go elsewhere at once (location.replace) is followed if it goes within this.
const redirectMs = 1_000;

/**
 * Navigate sets the tab in motion and answers when the new document can be used: DOMContentLoaded, then load if
 * that comes soon, following what the page itself does meanwhile.
 *
 * @throws {@link ActionError} `navigation_failed` with the browser's net error; `dialog_open` when the page asks
 *   whether to leave; what the call was aborted with.
 */
export async function navigate(tab: Tab, way: Way, call: Call): Promise<Arrival> {
  await askToLeave(tab, call, async (later) => {
    await go(tab, way, later);
  });
  return go(tab, way, call);
}

/**
 * AskToLeave asks an agent's page whether it may be left, so that the browser need not: its own question takes
 * the focus from the user.
 *
 * @param leave is what is done when the question is accepted.
 * @throws {@link ActionError} `dialog_open` when the page wants the question asked.
 */
export async function askToLeave(tab: Tab, call: Call, leave: (call: Call) => Promise<void>): Promise<void> {
  if (!tab.agentOwned || tab.dialog || !(await wantsToAsk(tab.tabId))) return;
  if (call.signal.aborted) throw abortedBy(call.signal);
  const dialog = tab.dialogs.hold(tab.frames.top?.url ?? '', leave);
  throw dialogOpen(dialog);
}

async function go(tab: Tab, way: Way, call: Call): Promise<Arrival> {
  call.started();
  if (tab.dialog) await free(tab, tab.dialog, call);
  const watch = new Watch(tab);
  try {
    const start = await watch.start(way, call);
    if (start) return start;
    return await settle(tab, watch, call);
  } catch (thrown) {
    // Left alone it might still arrive, when nobody expects it any more.
    if (call.signal.aborted) void tab.send('Page.stopLoading', undefined, {pastDialog: true}).catch(() => undefined);
    throw thrown;
  } finally {
    watch.end();
  }
}

/**
 * Free ends a dialog in which the page stands, and those that follow upon it: a page that does not run cannot be left
 * for a document of the same process. One that asks without end loses its process.
 */
async function free(tab: Tab, dialog: OpenDialog, call: Call): Promise<void> {
  tab.note(`leaving closed the ${dialog.kind} dialog ${JSON.stringify(dialog.message.slice(0, 200))}`);
  // Leaving is the answer to the question whether to leave.
  if (dialog.kind === 'beforeunload') return;
  await tab.dialogs.answering(async (endless) => {
    await tab.dialogs.dismiss();
    const runs = {signal: AbortSignal.any([call.signal, endless]), timeoutMs: busyMs, pastDialog: true};
    await tab.send('Runtime.evaluate', {expression: '0'}, runs).catch(() => undefined);
    if (call.signal.aborted) throw abortedBy(call.signal);
    if (!endless.aborted) return;
    if (!tab.agentOwned) {
      const message =
        'the page shows one dialog after the other without end, and the tab is the user’s own: close_tab ends it, or ask the user';
      throw new ActionError('dialog_open', message, {outcome: 'done'});
    }
    // While a navigation is under way Chrome ends no process, so this comes first.
    await endProcess(tab, call.signal);
    tab.note('the page showed one dialog after the other without end, so its process was ended');
  });
}

/**
 * Arrived waits until a tab that is already on its way can be used.
 *
 * @throws {@link ActionError} as {@link navigate}.
 */
export async function arrived(tab: Tab, call: Call): Promise<Arrival> {
  const watch = new Watch(tab);
  try {
    return await settle(tab, watch, call);
  } finally {
    watch.end();
  }
}

/** Settle waits until the tab's document can be used; of an error page it throws the error. */
async function settle(tab: Tab, watch: Watch, call: Call): Promise<Arrival> {
  const notes: string[] = [];
  const until = Math.min(call.deadline - reserveMs, performance.now() + readyMs);
  let loaded = await watch.reached('DOMContentLoaded', until, call);
  if (loaded) {
    const soon = Math.min(call.deadline - reserveMs, performance.now() + loadMs);
    loaded = await watch.reached('load', soon, call);
    await watch.followed(call);
  }
  if (tab.frames.top?.unreachableUrl !== undefined) throw failed(tab.frames.top.unreachableUrl, await watch.netError());
  if (tab.dialog) notes.push(dialogOpen(tab.dialog).message);
  if (tab.frames.top?.mimeType === 'application/pdf') notes.push(pdfNote);
  return {notes, stillLoading: !loaded};
}

/** Watch follows one navigation of a tab by the tab's events. */
class Watch {
  readonly #tab: Tab;
  readonly #downloads: Follow;
  readonly #ends: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #commits = 0;
  // The documents that the top frame showed since, by loaderId.
  readonly #shown = new Set<string>();
  #sameDocument = false;
  // The page has asked for another address and is not there yet.
  #leaving = false;
  #error: string | undefined;
  // What the server said in answer to the top frame's last request.
  #status: number | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#downloads = downloads.follow(tab.tabId);
    this.#ends.push(
      tab.on('Page.frameNavigated', ({frame}) => {
        if (frame.parentId !== undefined) return;
        this.#commits++;
        this.#shown.add(frame.loaderId);
        this.#leaving = false;
        this.#wake();
      }),
      tab.on('Page.navigatedWithinDocument', ({frameId}) => {
        if (frameId !== tab.frames.top?.id) return;
        this.#sameDocument = true;
        this.#leaving = false;
        this.#wake();
      }),
      tab.on('Page.frameRequestedNavigation', ({frameId, disposition}) => {
        if (frameId === tab.frames.top?.id && disposition === 'currentTab') this.#leaving = true;
      }),
      tab.on('Page.frameStoppedLoading', ({frameId}) => {
        if (frameId !== tab.frames.top?.id) return;
        this.#leaving = false;
        this.#wake();
      }),
      tab.on('Network.responseReceived', ({type, frameId, response}) => {
        if (type === 'Document' && frameId === tab.frames.top?.id) this.#status = response.status;
      }),
      tab.on('Page.lifecycleEvent', () => {
        this.#wake();
      }),
      tab.on('Page.javascriptDialogOpening', () => {
        this.#wake();
      }),
    );
    const failed = (details: chrome.webNavigation.WebNavigationFramedErrorCallbackDetails): void => {
      if (details.tabId !== tab.tabId || details.frameId !== 0) return;
      this.#error = details.error;
      this.#wake();
    };
    chrome.webNavigation.onErrorOccurred.addListener(failed);
    this.#ends.push(() => {
      chrome.webNavigation.onErrorOccurred.removeListener(failed);
    });
  }

  /** Start sends the tab on its way; it answers an Arrival when no new document comes of it. */
  async start(way: Way, call: Call): Promise<Arrival | undefined> {
    // Until it is asked once, a session tells nothing of its requests.
    void this.#tab.send('Network.enable', requestBuffers(this.#tab.tabId)).catch(() => undefined);
    // The call's own end comes first and says more.
    // Leaving closes a dialog that is open, even that of a page which opens one after the other.
    const pastDialog = this.#tab.dialog !== undefined;
    const options = {signal: call.signal, timeoutMs: call.deadline - performance.now() + afterMs, pastDialog};
    if (way === 'reload') {
      await this.#tab.send('Page.reload', {}, options).catch((thrown: unknown) => {
        if (!isShut(thrown)) throw thrown;
        return chrome.tabs.reload(this.#tab.tabId);
      });
      return this.#committed('the page', call);
    }
    if ('entryId' in way) {
      await this.#tab.send('Page.navigateToHistoryEntry', {entryId: way.entryId}, options);
      return this.#committed(way.url, call);
    }
    if (way.url.startsWith('data:')) {
      const message =
        'the browser leads no tab from one page to a data: address; open it in a tab of its own (open_tab)';
      throw new ActionError('invalid_action', message, {outcome: 'not_sent'});
    }
    if (way.url.startsWith('about:blank')) {
      // Sent there by us, the empty document would get our own origin, and with it what is ours. So the page goes itself.
      const expression = `location.assign(${JSON.stringify(way.url)})`;
      await this.#tab.send('Runtime.evaluate', {expression}, options);
      return this.#committed(way.url, call);
    }
    const answer = await this.#tab.send('Page.navigate', {url: way.url}, options).catch((thrown: unknown) => {
      // A dialog of the new document is no obstacle to having arrived; one of the old document's is.
      if (this.#commits > 0 && thrown instanceof ActionError && thrown.code === 'dialog_open') return undefined;
      if (isShut(thrown)) return 'shut';
      throw thrown;
    });
    if (answer === 'shut') {
      await chrome.tabs.update(this.#tab.tabId, {url: way.url});
      return this.#committed(way.url, call);
    }
    if (!answer) return undefined;
    if (answer.isDownload === true) {
      this.#downloads.expect();
      const download = await this.#downloads.begun();
      const notes = ['the address is a download; the page stayed as it was'];
      return {notes, stillLoading: false, ...(download === undefined ? {} : {download})};
    }
    const {errorText, loaderId} = answer;
    if (errorText !== undefined) {
      // Until its error page is there the tab can be sent nowhere else.
      if (errorText !== aborted) await this.#soon(() => this.#commits > 0, call);
      throw failed(way.url, errorText, this.#status);
    }
    if (loaderId === undefined) {
      await this.#soon(() => this.#sameDocument, call);
      return sameDocument;
    }
    // The answer may come before the word of the commit, while the tree still has the old document.
    const look = (): boolean | undefined =>
      this.#shown.has(loaderId) || (this.#tab.dialog && !pastDialog) ? true : undefined;
    await this.#until(look, call.deadline, call);
    return undefined;
  }

  /** Reached waits until the top document has seen a lifecycle event; false when the time is over or a dialog opened. */
  async reached(name: string, until: number, call: Call): Promise<boolean> {
    const look = (): boolean | undefined => {
      if (this.#tab.dialog) return false;
      if (this.#tab.frames.top?.unreachableUrl !== undefined) return true;
      return this.#tab.frames.top?.lifecycle.has(name) === true ? true : undefined;
    };
    return (await this.#until(look, until, call)) ?? false;
  }

  /** Followed waits for the document to which the page goes on by itself, if it said so. */
  async followed(call: Call): Promise<void> {
    if (!this.#leaving) return;
    const before = this.#commits;
    const until = Math.min(call.deadline - reserveMs, performance.now() + redirectMs);
    await this.#until(() => (this.#commits > before || !this.#leaving ? true : undefined), until, call);
    if (this.#commits === before) return;
    await this.reached('load', Math.min(call.deadline - reserveMs, performance.now() + loadMs), call);
  }

  /** NetError is what the browser says went wrong. */
  async netError(): Promise<string> {
    await this.#soon(() => this.#error !== undefined, undefined);
    return this.#error ?? 'the browser shows an error page';
  }

  /** End takes all listeners away. */
  end(): void {
    for (const end of this.#ends) end();
    this.#downloads.end();
  }

  async #committed(address: string, call: Call): Promise<Arrival | undefined> {
    type Seen = 'document' | 'same' | 'dialog' | 'error';
    const look = (): Seen | undefined => {
      if (this.#commits > 0) return 'document';
      if (this.#sameDocument) return 'same';
      if (this.#tab.dialog) return 'dialog';
      return this.#error === undefined ? undefined : 'error';
    };
    const seen = await this.#until(look, call.deadline, call);
    if (seen === 'same') return sameDocument;
    if (seen === 'dialog' && this.#tab.dialog) throw dialogOpen(this.#tab.dialog);
    if (seen === 'error') {
      // The error page follows the word of the error, unless the navigation came to nothing (204, stopped).
      await this.#soon(() => this.#commits > 0, call);
      if (this.#commits === 0) throw failed(address, this.#error ?? aborted, this.#status);
    }
    return undefined;
  }

  async #soon(look: () => boolean, call: Call | undefined): Promise<void> {
    await this.#until(() => (look() ? true : undefined), performance.now() + wordMs, call);
  }

  /** Until looks at each event until a look gives something; undefined when the time is over. */
  async #until<T>(look: () => T | undefined, until: number, call: Call | undefined): Promise<T | undefined> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (call?.signal.aborted) throw abortedBy(call.signal);
      const left = until - performance.now();
      if (left <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          call?.signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
        call?.signal.addEventListener('abort', wake);
      });
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

const aborted = 'net::ERR_ABORTED';

const sameDocument: Arrival = {
  notes: ['same document: only its address changed, it was not loaded again'],
  stillLoading: false,
};

/** IsShut tells the refusal of a debugger's command on a page such as the warning of a certificate: the browser itself may leave it. */
function isShut(thrown: unknown): boolean {
  return thrown instanceof CdpError && /Cannot attach to this target/i.test(thrown.cdpMessage);
}

/** Failed is the error for an address that could not be shown, in the browser's own words (`net::ERR_…`). */
function failed(address: string, netError: string, status?: number): ActionError {
  if (netError === aborted) {
    const why =
      status === 204 || status === 205
        ? `the server answered ${status}, which has no content`
        : 'the load was stopped, by the page, by the user or by another one';
    return new ActionError(
      'navigation_failed',
      `${address} gave no document (net::ERR_ABORTED): ${why}; the tab shows what it showed before`,
      {outcome: 'done'},
    );
  }
  return new ActionError('navigation_failed', `${address} could not be loaded: ${netError}; ${nextStep(netError)}`, {
    outcome: 'done',
  });
}

function nextStep(netError: string): string {
  if (/^net::ERR_(INVALID|MISSING|UNEXPECTED)_.*AUTH|^net::ERR_.*_AUTH_/.test(netError)) {
    return needsUser('a user name and password');
  }
  if (/^net::ERR_(CERT|SSL)_/.test(netError)) {
    return 'the browser does not trust the connection, and only the user may decide to go on all the same: call handoff, or use another address';
  }
  return 'check the address, or try again later';
}
