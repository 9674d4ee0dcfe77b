/** The size of a picture, read from its first bytes: decoding it all would cost more than taking it. Pure. */

/** Size is in the picture's own pixels. */
export interface Size {
  width: number;
  height: number;
}

/**
 * ImageSize reads the size of a PNG, JPEG or WebP.
 *
 * @param data the picture, base64.
 * @returns undefined when it is none of them, or cut short.
 */
export function imageSize(data: string): Size | undefined {
  // Chrome's JPEGs have their size within the first kilobyte, the others within the first 30 bytes.
  const head = Uint8Array.from(atob(data.slice(0, 4096 - (4096 % 4))), (char) => char.charCodeAt(0));
  const view = new DataView(head.buffer);
  if (starts(head, [0x89, 0x50, 0x4e, 0x47]) && head.length >= 24) {
    return {width: view.getUint32(16), height: view.getUint32(20)};
  }
  if (starts(head, [0xff, 0xd8])) return jpeg(view);
  if (starts(head, [0x52, 0x49, 0x46, 0x46]) && head.length >= 30) return webp(view);
  return undefined;
}

function starts(bytes: Uint8Array, magic: number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

function jpeg(view: DataView): Size | undefined {
  // Segments follow each other: 0xff, a marker, a length that counts itself.
  for (let at = 2; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return {width: view.getUint16(at + 7), height: view.getUint16(at + 5)};
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webp(view: DataView): Size | undefined {
  const kind = view.getUint32(12);
  const little = true;
  if (kind === 0x56503820) {
    // "VP8 ": lossy
    return {width: view.getUint16(26, little) & 0x3fff, height: view.getUint16(28, little) & 0x3fff};
  }
  if (kind === 0x5650384c) {
    // "VP8L": lossless, 14 bits each, less one
    const bits = view.getUint32(21, little);
    return {width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1};
  }
  if (kind === 0x56503858) {
    // "VP8X": extended, 24 bits each, less one
    return {width: (view.getUint32(24, little) & 0xffffff) + 1, height: (view.getUint32(26, little) >>> 8) + 1};
  }
  return undefined;
}
