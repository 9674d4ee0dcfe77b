/** Base64 out of bytes. Free of the DOM: the worker uses it too. */

// What a call may have as arguments is limited.
const pieceLength = 0x8000;

/** Base64Of writes bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += pieceLength) {
    pieces.push(String.fromCharCode(...bytes.subarray(from, from + pieceLength)));
  }
  return btoa(pieces.join(''));
}
