/** The table of all actions. */

import {screenshot} from './actions/capture';
import {readConsole} from './actions/console';
import {evaluate} from './actions/evaluate';
import {download} from './actions/download';
import {drag} from './actions/drag';
import {find} from './actions/find';
import {get} from './actions/get';
import {handoff} from './actions/handoff';
import {fill, press, type} from './actions/keyboard';
import {mouse} from './actions/mouse';
import {readNetwork} from './actions/network';
import {pdf} from './actions/pdf';
import {click, hover} from './actions/pointer';
import {extract, snapshot} from './actions/read';
import {scroll} from './actions/scroll';
import {select} from './actions/select';
import {sessionAction} from './actions/session';
import {activateTab, attachTab, closeTab, dialog, listTabs, navigate, openTab} from './actions/tabs';
import {upload} from './actions/upload';
import {waitFor} from './actions/wait';
import type {Call, Handlers} from './call';
import {type Changed, late} from './news';
import {tabs} from './tab';

/**
 * WithNews has a handler that only looks at a page tell what changed there meanwhile: what comes after the result of the action
 * that did it stands in the next one, whichever that is.
 */
function withNews<A, R extends Changed>(look: (action: A, call: Call) => Promise<R>) {
  return async (action: A, call: Call): Promise<Changed & R> => {
    const result = await look(action, call);
    const tab = tabs.peek(call.tabId);
    return tab?.attached === true ? {...(await late(tab, call.signal)), ...result} : result;
  };
}

/** Handlers of this version. */
export const handlers = {
  open_tab: openTab,
  navigate,
  close_tab: closeTab,
  activate_tab: activateTab,
  list_tabs: listTabs,
  attach_tab: attachTab,
  click,
  hover,
  type,
  fill,
  download,
  select,
  press,
  scroll,
  mouse,
  drag,
  upload,
  wait_for: waitFor,
  extract,
  snapshot,
  find: withNews(find),
  get: withNews(get),
  evaluate,
  screenshot: withNews(screenshot),
  pdf: withNews(pdf),
  dialog,
  console: withNews(readConsole),
  network: withNews(readNetwork),
  handoff,
  session: sessionAction,
} satisfies Handlers;
