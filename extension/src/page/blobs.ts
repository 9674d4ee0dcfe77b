/** Reading a blob that the page made, by its address. */

import {base64Of} from './base64';

/** ReadBlob gives a part of a blob as base64, and the size of all of it: −1 when the page no longer keeps it. */
export async function readBlob({
  url,
  from,
  bytes,
}: {
  url: string;
  from: number;
  bytes: number;
}): Promise<{data: string; size: number}> {
  try {
    const blob = await (await fetch(url)).blob();
    const part = await blob.slice(from, from + bytes).arrayBuffer();
    return {data: base64Of(new Uint8Array(part)), size: blob.size};
  } catch {
    return {data: '', size: -1};
  }
}
