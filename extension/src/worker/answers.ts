/** Whether a page still runs: what a call that ran out of time says of its cause. */

import {ActionError} from './errors';
import type {Tab} from './tab';

/** How long a page may take to answer that it runs, in milliseconds: what is left of the server's patience allows no more. */
const answerMs = 150;

/** Answers tells whether a tab's page answers at once: when it does not, a script of its own keeps it from everything. */
export async function answers(tab: Tab): Promise<boolean> {
  if (!tab.attached || tab.dialog) return true;
  try {
    await tab.send('Runtime.evaluate', {expression: '0', returnByValue: true}, {timeoutMs: answerMs});
    return true;
  } catch (thrown) {
    // Whatever else goes wrong is no page that is busy.
    return !(thrown instanceof ActionError && thrown.code === 'timeout');
  }
}
