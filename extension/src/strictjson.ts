import {limits} from './protocol.gen';

/** StrictError says why a text is not acceptable, though it may be well-formed JSON. */
export class StrictError extends Error {
  override name = 'StrictError';
}

/** The member under which a page's own JSON stands: below it anything goes. */
const opaqueKey = 'value';

/**
 * parseStrict parses JSON and refuses what the server's parser could read differently: duplicate
 * keys, keys that differ only in case, integers written as fractions or beyond 2^53 − 1, and
 * nesting beyond limits.maxDepth. It throws a StrictError for those and a SyntaxError for what is
 * no JSON. package protocol's checkKeys does the same on the server.
 */
export function parseStrict(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The text is well-formed from here on, so the scan needs no error handling of its own.
  const scan = new Scan();
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/g)) scan.take(token);
  return value;
}

/** Scan follows the tokens of well-formed JSON, without true, false and null. */
class Scan {
  /** For each open bracket, the keys seen by their folded form; undefined in an array. */
  private readonly levels: (Map<string, string> | undefined)[] = [];
  /** The next string is a key. */
  private atKey = false;
  /** How many brackets of an opaque subtree are open. */
  private opaque = 0;
  /** The next token, colons aside, begins an opaque value. */
  private opaqueNext = false;

  /** take follows one token, and throws a StrictError for what is not acceptable. */
  take(token: string): void {
    if (this.opaque > 0) {
      this.opaque += bracket(token);
    } else if (this.opaqueNext && token !== ':') {
      this.opaqueNext = false;
      if (bracket(token) > 0) this.opaque = 1;
      else if (bracket(token) < 0 || token === ',') this.mark(token);
    } else if (token.startsWith('"')) {
      this.string(token);
    } else if (bracket(token) !== 0 || token === ',') {
      this.mark(token);
    } else if (token !== ':') {
      checkNumber(token);
    }
  }

  private mark(token: string): void {
    if (token === '{') this.levels.push(new Map());
    else if (token === '[') this.levels.push(undefined);
    else if (token !== ',') this.levels.pop();
    // After a closing bracket only a comma or another closing bracket follows.
    this.atKey = this.levels.at(-1) !== undefined && (token === '{' || token === ',');
    if (this.levels.length > limits.maxDepth) throw new StrictError(`nested deeper than ${limits.maxDepth}`);
  }

  private string(token: string): void {
    const keys = this.levels.at(-1);
    if (!keys || !this.atKey) return;
    this.atKey = false;
    this.opaqueNext = addKey(keys, token) === opaqueKey;
  }
}

/** bracket is 1 for an opening bracket, -1 for a closing one and 0 for all else. */
function bracket(token: string): number {
  if (token === '{' || token === '[') return 1;
  return token === '}' || token === ']' ? -1 : 0;
}

function addKey(keys: Map<string, string>, quoted: string): string {
  const parsed: unknown = JSON.parse(quoted);
  const key = String(parsed);
  const folded = key.replace(/[A-Z]/g, (c) => c.toLowerCase());
  const seen = keys.get(folded);
  if (seen === key) throw new StrictError(`duplicate key ${JSON.stringify(key.slice(0, 64))}`);
  if (seen !== undefined) {
    throw new StrictError(`keys ${JSON.stringify(seen)} and ${JSON.stringify(key)} differ only in case`);
  }
  keys.set(folded, key);
  return key;
}

function checkNumber(text: string): void {
  const value = Number(text);
  const integral = Number.isInteger(value);
  if (!Number.isFinite(value) || (integral && (/[.eE]/.test(text) || Math.abs(value) > Number.MAX_SAFE_INTEGER))) {
    throw new StrictError('an integer is written without fraction or exponent and within ±(2^53-1)');
  }
}
