import {describe, expect, it} from 'vitest';
import {type Item, isHeldBack, nameOf, stateOf} from './downloadstate';

const item: Item = {
  id: 1,
  url: 'http://a.test/x',
  finalUrl: 'http://a.test/files/%C3%BCber.csv?x=1',
  filename: '/home/ann/Downloads/über (1).csv',
  referrer: '',
  state: 'in_progress',
  danger: 'safe',
  paused: false,
  bytesReceived: 5,
  totalBytes: 10,
};

describe('stateOf', () => {
  it.each([
    [{}, 'in_progress'],
    [{filename: ''}, 'waiting'],
    [{state: 'complete'}, 'complete'],
    [{state: 'complete', danger: 'accepted'}, 'complete'],
    [{state: 'interrupted', error: 'NETWORK_FAILED'}, 'interrupted'],
    [{state: 'interrupted', error: 'FILE_BLOCKED'}, 'blocked'],
    [{danger: 'content'}, 'dangerous'],
    [{danger: 'file', filename: ''}, 'dangerous'],
    [{danger: 'blockedTooLarge'}, 'blocked'],
  ] as const)('%j', (change, state) => {
    expect(stateOf({...item, ...change})).toBe(state);
  });
});

describe('isHeldBack', () => {
  const whole = {bytesReceived: 10};
  const local = {url: 'http://localhost:3000/a', finalUrl: 'http://127.0.0.1/a'};
  const secret = {url: 'https://a.test/x', finalUrl: 'https://a.test/x'};
  it.each([
    [{}, false],
    [whole, true],
    [{...whole, state: 'complete'}, false],
    [{...whole, danger: 'file'}, false],
    [{...whole, paused: true}, false],
    [{bytesReceived: 0, totalBytes: 0}, false],
    [{bytesReceived: 10, totalBytes: 0}, false],
    [{...whole, ...local}, false],
    [{...whole, url: 'http://[::1]:80/', finalUrl: 'http://app.localhost/'}, false],
    [{...whole, ...secret}, false],
    [{...whole, ...secret, referrer: 'http://a.test/'}, true],
    [{...whole, ...secret, finalUrl: 'http://127.0.0.1.evil.test/'}, true],
  ] as const)('%j', (change, is) => {
    expect(isHeldBack({...item, ...change})).toBe(is);
  });
});

describe('nameOf', () => {
  it('is the file without its folder, on every platform', () => {
    expect(nameOf(item)).toBe('über (1).csv');
    expect(nameOf({...item, filename: 'C:\\Users\\Ann\\a.pdf'})).toBe('a.pdf');
  });

  it('is what the address suggests before that', () => {
    expect(nameOf({...item, filename: ''})).toBe('über.csv');
    expect(nameOf({...item, filename: '', finalUrl: 'blob:http://a.test/1-2'})).toBe('download');
    expect(nameOf({...item, filename: '', finalUrl: 'http://a.test/%E0%A4%A'})).toBe('%E0%A4%A');
    expect(nameOf({...item, filename: '', finalUrl: 'http://a.test/'})).toBe('download');
  });
});
