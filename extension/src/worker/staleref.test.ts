import {expect, test} from 'vitest';
import type {Action} from '../protocol.gen';
import {ActionError} from './errors';
import {staleRef} from './staleref';

const missing = (ref: string): ActionError =>
  new ActionError('element_not_found', `no element of this page was ever told as ${ref}; take a new snapshot`);
const click: Action = {type: 'click', uid: 'e7'};

test('a ref that the tab once told is stale, with the address of now', () => {
  const error = staleRef(missing('e7'), click, 8, 'https://shop.test/next');
  expect(error).toMatchObject({code: 'element_stale', step: 'resolve'});
  expect(error).toHaveProperty('message', expect.stringMatching(/e7 .* https:\/\/shop\.test\/next now/));
});

test('a ref that never was stays not found', () => {
  const thrown = missing('e7');
  expect(staleRef(thrown, click, 7, undefined)).toBe(thrown);
});

test('the end of a drag that is not known is the one that counts', () => {
  const drag: Action = {type: 'drag', from: {uid: 'e1'}, to: {uid: 'e12'}};
  const never = missing('e12');
  expect(staleRef(never, drag, 5, undefined)).toBe(never);
  expect(staleRef(missing('e1'), drag, 5, undefined)).toMatchObject({code: 'element_stale'});
});

test('other errors are left alone', () => {
  const blocked = new ActionError('element_blocked', 'e7 is covered');
  expect(staleRef(blocked, click, 8, undefined)).toBe(blocked);
  expect(staleRef('e7', click, 8, undefined)).toBe('e7');
});
