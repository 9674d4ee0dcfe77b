/**
 * What the extension's own pages (popup, welcome, cover) say to the worker and hear back. Types only:
 * pages import them with `import type`, so that no world sees the other's code.
 *
 * A page sends one {@link ToWorker} with `chrome.runtime.sendMessage` and gets one {@link Answer}. A page
 * that stays open connects a port, `chrome.runtime.connect({name: 'status'})`, and gets a {@link Status}
 * at once and after every change.
 */

/** What a page may ask of the worker. Each is answered with the status after it was done. */
export type ToWorker =
  /** Just the status. */
  | {type: 'getStatus'}
  /** Pair with the link that `drawbridge up` prints: `http://127.0.0.1:PORT/pair#CODE.KEY`. */
  | {type: 'pair'; link: string}
  /** Pair by hand: HOST:PORT and the code. */
  | {type: 'pair'; address: string; code: string}
  /** Connect now; also out of `fatal` and `replaced`, since the user asks. */
  | {type: 'reconnect'}
  /** Stop the session that this tab belongs to, with all of its tabs, until resume. */
  | {type: 'stopSession'; tabId: number}
  /** Stop everything until resume. */
  | {type: 'stopAll'}
  /** Lift every stop. */
  | {type: 'resume'}
  /** Replace the blocklist; entries as typed. One that is no domain or address refuses the whole list. */
  | {type: 'setBlocklist'; entries: string[]}
  /** What happens while the screen is locked or nobody is at the machine: `pause` (default) or `work`. */
  | {type: 'setWhenAway'; whenAway: WhenAway}
  /** Which protocol to speak; the link is made anew. */
  | {type: 'setDialect'; dialect: DialectName}
  /** Whether agents that ask for the user's help are refused at once, because nobody is at this browser. */
  | {type: 'setUnattended'; unattended: boolean}
  /** The user did what an agent asked for in this tab, or says that they cannot. */
  | {type: 'endHandoff'; tabId: number; how: 'done' | 'refused'}
  /** Bring this tab to the front. */
  | {type: 'showTab'; tabId: number};

/** The two protocols: `bridge` is Drawbridge's own, `rpc` is JSON-RPC, for other servers. */
export type DialectName = 'bridge' | 'rpc';

/** Whether agents go on while the user is away. */
export type WhenAway = 'pause' | 'work';

/** The worker's answer: the status after the act, or why it was refused, in a sentence for a person. */
export type Answer = {ok: true; status: Status} | {ok: false; error: string; status: Status};

/**
 * The state of the link. `ready`: the socket is open and the server has acknowledged us, nothing less.
 * `off`: not paired yet. `connecting`: under way, or waiting to try again. `replaced`: another connection
 * of this browser took over. `fatal`: the server refused us. Only the user leaves the last two.
 */
export type LinkState = 'off' | 'connecting' | 'ready' | 'replaced' | 'fatal';

/** One tab under work. Times are epoch milliseconds. */
export interface SessionStatus {
  tabId: number;
  domain: string;
  /** The tab's title as Chrome has it; page-written. */
  title: string;
  /** The owner, as the server names it; '' when the server names none. Tabs of one agent are one session. */
  agentId: string;
  /** True for a tab in the agent window, false for one of the user's. */
  agentTab: boolean;
  startedAt: number;
  lastActionAt: number;
  actionCount: number;
}

/** One request of an agent to the user, which waits for them. */
export interface HandoffStatus {
  tabId: number;
  agentId: string;
  domain: string;
  /** The tab's title as Chrome has it; page-written. */
  title: string;
  /** What the user is asked to do; agent-written. */
  reason: string;
  /** `obstacle_gone`: it also ends by itself, once the page lets the agent through. */
  until: 'done' | 'obstacle_gone';
  /** Epoch milliseconds. */
  askedAt: number;
}

/** One of the last actions, the newest first. */
export interface ActionStatus {
  /** When it ended, epoch milliseconds. */
  at: number;
  /** The action's type, such as `click`. */
  type: string;
  /** -1 for actions without a tab. */
  tabId: number;
  domain: string;
  agentId: string;
  /** The error's code; absent when it went well. */
  error?: string;
}

/** What is stopped until the user resumes. */
export interface StopStatus {
  /** Set while everything is stopped: since when, and by what. */
  all?: {at: number; by: 'global_stop' | 'debugging_bar'};
  /** How many sessions were stopped one by one. */
  sessions: number;
}

/** The whole truth for the popup. */
export interface Status {
  link: LinkState;
  /** Why the link is as it is, and what to do, for a person; absent while all is well. */
  reason?: string;
  /** The error code of a `fatal` link: unauthorized, protocol_mismatch, name_in_use, server_unproven. */
  code?: string;
  /** HOST:PORT of the server. */
  address: string;
  /** False until a code or device token is stored. */
  paired: boolean;
  /** What the server calls this browser; absent until it said so. */
  browserName?: string;
  serverVersion?: string;
  /** This extension's version. */
  version: string;
  sessions: SessionStatus[];
  /** What agents ask of the user, the oldest first. */
  handoffs: HandoffStatus[];
  /** True when nobody is at this browser, so that nobody is asked. */
  unattended: boolean;
  dialect: DialectName;
  stopped: StopStatus;
  /** True while nothing is done because the user is away. */
  away: boolean;
  whenAway: WhenAway;
  /** The user's own entries, as stored (registrable domains and addresses). */
  blocklist: string[];
  /** The server's entries, which the user cannot change here. */
  serverBlocklist: string[];
  /** At most 20, the newest first. */
  lastActions: ActionStatus[];
}
