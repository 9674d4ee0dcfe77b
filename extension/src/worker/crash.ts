/** Ending the process of a page that does not run, and so cannot be left or closed in an orderly way. */

import type {Tab} from './attachedtab';
import {isCrashed} from './losses';

/**
 * EndProcess ends the process of the tab's page. Tabs that share it go down with it, but they hang as it does.
 *
 * @throws {@link ActionError} what the command meets other than the end of the process, and the signal's reason.
 */
export async function endProcess(tab: Tab, signal: AbortSignal): Promise<void> {
  // An open dialog is no reason to wait: the page stands in it.
  await tab.send('Page.crash', undefined, {signal, pastDialog: true}).catch((thrown: unknown) => {
    if (!isCrashed(thrown)) throw thrown;
  });
}
