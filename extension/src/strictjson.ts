import {limits} from './protocol.gen';

/** StrictError says why a text is not acceptable, though it may be well-formed JSON. */
export class StrictError extends Error {
  override name = 'StrictError';
}

/** Where the scanner stands within one open object or array. */
interface Level {
  /** The keys seen so far by their folded form; undefined in an array. */
  keys: Map<string, string> | undefined;
  /** The next string is a key. */
  atKey: boolean;
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
  const token = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/gy;
  const gap = /[^"\-0-9{}[\],:]*/gy;
  const levels: Level[] = [];
  let opaque = 0; // depth of the opaque subtree's brackets, 0 outside one
  let afterOpaqueKey = false;
  let position = 0;
  const next = (): string | undefined => {
    gap.lastIndex = position;
    gap.exec(text);
    token.lastIndex = gap.lastIndex;
    const found = token.exec(text);
    position = token.lastIndex;
    return found?.[0];
  };
  for (let t = next(); t !== undefined; t = next()) {
    if (opaque > 0) {
      if (t === '{' || t === '[') opaque++;
      else if (t === '}' || t === ']') opaque--;
      continue;
    }
    if (afterOpaqueKey && t !== ':') {
      afterOpaqueKey = false;
      if (t === '{' || t === '[') {
        opaque = 1;
        continue;
      }
      if (t !== ',' && t !== '}') continue;
    }
    const level = levels.at(-1);
    switch (t) {
      case '{':
        levels.push({keys: new Map(), atKey: true});
        break;
      case '[':
        levels.push({keys: undefined, atKey: false});
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level?.keys) level.atKey = true;
        break;
      case ':':
        break;
      default:
        if (t.startsWith('"')) {
          if (level?.keys && level.atKey) {
            level.atKey = false;
            afterOpaqueKey = addKey(level.keys, t) === opaqueKey;
          }
        } else checkNumber(t);
    }
    if (levels.length > limits.maxDepth) throw new StrictError(`nested deeper than ${limits.maxDepth}`);
  }
  return value;
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
