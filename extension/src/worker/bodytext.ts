/** A response's body as text, as much of it as an answer may hold. */

/** The most of a body that is told, in bytes of UTF-8. */
export const bodyBytes = 64 << 10;

/** BodyText is a body as text, or why it cannot be told; at most one of the two is absent. */
export interface BodyText {
  text?: string;
  note?: string;
}

/**
 * BodyText makes text of what the browser keeps of a body.
 *
 * @param body the text, or base64 of the bytes.
 */
export function bodyText(body: string, isBase64: boolean, mimeType: string): BodyText {
  const text = isBase64 ? decoded(body) : body;
  if (text === undefined) {
    return {note: `the body is ${byteCount(body)} bytes of ${mimeType || 'an unknown type'}, which is no text`};
  }
  if (text === '') return {note: 'the body is empty'};
  const {read} = new TextEncoder().encodeInto(text, new Uint8Array(bodyBytes));
  if (read >= text.length) return {text};
  return {text: text.slice(0, read), note: `the body has ${text.length} characters; the first ${read} are shown`};
}

function decoded(base64: string): string | undefined {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  // A zero byte is valid UTF-8, and in no text.
  if (bytes.subarray(0, 1024).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

function byteCount(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
