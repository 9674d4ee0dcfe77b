/** The worker's parts put together for tests, on stand-ins for Chrome alone. */

import type {Event} from '../protocol.gen';
import type {Handlers} from './call';
import {unsupported} from './call';
import {Away} from './away';
import {Dispatcher, readReply} from './dispatcher';
import type {Done, Reply} from './dispatcher';
import type {Events} from './events';
import {FakeBrowser, MemoryStore, recordedEvents} from './fakes';
import {Guard} from './guard';
import {Latch} from './latch';
import {Ledger} from './ledger';
import {Sessions} from './sessions';
import {Settings} from './settings';
import {Stops} from './stops';

/** A table of handlers in which everything is unsupported but what is given. */
export function handlersWith(some: Partial<Handlers>): Handlers {
  return {
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
    ...some,
  };
}

/** What stands behind the link. */
export interface WorkerParts {
  away: Away;
  browser: FakeBrowser;
  /** The tabs whose pages do not answer. */
  busy: Set<number>;
  dispatcher: Dispatcher;
  done: Done[];
  events: Events;
  guard: Guard;
  latch: Latch;
  ledger: Ledger<Reply>;
  sessions: Sessions;
  settings: Settings;
  stops: Stops;
  store: MemoryStore;
  /** The tabs that exist and what they show. */
  tabs: Map<number, string>;
  told: Event[];
}

/** Everything behind the link, with tabs 1 to 3 at https://one.test/ and so on; blocked.test is blocked. */
export async function workerParts(some: Partial<Handlers>, store = new MemoryStore()): Promise<WorkerParts> {
  const {events, told} = recordedEvents();
  const settings = new Settings(new MemoryStore());
  await settings.load(() => Promise.resolve(undefined));
  await settings.block(['blocked.test']);
  const sessions = new Sessions({run: new MemoryStore(), kept: new MemoryStore()}, events);
  const browser = new FakeBrowser();
  const guard = new Guard(settings, sessions, events, browser);
  const latch = new Latch(new MemoryStore(), new MemoryStore());
  const away = new Away(settings, sessions);
  const ledger = new Ledger(store, readReply);
  await ledger.load();
  const tabs = new Map([
    [1, 'https://one.test/'],
    [2, 'https://two.test/'],
    [3, 'https://three.test/'],
  ]);
  const done: Done[] = [];
  const busy = new Set<number>();
  const dispatcher = new Dispatcher({
    handlers: handlersWith(some),
    sessions,
    guard,
    latch,
    away,
    ledger,
    tab: (tabId) => {
      const address = tabs.get(tabId);
      return Promise.resolve(address === undefined ? undefined : {address});
    },
    answers: (tabId) => Promise.resolve(!busy.has(tabId)),
    done: (one) => done.push(one),
  });
  const stops = new Stops(latch, sessions, events);
  return {
    away,
    browser,
    busy,
    dispatcher,
    done,
    events,
    guard,
    latch,
    ledger,
    sessions,
    settings,
    stops,
    store,
    tabs,
    told,
  };
}

/** Gate is a promise that the test opens. */
export function gate(): {wait: Promise<void>; open: () => void} {
  let open = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {wait, open};
}
