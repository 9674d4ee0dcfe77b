/** What a page logged, as one text: the arguments of console.log as a person sees them in the developer tools. */

import type {Protocol} from 'devtools-protocol';
import {cut} from './masking';

type Value = Protocol.Runtime.RemoteObject;

/** The longest text of one entry, in UTF-16 units. */
export const textMax = 2_000;

/** LevelOf is the level of a console method: log, debug, info, warning or error. */
export function levelOf(type: Protocol.Runtime.ConsoleAPICalledEvent['type']): string {
  if (type === 'assert') return 'error';
  return type === 'debug' || type === 'info' || type === 'warning' || type === 'error' ? type : 'log';
}

/** LoggedText writes the arguments of one console call; `%s` and its like in the first are filled in. */
export function loggedText(args: readonly Value[]): string {
  const [first, ...rest] = args;
  if (!first) return '';
  const format: unknown = first.value;
  if (typeof format !== 'string') return cut(args.map(valueText).join(' '), textMax);
  const filled = format.replace(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%';
    const next = rest.shift();
    if (!next) return whole;
    // What comes with %c is style.
    if (kind === 'c') return '';
    return kind === 'd' || kind === 'i' ? integerText(next) : valueText(next);
  });
  return cut([filled, ...rest.map(valueText)].join(' '), textMax);
}

/** ThrownText writes an exception that nobody caught. */
export function thrownText({text, exception, stackTrace}: Protocol.Runtime.ExceptionDetails): string {
  // A thrown Error's description has its stack already.
  const what = exception?.description ?? (exception ? valueText(exception) : '');
  const at = what.includes('\n') ? '' : stackText(stackTrace);
  return cut([text, what].filter((part) => part !== '').join(' ') + at, textMax);
}

/** ValueText writes one value: strings plain, objects by what Chrome gathered of their first members. */
export function valueText(value: Value): string {
  const plain: unknown = value.value;
  if (typeof plain === 'string') return plain;
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (value.type === 'undefined') return 'undefined';
  if (value.subtype === 'null') return 'null';
  if (plain !== undefined) return JSON.stringify(plain);
  if (value.preview && value.subtype !== 'error') return previewText(value.preview);
  return value.description ?? value.type;
}

function previewText({subtype, description, properties, overflow, entries}: Protocol.Runtime.ObjectPreview): string {
  const members = entries
    ? entries.map(({key, value}) => (key ? `${previewText(key)} => ` : '') + previewText(value))
    : properties.map(({name, type, value}) => {
        const shown = type === 'string' ? JSON.stringify(value ?? '') : (value ?? type);
        return subtype === 'array' ? shown : `${name}: ${shown}`;
      });
  // A preview within a preview has no members: its description says it all.
  if (members.length === 0 && description !== undefined && subtype !== 'array' && description !== 'Object') {
    return description;
  }
  const list = [...members, ...(overflow ? ['…'] : [])].join(', ');
  if (subtype === 'array') return `[${list}]`;
  const named = description === undefined || description === 'Object' ? '' : `${description} `;
  return `${named}{${list}}`;
}

function integerText(value: Value): string {
  const plain: unknown = value.value;
  return typeof plain === 'number' ? Math.trunc(plain).toString() : valueText(value);
}

function stackText(stack: Protocol.Runtime.StackTrace | undefined): string {
  const [top] = stack?.callFrames ?? [];
  return top && top.functionName !== '' ? ` in ${top.functionName}` : '';
}
