/** The table of all actions. What is `unsupported` here is not in `caps`. */

import type {Handlers} from './call';
import {unsupported} from './call';

/** Handlers of this version: each has a handler or says that it has none yet. */
export const handlers = {
  open_tab: unsupported,
  navigate: unsupported,
  close_tab: unsupported,
  activate_tab: unsupported,
  list_tabs: unsupported,
  attach_tab: unsupported,
  click: unsupported,
  hover: unsupported,
  type: unsupported,
  fill: unsupported,
  download: unsupported,
  select: unsupported,
  press: unsupported,
  scroll: unsupported,
  mouse: unsupported,
  drag: unsupported,
  upload: unsupported,
  wait_for: unsupported,
  extract: unsupported,
  snapshot: unsupported,
  find: unsupported,
  get: unsupported,
  evaluate: unsupported,
  screenshot: unsupported,
  pdf: unsupported,
  dialog: unsupported,
  console: unsupported,
  network: unsupported,
  handoff: unsupported,
  session: unsupported,
} as const satisfies Handlers;
