import {expect, test} from 'vitest';
import {cut, isSecretName, maskHeaders, maskUrl} from './masking';

test.each([
  'Cookie',
  'Set-Cookie',
  'Authorization',
  'Proxy-Authorization',
  'X-API-Key',
  'apikey',
  'x-csrf-token',
  'X-Amz-Security-Token',
  'x-session-id',
  'accessToken',
  'client_secret',
])('%s is a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'WWW-Authenticate',
  ':authority',
  'Content-Type',
  'Access-Control-Allow-Credentials',
  'Sec-WebSocket-Key',
  'author',
  'Keep-Alive',
  'tokens',
])('%s is none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('headers keep what is no secret', () => {
  expect(
    maskHeaders({
      Cookie: 'sid=1',
      'Content-Type': 'text/html',
      Location: 'https://a.test/cb#access_token=abc&state=1',
      'X-Long': 'x'.repeat(5000),
    }),
  ).toEqual({
    cookie: '[masked]',
    'content-type': 'text/html',
    location: 'https://a.test/cb#access_token=[masked]&state=1',
    'x-long': `${'x'.repeat(1023)}…`,
  });
});

test.each([
  ['https://ada:love@a.test/x?a=1', 'https://[masked]@a.test/x?a=1'],
  ['https://a.test/x?token=abc&page=2', 'https://a.test/x?token=[masked]&page=2'],
  ['https://a.test/x?page=2&api_key=abc#top', 'https://a.test/x?page=2&api_key=[masked]#top'],
  ['https://a.test/mail@example.com?q=token', 'https://a.test/mail@example.com?q=token'],
  ['https://a.test/x?token=', 'https://a.test/x?token='],
])('%s becomes %s', (url, want) => {
  expect(maskUrl(url)).toBe(want);
});

test('a cut never parts a pair of surrogates', () => {
  expect(cut('ab👍cd', 4)).toBe('ab…');
  expect(cut('ab👍cd', 5)).toBe('ab👍…');
  expect(cut('abc', 3)).toBe('abc');
});
