/** pdf: the page as a document. */

import type {PDFResult} from '../../protocol.gen';
import type {Call, Handler} from '../call';
import {ActionError} from '../errors';
import {type Tab, tabs} from '../tab';

/** Paper sizes in inches, upright, as the printing command wants them. */
const papers = {
  a3: [11.69, 16.54],
  a4: [8.27, 11.69],
  a5: [5.83, 8.27],
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
} as const;

/** What is left of the caller's time for the answer itself, in milliseconds. */
const reserveMs = 500;

/**
 * Whatever its address is (http, blob, data), the document that holds the viewer may fetch itself; the browser has
 * the bytes in its cache.
 */
const itself = `new Promise((resolve, reject) => {
  fetch(location.href, {cache: 'force-cache'}).then((answer) => answer.blob()).then((blob) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  }).catch(reject);
})`;

/** BytesOf gives the bytes of a PDF document that a tab shows: to print its viewer would give a picture of that. */
async function bytesOf(tab: Tab, {signal}: Call, timeoutMs: number): Promise<PDFResult> {
  const order = {expression: itself, awaitPromise: true, returnByValue: true};
  // The browser ends the attachment while it puts its viewer in, and this only asks.
  const {result, exceptionDetails} = await tab.send('Runtime.evaluate', order, {signal, timeoutMs, again: true});
  const data: unknown = result.value;
  if (exceptionDetails || typeof data !== 'string') {
    const address = tab.frames.top?.url ?? '';
    throw new ActionError('unsupported', `the bytes of the PDF document ${address} cannot be had; take a screenshot`);
  }
  return {data, mimeType: 'application/pdf', notes: [...tab.takeNotes(), 'these are the bytes of the document itself']};
}

/** Pdf prints the tab's page, hidden or not, as its style sheets for print have it, with backgrounds. */
export const pdf: Handler<'pdf'> = async ({paperFormat = 'a4', landscape = false}, call) => {
  const tab = await tabs.get(call.tabId, call.signal);
  const [paperWidth, paperHeight] = papers[paperFormat];
  const timeoutMs = Math.max(1, call.deadline - performance.now() - reserveMs);
  if (tab.frames.top?.mimeType === 'application/pdf') return bytesOf(tab, call, timeoutMs);
  const order = {paperWidth, paperHeight, landscape, printBackground: true, transferMode: 'ReturnAsBase64'} as const;
  const {data} = await tab.printing.own(() => tab.send('Page.printToPDF', order, {signal: call.signal, timeoutMs}));
  const notes = tab.takeNotes();
  return {data, mimeType: 'application/pdf', ...(notes.length === 0 ? {} : {notes})};
};
