/**
 * What keeps "Leave site?" from being asked in the agents' tabs. The function is sent into pages as text: it may
 * use nothing of this module but its own body. The page's types are declared here as far as it needs them.
 */

interface UnloadEvent {
  readonly defaultPrevented: boolean;
  readonly isTrusted: boolean;
  returnValue: unknown;
  initEvent(type: string, bubbles: boolean, cancelable: boolean): void;
  stopImmediatePropagation(): void;
}

declare const document: {createEvent(type: 'BeforeUnloadEvent'): UnloadEvent};
declare const navigator: {readonly userActivation: {readonly hasBeenActive: boolean}};
declare function addEventListener(type: 'beforeunload', listener: (event: UnloadEvent) => void, capture: true): void;
declare function dispatchEvent(event: UnloadEvent): boolean;
declare let drawbridgeUnload: (() => boolean) | undefined;

/**
 * WatchUnload stands before the page's own listeners of `beforeunload`. They are still called, with an event
 * that cannot make the browser ask: its question is modal for the whole browser and takes the user's focus to
 * the agent window until it is answered (measured).
 *
 * @param ask if true, only ask the page now whether it would want the question.
 * @returns whether it would; false when `ask` is false.
 */
export function watchUnload(ask: boolean): boolean {
  if (typeof drawbridgeUnload !== 'function') {
    const wouldAsk = (): boolean => {
      // Without a gesture the browser asks nothing.
      if (!navigator.userActivation.hasBeenActive) return false;
      const event = document.createEvent('BeforeUnloadEvent');
      event.initEvent('beforeunload', false, true);
      dispatchEvent(event);
      return event.defaultPrevented || (event.returnValue !== '' && event.returnValue !== true);
    };
    addEventListener(
      'beforeunload',
      (event) => {
        if (!event.isTrusted) return; // our own
        event.stopImmediatePropagation();
        wouldAsk();
      },
      true,
    );
    Object.assign(globalThis, {drawbridgeUnload: wouldAsk});
    return ask && wouldAsk();
  }
  return ask && drawbridgeUnload();
}
