// Generated from package protocol by go generate. DO NOT EDIT.

/** Ack accepts a hello (server to extension). */
export interface Ack {
  type: "ack";
  protocolVersion: number;
  serverVersion: string;
  /** Names this connection in logs. */
  connectionId?: string;
  /** The server's Features. */
  caps?: string[];
  /** The browser's name as confirmed. */
  browserName?: string;
  /** How often the extension sends ping, in milliseconds. */
  heartbeatMs?: number;
  /** The server's own rules. */
  policy?: Rules;
  /** The device token in exchange for a pairing code. Sent once: the extension keeps it. */
  deviceToken?: string;
  /** Another id for this browser, which keeps it: it is the copy of a profile whose own is connected. */
  browserId?: string;
  /** The server's public key: ECDSA on P-256, an uncompressed point in base64url. With a device token, or with proof. */
  serverKey?: string;
  /** Its signature over the hello's nonce: r and s of 32 bytes each, in base64url. */
  proof?: string;
}

/** ActRequest is the body of POST /v1/act. */
export interface ActRequest {
  action: Action;
  /** The browser's id or name. Absent: the only one connected. */
  browser?: string;
  /** How long to wait, in milliseconds. Absent: the action's own default. */
  timeoutMs?: number;
  /** Names the call, so that its true outcome can be asked for after a cut. */
  callKey?: string;
  /** Asks what came of the call of this callKey, sent this many milliseconds ago to a server that has died since, and does nothing. An error of outcome not_sent says that it may be sent again. */
  recallMs?: number;
  /** file: the server keeps the bytes that a screenshot, pdf or download brings, all parts of a download in one, and the answer's file says where they are; data in the result is empty. */
  as?: "file";
}

/** ActResponse is the answer of POST /v1/act: exactly one of result and error. */
export interface ActResponse {
  /** The result of the request's action. */
  result?: unknown;
  error?: Error;
  /** Where the bytes are, for a request with as. Absent where the action brought none, such as a download that is not complete. */
  file?: FileInfo;
  /** What happened on the agent's tabs since its last result. */
  events?: Event[];
}

/** ActivateTab shows a tab in its window. */
export interface ActivateTab {
  type: "activate_tab";
  /** The tab to show. */
  tabId: number;
}

/** ActivateTabResult is activate_tab's. */
export interface ActivateTabResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
}

/** AgentSession is one agent's work in one browser. */
export interface AgentSession {
  browserId: string;
  browser?: string;
  /** The agent: its token's public id and, after a slash, its session's name. Absent for tabs of nobody known. */
  agentId?: string;
  /** The agent asks now. */
  own?: boolean;
  tabs: TabRecord[];
}

/** AttachTab borrows a tab of the user's for the caller. */
export interface AttachTab {
  type: "attach_tab";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
}

/** AttachTabResult is attach_tab's. */
export interface AttachTabResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
  tabId: number;
  url: string;
  title: string;
}

/** AuditEntry is one line of the audit trail. */
export interface AuditEntry {
  /** When it was written. */
  time: string;
  /** What the line is about. */
  kind: "intent" | "outcome" | "event" | "paired" | "rules" | "minted" | "revoked" | "secret" | "renamed";
  /** Joins an intent with its outcome. */
  call?: string;
  /** Who; tokenId is a token's public id. */
  user?: string;
  tokenId?: string;
  agentId?: string;
  /** In which browser. */
  browserId?: string;
  /** An action's or an event's type. */
  action?: string;
  /** The tab, when one was named. */
  tabId?: number;
  /** Where it happened, or the address asked for: scheme, host and path only, as queries and fragments carry secrets. */
  address?: string;
  /** The action's arguments; of what was typed, uploaded or run only how long it was. */
  arguments?: Record<string, unknown>;
  /** ok or an error's code, and that error's not_sent, done or unknown. */
  result?: string;
  outcome?: string;
  /** One short word more: the reason of an ended session, the name of a device. */
  detail?: string;
  /** How long the action took, in milliseconds. */
  ms?: number;
}

/** AuditResponse is the answer of GET /v1/audit. */
export interface AuditResponse {
  entries: AuditEntry[];
}

/** BatchRequest is the body of POST /v1/batch. */
export interface BatchRequest {
  /** What to do, one after the other. */
  actions: ActRequest[];
}

/** BatchResponse is the answer of POST /v1/batch: one answer for each action that was begun. */
export interface BatchResponse {
  results: ActResponse[];
}

/** Box is a rectangle in the viewport, in CSS pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** BrowserInfo describes a browser that is connected, or was. */
export interface BrowserInfo {
  browserId: string;
  name?: string;
  connected: boolean;
  dialect?: "bridge" | "rpc";
  version?: string;
  userAgent?: string;
  connectedAt?: number;
  /** It is connected and its heartbeat is late: nothing was heard of it for 30 seconds. After 50 it is cut off. */
  unresponsive?: boolean;
  /** The user's Stop all is in force there. */
  stopped?: boolean;
  tabs?: TabRecord[];
  /** The action types that it knows. */
  actions?: string[];
}

/** BrowsersResponse is the answer of GET /v1/browsers. */
export interface BrowsersResponse {
  browsers: BrowserInfo[];
}

/** Cancel stops a request that still runs (server to extension). */
export interface Cancel {
  type: "cancel";
  /** The request's id. */
  id: string;
}

/** Chunk is a piece of a large response's JSON (extension to server). */
export interface Chunk {
  type: "chunk";
  /** The request's id. */
  id: string;
  /** From 0, without gaps. */
  seq: number;
  /** No more follow. */
  last: boolean;
  /** A piece of the response frame's JSON text, at most ChunkBytes of UTF-8. */
  data: string;
}

/** Click clicks an element, with trusted input, where a person would. */
export interface Click {
  type: "click";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
  /** Which button. Default left. */
  button?: "left" | "middle" | "right";
  /** How many times: 2 is a double click. Default 1. */
  count?: number;
  /** Keys held meanwhile. */
  modifiers?: ("Alt" | "Control" | "Meta" | "Shift")[];
}

/** ClickResult is click's. */
export interface ClickResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** CloseTab closes a tab. */
export interface CloseTab {
  type: "close_tab";
  /** The tab to close. */
  tabId: number;
}

/** CloseTabResult is close_tab's. */
export interface CloseTabResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
}

/** Console records and lists what the page logs. */
export interface Console {
  type: "console";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Record, or list what was recorded. */
  op: "start" | "stop" | "list";
  /** At most this many entries, the latest. Default 50. */
  limit?: number;
}

/** ConsoleEntry is one line that the page logged. */
export interface ConsoleEntry {
  level: string;
  text: string;
  /** Epoch milliseconds. */
  at: number;
  /** Address and line that logged it. */
  source?: string;
}

/** ConsoleResult is console's. */
export interface ConsoleResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  entries?: ConsoleEntry[];
}

/** Dialog answers the open alert, confirm, prompt or beforeunload. */
export interface Dialog {
  type: "dialog";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** OK or cancel. */
  accept: boolean;
  /** What to answer a prompt with. */
  text?: string;
}

/** DialogInfo describes an open dialog. */
export interface DialogInfo {
  /** What kind of dialog. */
  kind: "alert" | "confirm" | "prompt" | "beforeunload";
  /** What it says. */
  message: string;
  /** What a prompt is filled with. */
  default?: string;
}

/** DialogOpened says that a dialog opened outside an action. */
export interface DialogOpened {
  type: "dialog_opened";
  tabId: number;
  kind: string;
  message: string;
}

/** DialogResult is dialog's. */
export interface DialogResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** DomainBlocked says that an action or a navigation met the blocklist. */
export interface DomainBlocked {
  type: "domain_blocked";
  tabId?: number;
  domain: string;
  /** The action's type, or navigation for one that nobody asked for. */
  action: string;
}

/** Download returns the bytes of a download that an earlier result named. */
export interface Download {
  type: "download";
  /** The download's id. */
  id: number;
  /** The byte to start from, for the rest of a large one. Default 0. */
  from?: number;
  /** Set by a server that may read the user's downloads: of a complete one, tell the path in place of the bytes. Default false. */
  onDisk?: boolean;
}

/** DownloadChanged says that a download began or changed state. */
export interface DownloadChanged {
  type: "download";
  tabId?: number;
  /** Its id, for the download action. */
  id?: number;
  name: string;
  state: string;
}

/** DownloadInfo describes a download. */
export interface DownloadInfo {
  /** Its id, for the download action. */
  id: number;
  /** The file's name. */
  name: string;
  /** How far it is. */
  state: "in_progress" | "complete" | "interrupted" | "dangerous" | "blocked" | "waiting";
}

/** DownloadResult is download's. */
export interface DownloadResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  name: string;
  mimeType: string;
  /** Bytes of the whole file. */
  size: number;
  state: string;
  /** The bytes, base64, from the action's from. */
  data: string;
  /** Where the browser saved it: in place of data, where onDisk asked for that. */
  path?: string;
  /** Where the rest begins, if there is more. */
  next?: number;
}

/** Drag drags an element onto another or to a point. */
export interface Drag {
  type: "drag";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** What to drag. */
  from: Target;
  /** The element to drop it on. Exactly one of to and point. */
  to?: Target;
  /** The place to drop it at. Exactly one of to and point. */
  point?: Point;
}

/** DragResult is drag's. */
export interface DragResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** Element is one interactive element, as told to an agent. */
export interface Element {
  /** Its uid, for the next action. */
  uid: string;
  /** Its role. */
  role: string;
  /** Its accessible name. */
  name?: string;
  /** Its value; never of a password field. */
  value?: string;
  /** Whether it is in view. Absent: true. */
  visible?: boolean;
  /** Its states, such as checked, disabled, expanded, required, focused. */
  states?: string[];
}

/** Error is the one error of every door and every wire. */
export interface Error {
  /** What went wrong, for programs. */
  code: ErrorCode;
  /** What happened, what was expected and what to do next, for people and models. */
  message: string;
  /** Whether it reached the page. Set on every error on its way to an agent. */
  outcome?: "not_sent" | "done" | "unknown";
  /** How it may be tried again. Set on every error on its way to an agent. */
  retryable?: "same" | "after_refresh" | "no";
  /** What to do next, in a sentence or two. Set on every error on its way to an agent. */
  hint?: string;
  /** The step of the action that failed: resolve, enabled, scroll, geometry, stable, hit test, input, verify, settle. */
  step?: string;
  /** Elements that the message speaks of: what covers the target, the buttons of the dialog that does, the element's new name. */
  elements?: Element[];
  /** The tabs among which the call could not choose. */
  candidates?: TabInfo[];
}

/** Evaluate runs JavaScript in the page. */
export interface Evaluate {
  type: "evaluate";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The body of a function: the value comes back only by return. At most 10 s. */
  expression: string;
}

/** EvaluateResult is evaluate's. */
export interface EvaluateResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  /** JavaScript's type of the value, or the class of an object that has no JSON form. */
  type: string;
  /** The value, if it has a JSON form of at most 8 KB. */
  value?: unknown;
  /** What it is, if it has no JSON form. */
  description?: string;
  /** The value was larger than 8 KB. */
  truncated?: boolean;
  /** Its beginning, then "…[truncated N chars]". */
  preview?: string;
}

/** EventFrame carries an event (extension to server). */
export interface EventFrame {
  type: "event";
  event: Event;
}

/** Extract reads the page: markdown for reading, elements for acting, text for quoting. */
export interface Extract {
  type: "extract";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Which parts to return. Default all. */
  parts?: ("markdown" | "elements" | "text")[];
  /** At most this many bytes of markdown and of text, each. Default 30 KB and 50 KB. */
  maxBytes?: number;
  /** Where to go on: next of an earlier result. */
  from?: string;
}

/** ExtractResult is extract's. */
export interface ExtractResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** What the page says, for verbatim quotes, at most 50 KB. */
  text: string;
  /** The page as Markdown, at most 30 KB. Read this first. */
  markdown: string;
  /** What can be acted on, in document order, at most 200. */
  elements: Element[];
  /** What keeps the agent from the page. */
  obstacle?: Obstacle;
  url: string;
  title: string;
  /** Something was cut; next says where to go on. */
  truncated?: boolean;
  /** How many pieces were left out because no person can see them. */
  hiddenDropped?: number;
  /** Where to go on: the next call's from. */
  next?: string;
}

/** File is a file's bytes. */
export interface File {
  /** The file's name, without folders. */
  name: string;
  /** Its type, such as application/pdf. */
  mimeType: string;
  /** Its bytes, base64. */
  data: string;
}

/** FileInfo is a file that the server keeps for a while, which GET /v1/files/{id} gives to every agent of the same user. */
export interface FileInfo {
  /** Names it. It cannot be guessed. */
  id: string;
  /** Without folders, and with nothing that a file system would not take. */
  name: string;
  mimeType: string;
  /** In bytes. */
  size: number;
  /** When it is forgotten, epoch milliseconds. A user's oldest go earlier when there are too many: fetch a file at once. */
  expiresAt: number;
}

/** Fill sets a control's whole value, whatever kind of control it is. */
export interface Fill {
  type: "fill";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
  /** The value: text; for a date YYYY-MM-DD, for a colour #rrggbb, for a checkbox true or false. Exactly one of text and secret. */
  text?: string;
  /** The name of a secret in the server's store, entered in place of text, on the secret's own origins only. */
  secret?: string;
  /** Enter the text only in a document of one of these origins, and tell nothing of what the field holds. */
  onlyOn?: string[];
  /** Press Enter afterwards. Default false. */
  submit?: boolean;
}

/** FillResult is fill's. */
export interface FillResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  /** The value read back; absent for password fields. */
  value?: string;
}

/** Find returns the refs of matching elements only. */
export interface Find {
  type: "find";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The role, such as button. */
  role?: string;
  /** A part of the accessible name, in any case. */
  name?: string;
  /** A part of the text, in any case. */
  text?: string;
  /** At most this many. Default 20. */
  limit?: number;
}

/** FindResult is find's. */
export interface FindResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  elements: Element[];
  /** How many matched, shown or not. */
  total: number;
}

/** Get reads one thing of the page or of an element. */
export interface Get {
  type: "get";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid. */
  uid?: string;
  /** A CSS selector. */
  selector?: string;
  /** What to read. title and url take no target, the others need one; html and text default to the page. */
  what: "title" | "url" | "text" | "value" | "html" | "box" | "attribute";
  /** The attribute's name, for what=attribute. */
  name?: string;
}

/** GetResult is get's: value, or box for what=box. */
export interface GetResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  value?: string;
  box?: Box;
}

/** GlobalStop says that the user pressed Stop all. */
export interface GlobalStop {
  type: "global_stop";
  /** How many sessions it ended. */
  sessions: number;
}

/** Handoff asks the user to do something in the tab, such as a log-in, and waits. */
export interface Handoff {
  type: "handoff";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** What the user is asked to do, shown to them. */
  reason: string;
  /** What ends it: the user says done, or the obstacle is gone. Default done. */
  until?: "done" | "obstacle_gone";
}

/** HandoffDone says that the user ended a handoff. */
export interface HandoffDone {
  type: "handoff_done";
  tabId: number;
}

/** HandoffResult is handoff's. */
export interface HandoffResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** waiting: 45 s passed, call again to go on waiting. */
  state: "waiting" | "done" | "gone" | "refused";
}

/** Hello opens a connection (extension to server). */
export interface Hello {
  type: "hello";
  protocolVersion: number;
  clientVersion: string;
  /** A device token, or a one-use pairing code. */
  pairingToken: string;
  /** The action types that the extension knows, and Features. */
  caps: string[];
  /** A UUID made once per installation. */
  browserId?: string;
  /** Rises with each connection of this installation. */
  connectionSeq?: number;
  /** What the user calls this browser. */
  browserName?: string;
  userAgent?: string;
  /** What the server shall sign, from an extension that knows its key. See ProofText. */
  nonce?: string;
}

/** Hover moves the pointer onto an element and leaves it there. */
export interface Hover {
  type: "hover";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
}

/** HoverResult is hover's. */
export interface HoverResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** LedgerEntry is one call that the extension remembers. */
export interface LedgerEntry {
  callKey: string;
  /** Exactly one of result and error, or neither while it runs or if its end was not seen. */
  result?: unknown;
  error?: Error;
  /** It was dispatched to the page. */
  started?: boolean;
}

/** ListTabs lists tabs. */
export interface ListTabs {
  type: "list_tabs";
  /** Whose: the caller's own (session), the user's, or all. Default session. */
  scope?: "session" | "user" | "all";
  /** Only tabs whose title or address contains this, in any case. */
  query?: string;
}

/** ListTabsResult is list_tabs'. */
export interface ListTabsResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  tabs: TabInfo[];
}

/** Mouse dispatches one mouse event at a point of the viewport. */
export interface Mouse {
  type: "mouse";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** What happens. */
  kind: "move" | "down" | "up" | "click" | "wheel";
  /** CSS pixels from the viewport's left edge. */
  x: number;
  /** CSS pixels from the viewport's top edge. */
  y: number;
  /** Which button. Default left. */
  button?: "left" | "middle" | "right";
  /** Wheel to the right, in CSS pixels. Default 0. */
  deltaX?: number;
  /** Wheel down, in CSS pixels. Default 0. */
  deltaY?: number;
}

/** MouseResult is mouse's. */
export interface MouseResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** Navigate loads an address in a tab, or goes back, forward or reloads. */
export interface Navigate {
  type: "navigate";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Absolute address. Exactly one of url and to. */
  url?: string;
  /** Where to go in the tab's history. Exactly one of url and to. */
  to?: "back" | "forward" | "reload";
  /** The name of a secret in the server's store, of the form user:password, for a server that asks for them (HTTP authentication), on the secret's own origins only. */
  secret?: string;
  /** User and password, as user:password, in place of secret. */
  credentials?: string;
  /** Give the credentials to a server of one of these origins only. Without it they are given to none. */
  onlyOn?: string[];
}

/** NavigateResult is navigate's. */
export interface NavigateResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
  url: string;
  title: string;
  /** The download that the address turned out to be; the page stayed. */
  download?: DownloadInfo;
  /** The document had not finished loading when the result left. */
  stillLoading?: boolean;
}

/** Network records and lists the page's requests. */
export interface Network {
  type: "network";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Record, list the requests, or return one whole. */
  op: "start" | "stop" | "list" | "detail";
  /** The request to return, for op=detail. */
  requestId?: string;
  /** At most this many entries, the latest. Default 50. */
  limit?: number;
}

/** NetworkEntry is one request of the page. */
export interface NetworkEntry {
  requestId: string;
  method: string;
  url: string;
  /** HTTP status; absent while none came. */
  status?: number;
  /** What the page asked for it as: document, script, xhr, … */
  kind?: string;
  /** Milliseconds from request to end. */
  durationMs?: number;
  /** Why it failed. */
  error?: string;
  /** Headers, with Cookie, Authorization and Set-Cookie masked; for op=detail. */
  requestHeaders?: Record<string, string>;
  /** Headers, masked likewise; for op=detail. */
  responseHeaders?: Record<string, string>;
  /** The body as text, cut at 64 KB; for op=detail. */
  body?: string;
}

/** NetworkResult is network's. */
export interface NetworkResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  entries?: NetworkEntry[];
}

/** NewTokenRequest is the body of POST /v1/tokens. */
export interface NewTokenRequest {
  /** For people, to know which one to revoke. */
  name: string;
  /** What it is to be good for. */
  scopes: ("agent" | "browser" | "admin")[];
}

/** NewTokenResponse is the answer of POST /v1/tokens. */
export interface NewTokenResponse {
  /** The token, which is told this once: only its hash is kept. */
  token: string;
  info: TokenInfo;
}

/** Notice is one event of GET /v1/events. */
export interface Notice {
  kind: "event" | "connected" | "disconnected";
  browserId?: string;
  /** The agent that works on the event's tab. */
  agentId?: string;
  /** For kind event. */
  event?: Event;
  /** This many notices before this one are missing, because the reader was slow. */
  lost?: number;
}

/** Obstacle is what keeps an agent from a page. */
export interface Obstacle {
  type: "auth_wall" | "captcha" | "access_denied";
  /** high is final for the agent's plan; low is a hint. */
  confidence: "low" | "high";
  /** Why, for people. */
  message: string;
}

/** ObstacleMet says that extract saw an obstacle. */
export interface ObstacleMet {
  type: "obstacle";
  tabId: number;
  obstacle: Obstacle;
}

/** OpenTab opens an address in a new tab of the agent window, without taking the user's focus. */
export interface OpenTab {
  type: "open_tab";
  /** Absolute address: http, https, about:blank. */
  url: string;
  /** Bring the tab to the front. Only when the user asked to see it. Default false. */
  focus?: boolean;
}

/** OpenTabResult is open_tab's. */
export interface OpenTabResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
  /** The new tab. */
  tabId: number;
  url: string;
  title: string;
  /** The document had not finished loading when the result left. */
  stillLoading?: boolean;
}

/** PDF prints the page. */
export interface PDF {
  type: "pdf";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Default a4. */
  paperFormat?: "a3" | "a4" | "a5" | "letter" | "legal" | "tabloid";
  /** Default false. */
  landscape?: boolean;
}

/** PDFResult is pdf's. */
export interface PDFResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  /** The document, base64. */
  data: string;
  mimeType: string;
}

/** PairResponse is the answer of POST /v1/pair. */
export interface PairResponse {
  /** The one-use code. */
  code: string;
  /** The link that carries it in its fragment, and behind a dot the fingerprint of the server's key. */
  link: string;
  /** That fingerprint, by which the browser knows this server again: 32 hexadecimal digits. */
  serverKey?: string;
  /** When it ends, epoch milliseconds. */
  expiresAt: number;
}

/** Ping asks for a pong. */
export interface Ping {
  type: "ping";
}

/** Point is a place in the viewport, in CSS pixels from its top left corner. */
export interface Point {
  /** To the right. */
  x: number;
  /** Down. */
  y: number;
}

/** Policy tells the extension that the server's rules changed. */
export interface Policy {
  type: "policy";
  policy: Rules;
}

/** Pong answers a ping. */
export interface Pong {
  type: "pong";
}

/** Press presses a key or a combination. */
export interface Press {
  type: "press";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid. */
  uid?: string;
  /** A CSS selector. */
  selector?: string;
  /** A key's name ("Enter", "a") or a combination ("Control+a", "Shift+Tab"). */
  key: string;
}

/** PressResult is press's. */
export interface PressResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
}

/** Problem is the body of every answer that is an error (RFC 9457). */
export interface Problem {
  /** urn:drawbridge:error: and the error's code. */
  type: string;
  /** The HTTP status, in words and as a number. */
  title: string;
  status: number;
  /** What happened, what was expected and what to do next. */
  detail: string;
  /** The same with what programs branch on. */
  error: Error;
  /** What happened on the agent's tabs since its last result. */
  events?: Event[];
}

/** RPCAuth opens a connection of the rpc dialect (extension to server). */
export interface RPCAuth {
  token: string;
  /** What the browser is called; the same instance under a name replaces the earlier connection. */
  name?: string;
  /** Tells apart two browsers that go by one name: the second is refused. */
  instanceId?: string;
  /** As in Hello: auth_ok then has serverKey and proof, as Ack does, with instanceId in the browserId's place. */
  nonce?: string;
}

/** RPCError is the error of an rpc answer. */
export interface RPCError {
  code: number;
  message: string;
  /** What only a Drawbridge extension adds: the Error of which this is the nearest code. */
  data?: unknown;
}

/** RPCInSession is the params of methods that take a session only. */
export interface RPCInSession {
  sessionId: string;
}

/** RPCNetworkDetail names a recorded request. */
export interface RPCNetworkDetail {
  sessionId: string;
  requestId: string;
}

/** RPCNetworkResult is that of the network methods. */
export interface RPCNetworkResult {
  sessionId?: string;
  tabId?: number;
  recording?: boolean;
  /** What was recorded, for list; the one that was asked for, for detail. */
  requests?: NetworkEntry[];
}

/** RPCNothing is the params of methods that take none. */
export interface RPCNothing {
}

/** RPCPage is the page that a pages method acted on. */
export interface RPCPage {
  url: string;
  title: string;
}

/** RPCPagesEval runs a script in the page; its value is that of its last expression. */
export interface RPCPagesEval {
  sessionId: string;
  script: string;
  /** Wait for the promise that the script gives. */
  awaitPromise?: boolean;
}

/** RPCPagesEvalResult is pages.eval's. */
export interface RPCPagesEvalResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  origin?: string;
  /** The script's value, as JSON; absent for undefined. */
  result?: unknown;
}

/** RPCPagesGet reads one thing of the page or of an element. */
export interface RPCPagesGet {
  sessionId: string;
  what: "text" | "value" | "html" | "title" | "url" | "box";
  ref?: string;
}

/** RPCPagesGetResult is pages.get's: value, or box for what=box. */
export interface RPCPagesGetResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  what?: string;
  value?: string;
  box?: Box;
}

/** RPCPagesMouse dispatches one mouse event. */
export interface RPCPagesMouse {
  sessionId: string;
  action: "move" | "down" | "up" | "wheel";
  /** CSS pixels of the viewport. */
  x?: number;
  /** CSS pixels of the viewport. */
  y?: number;
  button?: "left" | "middle" | "right";
  /** CSS pixels. */
  deltaX?: number;
  /** CSS pixels. */
  deltaY?: number;
}

/** RPCPagesPress presses a key or a combination. */
export interface RPCPagesPress {
  sessionId: string;
  key: string;
}

/** RPCPagesRef names an element of the current tab. */
export interface RPCPagesRef {
  sessionId: string;
  ref: string;
}

/** RPCPagesResult is what every pages method gives. */
export interface RPCPagesResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
}

/** RPCPagesSavePDF prints the page. */
export interface RPCPagesSavePDF {
  sessionId: string;
  paperFormat?: "a3" | "a4" | "a5" | "letter" | "legal" | "tabloid";
  landscape?: boolean;
  /** A path on the browser's machine. Absent: the bytes are in the result. */
  path?: string;
}

/** RPCPagesSavePDFResult is pages.savePdf's: the bytes, or the path that they were written to. */
export interface RPCPagesSavePDFResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  /** Base64. */
  data?: string;
  mimeType?: string;
  path?: string;
}

/** RPCPagesScreenshot takes a picture. */
export interface RPCPagesScreenshot {
  sessionId: string;
  fullPage?: boolean;
  format?: "png" | "jpeg" | "webp";
  quality?: number;
}

/** RPCPagesScreenshotResult is pages.screenshot's. */
export interface RPCPagesScreenshotResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  screenshot: RPCPicture;
  viewport?: Viewport;
}

/** RPCPagesScroll scrolls the page. */
export interface RPCPagesScroll {
  sessionId: string;
  direction: "up" | "down";
  /** CSS pixels. */
  pixels: number;
}

/** RPCPagesSelect chooses one option, by value or visible label. */
export interface RPCPagesSelect {
  sessionId: string;
  ref: string;
  value: string;
}

/** RPCPagesSnapshot asks for the current tab's accessibility tree. */
export interface RPCPagesSnapshot {
  sessionId: string;
  interactive?: boolean;
  compact?: boolean;
  cursor?: boolean;
  urls?: boolean;
  depth?: number;
  selector?: string;
}

/** RPCPagesSnapshotResult is pages.snapshot's. */
export interface RPCPagesSnapshotResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  snapshot: string;
  refs: Record<string, Ref>;
  origin?: string;
  viewport?: Viewport;
  /** How many elements the whole page has that can be acted on. */
  elements?: number;
}

/** RPCPagesText gives text to an element. */
export interface RPCPagesText {
  sessionId: string;
  ref: string;
  text: string;
}

/** RPCPagesUpload gives files of the browser's own machine to a file input. */
export interface RPCPagesUpload {
  sessionId: string;
  ref: string;
  /** Paths on the browser's machine. */
  files: string[];
}

/** RPCPagesWait waits for a time or a state of loading. */
export interface RPCPagesWait {
  sessionId: string;
  ms?: number;
  load?: "load" | "domcontentloaded" | "networkidle";
}

/** RPCPagesWaitResult is pages.wait's. */
export interface RPCPagesWaitResult {
  ok: boolean;
  sessionId?: string;
  tabId: number;
  page: RPCPage;
  /** The coordinates that any box or point is in: viewport-css-pixel. */
  coordinateSpace?: string;
  /** Milliseconds. */
  waitedMs?: number;
  load?: string;
}

/** RPCPicture is a screenshot. */
export interface RPCPicture {
  /** Base64. */
  data: string;
  mimeType: string;
  format?: string;
  width: number;
  height: number;
  fullPage?: boolean;
}

/** RPCSession is a session: one Chrome tab group. */
export interface RPCSession {
  sessionId: string;
  title?: string;
  windowId?: number;
  groupId?: number;
  groupTitle?: string;
  color?: string;
  /** The session's own current tab. */
  activeTabId?: number;
  tabs: RPCTab[];
}

/** RPCSessionsAttachCurrent makes a session of the user's active tab. */
export interface RPCSessionsAttachCurrent {
  title?: string;
  /** The tab group's colour. */
  color?: "grey" | "blue" | "red" | "yellow" | "green" | "pink" | "purple" | "cyan" | "orange";
}

/** RPCSessionsAttachCurrentResult is sessions.attachCurrent's. */
export interface RPCSessionsAttachCurrentResult {
  attached?: boolean;
  session: RPCSession;
  attachedTabId?: number;
}

/** RPCSessionsCloseResult is sessions.close's. */
export interface RPCSessionsCloseResult {
  closed?: boolean;
  sessionId?: string;
  closedTabIds?: number[];
}

/** RPCSessionsCreate makes a session: one tab group. */
export interface RPCSessionsCreate {
  /** An address to open in it. Default about:blank. */
  url?: string;
  title?: string;
  /** The tab group's colour. */
  color?: "grey" | "blue" | "red" | "yellow" | "green" | "pink" | "purple" | "cyan" | "orange";
  /** Out of the user's sight: in the agent window. Default true. */
  background?: boolean;
}

/** RPCSessionsCreateResult is sessions.create's. */
export interface RPCSessionsCreateResult {
  created?: boolean;
  session: RPCSession;
}

/** RPCSessionsListResult is sessions.list's. */
export interface RPCSessionsListResult {
  sessions: RPCSession[];
}

/** RPCSessionsReleaseResult is sessions.release's. */
export interface RPCSessionsReleaseResult {
  released?: boolean;
  sessionId?: string;
}

/** RPCSessionsRename gives a session another title. */
export interface RPCSessionsRename {
  sessionId: string;
  title: string;
}

/** RPCSessionsRenameResult is sessions.rename's. */
export interface RPCSessionsRenameResult {
  renamed?: boolean;
  session: RPCSession;
}

/** RPCTab is a tab. */
export interface RPCTab {
  tabId: number;
  windowId?: number;
  groupId?: number;
  url?: string;
  title?: string;
  /** Its window shows it. */
  active?: boolean;
}

/** RPCTabOfSession names a tab and the session that it belongs to, or shall. */
export interface RPCTabOfSession {
  sessionId: string;
  tabId: number;
}

/** RPCTabsActivateResult is tabs.activate's. */
export interface RPCTabsActivateResult {
  activated?: boolean;
  sessionId?: string;
  tab: RPCTab;
}

/** RPCTabsActiveResult is tabs.active's. */
export interface RPCTabsActiveResult {
  sessionId?: string;
  tab: RPCTab;
}

/** RPCTabsAttachResult is tabs.attach's. */
export interface RPCTabsAttachResult {
  attached?: boolean;
  sessionId?: string;
  tab: RPCTab;
  /** The session that it was taken from. */
  releasedFrom?: string;
}

/** RPCTabsCloseResult is tabs.close's. */
export interface RPCTabsCloseResult {
  closed?: boolean;
  sessionId?: string;
  closedTabId?: number;
  /** It was the session's last. */
  sessionClosed?: boolean;
}

/** RPCTabsListResult is tabs.list's. */
export interface RPCTabsListResult {
  sessionId?: string;
  tabs: RPCTab[];
}

/** RPCTabsOpen opens a tab in a session. */
export interface RPCTabsOpen {
  sessionId: string;
  url: string;
  /** Show it in its window. Default false. */
  active?: boolean;
}

/** RPCTabsOpenResult is tabs.open's. */
export interface RPCTabsOpenResult {
  opened?: boolean;
  sessionId?: string;
  tab: RPCTab;
}

/** RPCTabsSearch looks for tabs by title and address. */
export interface RPCTabsSearch {
  /** A part of the title or address, in any case. */
  query?: string;
  /** Only those that their window shows. */
  activeOnly?: boolean;
  /** At most this many. */
  limit?: number;
}

/** RPCTabsSearchResult is tabs.search's. */
export interface RPCTabsSearchResult {
  query?: string;
  scanned?: number;
  total?: number;
  matches: RPCTab[];
  truncated?: boolean;
}

/** RPCTabsUserListResult is tabs.userList's. */
export interface RPCTabsUserListResult {
  tabs: RPCTab[];
}

/** Ref is one entry of a snapshot's refs. */
export interface Ref {
  ref: string;
  role: string;
  name?: string;
  /** Which of those of the same role and name, from 0, where there are several. */
  nth?: number;
}

/** Reject refuses a hello (server to extension) and is terminal. */
export interface Reject {
  type: "reject";
  requiredMinProtocolVersion: number;
  error: Error;
}

/** RenameBrowserRequest is the body of PUT /v1/browsers/{browser}/name. */
export interface RenameBrowserRequest {
  /** The new name, which no other browser of the user may have. Empty gives it back the one that it says of itself. */
  name: string;
}

/** Renewal is an element that the page drew anew. */
export interface Renewal {
  /** The uid of the one that is gone. */
  was: string;
  /** The uid of the one in its place. */
  now: string;
}

/** Request asks for an action (server to extension). */
export interface Request {
  type: "request";
  /** A UUIDv4 made by the server. */
  id: string;
  action: Action;
  /** How long the caller waits, in milliseconds, queueing included. */
  timeoutMs?: number;
  /** The agent on whose behalf. */
  agentId?: string;
  /** Names the call across reconnects. */
  callKey?: string;
  /** The call was sent over another connection this many milliseconds ago: answer with what came of it, and do not begin it. Only with callKey, and only to a peer that knows request.recall. */
  recallMs?: number;
}

/** Response answers a request (extension to server): exactly one of result and error. */
export interface Response {
  type: "response";
  id: string;
  /** The result of the request's action. */
  result?: unknown;
  error?: Error;
}

/** Rules is the server's policy for a browser. */
export interface Rules {
  /** Registrable domains, hosts or IP addresses that no action may touch. */
  blocklist: string[];
}

/** Screenshot takes a picture of the viewport, the page or an element. */
export interface Screenshot {
  type: "screenshot";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid. */
  uid?: string;
  /** A CSS selector. */
  selector?: string;
  /** The whole page, not only the viewport. Default false. */
  fullPage?: boolean;
  /** Default png. */
  format?: "png" | "jpeg" | "webp";
  /** Of jpeg and webp, in percent. Default 80. */
  quality?: number;
  /** How long the picture's longer side is at most, in its own pixels: what is larger is scaled down. Default 1568. */
  longEdge?: number;
}

/** ScreenshotResult is screenshot's. */
export interface ScreenshotResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  /** The picture, base64. */
  data: string;
  mimeType: string;
  /** Of the picture, in its own pixels. */
  width: number;
  /** Of the picture, in its own pixels. */
  height: number;
  /** Picture pixels for one CSS pixel. Absent: 1. */
  scale?: number;
}

/** Scroll scrolls the page, or the container that scrolls the target. */
export interface Scroll {
  type: "scroll";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid. */
  uid?: string;
  /** A CSS selector. */
  selector?: string;
  /** Which way. Exactly one of direction and to. */
  direction?: "up" | "down" | "left" | "right";
  /** How far, in CSS pixels. Default: most of what is visible. */
  pixels?: number;
  /** Scroll to an end, or until the target is in view. Exactly one of direction and to. */
  to?: "top" | "bottom" | "element";
}

/** ScrollResult is scroll's. */
export interface ScrollResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  /** How far the container is scrolled to the right, in CSS pixels. */
  x: number;
  /** How far it is scrolled down, in CSS pixels. */
  y: number;
  /** It cannot be scrolled further that way. */
  atEnd: boolean;
  /** It has more content than before: scrolling made it load more. */
  grew?: boolean;
}

/** SecretInfo is what is told of a secret: everything but its value. */
export interface SecretInfo {
  /** What agents call it. */
  name: string;
  /** Where alone it may be typed. */
  origins: string[];
  /** When it was last set, epoch milliseconds. */
  changedAt: number;
}

/** SecretsResponse is the answer of GET /v1/secrets. */
export interface SecretsResponse {
  secrets: SecretInfo[];
}

/** Select chooses options of a select, combobox or listbox. */
export interface Select {
  type: "select";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
  /** Each by value or by visible label, exactly. All of them are chosen and no others. */
  values: string[];
}

/** SelectResult is select's. */
export interface SelectResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  /** The labels that are now selected. */
  selected: string[];
}

/** Session makes, lists, renames and ends the caller's groups of tabs. */
export interface Session {
  type: "session";
  /** attachCurrent takes the user's active tab; release leaves the tabs to the user. */
  op: "create" | "attachCurrent" | "list" | "rename" | "release" | "close";
  /** Which. Absent: the only one; for release, all that the caller has, tabs in no session too. */
  sessionId?: string;
  /** Its title. */
  title?: string;
  /** The tab group's colour. */
  color?: "grey" | "blue" | "red" | "yellow" | "green" | "pink" | "purple" | "cyan" | "orange";
  /** Absolute address. For create. */
  url?: string;
  /** Show its tabs in the user's window. Only when the user asked to see it. Default false. */
  foreground?: boolean;
}

/** SessionEnded says that there are no more actions on a tab until the next first one. */
export interface SessionEnded {
  type: "session_ended";
  tabId: number;
  domain: string;
  reason: "tab_closed" | "system_idle" | "screen_locked" | "detached" | "user_stopped" | "domain_blocked" | "global_stop";
  actionCount: number;
  /** Epoch milliseconds. */
  endedAt: number;
}

/** SessionInfo describes a session: a group of tabs with one owner. */
export interface SessionInfo {
  sessionId: string;
  title?: string;
  color?: string;
  /** Its current tab: the one last opened, attached or activated in it, whatever tab Chrome shows. */
  activeTabId?: number;
  tabs: TabInfo[];
}

/** SessionResult is session's. */
export interface SessionResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  ok: boolean;
  /** The sessions that the operation is about; all of the caller's for list. */
  sessions?: SessionInfo[];
  /** Tabs that were closed. */
  closedTabIds?: number[];
}

/** SessionStarted says that an agent first acted on a tab. */
export interface SessionStarted {
  type: "session_started";
  tabId: number;
  domain: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** SessionsResponse is the answer of GET /v1/sessions. */
export interface SessionsResponse {
  sessions: AgentSession[];
}

/** SetSecretRequest is the body of PUT /v1/secrets/{name}. */
export interface SetSecretRequest {
  /** What is typed. */
  value: string;
  /** The only origins on which it may be typed, such as https://example.com; of an address, its origin. */
  origins: string[];
}

/** Snapshot returns the page's accessibility tree as indented text, with a ref on what can be acted on. */
export interface Snapshot {
  type: "snapshot";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** Only what can be acted on, and what holds it. Default false. */
  interactive?: boolean;
  /** Drop empty structure. Default false. */
  compact?: boolean;
  /** How deep the tree goes at most. Default: all of it. */
  depth?: number;
  /** Only the subtree of the first match of this CSS selector. */
  selector?: string;
  /** Add the addresses of links. Default false. */
  urls?: boolean;
  /** Add what is clickable only by its cursor style. Default false. */
  cursor?: boolean;
  /** Only what changed since that snapshot: its id. */
  since?: string;
  /** At most this many bytes of text. Default: all of it. */
  maxBytes?: number;
  /** Where to go on: next of an earlier result. */
  from?: string;
}

/** SnapshotResult is snapshot's. */
export interface SnapshotResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tree as indented text. */
  snapshot: string;
  /** What the refs in it stand for. */
  refs: Record<string, Ref>;
  /** The origin of the page. */
  origin: string;
  viewport: Viewport;
  /** How many elements the whole page has that can be acted on. */
  elements: number;
  url?: string;
  title?: string;
  /** Names this snapshot, for since. */
  id?: string;
  /** Where to go on: the next call's from. */
  next?: string;
  /** How many pieces were left out because no person can see them. */
  hiddenDropped?: number;
}

/** State tells the server what the extension holds (right after ack). */
export interface State {
  type: "state";
  /** Tabs at work. */
  tabs: TabRecord[];
  /** Stop all is in force. */
  stopped?: boolean;
  /** Calls that ran while the link was down. */
  calls?: LedgerEntry[];
}

/** TabInfo describes a tab. */
export interface TabInfo {
  tabId: number;
  url: string;
  title: string;
  /** It is the one that its window shows. */
  active?: boolean;
  /** Whose it is: agent (the caller's), other_agent or user. */
  owner: "agent" | "other_agent" | "user";
  /** The session that it belongs to. */
  sessionId?: string;
}

/** TabOpened says that a page of the agent's opened another tab. */
export interface TabOpened {
  type: "tab_opened";
  tabId: number;
  openerTabId: number;
  url: string;
}

/** TabRecord is the extension's bookkeeping of one tab at work. */
export interface TabRecord {
  tabId: number;
  /** Registrable domain of the tab's address. */
  domain: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds. */
  lastActionAt: number;
  actionCount: number;
  /** The agent that works there. */
  agentId?: string;
  /** The tab lives in the agent window; otherwise it is the user's, borrowed. */
  agentTab?: boolean;
  url?: string;
  title?: string;
}

/** Target names one element: exactly one of uid and selector. */
export interface Target {
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
}

/** TokenInfo is what is known of a token: everything but the token itself. */
export interface TokenInfo {
  /** Names it without giving it away. */
  id: string;
  /** For people, to know which one to revoke. */
  name?: string;
  /** What it is good for. */
  scopes: ("agent" | "browser" | "admin")[];
  /** The one browser that it belongs to. */
  browserId?: string;
  /** When it was made and when it ended, epoch milliseconds. */
  createdAt: number;
  revokedAt?: number;
  /** When its browser last came or went, epoch milliseconds; of a browser's token only. */
  seenAt?: number;
}

/** TokensResponse is the answer of GET /v1/tokens. */
export interface TokensResponse {
  tokens: TokenInfo[];
}

/** Type types text into an element, as the user would, and reads the value back. */
export interface Type {
  type: "type";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
  /** The text. Exactly one of text and secret. */
  text?: string;
  /** The name of a secret in the server's store, typed in place of text, on the secret's own origins only. */
  secret?: string;
  /** Enter the text only in a document of one of these origins, and tell nothing of what the field holds. */
  onlyOn?: string[];
  /** Empty the control first. Default false: the text is added at the end. */
  clear?: boolean;
  /** Press Enter afterwards. Default false. */
  submit?: boolean;
}

/** TypeResult is type's. */
export interface TypeResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  /** The value read back; absent for password fields. */
  value?: string;
}

/** Upload gives files to a file input or drop zone: bytes, never a path. */
export interface Upload {
  type: "upload";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid as a snapshot, extract, find or an earlier result told it. */
  uid?: string;
  /** A CSS selector, for what has no uid. The first match in document order, open and closed shadow roots included. */
  selector?: string;
  /** The files, all of them at once. */
  files: File[];
}

/** UploadResult is upload's. */
export interface UploadResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  files: UploadedFile[];
}

/** UploadedFile is a file as the page has it. */
export interface UploadedFile {
  name: string;
  /** In bytes. */
  size: number;
}

/** Viewport is what of the page is in view. */
export interface Viewport {
  /** In CSS pixels. */
  width: number;
  /** In CSS pixels. */
  height: number;
  /** How far the page is scrolled, in CSS pixels. */
  scrollX?: number;
  /** How far the page is scrolled, in CSS pixels. */
  scrollY?: number;
}

/** WaitFor waits until something is so: exactly one of target, text, textGone, url, load and ms. */
export interface WaitFor {
  type: "wait_for";
  /** The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab. */
  tabId?: number;
  /** The element's uid. */
  uid?: string;
  /** A CSS selector. */
  selector?: string;
  /** What to wait for of the target. Default visible. */
  state?: "visible" | "hidden" | "attached" | "detached";
  /** Text that the page shows. */
  text?: string;
  /** Text that the page no longer shows. */
  textGone?: string;
  /** The address: a part of it, or a pattern with * for any run of characters. */
  url?: string;
  /** A state of loading. networkidle: 500 ms without requests. */
  load?: "load" | "domcontentloaded" | "networkidle";
  /** Just this many milliseconds. */
  ms?: number;
  /** How long to wait at most, in milliseconds. Default 30000. */
  timeoutMs?: number;
}

/** WaitForResult is wait_for's. */
export interface WaitForResult {
  /** What the agent should know of what happened on the way, one sentence each. */
  notes?: string[];
  /** The tab's new address. */
  url?: string;
  /** The tab's new title. */
  title?: string;
  /** The dialog that opened. */
  dialog?: DialogInfo;
  /** The tab that opened. */
  tabOpened?: TabInfo;
  /** The download that began. */
  download?: DownloadInfo;
  /** The element that now has the focus. */
  focus?: Element;
  /** Interactive elements that appeared. */
  appeared?: Element[];
  /** Interactive elements that changed name, value or state. */
  altered?: Element[];
  /** The uids of interactive elements that are gone. */
  gone?: string[];
  /** Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them. */
  renewed?: Renewal[];
  /** More changed than the budget let through. */
  partial?: boolean;
  /** The page had not come to rest when the result left. */
  stillLoading?: boolean;
  ok: boolean;
  /** How long it took, in milliseconds. */
  waitedMs: number;
}

/** Action is one thing that a browser can be asked to do. */
export type Action =
  | OpenTab
  | Navigate
  | CloseTab
  | ActivateTab
  | ListTabs
  | AttachTab
  | Click
  | Hover
  | Type
  | Fill
  | Download
  | Select
  | Press
  | Scroll
  | Mouse
  | Drag
  | Upload
  | WaitFor
  | Extract
  | Snapshot
  | Find
  | Get
  | Evaluate
  | Screenshot
  | PDF
  | Dialog
  | Console
  | Network
  | Handoff
  | Session
  ;

/** Event is what a browser tells unasked. */
export type Event =
  | SessionStarted
  | SessionEnded
  | DomainBlocked
  | GlobalStop
  | ObstacleMet
  | HandoffDone
  | DialogOpened
  | DownloadChanged
  | TabOpened
  ;

/** Frame is one text frame of the bridge dialect. */
export type Frame =
  | Hello
  | Ack
  | Reject
  | State
  | Request
  | Response
  | EventFrame
  | Ping
  | Pong
  | Cancel
  | Policy
  | Chunk
  ;

/** ActionMap gives each action's parameters and result by its type. */
export interface ActionMap {
  open_tab: {params: OpenTab; result: OpenTabResult};
  navigate: {params: Navigate; result: NavigateResult};
  close_tab: {params: CloseTab; result: CloseTabResult};
  activate_tab: {params: ActivateTab; result: ActivateTabResult};
  list_tabs: {params: ListTabs; result: ListTabsResult};
  attach_tab: {params: AttachTab; result: AttachTabResult};
  click: {params: Click; result: ClickResult};
  hover: {params: Hover; result: HoverResult};
  type: {params: Type; result: TypeResult};
  fill: {params: Fill; result: FillResult};
  download: {params: Download; result: DownloadResult};
  select: {params: Select; result: SelectResult};
  press: {params: Press; result: PressResult};
  scroll: {params: Scroll; result: ScrollResult};
  mouse: {params: Mouse; result: MouseResult};
  drag: {params: Drag; result: DragResult};
  upload: {params: Upload; result: UploadResult};
  wait_for: {params: WaitFor; result: WaitForResult};
  extract: {params: Extract; result: ExtractResult};
  snapshot: {params: Snapshot; result: SnapshotResult};
  find: {params: Find; result: FindResult};
  get: {params: Get; result: GetResult};
  evaluate: {params: Evaluate; result: EvaluateResult};
  screenshot: {params: Screenshot; result: ScreenshotResult};
  pdf: {params: PDF; result: PDFResult};
  dialog: {params: Dialog; result: DialogResult};
  console: {params: Console; result: ConsoleResult};
  network: {params: Network; result: NetworkResult};
  handoff: {params: Handoff; result: HandoffResult};
  session: {params: Session; result: SessionResult};
}

/** ActionType is an action's tag. */
export type ActionType = keyof ActionMap;

/** ErrorCode names what went wrong. */
export type ErrorCode =
  | "domain_blocked"
  | "stopped"
  | "not_owner"
  | "foreign_extension"
  | "session_not_found"
  | "tab_not_found"
  | "element_not_found"
  | "element_stale"
  | "element_blocked"
  | "invalid_action"
  | "dialog_open"
  | "timeout"
  | "navigation_failed"
  | "unsupported"
  | "not_connected"
  | "cancelled"
  | "internal"
  | "unauthorized"
  | "protocol_mismatch"
  | "name_in_use"
  ;

/** Outcome says whether what was asked for reached the page. */
export type Outcome = "not_sent" | "done" | "unknown";

/** Retryable says how the same call may be made again. */
export type Retryable = "same" | "after_refresh" | "no";

/** EndReason says why a session on a tab ended. */
export type EndReason = "tab_closed" | "system_idle" | "screen_locked" | "detached" | "user_stopped" | "domain_blocked" | "global_stop";

/** MethodInfo is one row of the method table: how an action is run. */
export interface MethodInfo {
  /** How long a caller waits that says nothing else, in milliseconds. */
  readonly timeoutMs: number;
  /** It acts on a tab's page, in the tab's queue and session. */
  readonly onPage: boolean;
  /** It never waits in a tab's queue. */
  readonly bypass: boolean;
  /** It leaves the page as it was. */
  readonly reads: boolean;
}

/** methods is the method table. */
export const methods: Readonly<Record<ActionType, MethodInfo>> = {
  open_tab: {timeoutMs: 30000, onPage: false, bypass: false, reads: false},
  navigate: {timeoutMs: 30000, onPage: true, bypass: false, reads: false},
  close_tab: {timeoutMs: 5000, onPage: false, bypass: false, reads: false},
  activate_tab: {timeoutMs: 5000, onPage: false, bypass: false, reads: false},
  list_tabs: {timeoutMs: 5000, onPage: false, bypass: false, reads: true},
  attach_tab: {timeoutMs: 5000, onPage: false, bypass: false, reads: false},
  click: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  hover: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  type: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  fill: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  download: {timeoutMs: 60000, onPage: false, bypass: false, reads: true},
  select: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  press: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  scroll: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  mouse: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  drag: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  upload: {timeoutMs: 60000, onPage: true, bypass: false, reads: false},
  wait_for: {timeoutMs: 30000, onPage: true, bypass: false, reads: true},
  extract: {timeoutMs: 30000, onPage: true, bypass: false, reads: true},
  snapshot: {timeoutMs: 30000, onPage: true, bypass: false, reads: true},
  find: {timeoutMs: 15000, onPage: true, bypass: false, reads: true},
  get: {timeoutMs: 15000, onPage: true, bypass: false, reads: true},
  evaluate: {timeoutMs: 15000, onPage: true, bypass: false, reads: false},
  screenshot: {timeoutMs: 30000, onPage: true, bypass: false, reads: true},
  pdf: {timeoutMs: 60000, onPage: true, bypass: false, reads: true},
  dialog: {timeoutMs: 5000, onPage: true, bypass: true, reads: false},
  console: {timeoutMs: 15000, onPage: true, bypass: false, reads: true},
  network: {timeoutMs: 15000, onPage: true, bypass: false, reads: true},
  handoff: {timeoutMs: 50000, onPage: true, bypass: true, reads: false},
  session: {timeoutMs: 5000, onPage: false, bypass: false, reads: false},
};

/** errorInfo is the table of error codes: the advice to an agent, and how it may be tried again. */
export const errorInfo: Readonly<Record<ErrorCode, {readonly advice: string; readonly retryable: Retryable}>> = {
  domain_blocked: {advice: "Terminal: tell the user; no other tab and no other action.", retryable: "no"},
  stopped: {advice: "Terminal: the user pressed stop; only the user resumes, in the popup.", retryable: "no"},
  not_owner: {advice: "The tab is another agent's: open your own with open_tab.", retryable: "no"},
  foreign_extension: {advice: "Another extension keeps Drawbridge out of this user's tab: open the page with open_tab.", retryable: "no"},
  session_not_found: {advice: "Several tabs or none: give tabId.", retryable: "no"},
  tab_not_found: {advice: "List the tabs again with list_tabs.", retryable: "no"},
  element_not_found: {advice: "Take a new snapshot or extract and choose another element.", retryable: "after_refresh"},
  element_stale: {advice: "Take a new snapshot or extract before the next interaction.", retryable: "after_refresh"},
  element_blocked: {advice: "Another element covers it, or it is disabled: deal with what the message names.", retryable: "after_refresh"},
  invalid_action: {advice: "Mend the call as the message says: it breaks the schema, asks for what cannot be, or the page's script threw.", retryable: "no"},
  dialog_open: {advice: "Answer the dialog with the dialog action.", retryable: "after_refresh"},
  timeout: {advice: "Use wait_for, then try once more, only if the page is slow.", retryable: "after_refresh"},
  navigation_failed: {advice: "The browser's network error stands in the message: check the address.", retryable: "same"},
  unsupported: {advice: "This browser's dialect or version lacks it: do without, or update the extension.", retryable: "no"},
  not_connected: {advice: "No such browser is connected: start it, or pair it.", retryable: "same"},
  cancelled: {advice: "The caller gave up: look at the page, then call again if it is still wanted.", retryable: "same"},
  internal: {advice: "Look at the page, then try once more; if it comes again, tell the user: it is a fault of Drawbridge.", retryable: "no"},
  unauthorized: {advice: "The token is unknown or lacks the scope: pair again, or use another token.", retryable: "no"},
  protocol_mismatch: {advice: "Update the extension or the server: their protocol versions do not meet.", retryable: "no"},
  name_in_use: {advice: "Another browser has that name: choose another.", retryable: "no"},
};

/** RPCMethodMap gives each method's params and result by its name on the wire. */
export interface RPCMethodMap {
  "sessions.create": {params: RPCSessionsCreate; result: RPCSessionsCreateResult};
  "sessions.attachCurrent": {params: RPCSessionsAttachCurrent; result: RPCSessionsAttachCurrentResult};
  "sessions.list": {params: RPCNothing; result: RPCSessionsListResult};
  "sessions.rename": {params: RPCSessionsRename; result: RPCSessionsRenameResult};
  "sessions.release": {params: RPCInSession; result: RPCSessionsReleaseResult};
  "sessions.close": {params: RPCInSession; result: RPCSessionsCloseResult};
  "tabs.open": {params: RPCTabsOpen; result: RPCTabsOpenResult};
  "tabs.list": {params: RPCInSession; result: RPCTabsListResult};
  "tabs.userList": {params: RPCNothing; result: RPCTabsUserListResult};
  "tabs.search": {params: RPCTabsSearch; result: RPCTabsSearchResult};
  "tabs.attach": {params: RPCTabOfSession; result: RPCTabsAttachResult};
  "tabs.active": {params: RPCInSession; result: RPCTabsActiveResult};
  "tabs.activate": {params: RPCTabOfSession; result: RPCTabsActivateResult};
  "tabs.close": {params: RPCTabOfSession; result: RPCTabsCloseResult};
  "pages.snapshot": {params: RPCPagesSnapshot; result: RPCPagesSnapshotResult};
  "pages.click": {params: RPCPagesRef; result: RPCPagesResult};
  "pages.hover": {params: RPCPagesRef; result: RPCPagesResult};
  "pages.scrollIntoView": {params: RPCPagesRef; result: RPCPagesResult};
  "pages.fill": {params: RPCPagesText; result: RPCPagesResult};
  "pages.type": {params: RPCPagesText; result: RPCPagesResult};
  "pages.select": {params: RPCPagesSelect; result: RPCPagesResult};
  "pages.press": {params: RPCPagesPress; result: RPCPagesResult};
  "pages.scroll": {params: RPCPagesScroll; result: RPCPagesResult};
  "pages.mouse": {params: RPCPagesMouse; result: RPCPagesResult};
  "pages.get": {params: RPCPagesGet; result: RPCPagesGetResult};
  "pages.screenshot": {params: RPCPagesScreenshot; result: RPCPagesScreenshotResult};
  "pages.wait": {params: RPCPagesWait; result: RPCPagesWaitResult};
  "pages.eval": {params: RPCPagesEval; result: RPCPagesEvalResult};
  "pages.upload": {params: RPCPagesUpload; result: RPCPagesResult};
  "pages.savePdf": {params: RPCPagesSavePDF; result: RPCPagesSavePDFResult};
  "network.start": {params: RPCInSession; result: RPCNetworkResult};
  "network.stop": {params: RPCInSession; result: RPCNetworkResult};
  "network.list": {params: RPCInSession; result: RPCNetworkResult};
  "network.detail": {params: RPCNetworkDetail; result: RPCNetworkResult};
}

/** RPCMethodName is a method of the rpc dialect's white list. */
export type RPCMethodName = keyof RPCMethodMap;

/** RPCMethodInfo is one row of the rpc dialect's method table. */
export interface RPCMethodInfo {
  /** Its friendly name. */
  readonly key: string;
  /** The struct that its params must fit: the validator is rpc_ and that name. */
  readonly params: RPCParamsName;
  /** It changes nothing. */
  readonly reads: boolean;
}

/** RPCParamsName is the name of a struct of params. */
export type RPCParamsName =
  | "RPCSessionsCreate"
  | "RPCSessionsAttachCurrent"
  | "RPCNothing"
  | "RPCSessionsRename"
  | "RPCInSession"
  | "RPCTabsOpen"
  | "RPCTabsSearch"
  | "RPCTabOfSession"
  | "RPCPagesSnapshot"
  | "RPCPagesRef"
  | "RPCPagesText"
  | "RPCPagesSelect"
  | "RPCPagesPress"
  | "RPCPagesScroll"
  | "RPCPagesMouse"
  | "RPCPagesGet"
  | "RPCPagesScreenshot"
  | "RPCPagesWait"
  | "RPCPagesEval"
  | "RPCPagesUpload"
  | "RPCPagesSavePDF"
  | "RPCNetworkDetail"
  ;

/** rpcMethods is the rpc dialect's white list. */
export const rpcMethods: Readonly<Record<RPCMethodName, RPCMethodInfo>> = {
  "sessions.create": {key: "session_create", params: "RPCSessionsCreate", reads: false},
  "sessions.attachCurrent": {key: "session_attach_current", params: "RPCSessionsAttachCurrent", reads: false},
  "sessions.list": {key: "session_list", params: "RPCNothing", reads: true},
  "sessions.rename": {key: "session_rename", params: "RPCSessionsRename", reads: false},
  "sessions.release": {key: "session_release", params: "RPCInSession", reads: false},
  "sessions.close": {key: "session_close", params: "RPCInSession", reads: false},
  "tabs.open": {key: "tab_open", params: "RPCTabsOpen", reads: false},
  "tabs.list": {key: "tab_list", params: "RPCInSession", reads: true},
  "tabs.userList": {key: "tab_user_list", params: "RPCNothing", reads: true},
  "tabs.search": {key: "tab_search", params: "RPCTabsSearch", reads: true},
  "tabs.attach": {key: "tab_attach", params: "RPCTabOfSession", reads: false},
  "tabs.active": {key: "tab_active", params: "RPCInSession", reads: true},
  "tabs.activate": {key: "tab_activate", params: "RPCTabOfSession", reads: false},
  "tabs.close": {key: "tab_close", params: "RPCTabOfSession", reads: false},
  "pages.snapshot": {key: "page_snapshot", params: "RPCPagesSnapshot", reads: true},
  "pages.click": {key: "page_click", params: "RPCPagesRef", reads: false},
  "pages.hover": {key: "page_hover", params: "RPCPagesRef", reads: false},
  "pages.scrollIntoView": {key: "page_scroll_into_view", params: "RPCPagesRef", reads: false},
  "pages.fill": {key: "page_fill", params: "RPCPagesText", reads: false},
  "pages.type": {key: "page_type", params: "RPCPagesText", reads: false},
  "pages.select": {key: "page_select", params: "RPCPagesSelect", reads: false},
  "pages.press": {key: "page_press", params: "RPCPagesPress", reads: false},
  "pages.scroll": {key: "page_scroll", params: "RPCPagesScroll", reads: false},
  "pages.mouse": {key: "page_mouse", params: "RPCPagesMouse", reads: false},
  "pages.get": {key: "page_get", params: "RPCPagesGet", reads: true},
  "pages.screenshot": {key: "page_screenshot", params: "RPCPagesScreenshot", reads: true},
  "pages.wait": {key: "page_wait", params: "RPCPagesWait", reads: true},
  "pages.eval": {key: "page_eval", params: "RPCPagesEval", reads: false},
  "pages.upload": {key: "page_upload", params: "RPCPagesUpload", reads: false},
  "pages.savePdf": {key: "page_save_pdf", params: "RPCPagesSavePDF", reads: true},
  "network.start": {key: "network_start", params: "RPCInSession", reads: false},
  "network.stop": {key: "network_stop", params: "RPCInSession", reads: false},
  "network.list": {key: "network_list", params: "RPCInSession", reads: true},
  "network.detail": {key: "network_detail", params: "RPCNetworkDetail", reads: true},
};

/** rpcCodes are the rpc dialect's error codes by their names. */
export const rpcCodes = {
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  unauthorized: 4001,
  extension_not_connected: 4101,
  operation_failed: 4102,
  session_required: 4103,
  tab_not_found: 4104,
  tab_claimed: 4105,
  tab_group_failed: 4106,
  session_not_found: 4107,
  tab_not_in_session: 4108,
  page_ref_not_found: 4109,
  page_operation_failed: 4110,
} as const;

/** features lists what this version has beyond plain version 4, for hello's caps. */
export const features: readonly string[] = [
  "frame.state",
  "frame.ping",
  "frame.cancel",
  "frame.policy",
  "frame.chunk",
  "request.context",
  "request.recall",
  "action.onlyOn",
  "action.credentials",
  "action.onDisk",
  "error.outcome",
  "event.extended",
  "ack.extended",
  "ack.proof",
  "ack.browserId",
];

/** limits are the wire's limits, the same on both sides: bytes, milliseconds, counts and close codes. */
export const limits = {
  protocolVersion: 4,
  rpcVersion: 1,
  minProtocolVersion: 4,
  heartbeatMs: 20000,
  pongTimeoutMs: 10000,
  handshakeTimeoutMs: 10000,
  handshakeBytes: 16384,
  chunkThreshold: 1048576,
  chunkBytes: 262144,
  answerBytes: 67108864,
  maxTimeoutMs: 600000,
  timeoutSlackMs: 5000,
  ledgerCalls: 200,
  maxDepth: 512,
  maxInvalidFrames: 20,
  textBytes: 51200,
  markdownBytes: 30720,
  maxElements: 200,
  evaluateBytes: 8192,
  closeUnauthorized: 4001,
  closeVersion: 4002,
  closeSilent: 4008,
  closeReplaced: 4009,
  closeInvalidFrames: 4010,
  closeGoingAway: 4011,
} as const;
