import {describe, expect, test} from 'vitest';
import {browserName} from './browsername';
import {readMessage} from './status';

const own = {id: 'ours', root: 'chrome-extension://ours/'};
const popup = {id: 'ours', url: 'chrome-extension://ours/popup.html'};

describe('readMessage', () => {
  test.each([
    {type: 'getStatus'},
    {type: 'pair', link: 'x'},
    {type: 'pair', address: 'a', code: 'b'},
    {type: 'reconnect'},
    {type: 'stopSession', tabId: 1},
    {type: 'stopAll'},
    {type: 'resume'},
    {type: 'setBlocklist', entries: ['a']},
    {type: 'setWhenAway', whenAway: 'work'},
    {type: 'setUnattended', unattended: true},
    {type: 'endHandoff', tabId: 1, how: 'refused'},
    {type: 'showTab', tabId: 1},
  ])('takes $type', (message) => {
    expect(readMessage(message, popup, own)).toEqual(message);
  });

  test.each([
    undefined,
    'getStatus',
    {},
    {type: 'unknown'},
    {type: 'pair'},
    {type: 'pair', address: 'a'},
    {type: 'stopSession', tabId: '1'},
    {type: 'setBlocklist', entries: 'a'},
    {type: 'setBlocklist', entries: [1]},
    {type: 'setWhenAway', whenAway: 'maybe'},
    {type: 'setUnattended', unattended: 'yes'},
    {type: 'endHandoff', tabId: 1, how: 'gone'},
    {type: 'endHandoff', how: 'done'},
    {type: 'showTab'},
  ])('leaves %j to others', (message) => {
    expect(readMessage(message, popup, own)).toBeUndefined();
  });

  test.each([
    {id: 'ours', url: 'https://evil.test/'},
    {id: 'ours', url: 'https://evil.test/chrome-extension://ours/'},
    {id: 'other', url: 'chrome-extension://ours/popup.html'},
    {id: 'ours'},
    {},
  ])('hears no resume from %j', (sender) => {
    expect(readMessage({type: 'resume'}, sender, own)).toBeUndefined();
  });
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
    'Chrome on macOS',
  ],
  ['something else', 'Chrome'],
])('%s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
