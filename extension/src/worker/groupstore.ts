/** How sessions are kept in storage, and how they are read back: it may hold anything. */

import type {Session} from '../protocol.gen';
import {isRecord} from './storage';

/** Member is a tab of a session. */
export interface Member {
  tabId: number;
  /** Orders the members by when each was last made the current one; 0: never. */
  currentAt: number;
  /** If false, the tab's window has no groups. */
  grouped: boolean;
  /** The user's own group that the tab stood in before it joined. */
  groupBefore?: number;
  pinnedBefore?: boolean;
}

/** Kept is a session as it is stored. */
export interface Kept {
  sessionId: string;
  agentId: string;
  title?: string;
  color?: NonNullable<Session['color']>;
  foreground: boolean;
  /** Orders the sessions of an agent by their last use. */
  usedAt: number;
  /** Chrome's groups of this session, one a window; some may be gone. */
  groupIds: number[];
  members: Member[];
}

/** KeptOf is a session out of storage, or undefined when it is none. */
export function keptOf(value: unknown): Kept | undefined {
  if (!isRecord(value)) return undefined;
  const {sessionId, agentId, title, color, foreground, usedAt, groupIds, members} = value;
  if (typeof sessionId !== 'string' || typeof agentId !== 'string' || typeof usedAt !== 'number') return undefined;
  if (!Array.isArray(groupIds) || !Array.isArray(members)) return undefined;
  return {
    sessionId,
    agentId,
    ...(typeof title === 'string' ? {title} : {}),
    ...(isColor(color) ? {color} : {}),
    foreground: foreground === true,
    usedAt,
    groupIds: groupIds.filter((id) => typeof id === 'number'),
    members: members.flatMap((member: unknown) => memberOf(member) ?? []),
  };
}

/** IsColor tells whether a word is a colour of Chrome's tab groups. */
export function isColor(value: unknown): value is NonNullable<Session['color']> {
  return typeof value === 'string' && Object.hasOwn(colors, value);
}

const colors: Record<NonNullable<Session['color']>, true> = {
  grey: true,
  blue: true,
  red: true,
  yellow: true,
  green: true,
  pink: true,
  purple: true,
  cyan: true,
  orange: true,
};

function memberOf(value: unknown): Member | undefined {
  if (!isRecord(value)) return undefined;
  const {tabId, currentAt, grouped, groupBefore, pinnedBefore} = value;
  if (typeof tabId !== 'number' || typeof currentAt !== 'number') return undefined;
  return {
    tabId,
    currentAt,
    grouped: grouped === true,
    ...(typeof groupBefore === 'number' ? {groupBefore} : {}),
    ...(pinnedBefore === true ? {pinnedBefore} : {}),
  };
}
