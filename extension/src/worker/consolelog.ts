/** What pages log: console calls, exceptions that nobody caught, and what the browser says of a page. */

import type {Protocol} from 'devtools-protocol';
import type {ConsoleEntry} from '../protocol.gen';
import {levelOf, loggedText, textMax, thrownText} from './consoletext';
import {cut, maskUrl} from './masking';
import {type Ring, type Source, Recordings} from './recording';
import {isRecord} from './storage';

/** Logged is one entry and the address of the document that logged it. */
export interface Logged extends ConsoleEntry {
  /** Empty when it is not known. */
  documentUrl: string;
}

const console: Source<Logged> = {
  name: 'console',
  limit: 500,

  follow(tab, ring) {
    const off = [
      tab.on('Runtime.consoleAPICalled', (event, session) => {
        const {type, args, timestamp, stackTrace, executionContextId} = event;
        if (type === 'clear' || type === 'endGroup') return;
        const level = levelOf(type);
        const text = type === 'assert' ? `Assertion failed: ${loggedText(args)}` : loggedText(args);
        const documentUrl = tab.frames.frameOf(executionContextId, session)?.url ?? '';
        const [first] = args;
        const said: unknown = first?.value;
        put(
          ring,
          timestamp,
          {level, text, source: topOf(stackTrace), documentUrl},
          typeof said === 'string' ? said : '',
        );
      }),
      tab.on('Runtime.exceptionThrown', ({timestamp, exceptionDetails}, session) => {
        const {url, lineNumber, stackTrace, executionContextId} = exceptionDetails;
        const source = topOf(stackTrace) || placeOf(url ?? '', lineNumber);
        const frame = executionContextId === undefined ? undefined : tab.frames.frameOf(executionContextId, session);
        put(ring, timestamp, {
          level: 'error',
          text: thrownText(exceptionDetails),
          source,
          documentUrl: frame?.url ?? url ?? '',
        });
      }),
      tab.on('Log.entryAdded', ({entry: {level, text, timestamp, url, lineNumber, stackTrace}}) => {
        const source = url === undefined ? topOf(stackTrace) : placeOf(url, lineNumber);
        put(ring, timestamp, {
          level: level === 'verbose' ? 'debug' : level,
          text: cut(text, textMax),
          source,
          documentUrl: '',
        });
      }),
    ];
    return () => {
      for (const stop of off) stop();
    };
  },

  // Enabled anew, both tell again what the document logged before, as far as Chrome kept it.
  async switchOn(tab, session) {
    const options = {session, timeoutMs: switchMs};
    const sent = [
      tab.send('Runtime.disable', undefined, options),
      tab.send('Runtime.enable', undefined, options),
      tab.send('Log.disable', undefined, options),
      tab.send('Log.enable', undefined, options),
    ];
    await Promise.all(sent);
  },

  // Runtime stays on: the tab's frames are known by it.
  switchOff(tab, session) {
    return tab.send('Log.disable', undefined, {session, timeoutMs: switchMs});
  },

  isEntry(value): value is Logged {
    return (
      isRecord(value) &&
      typeof value.level === 'string' &&
      typeof value.text === 'string' &&
      typeof value.at === 'number' &&
      typeof value.documentUrl === 'string'
    );
  },
};

const switchMs = 2_000;

/** ConsoleLog is every tab's recording of what its pages log. */
export const consoleLog = new Recordings(console);

type Said = Omit<Logged, 'at' | 'source'> & {source: string};

// The browser tells of one message again when it is asked anew, with the same time to the microsecond, and of its
// objects no more than that they are some: what was told first says more.
function put(ring: Ring<Logged>, timestamp: number, {source, ...said}: Said, told = said.text): void {
  const key = `${timestamp} ${said.level} ${source} ${cut(told, 200)}`;
  if (ring.get(key)) return;
  ring.put(key, {...said, at: Math.round(timestamp), ...(source === '' ? {} : {source})});
}

function topOf(stack: Protocol.Runtime.StackTrace | undefined): string {
  const [top] = stack?.callFrames ?? [];
  return top ? placeOf(top.url, top.lineNumber) : '';
}

// CDP counts lines from 0.
function placeOf(url: string, line: number | undefined): string {
  if (url === '') return '';
  return line === undefined ? cut(maskUrl(url), 500) : `${cut(maskUrl(url), 500)}:${line + 1}`;
}

/** SeenIn tells which entries a reader may see: those of documents and sources that are allowed. */
export function seenIn(entry: Logged, isAllowed: (url: string) => boolean): boolean {
  return isAllowed(entry.documentUrl) && isAllowed(entry.source?.replace(/:\d+$/, '') ?? '');
}
