/** What this browser is called until its user says otherwise. */

const products: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
];
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** BrowserName makes a name such as "Chrome on Linux" of a user agent string. */
export function browserName(userAgent: string): string {
  const product = products.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Chrome';
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? product : `${product} on ${system}`;
}
