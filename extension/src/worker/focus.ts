/**
 * Keeps the focus where the user has it. A page that opens a tab makes Chrome raise the page's window, whatever
 * way the tab is opened (measured); nothing can forbid that, so the focus is given back at once, within the turn
 * in which Chrome tells of the tab, about a millisecond after it was taken.
 */

// Chrome may raise the window again while the tab that was opened is brought home.
const watchMs = 1_000;
// An application that fights for the focus as well must not make us fight for ever.
const most = 5;

// Chrome may tell of the focus a moment before it tells of the tab that took it.
const justNowMs = 300;

/** FocusKeeper knows which window the user is in and brings the user back there. */
export class FocusKeeper {
  // The window that has the focus; WINDOW_ID_NONE: another program's. Undefined: not known yet.
  #focused: number | undefined;
  // The one that had it before, and until when, on the clock of performance.now().
  #before: {windowId: number | undefined; until: number} = {windowId: undefined, until: 0};
  // Set while a disturbance is made good: the window to go back to, the ones that may not have the focus.
  #back: {to: number; from: (windowId: number) => boolean; until: number; left: number} | undefined;

  /** Listen registers Chrome's listener; call it synchronously while the worker starts. */
  listen(): void {
    chrome.windows.onFocusChanged.addListener((windowId) => {
      const now = performance.now();
      const back = this.#back;
      if (back && now < back.until) {
        if (back.from(windowId)) void this.#restore(windowId);
        // The user may go elsewhere meanwhile; then that is where to go back to.
        else if (windowId !== chrome.windows.WINDOW_ID_NONE) back.to = windowId;
      } else {
        this.#before = {windowId: this.#focused, until: now};
      }
      this.#focused = windowId;
    });
    void chrome.windows
      .getLastFocused()
      .then((window) => {
        this.#focused ??= window.focused ? window.id : chrome.windows.WINDOW_ID_NONE;
      })
      .catch(() => undefined);
  }

  /**
   * Disturbed is told that something of the agents' has raised a window, or is about to. It gives the focus back
   * unless the user was in such a window.
   *
   * @param from tells which windows the user is brought back from.
   * @param raised is the window that was raised.
   */
  disturbed(from: (windowId: number) => boolean, raised: number): void {
    const now = performance.now();
    const to = this.#userIn(from, now);
    if (to === undefined || from(to)) return;
    this.#back = {to, from, until: now + watchMs, left: most};
    void this.#restore(raised);
  }

  /** UserIn is the window that the user is in, or was in until just now when that was taken away. */
  #userIn(from: (windowId: number) => boolean, now: number): number | undefined {
    if (this.#back && now < this.#back.until) return this.#back.to;
    const {windowId, until} = this.#before;
    if (this.#focused !== undefined && from(this.#focused) && now - until < justNowMs) return windowId;
    return this.#focused;
  }

  async #restore(raised: number): Promise<void> {
    const back = this.#back;
    if (!back || back.left-- <= 0) return;
    // The user was in another program: which one Chrome does not know, but the window manager does.
    const [windowId, focused] = back.to === chrome.windows.WINDOW_ID_NONE ? [raised, false] : [back.to, true];
    await chrome.windows.update(windowId, {focused}).catch(() => undefined);
  }
}
