import {expect, test} from 'vitest';
import {bodyBytes, bodyText} from './bodytext';

const base64 = (bytes: Iterable<number>): string => btoa(String.fromCharCode(...bytes));
const utf8 = new TextEncoder();

test('text stays as it is', () => {
  expect(bodyText('{"a":1}', false, 'application/json')).toEqual({text: '{"a":1}'});
  expect(bodyText('', false, 'text/plain')).toEqual({note: 'the body is empty'});
});

test('bytes that are text are decoded', () => {
  expect(bodyText(base64(utf8.encode('é👍')), true, 'application/octet-stream')).toEqual({text: 'é👍'});
});

test.each([
  [[0x89, 0x50, 0x4e, 0x47], 4],
  [[0x61, 0, 0x62], 3],
  [[0xff, 0xfe], 2],
])('bytes %j that are none are counted', (bytes, count) => {
  const {text, note} = bodyText(base64(bytes), true, 'image/png');
  expect(text).toBeUndefined();
  expect(note).toContain(`${count} bytes of image/png`);
});

test('a long body is cut between characters', () => {
  const {text = '', note} = bodyText('👍'.repeat(bodyBytes), false, 'text/plain');
  expect(utf8.encode(text).length).toBe(bodyBytes);
  expect(text.endsWith('👍')).toBe(true);
  expect(note).toContain('are shown');
});
