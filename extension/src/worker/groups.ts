/**
 * Sessions as a person sees them: sets of tabs with one owner, each shown as a tab group of Chrome's. This class is
 * the truth about which tab belongs to which session, and Chrome's groups follow it: a tab that the user takes out
 * of its group leaves the session, while one that comes into a group by Chrome's or the user's hand is nobody's but
 * theirs. A group of Chrome's cannot span windows: where a session has tabs in several it has one in each.
 */

import type {Session} from '../protocol.gen';
import {ActionError, messageOf} from './errors';
import {type Kept, type Member, keptOf} from './groupstore';
import {warn} from './log';
import {perRun} from './run';
import type {Store} from './storage';

/** Color is one of the colours that Chrome has for tab groups. */
export type Color = NonNullable<Session['color']>;

/** GroupSession is one session as it is now. */
export interface GroupSession {
  sessionId: string;
  agentId: string;
  title?: string;
  color?: Color;
  /** If true, its tabs open in the window that the user uses. */
  foreground: boolean;
  /** Its tabs, in the order in which they joined; never empty but while the first one opens. */
  tabIds: number[];
  /** The tab that was last opened, attached or activated in it. */
  activeTabId?: number;
}

/** What a session is made with. */
export interface NewSession {
  title?: string;
  color?: Color;
  foreground?: boolean;
}

const prefix = 'session.';
const untitled = 'Agent';

/** IsRpcAgent tells whether an owner stands for a session of an rpc server, which names no agents. */
export function isRpcAgent(agentId: string): boolean {
  return agentId.startsWith(rpcAgentPrefix);
}

/** RpcAgentPrefix begins the names of owners that stand for a session of an rpc server. */
export const rpcAgentPrefix = 'rpc:';

/** Groups holds the sessions, stores them and keeps Chrome's tab groups like them. */
export class Groups {
  readonly #store: Store;
  readonly #sessions = new Map<string, Kept>();
  // What asks Chrome to group runs one after the other, so that no two make a group for one session.
  #last: Promise<unknown> = Promise.resolve();
  #clock = 0;
  #taken: (tabId: number) => void = () => undefined;

  /** @param store survives the worker and the extension's reload, not the browser. */
  constructor(store: Store) {
    this.#store = store;
  }

  /** OnTaken sets who is told of a tab that the user took out of its group. */
  onTaken(listener: (tabId: number) => void): void {
    this.#taken = listener;
  }

  /** Load brings back what an earlier worker knew, less the tabs that are gone. Call it once, before anything else. */
  async load(open: ReadonlySet<number>): Promise<void> {
    for (const [key, value] of Object.entries(await this.#store.all())) {
      const kept = key.startsWith(prefix) ? keptOf(value) : undefined;
      if (!kept) continue;
      this.#sessions.set(kept.sessionId, kept);
      this.#clock = Math.max(this.#clock, kept.usedAt, ...kept.members.map(({currentAt}) => currentAt));
    }
    for (const {members} of [...this.#sessions.values()]) {
      for (const {tabId} of [...members]) if (!open.has(tabId)) this.forget(tabId);
    }
  }

  /** List is a copy of the sessions of those agents, the one used last first. */
  list(whose: (agentId: string) => boolean): GroupSession[] {
    return [...this.#sessions.values()]
      .filter(({agentId}) => whose(agentId))
      .sort((a, b) => b.usedAt - a.usedAt)
      .map(viewOf);
  }

  /** Get is a session by its id; undefined when there is none (any more). */
  get(sessionId: string): GroupSession | undefined {
    const kept = this.#sessions.get(sessionId);
    return kept && viewOf(kept);
  }

  /** Of is the session that a tab belongs to, or undefined. */
  of(tabId: number): GroupSession | undefined {
    const kept = this.#keptOf(tabId);
    return kept && viewOf(kept);
  }

  /** Current is the session that an agent used last, or undefined. */
  current(agentId: string): GroupSession | undefined {
    return this.list((id) => id === agentId)[0];
  }

  /** Create makes a session without tabs; it lasts from its first tab to its last, or until `drop`. */
  create(agentId: string, made: NewSession): GroupSession {
    const {title, color, foreground = false} = made;
    const kept: Kept = {
      sessionId: crypto.randomUUID(),
      agentId,
      ...(title === undefined ? {} : {title}),
      ...(color === undefined ? {} : {color}),
      foreground,
      usedAt: this.#tick(),
      groupIds: [],
      members: [],
    };
    this.#sessions.set(kept.sessionId, kept);
    return viewOf(kept);
  }

  /** Drop forgets a session whose first tab never came. */
  drop(sessionId: string): void {
    const kept = this.#sessions.get(sessionId);
    if (kept?.members.length === 0) this.#end(kept);
  }

  /**
   * Join makes a tab a member, out of any other session, and puts it into the session's group in its window.
   *
   * @param current if true, the tab becomes the session's current one.
   * @throws {@link ActionError} `invalid_action`, step `group`, when Chrome does not group the tab: then it is no member.
   */
  async join(sessionId: string, tabId: number, current: boolean): Promise<void> {
    await this.#serial(async () => {
      const kept = this.#sessions.get(sessionId);
      if (!kept) return;
      const tab = await chrome.tabs.get(tabId);
      let member = kept.members.find((one) => one.tabId === tabId);
      if (!member) {
        // Where it stood before is given back on release; out of another session's group that is no group.
        const other = this.#keptOf(tabId);
        member = other?.members.find((one) => one.tabId === tabId) ?? placeOf(tab);
        member = {...member, currentAt: 0};
        await this.#group(kept, tab, member);
        if (other) this.#remove(other, tabId);
        kept.members.push(member);
      }
      if (current) this.#makeCurrent(kept, member);
      this.#save(kept);
    });
  }

  /** Activate makes a tab its session's current one; nothing happens to a tab of no session. */
  activate(tabId: number): void {
    const kept = this.#keptOf(tabId);
    const member = kept?.members.find((one) => one.tabId === tabId);
    if (!kept || !member) return;
    this.#makeCurrent(kept, member);
    this.#save(kept);
  }

  /** Rename gives a session another title, in Chrome too. */
  async rename(sessionId: string, title: string): Promise<void> {
    const kept = this.#sessions.get(sessionId);
    if (!kept) return;
    kept.title = title;
    kept.usedAt = this.#tick();
    this.#save(kept);
    await this.#serial(() =>
      Promise.all(kept.groupIds.map((id) => chrome.tabGroups.update(id, {title}).catch(() => undefined))),
    );
  }

  /** Release ends a session and puts its tabs where they were before they joined; they stay open. */
  async release(sessionId: string): Promise<void> {
    const kept = this.#sessions.get(sessionId);
    if (!kept) return;
    this.#end(kept);
    await this.#serial(() => Promise.all(kept.members.map((member) => putBack(member))));
  }

  /** Forget is told of a tab that is gone; a session ends with its last one. */
  forget(tabId: number): void {
    const kept = this.#keptOf(tabId);
    if (kept) this.#remove(kept, tabId);
  }

  /** Replaced follows a tab whose id Chrome changed. */
  replaced(added: number, removed: number): void {
    const kept = this.#keptOf(removed);
    const member = kept?.members.find(({tabId}) => tabId === removed);
    if (!kept || !member) return;
    member.tabId = added;
    this.#save(kept);
  }

  /** Regrouped is told that a tab stands in another group than before, by whoever's hand. */
  async regrouped(tabId: number): Promise<void> {
    if (!this.#keptOf(tabId)) return;
    await this.#serial(async () => {
      const kept = this.#keptOf(tabId);
      const member = kept?.members.find((one) => one.tabId === tabId);
      const tab = await chrome.tabs.get(tabId).catch(() => undefined);
      // After our own doing all is as it should be: only the user's hand leads elsewhere.
      if (!kept || !member?.grouped || !tab || kept.groupIds.includes(tab.groupId)) return;
      this.#remove(kept, tabId);
      this.#taken(tabId);
    });
  }

  #keptOf(tabId: number): Kept | undefined {
    return [...this.#sessions.values()].find(({members}) => members.some((member) => member.tabId === tabId));
  }

  #makeCurrent(kept: Kept, member: Member): void {
    member.currentAt = this.#tick();
    kept.usedAt = member.currentAt;
  }

  async #group(kept: Kept, tab: chrome.tabs.Tab, member: Member): Promise<void> {
    const {windowId} = tab;
    const window = await chrome.windows.get(windowId);
    // Windows of other types have no groups; a tab there is a member all the same.
    member.grouped = window.type === 'normal';
    if (!member.grouped) return;
    try {
      const here = await chrome.tabGroups.query({windowId});
      const own = here.find(({id}) => kept.groupIds.includes(id));
      if (own) {
        await chrome.tabs.group({tabIds: [member.tabId], groupId: own.id});
        return;
      }
      const made = await chrome.tabs.group({tabIds: [member.tabId], createProperties: {windowId}});
      kept.groupIds.push(made);
      const {title = untitled, color} = kept;
      const {color: shown} = (await chrome.tabGroups.update(made, {title, ...(color ? {color} : {})})) ?? {};
      // Chrome chose it: a second group of this session looks the same.
      if (shown !== undefined) kept.color ??= shown;
    } catch (thrown) {
      throw new ActionError(
        'invalid_action',
        `tab ${member.tabId} cannot be put into the session's tab group: ${messageOf(thrown)}; try again`,
        {step: 'group', outcome: 'not_sent', retryable: 'same', cause: thrown},
      );
    }
  }

  #remove(kept: Kept, tabId: number): void {
    kept.members = kept.members.filter((member) => member.tabId !== tabId);
    if (kept.members.length === 0) this.#end(kept);
    else this.#save(kept);
  }

  #end(kept: Kept): void {
    this.#sessions.delete(kept.sessionId);
    void this.#store.remove([prefix + kept.sessionId]);
  }

  #save(kept: Kept): void {
    if (this.#sessions.has(kept.sessionId)) void this.#store.set({[prefix + kept.sessionId]: structuredClone(kept)});
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  #serial<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job, job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function viewOf({sessionId, agentId, title, color, foreground, members}: Kept): GroupSession {
  const last = members.reduce<Member | undefined>((a, b) => (a && a.currentAt >= b.currentAt ? a : b), undefined);
  return {
    sessionId,
    agentId,
    ...(title === undefined ? {} : {title}),
    ...(color === undefined ? {} : {color}),
    foreground,
    tabIds: members.map(({tabId}) => tabId),
    ...(last === undefined ? {} : {activeTabId: last.tabId}),
  };
}

function placeOf({id, groupId, pinned}: chrome.tabs.Tab): Member {
  return {
    tabId: id ?? chrome.tabs.TAB_ID_NONE,
    currentAt: 0,
    grouped: false,
    // Grouping takes a tab out of the user's own group, and unpins it.
    ...(groupId === chrome.tabGroups.TAB_GROUP_ID_NONE ? {} : {groupBefore: groupId}),
    ...(pinned ? {pinnedBefore: true} : {}),
  };
}

// Of a tab that is gone, or that the user drags at this moment, nothing is to be put anywhere.
async function putBack({tabId, grouped, groupBefore, pinnedBefore}: Member): Promise<void> {
  if (!grouped) return;
  try {
    await chrome.tabs.ungroup(tabId);
    const tab = groupBefore === undefined ? undefined : await chrome.tabs.get(tabId);
    const before =
      groupBefore === undefined ? undefined : await chrome.tabGroups.get(groupBefore).catch(() => undefined);
    if (before && before.windowId === tab?.windowId) await chrome.tabs.group({tabIds: [tabId], groupId: before.id});
    if (pinnedBefore === true) await chrome.tabs.update(tabId, {pinned: true});
  } catch (thrown) {
    warn(`tab ${tabId} was not put back where it was: ${messageOf(thrown)}`);
  }
}

/** The worker's sessions with more than one tab. */
export const groups = new Groups(perRun);
