/** network: the requests of the page, recorded from start on; one of them whole, with its body as text. */

import type {NetworkEntry, NetworkResult} from '../../protocol.gen';
import {type BodyText, bodyText} from '../bodytext';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {domainBlocked, guard} from '../guard';
import {type Sent, netlog} from '../netlog';
import {type Tab, tabs} from '../tab';

/** How many requests are told when the call does not say. */
const defaultLimit = 50;

/** ReadNetwork starts, stops or lists a recording, or tells one request whole. */
export const readNetwork: Handler<'network'> = async ({op, requestId, limit = defaultLimit}, call) => {
  switch (op) {
    case 'start':
      return withNotes({ok: true}, await begin(call));
    case 'stop':
      netlog.stop(tabs.known(call.tabId));
      return {ok: true};
    case 'detail':
      return detail(requestId, call);
    case 'list': {
      const notes: string[] = [];
      if (!netlog.ring(call.tabId)) {
        notes.push(...(await begin(call)));
        notes.push('recording began just now, nothing earlier is known; reload the page to see all of it');
      }
      return list(call.tabId, limit, notes);
    }
  }
};

async function begin(call: Call): Promise<string[]> {
  const tab = await tabs.get(call.tabId, call.signal);
  await netlog.start(tab);
  return tab.takeNotes();
}

function list(tabId: number, limit: number, notes: string[]): NetworkResult {
  const ring = netlog.ring(tabId);
  const all = (ring?.all() ?? []).map(([, entry]) => entry);
  const seen = all.filter(({address, documentUrl}) => guard.frameAllowed(address) && guard.frameAllowed(documentUrl));
  const entries = seen.slice(-limit).map(told);
  const [blocked, earlier, dropped] = [all.length - seen.length, seen.length - entries.length, ring?.dropped ?? 0];
  if (blocked > 0) notes.push(`${blocked} requests concern blocked domains and are left out`);
  if (earlier > 0) notes.push(`${earlier} earlier requests are not shown`);
  if (dropped > 0) notes.push(`${dropped} requests before these were dropped: too many came`);
  return withNotes({ok: true, entries}, notes);
}

function withNotes(result: NetworkResult, notes: string[]): NetworkResult {
  return notes.length > 0 ? {...result, notes} : result;
}

async function detail(requestId: string | undefined, call: Call): Promise<NetworkResult> {
  if (requestId === undefined) {
    throw new ActionError('invalid_action', 'detail needs the requestId of one request; list has them');
  }
  const sent = netlog.ring(call.tabId)?.get(requestId);
  if (!sent) {
    throw new ActionError(
      'invalid_action',
      `no request ${requestId} is recorded in this tab (any more); list has those that are`,
    );
  }
  const blocked = guard.blockedDomain(sent.address) ?? guard.blockedDomain(sent.documentUrl);
  if (blocked !== undefined) throw domainBlocked(blocked);
  const {text, note} = await bodyOf(sent, call);
  const {requestHeaders, responseHeaders} = sent;
  const entry: NetworkEntry = {
    ...told(sent),
    ...(requestHeaders ? {requestHeaders} : {}),
    ...(responseHeaders ? {responseHeaders} : {}),
    ...(text === undefined ? {} : {body: text}),
  };
  return withNotes({ok: true, entries: [entry]}, note === undefined ? [] : [note]);
}

async function bodyOf(sent: Sent, call: Call): Promise<BodyText> {
  const {requestId, session, status, isDone, error, kind, mimeType} = sent;
  if (kind === 'websocket') return {note: 'a web socket has no body'};
  if (!isDone) return {note: 'the request is still under way, so its body is not told yet'};
  if (error !== undefined && status === undefined) return {};
  if (requestId.includes('.') && status !== undefined && status >= 300 && status < 400) return {};
  const tab = await tabs.get(call.tabId, call.signal);
  const told = await kept(tab, requestId, session, call.signal);
  if (!told) return {note: 'the browser does not keep the body of this request (any more)'};
  return bodyText(told.body, told.base64Encoded, mimeType);
}

/** Kept asks for a body in the session that told of its end, then in the others: a frame may have changed its process. */
async function kept(
  tab: Tab,
  requestId: string,
  session: string | undefined,
  signal: AbortSignal,
): Promise<{body: string; base64Encoded: boolean} | undefined> {
  const sessions = new Set([session, ...tab.sessions()]);
  for (const at of sessions) {
    try {
      return await tab.send('Network.getResponseBody', {requestId}, {session: at, signal});
    } catch (thrown) {
      if (!(thrown instanceof ActionError) || thrown.code !== 'internal' || signal.aborted) throw thrown;
    }
  }
  return undefined;
}

function told({requestId, method, url, status, kind, durationMs, error}: Sent): NetworkEntry {
  return {
    requestId,
    method,
    url,
    ...(status === undefined ? {} : {status}),
    ...(kind === undefined ? {} : {kind}),
    ...(durationMs === undefined ? {} : {durationMs}),
    ...(error === undefined ? {} : {error}),
  };
}
