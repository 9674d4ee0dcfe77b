/**
 * The waker: an offscreen document whose only work is to start the worker again. It holds a port to it; a worker that
 * Chrome ends drops the port, and to connect again starts the next one.
 */

import {Pauses} from './pauses';

const pauses = new Pauses();

function hold(): void {
  const since = Date.now();
  const port = chrome.runtime.connect({name: 'waker'});
  port.onDisconnect.addListener(() => {
    const pause = pauses.after(Date.now() - since);
    // Not by way of a timer of 0 ms: in a document that nobody sees those take up to a second.
    if (pause === 0) hold();
    else setTimeout(hold, pause);
  });
}

hold();
