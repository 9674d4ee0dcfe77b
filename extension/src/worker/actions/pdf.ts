/** pdf: the page as a document. */

import type {Handler} from '../call';
import {tabs} from '../tab';

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

/** Pdf prints the tab's page, hidden or not, as its style sheets for print have it, with backgrounds. */
export const pdf: Handler<'pdf'> = async ({paperFormat = 'a4', landscape = false}, call) => {
  const tab = await tabs.get(call.tabId, call.signal);
  const [paperWidth, paperHeight] = papers[paperFormat];
  const timeoutMs = Math.max(1, call.deadline - performance.now() - reserveMs);
  const {data} = await tab.send(
    'Page.printToPDF',
    {paperWidth, paperHeight, landscape, printBackground: true, transferMode: 'ReturnAsBase64'},
    {signal: call.signal, timeoutMs},
  );
  const notes = tab.takeNotes();
  return {data, mimeType: 'application/pdf', ...(notes.length === 0 ? {} : {notes})};
};
