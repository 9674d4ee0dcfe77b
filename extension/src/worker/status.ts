/** What the popup, the welcome page and the cover are told, and what they may ask for. */

import type {Answer, HandoffStatus, SessionStatus, Status, ToWorker} from '../messages';
import type {Away} from './away';
import {messageOf} from './errors';
import type {Guard} from './guard';
import type {Handoffs} from './handoffs';
import type {Latch} from './latch';
import type {Link} from './link';
import type {Recent} from './recent';
import type {Sessions} from './sessions';
import type {Settings} from './settings';
import {isDialect, readPairing} from './settings';
import type {Stops} from './stops';
import {isRecord} from './storage';

/** What the desk works with. */
export interface DeskParts {
  link: Link;
  settings: Settings;
  sessions: Sessions;
  latch: Latch;
  stops: Stops;
  guard: Guard;
  away: Away;
  recent: Recent;
  version: string;
  /** The title of a tab as Chrome has it; '' for a tab that is gone. */
  title: (tabId: number) => Promise<string>;
  /** Called after the blocklist changed, so that tabs under work are looked at again. */
  rulesChanged: () => Promise<void>;
  handoffs: Handoffs;
  /** Brings a tab to the front. */
  showTab: (tabId: number) => Promise<void>;
}

/** Desk answers the extension's own pages. */
export class Desk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Status is the whole truth of this moment. */
  async status(): Promise<Status> {
    const {link, settings, latch, guard, away, recent, version} = this.#parts;
    const {state, reason, code, browserName, serverVersion} = link.status;
    const {all, agents} = latch.state;
    return {
      link: state,
      ...(reason === undefined ? {} : {reason}),
      ...(code === undefined ? {} : {code}),
      ...(browserName === undefined ? {} : {browserName}),
      ...(serverVersion === undefined ? {} : {serverVersion}),
      address: settings.state.address,
      paired: settings.state.token !== '',
      version,
      handoffs: await this.#handoffs(),
      unattended: settings.state.unattended,
      dialect: settings.state.dialect,
      sessions: await this.#sessions(),
      stopped: {...(all === undefined ? {} : {all}), sessions: Object.keys(agents).length},
      away: away.pausing,
      whenAway: settings.state.whenAway,
      blocklist: [...settings.state.blocklist],
      serverBlocklist: guard.serverRules,
      lastActions: recent.list(),
    };
  }

  /** Ask does what a page asks for and answers with the status after it. */
  async ask(message: ToWorker): Promise<Answer> {
    let error: string | undefined;
    try {
      error = await this.#act(message);
    } catch (thrown) {
      error = `It was not done: ${messageOf(thrown)}.`;
    }
    const status = await this.status();
    return error === undefined ? {ok: true, status} : {ok: false, error, status};
  }

  // Why it was refused, in a sentence for a person; undefined when it was done.
  async #act(message: ToWorker): Promise<string | undefined> {
    const {link, settings, stops} = this.#parts;
    switch (message.type) {
      case 'getStatus':
        return undefined;
      case 'pair': {
        const pairing = readPairing(message);
        if (!pairing.ok) return pairing.error;
        await settings.pair(pairing.address, pairing.code, pairing.serverKey);
        return undefined;
      }
      case 'reconnect':
        link.reconnect();
        return undefined;
      case 'stopSession':
        await stops.session(message.tabId);
        return undefined;
      case 'stopAll':
        await stops.all('global_stop');
        return undefined;
      case 'resume':
        await stops.resume();
        link.announce(); // no event says so
        return undefined;
      case 'setBlocklist': {
        const bad = await settings.block(message.entries);
        if (bad !== undefined) return `"${bad}" is no domain or address: write it as example.com or 192.0.2.1.`;
        await this.#parts.rulesChanged();
        return undefined;
      }
      case 'setWhenAway':
        await settings.setWhenAway(message.whenAway);
        return undefined;
      case 'setDialect':
        await settings.setDialect(message.dialect);
        return undefined;
      case 'setUnattended':
        await settings.setUnattended(message.unattended);
        return undefined;
      case 'endHandoff':
        this.#parts.handoffs.end(message.tabId, message.how);
        return undefined;
      case 'showTab':
        await this.#parts.showTab(message.tabId);
        return undefined;
    }
  }

  #handoffs(): Promise<HandoffStatus[]> {
    const {handoffs, sessions, title} = this.#parts;
    return Promise.all(
      handoffs.waiting.map(async ({tabId, agentId, reason, until, askedAt}) => {
        const domain = sessions.get(tabId)?.domain ?? '';
        return {tabId, agentId, reason, until, askedAt, domain, title: await title(tabId)};
      }),
    );
  }

  #sessions(): Promise<SessionStatus[]> {
    return Promise.all(
      this.#parts.sessions.list().map(async (record) => ({...record, title: await this.#parts.title(record.tabId)})),
    );
  }
}

/**
 * ReadMessage is what a page sent, or undefined when it is not ours to answer: another message, or a sender
 * other than a page of this extension (a content script speaks with a web page's address).
 * @param own the address that all pages of this extension begin with.
 */
export function readMessage(
  message: unknown,
  sender: {url?: string; id?: string},
  own: {id: string; root: string},
): ToWorker | undefined {
  if (sender.id !== own.id || !sender.url?.startsWith(own.root) || !isRecord(message)) return undefined;
  const {type} = message;
  if (type === 'getStatus' || type === 'reconnect' || type === 'stopAll' || type === 'resume') return {type};
  return withArguments(message);
}

function withArguments(message: Record<string, unknown>): ToWorker | undefined {
  const {type, link, address, code, entries, whenAway, unattended, dialect} = message;
  switch (type) {
    case 'pair':
      if (typeof link === 'string') return {type, link};
      return typeof address === 'string' && typeof code === 'string' ? {type, address, code} : undefined;
    case 'setBlocklist':
      return isStrings(entries) ? {type, entries} : undefined;
    case 'setWhenAway':
      return whenAway === 'work' || whenAway === 'pause' ? {type, whenAway} : undefined;
    case 'setDialect':
      return isDialect(dialect) ? {type, dialect} : undefined;
    case 'setUnattended':
      return typeof unattended === 'boolean' ? {type, unattended} : undefined;
    default:
      return ofTab(message);
  }
}

function ofTab({type, tabId, how}: Record<string, unknown>): ToWorker | undefined {
  if (typeof tabId !== 'number') return undefined;
  if (type === 'stopSession' || type === 'showTab') return {type, tabId};
  return type === 'endHandoff' && (how === 'done' || how === 'refused') ? {type, tabId, how} : undefined;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
