/** Which files an input takes, and bytes out of base64. Free of the DOM. */

import type {FileName} from './controlapi';

/**
 * Accepted tells whether a file fits an input's `accept`: a list of extensions (.pdf), types (image/png) and
 * families of types (image/*), as the HTML standard has it. An empty list takes everything.
 */
export function accepted({name, mimeType}: FileName, accept: string): boolean {
  const tokens = accept
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());
  const kinds = tokens.filter((token) => token !== '');
  const [file, type] = [name.toLowerCase(), mimeType.toLowerCase().split(';')[0]?.trim() ?? ''];
  if (kinds.length === 0) return true;
  return kinds.some((kind) => {
    if (kind.startsWith('.')) return file.endsWith(kind);
    if (kind === '*/*' || kind === '*') return true;
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind;
  });
}

/** BytesOf decodes base64; undefined for what is none. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
