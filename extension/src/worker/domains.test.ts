import {describe, expect, test} from 'vitest';
import {blockedBy, domainOf, hostOf, isLoopback, rule} from './domains';

describe('domainOf', () => {
  test.each([
    ['https://mail.example.co.uk/x?y#z', 'example.co.uk'],
    ['https://EXAMPLE.com:8443/', 'example.com'],
    ['https://www.example.com./', 'example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://alice.github.io/', 'alice.github.io'],
    ['https://x.alice.github.io/', 'alice.github.io'],
    ['https://github.io/', 'github.io'],
    ['http://localhost:3000/', 'localhost'],
    ['http://intranet/', 'intranet'],
    ['http://127.0.0.1:8080/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:1.2.3.4]/', '1.2.3.4'],
    ['blob:https://shop.example.com/0b1c', 'example.com'],
    ['blob:null/0b1c', 'blob:'],
    ['about:blank', 'about:blank'],
    ['data:text/html,hi', 'data:'],
    ['file:///etc/hosts', 'file:'],
    ['not an address', ''],
  ])('%s is %s', (address, domain) => {
    expect(domainOf(address)).toBe(domain);
  });
});

describe('rule', () => {
  test.each([
    ['example.com', 'example.com'],
    [' Mail.Example.CO.UK ', 'example.co.uk'],
    ['https://www.example.com/path', 'example.com'],
    ['*.example.com', 'example.com'],
    ['example.com:8443', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['github.io', 'github.io'],
    ['ru', 'ru'],
    ['localhost', 'localhost'],
    ['192.0.2.1', '192.0.2.1'],
    ['::1', '::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
  ])('%s blocks %s', (typed, entry) => {
    expect(rule(typed)).toBe(entry);
  });

  test.each(['', '   ', 'two words', 'http://', '*.', 'a b.com'])('%j is no rule', (typed) => {
    expect(rule(typed)).toBeUndefined();
  });
});

describe('blockedBy', () => {
  const entries = new Set(['example.com', 'github.io', '192.0.2.1', 'localhost', 'xn--bcher-kva.example', 'zip']);

  test.each([
    ['https://example.com/', 'example.com'],
    ['https://a.b.example.com./', 'example.com'],
    ['HTTPS://EXAMPLE.COM', 'example.com'],
    ['https://user:pass@example.com/', 'example.com'],
    ['blob:https://example.com/1', 'example.com'],
    ['https://bob.github.io/', 'github.io'],
    ['http://192.0.2.1:81/', '192.0.2.1'],
    ['http://3221225985/', '192.0.2.1'],
    ['http://[::ffff:192.0.2.1]/', '192.0.2.1'],
    ['http://app.localhost/', 'localhost'],
    ['https://www.bücher.example/', 'xn--bcher-kva.example'],
    ['https://invoice.zip/', 'zip'],
    ['ws://example.com/', 'example.com'],
  ])('%s falls under %s', (address, entry) => {
    expect(blockedBy(address, entries)).toBe(entry);
  });

  test.each([
    'https://notexample.com/',
    'https://example.com.evil.test/',
    'https://evil.test/example.com',
    'https://evil.test/?u=https://example.com/',
    'https://example.com@evil.test/',
    'http://192.0.2.10/',
    'http://1.192.0.2.1.test/',
    'http://127.0.0.1/',
    'about:blank',
    'data:text/html,example.com',
    '',
  ])('%s does not', (address) => {
    expect(blockedBy(address, entries)).toBeUndefined();
  });
});

test('only this machine is loopback', () => {
  expect(['127.0.0.1', '127.9.9.9', 'localhost', 'a.localhost', '::1'].every(isLoopback)).toBe(true);
  expect(['127.0.0.1.evil.test', '128.0.0.1', 'localhost.evil.test', '0.0.0.0', ''].some(isLoopback)).toBe(false);
  expect(hostOf('http://[0:0:0:0:0:0:0:1]/')).toBe('::1');
});
