/** Shapes: a check of what comes out of a page, where it comes into the worker. */

/** Kind is what a field must be. A question mark: it may be absent. */
export type Kind = Plain | `${Plain}?`;
type Plain = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any';

/** Shape tells whether a value is a T. The page's own scripts cannot reach the isolated world: one level deep is enough. */
export type Shape<T> = (value: unknown) => value is T;

/** Shape makes the check for an object with these fields. Every field of T must be named. */
export function shape<T extends object>(fields: {readonly [K in keyof T]-?: Kind}): Shape<T> {
  const list = Object.entries<Kind>(fields);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null) return false;
    const found = new Map<string, unknown>(Object.entries(value));
    return list.every(([name, kind]) => fits(found.get(name), kind));
  };
}

function fits(value: unknown, kind: Kind): boolean {
  if (kind.endsWith('?') && value === undefined) return true;
  const plain = kind.endsWith('?') ? kind.slice(0, -1) : kind;
  if (plain === 'any') return true;
  if (plain === 'array') return Array.isArray(value);
  if (plain === 'object') return typeof value === 'object' && value !== null;
  return typeof value === plain;
}
