/** What of a request's headers and address is never told: whatever would let its reader act as the user. */

/** What stands in the place of a secret. */
export const masked = '[masked]';

// As much of one header as says what it is, in UTF-16 units, and as many headers as any real request has.
const valueMax = 1_024;
const headersMax = 100;

// One of these as a whole word of a header's or a parameter's name makes its value a secret.
const words = new Set(
  (
    'apikey auth authentication authorization cookie cookie2 jwt passwd password pwd secret session sessionid sid sig ' +
    'signature token'
  ).split(' '),
);
const pairs = /(^|[-_.])(api|access|private)[-_.]?key($|[-_.])/i;

/** IsSecretName tells whether what goes by that name (a header, a parameter) is a credential. */
export function isSecretName(name: string): boolean {
  if (name.toLowerCase() === 'www-authenticate') return false;
  const parts = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return pairs.test(parts) || parts.split(/[-_.]/).some((word) => words.has(word));
}

/** MaskHeaders is a copy of headers without credentials, names in lower case, long values cut. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers).slice(0, headersMax)) {
    out[name.toLowerCase()] = isSecretName(name) ? masked : cut(maskUrl(value), valueMax);
  }
  return out;
}

/** MaskUrl takes user names, passwords and parameters that are credentials out of the addresses in a text. */
export function maskUrl(text: string): string {
  return text
    .replace(/(\w:\/\/)[^/?#@\s]*@/g, `$1${masked}@`)
    .replace(/([?&#;])([^=?&#;\s]{1,64})=([^&#;\s]*)/g, (whole, before: string, name: string, value: string) =>
      value !== '' && isSecretName(name) ? `${before}${name}=${masked}` : whole,
    );
}

/** Cut shortens a text to at most `max` UTF-16 units, the last of them an ellipsis where something went. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = text.charCodeAt(max - 2);
  return `${text.slice(0, half >= 0xd800 && half <= 0xdbff ? max - 2 : max - 1)}…`;
}
