import {expect, test} from 'vitest';
import {unattachable} from './attach';

test.each([
  ['chrome://settings', "one of the browser's own pages"],
  ['devtools://devtools/bundled/inspector.html', "one of the browser's own pages"],
  ['view-source:https://example.com/', 'the source view of a page'],
  ['https://chromewebstore.google.com/detail/x', 'the Chrome Web Store'],
  ['https://chrome.google.com/webstore/category', 'the Chrome Web Store'],
  ['chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/page.html', 'a page of an extension'],
])('%s is refused up front', (address, what) => {
  const refused = unattachable(address);
  expect(refused?.code).toBe('invalid_action');
  expect(refused?.message).toContain(what);
});

test.each([
  '',
  'about:blank',
  'https://example.com/',
  'http://127.0.0.1:1/webstore',
  'https://chrome.google.com/intl/en/chrome',
  'data:text/html,x',
  'file:///tmp/x.html',
  'https://evil.test/chromewebstore.google.com',
])('%s is not', (address) => {
  expect(unattachable(address)).toBeUndefined();
});
