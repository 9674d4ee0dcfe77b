// @vitest-environment jsdom
import {afterEach, describe, expect, it, vi} from 'vitest';
import {write} from './evaluate';

const limit = 8192;

class Point {
  x = 1;
  y = 2;
}

function circle(): object {
  const a: Record<string, unknown> = {n: 1};
  a.self = a;
  return a;
}

describe('write', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each<[unknown, string]>([
    [null, 'null'],
    [true, 'true'],
    [0, '0'],
    [1.5e300, '1.5e+300'],
    ['a "b" \\ \n \u2028 é 𩸽', ''],
    ['\ud800 alone', ''],
    [[1, [2, {a: null}]], ''],
    [{a: 1, 'b c': {d: []}}, ''],
    [new Point(), '{"x":1,"y":2}'],
    [{__proto__: null, a: 1}, '{"a":1}'],
    [new URL('https://a.test/b'), '"https://a.test/b"'],
  ])('gives the JSON of %o', (value, expected) => {
    const {json, description} = write(value, limit);
    expect(description).toBeUndefined();
    expect(json).toBe(expected === '' ? JSON.stringify(value) : expected);
    expect(JSON.parse(json ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it.each<[unknown, string, string]>([
    [undefined, 'undefined', 'undefined'],
    [NaN, 'number', 'NaN'],
    [-Infinity, 'number', '-Infinity'],
    [-0, 'number', '-0'],
    [12n, 'bigint', '12n'],
    [Symbol('s'), 'symbol', 'Symbol(s)'],
    [
      function named(): void {
        return undefined;
      },
      'function',
      'function named',
    ],
    [new Map([['a', 1]]), 'map', 'Map(1) {"a" => 1}'],
    [new Set([1, 'b']), 'set', 'Set(2) {1, "b"}'],
    [new Date(0), 'date', '1970-01-01T00:00:00.000Z'],
    [new Date(NaN), 'date', 'Invalid Date'],
    [/a+/gi, 'regexp', '/a+/gi'],
    [new TypeError('no'), 'error', 'TypeError: no'],
    [[NaN, undefined], 'array', '[NaN,undefined]'],
    [{a: -0}, 'object', '{"a":-0}'],
    [circle(), 'object', '{"n":1,"self":[circular]}'],
    [Promise.resolve(1), 'promise', 'Promise'],
    [new Uint8Array(3), 'uint8array', 'Uint8Array(3)'],
  ])('tells %o apart', (value, type, description) => {
    expect(write(value, limit)).toEqual({type, description});
  });

  it('describes nodes by what finds them again', () => {
    const div = document.createElement('div');
    div.id = 'main';
    div.className = 'a b';
    expect(write(div, limit)).toEqual({type: 'node', description: '<div#main.a.b>'});
    expect(write({at: div}, limit)).toEqual({type: 'object', description: '{"at":<div#main.a.b>}'});
    expect(write(document, limit).description).toBe('#document');
  });

  it('is not fooled by a page that patches what it uses', () => {
    Object.defineProperty(Array.prototype, 'toJSON', {configurable: true, value: () => 'patched'});
    vi.stubGlobal('JSON', {stringify: () => 'patched'});
    try {
      expect(write({a: [1, 2]}, limit).json).toBe('{"a":[1,2]}');
    } finally {
      Reflect.deleteProperty(Array.prototype, 'toJSON');
    }
  });

  it('survives what throws when it is read', () => {
    const bad = {
      get a(): never {
        throw new Error('gotcha');
      },
    };
    expect(write(bad, limit).description).toContain('gotcha');
    const proxy = new Proxy(
      {},
      {
        ownKeys(): never {
          throw new Error('trap');
        },
      },
    );
    expect(write(proxy, limit).description).toContain('trap');
  });

  it('cuts what is larger than the limit, at a character, and says how much', () => {
    const whole = write('x'.repeat(8190), limit);
    expect(whole.json).toHaveLength(8192);
    const {truncated, preview = '', json} = write('𩸽'.repeat(5000), limit);
    expect(truncated).toBe(true);
    expect(json).toBeUndefined();
    expect(preview).toMatch(/…\[truncated \d+ chars\]$/);
    expect(preview).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(new TextEncoder().encode(preview).length).toBeLessThanOrEqual(limit);
    const shown = preview.replace(/…\[truncated \d+ chars\]$/, '');
    const left = Number(/truncated (\d+) chars/.exec(preview)?.[1]);
    expect(shown.length + left).toBe(JSON.stringify('𩸽'.repeat(5000)).length);
  });

  it('gives up on what is nested without end', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(write(deep, limit).description).toContain('…');
  });
});
