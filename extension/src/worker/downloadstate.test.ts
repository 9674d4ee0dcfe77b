import {describe, expect, it} from 'vitest';
import {type Item, nameOf, stateOf} from './downloadstate';

const item: Item = {
  id: 1,
  url: 'http://a.test/x',
  finalUrl: 'http://a.test/files/%C3%BCber.csv?x=1',
  filename: '/home/ann/Downloads/über (1).csv',
  state: 'in_progress',
  danger: 'safe',
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
