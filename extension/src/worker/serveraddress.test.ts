import {expect, test} from 'vitest';
import {pagesOf, socketUrl} from './serveraddress';

test.each([
  ['127.0.0.1:9', 'ws://127.0.0.1:9/ws/browser'],
  ['[::1]:9', 'ws://[::1]:9/ws/browser'],
  ['wss://bridge.test', 'wss://bridge.test/ws/browser'],
  ['wss://bridge.test:8443', 'wss://bridge.test:8443/ws/browser'],
  ['bridge.test:80', undefined],
  ['ws://bridge.test', undefined],
  ['127.0.0.1.bridge.test:9', undefined],
  ['wss://bridge.test/path', undefined],
  ['', undefined],
])('%s is spoken to at %s', (address, url) => {
  expect(socketUrl(address)).toBe(url);
});

test('the pages of a server are where its socket is', () => {
  expect(pagesOf('wss://bridge.test:8443')?.origin).toBe('https://bridge.test:8443');
  expect(pagesOf('127.0.0.1:9')?.origin).toBe('http://127.0.0.1:9');
});
