import {describe, expect, test} from 'vitest';
import {FakeBrowser, MemoryStore, recordedEvents} from './fakes';
import {Guard} from './guard';
import {Sessions} from './sessions';
import {Settings} from './settings';

async function setUp(blocklist = ['blocked.test']) {
  const {events, told} = recordedEvents();
  const settings = new Settings(new MemoryStore());
  await settings.load(() => Promise.resolve(undefined));
  await settings.block(blocklist);
  const sessions = new Sessions({run: new MemoryStore(), kept: new MemoryStore()}, events);
  const browser = new FakeBrowser();
  const guard = new Guard(settings, sessions, events, browser);
  return {browser, guard, sessions, settings, told};
}

describe('an address asked for', () => {
  test.each([
    'http://ok.test/',
    'https://ok.test/',
    'about:blank',
    'data:text/html,hi',
    'blob:https://ok.test/1',
    'http://127.0.0.1:8080/',
  ])('%s is allowed', async (address) => {
    const {guard} = await setUp();
    await expect(guard.checkAsked(address, 'open_tab')).resolves.toBeUndefined();
  });

  test.each([
    'chrome://settings',
    'chrome-extension://hlnomgpkpndcppfcepkflgdcebgidkeg/popup.html',
    'view-source:https://ok.test/',
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'about:settings',
    'devtools://devtools/bundled/inspector.html',
    'ftp://ok.test/',
    'filesystem:https://ok.test/temporary/x',
    'edge://settings',
    '/relative',
    'ok.test',
    '',
  ])('%s never is', async (address) => {
    const {guard, told} = await setUp();
    await expect(guard.checkAsked(address, 'navigate')).rejects.toMatchObject({code: 'invalid_action'});
    expect(told).toEqual([]);
  });

  test.each(['https://blocked.test/', 'http://www.BLOCKED.test.:81/x', 'blob:https://blocked.test/1'])(
    '%s is blocked, and told',
    async (address) => {
      const {guard, told} = await setUp();
      await expect(guard.checkAsked(address, 'open_tab')).rejects.toMatchObject({
        code: 'domain_blocked',
        retryable: 'no',
      });
      expect(told).toEqual([{type: 'domain_blocked', domain: 'blocked.test', action: 'open_tab'}]);
    },
  );

  test.each([
    'http://127.0.0.1:47600/',
    'http://localhost:47600/pair',
    'http://[::1]:47600/',
    'http://127.1:47600/',
    'http://0.0.0.0:47600/',
    'https://app.localhost:47600/',
    'http://[::ffff:127.0.0.1]:47600/',
    'blob:http://127.0.0.1:47600/1',
  ])("%s is our server's own and blocked", async (address) => {
    const {guard} = await setUp();
    await expect(guard.checkAsked(address, 'open_tab')).rejects.toMatchObject({code: 'domain_blocked'});
    expect(guard.frameAllowed(address)).toBe(false);
  });

  test('file: needs a switch, which the error names', async () => {
    const {browser, guard} = await setUp();
    await expect(guard.checkAsked('file:///tmp/x', 'open_tab')).rejects.toThrow(
      /"Allow access to file URLs" at chrome:\/\/extensions\/\?id=hlnomgpkpndcppfcepkflgdcebgidkeg/,
    );
    browser.files = true;
    await expect(guard.checkAsked('file:///tmp/x', 'open_tab')).resolves.toBeUndefined();
  });

  test('file: stays off in a browser that a program launched, where the switch is on by itself', async () => {
    const {events} = recordedEvents();
    const settings = new Settings(new MemoryStore());
    await settings.load(() => Promise.resolve({address: '127.0.0.1:5', pairingToken: 'CODE'}));
    const browser = new FakeBrowser();
    browser.files = true;
    const guard = new Guard(
      settings,
      new Sessions({run: new MemoryStore(), kept: new MemoryStore()}, events),
      events,
      browser,
    );
    await expect(guard.checkAsked('file:///tmp/x', 'open_tab')).rejects.toMatchObject({code: 'invalid_action'});
  });
});

describe('what a tab shows', () => {
  test("a blocked page ends the session there; an agent's tab is taken away from it first", async () => {
    const {browser, guard, sessions, told} = await setUp();
    sessions.claim(1, 'ann', 'https://ok.test/', {agentTab: true});
    sessions.onEnded(() => {
      expect(browser.blanked).toEqual([1]);
    });
    expect(() => {
      guard.checkTab(1, 'https://blocked.test/', 'click', false);
    }).toThrow(/blocked\.test is on the blocklist/);
    expect(told.slice(1)).toEqual([
      expect.objectContaining({type: 'session_ended', reason: 'domain_blocked'}),
      {type: 'domain_blocked', tabId: 1, domain: 'blocked.test', action: 'click'},
    ]);
    expect(sessions.owner(1)).toBeUndefined();
  });

  test("a tab of the user's stays where it is", async () => {
    const {browser, guard, sessions} = await setUp();
    sessions.claim(1, 'ann', 'https://ok.test/');
    guard.committed(1, 'https://blocked.test/');
    expect(browser.blanked).toEqual([]);
    expect(sessions.owner(1)).toBeUndefined();
  });

  test("the browser's own pages can only be left", async () => {
    const {guard} = await setUp();
    expect(() => {
      guard.checkTab(1, 'chrome://newtab/', 'snapshot', false);
    }).toThrow(/this tab shows chrome:\/\/newtab\//);
    guard.checkTab(1, 'chrome://newtab/', 'navigate', true);
    expect(() => {
      guard.checkTab(1, 'chrome-extension://hlnomgpkpndcppfcepkflgdcebgidkeg/cover.html', 'navigate', true);
    }).toThrow(/cover\.html/);
    guard.checkTab(1, '', 'snapshot', false);
  });

  test('about:blank and data: act in the name of the page that opened them, until they become a page of their own', async () => {
    const {guard} = await setUp();
    guard.openedBy(5, 'https://blocked.test/popup');
    expect(() => {
      guard.checkTab(5, 'about:blank', 'extract', false);
    }).toThrow(/blocklist/);
    expect(guard.listable(5, 'about:blank')).toBe(false);
    guard.committed(5, 'https://ok.test/');
    guard.checkTab(5, 'about:blank', 'extract', false);
  });
});

describe('a navigation that commits', () => {
  test('on a blocked domain ends the session and is told, however it came about', async () => {
    const {browser, guard, sessions, told} = await setUp();
    sessions.claim(1, 'ann', 'https://ok.test/', {agentTab: true});
    guard.committed(1, 'https://x.blocked.test/after-redirects');
    expect(browser.blanked).toEqual([1]);
    expect(guard.hitOn(1)).toBe('blocked.test');
    // Chrome tells a commit in several ways, and then that of the empty page.
    guard.committed(1, 'https://x.blocked.test/after-redirects');
    guard.committed(1, 'about:blank');
    expect(guard.hitOn(1)).toBe('blocked.test');
    expect(told.slice(1)).toEqual([
      {type: 'domain_blocked', tabId: 1, domain: 'blocked.test', action: 'navigation'},
      expect.objectContaining({type: 'session_ended', reason: 'domain_blocked'}),
    ]);
  });

  test("in a tab that nobody works on is nobody's business", async () => {
    const {guard, told} = await setUp();
    guard.committed(1, 'https://blocked.test/');
    expect(told).toEqual([]);
  });

  test('on a page of its own ends what was before', async () => {
    const {guard} = await setUp();
    guard.committed(1, 'https://blocked.test/');
    guard.committed(1, 'https://ok.test/');
    expect(guard.hitOn(1)).toBeUndefined();
  });

  test('elsewhere moves the record', async () => {
    const {guard, sessions} = await setUp();
    sessions.claim(1, 'ann', 'https://ok.test/');
    guard.committed(1, 'https://www.other.test/');
    expect(sessions.get(1)?.domain).toBe('other.test');
  });
});

test("the server's rules count beside the user's, and new rules count for tabs that are open", async () => {
  const {guard, sessions, settings} = await setUp();
  sessions.claim(1, 'ann', 'https://policy.test/');
  sessions.claim(2, 'ann', 'https://mine.test/');
  guard.setServerRules(['policy.test']);
  await settings.block(['mine.test']);
  guard.recheck([
    {id: 1, address: 'https://policy.test/'},
    {id: 2, address: 'https://mine.test/'},
  ]);
  expect(sessions.list()).toEqual([]);
  expect(guard.frameAllowed('https://ads.policy.test/')).toBe(false);
  guard.setServerRules([]);
  expect(guard.frameAllowed('https://ads.policy.test/')).toBe(true);
});
