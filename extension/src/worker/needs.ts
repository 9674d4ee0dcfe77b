/** What a page waits for that only the user can give: named when an action ran out of time over it. */

import {maskUrl} from './masking';
import {requestBuffers} from './netlog';
import type {Tab} from './tab';

// What asks the user for a permission or a choice, and what to call it.
const asking: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bgeolocation\b/, 'the permission to know where the user is'],
  [/\brequestPermission\b|\bpushManager\b/, 'a permission such as that to show notifications'],
  [/\bclipboard\b/, 'the permission to read the clipboard'],
  [/\bget(User|Display)Media\b/, 'the permission to use the camera, the microphone or the screen'],
  [/\brequestMIDIAccess\b/, 'the permission to use MIDI devices'],
  [/\b(usb|serial|hid|bluetooth)\s*\.\s*request/, 'the choice of a device'],
  [/\bshow(OpenFile|SaveFile|Directory)Picker\b/, 'the choice of a file'],
  [/\bcredentials\s*\.\s*(get|create)\b/, 'a passkey or a password'],
  [/\bPaymentRequest\b/, 'a payment'],
];

/** Needs follows one tab while an action runs. Make it before the action and {@link end} it whatever happens. */
export class Needs {
  // Requests that nothing has come back for, by id: method and address.
  readonly #unanswered = new Map<string, string>();
  readonly #off: (() => void)[];

  constructor(tab: Tab) {
    const answered = ({requestId}: {requestId: string}): void => void this.#unanswered.delete(requestId);
    this.#off = [
      tab.on('Network.requestWillBeSent', ({requestId, request: {method, url}}) => {
        this.#unanswered.set(requestId, `${method} ${maskUrl(url).slice(0, 200)}`);
      }),
      tab.on('Network.responseReceived', answered),
      tab.on('Network.loadingFinished', answered),
      tab.on('Network.loadingFailed', answered),
    ];
    const buffers = requestBuffers(tab.tabId);
    for (const session of tab.sessions()) void tab.send('Network.enable', buffers, {session}).catch(() => undefined);
  }

  /**
   * Named says what is waited for, as the end of a sentence; undefined when nothing is known.
   *
   * @param code the script that waits, as far as it is known.
   */
  named(code: string): string | undefined {
    const asked = asking.find(([pattern]) => pattern.test(code))?.[1];
    if (asked !== undefined) return needsUser(asked);
    // While the browser waits for a name and a password it tells of no answer at all.
    const [request] = this.#unanswered.values();
    return request === undefined
      ? undefined
      : `nothing has come back for ${request}: the server is slow, or it asks for a user name and password (HTTP authentication), which needs the user: call handoff`;
  }

  /** End stops following. */
  end(): void {
    for (const off of this.#off.splice(0)) off();
  }
}

/** NeedsUser is what an error says of what is missing and of what to do. */
export function needsUser(what: string): string {
  return `it needs the user: it waits for ${what}, for which the browser asks them once the tab is in front; call handoff`;
}
