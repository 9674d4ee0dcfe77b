/**
 * How a value that an agent's expression returned leaves the page.
 *
 * This runs in the page's own world, sent as source text in front of the expression, so it must stand alone:
 * no import, no closure. And that world may have been tampered with: a page that patches JSON.stringify,
 * Array.prototype.toJSON (old Prototype.js) or Object.keys must not change what is read. So it writes the
 * JSON itself and, where it matters, uses syntax instead of methods. It uses no DOM type either: what a value
 * is, its tag says.
 */

/** Written is a value on its way out, as EvaluateResult of the protocol has it, its value as JSON text. */
export interface Written {
  /** JavaScript's type of it, or the class of an object that has no JSON form. */
  type: string;
  /** The value's JSON, if it has a JSON form of at most the limit. */
  json?: string;
  /** What it is, if it has no JSON form. */
  description?: string;
  /** Set when its JSON is larger than the limit. */
  truncated?: true;
  /** Then the JSON's beginning, ending in `…[truncated N chars]`. */
  preview?: string;
}

/**
 * Write turns a value into what may leave the page.
 *
 * @param value anything.
 * @param limit the most bytes of UTF-8 that its JSON may have.
 */
export function write(value: unknown, limit: number): Written {
  /** What has no JSON form anywhere inside it makes the whole be described instead. */
  let exact = true;
  const around: unknown[] = [];
  const deepest = 400;

  // Whole runs at a time: letter by letter a long text takes the page's time and memory.
  const quote = (text: string): string => {
    let out = '"';
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const written = escaped(text, i);
      if (written === '') continue;
      out += text.slice(from, i) + written;
      from = i + 1;
    }
    return out + text.slice(from) + '"';
  };
  const escaped = (text: string, i: number): string => {
    const unit = text.charCodeAt(i);
    if (unit === 34) return '\\"';
    if (unit === 92) return '\\\\';
    if (unit === 10) return '\\n';
    if (unit === 13) return '\\r';
    if (unit === 9) return '\\t';
    const isOdd = unit < 32 || (unit >= 0xd800 && unit <= 0xdfff && !paired(text, i));
    return isOdd ? escape(unit) : '';
  };
  const paired = (text: string, i: number): boolean => {
    const unit = text.charCodeAt(i);
    const other = unit < 0xdc00 ? text.charCodeAt(i + 1) : text.charCodeAt(i - 1);
    return unit < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
  };
  const escape = (unit: number): string => {
    let hex = '';
    for (let rest = unit, i = 0; i < 4; i++, rest >>= 4) hex = ('0123456789abcdef'[rest & 15] ?? '0') + hex;
    return `\\u${hex}`;
  };

  const tagOf = (object: object): string => {
    try {
      return Object.prototype.toString.call(object).slice(8, -1);
    } catch {
      return 'Object';
    }
  };
  /** A property that may be a getter that throws. */
  const read = (object: object, name: string): unknown => {
    try {
      const bag: Record<string, unknown> = {__proto__: null, [name]: undefined};
      bag[name] = Reflect.get(object, name);
      return bag[name];
    } catch {
      return undefined;
    }
  };
  const own = (object: object): Record<string, unknown> => ({__proto__: null, ...object});

  const inexact = (description: string): string => {
    exact = false;
    return description;
  };

  const numberText = (it: number): string => {
    if (it - it !== 0) return inexact(`${it}`); // NaN and the infinities
    return it === 0 && 1 / it < 0 ? inexact('-0') : `${it}`;
  };
  const primitive = (it: unknown): string | undefined => {
    switch (typeof it) {
      case 'string':
        return quote(it);
      case 'boolean':
        return it ? 'true' : 'false';
      case 'number':
        return numberText(it);
      case 'undefined':
        return inexact('undefined');
      case 'bigint':
        return inexact(`${it.toString()}n`);
      case 'symbol':
        return inexact(it.toString());
      case 'function':
        return inexact(functionText(it));
      case 'object':
        return it === null ? 'null' : undefined;
    }
  };
  const functionText = (it: object): string => {
    const name = read(it, 'name');
    return `function ${typeof name === 'string' && name !== '' ? name : '(anonymous)'}`;
  };

  /** One object that JSON does not know, described by what a person would look for; undefined for one that it does. */
  const exotic = (it: object, tag: string): string | undefined => {
    if (typeof read(it, 'nodeType') === 'number' && typeof read(it, 'nodeName') === 'string') return nodeText(it);
    switch (tag) {
      case 'Map':
      case 'Set':
        return `${tag}(${text(read(it, 'size'))})${entriesText(it)}`;
      case 'Date':
        return dateText(it);
      case 'RegExp':
        return `/${text(read(it, 'source'))}/${text(read(it, 'flags'))}`;
      case 'Error':
      case 'DOMException':
        return `${text(read(it, 'name'))}: ${text(read(it, 'message'))}`;
      default:
        return plainTags.includes(` ${tag} `) ? undefined : `${tag}${lengthText(it)}`;
    }
  };
  const plainTags = ' Object Array Arguments Module Boolean Number String ';
  const lengthText = (it: object): string => {
    const length = read(it, 'length');
    return typeof length === 'number' ? `(${length})` : '';
  };
  const text = (it: unknown): string => (typeof it === 'string' ? it : typeof it === 'number' ? `${it}` : '');
  const dateText = (it: object): string => {
    try {
      return it instanceof Date ? it.toISOString() : 'Date';
    } catch {
      return 'Invalid Date';
    }
  };
  const nodeText = (it: object): string => {
    const name = text(read(it, 'nodeName')).toLowerCase();
    if (read(it, 'nodeType') !== 1) return name;
    const id = text(read(it, 'id'));
    const className = text(read(it, 'className')).trim().split(/\s+/).join('.');
    return `<${name}${id === '' ? '' : `#${id}`}${className === '' ? '' : `.${className}`}>`;
  };
  const entriesText = (it: object): string => {
    if (!(it instanceof Map) && !(it instanceof Set)) return '';
    const parts: string[] = [];
    for (const entry of it) {
      if (parts.length === 10) {
        parts.push('…');
        break;
      }
      parts.push(it instanceof Map && Array.isArray(entry) ? `${any(entry[0])} => ${any(entry[1])}` : any(entry));
    }
    return ` {${parts.join(', ')}}`;
  };

  const any = (it: unknown): string => {
    const simple = primitive(it);
    if (simple !== undefined || typeof it !== 'object' || it === null) return simple ?? 'null';
    for (const outer of around) if (outer === it) return inexact('[circular]');
    if (around.length >= deepest) return inexact('…');
    around[around.length] = it;
    const out = compound(it);
    around.length -= 1;
    return out;
  };
  const compound = (it: object): string => {
    const tag = tagOf(it);
    const odd = exotic(it, tag);
    // DOMRect, URL and their like say themselves what their JSON is; a page's own classes do as well.
    const toJSON = tag === 'Array' || tag === 'Date' ? undefined : read(it, 'toJSON');
    if (typeof toJSON === 'function' && typeof read(it, 'nodeType') !== 'number') {
      const plain: unknown = Reflect.apply(toJSON, it, ['']);
      if (plain !== it) return any(plain);
    }
    if (odd !== undefined) return inexact(odd);
    if (tag === 'Boolean' || tag === 'Number' || tag === 'String') return any(it.valueOf());
    if (Array.isArray(it)) {
      let out = '[';
      for (let i = 0; i < it.length; i++) out += (i === 0 ? '' : ',') + any(it[i]);
      return out + ']';
    }
    let out = '{';
    const bag = own(it);
    for (const name in bag) out += (out === '{' ? '' : ',') + quote(name) + ':' + any(bag[name]);
    return out + '}';
  };

  const bytesOf = (json: string): number => {
    let bytes = 0;
    for (let i = 0; i < json.length; i++) {
      const unit = json.charCodeAt(i);
      bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
    }
    return bytes;
  };
  /** How many UTF-16 units fit in so many bytes, no pair cut in two. */
  const fitting = (json: string, bytes: number): number => {
    let left = bytes;
    for (let i = 0; i < json.length; i++) {
      const unit = json.charCodeAt(i);
      left -= unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
      if (left < 0) return unit >= 0xdc00 && unit <= 0xdfff ? i - 1 : i;
    }
    return json.length;
  };
  const cut = (all: string, bytes: number): string => {
    const kept = fitting(all, bytes);
    return `${all.slice(0, kept)}…[truncated ${all.length - kept} chars]`;
  };

  const typeOf = (it: unknown): string => {
    if (typeof it !== 'object') return typeof it;
    if (it === null || Array.isArray(it)) return it === null ? 'object' : 'array';
    if (read(it, 'nodeType') !== undefined && typeof read(it, 'nodeName') === 'string') return 'node';
    const tag = tagOf(it);
    return tag === 'Object' ? 'object' : tag.toLowerCase();
  };

  let written: string;
  try {
    written = any(value);
  } catch (thrown) {
    // A getter, a proxy or a toJSON of the page's that throws.
    exact = false;
    const why = typeof thrown === 'object' && thrown !== null ? text(read(thrown, 'message')) : text(thrown);
    written = `an object that cannot be read: ${why}`;
  }
  const type = typeOf(value);
  if (!exact) {
    // JSON's own quotes around what is a string anyway would only confuse.
    const description = bytesOf(written) > limit ? cut(written, limit) : written;
    return {type, description};
  }
  if (bytesOf(written) <= limit) return {type, json: written};
  return {type, truncated: true, preview: cut(written, limit - 40)};
}
