/** The table of all actions. What is `unsupported` here is not in `caps`. */

import {screenshot} from './actions/capture';
import {evaluate} from './actions/evaluate';
import {find} from './actions/find';
import {get} from './actions/get';
import {fill, press, type} from './actions/keyboard';
import {click, hover} from './actions/pointer';
import {extract, snapshot} from './actions/read';
import {scroll} from './actions/scroll';
import {activateTab, attachTab, closeTab, dialog, listTabs, navigate, openTab} from './actions/tabs';
import {waitFor} from './actions/wait';
import type {Handlers} from './call';
import {unsupported} from './call';

/** Handlers of this version: each action has one or says that it has none yet. */
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
  download: unsupported,
  select: unsupported,
  press,
  scroll,
  mouse: unsupported,
  drag: unsupported,
  upload: unsupported,
  wait_for: waitFor,
  extract,
  snapshot,
  find,
  get,
  evaluate,
  screenshot,
  pdf: unsupported,
  dialog,
  console: unsupported,
  network: unsupported,
  handoff: unsupported,
  session: unsupported,
} satisfies Handlers;
